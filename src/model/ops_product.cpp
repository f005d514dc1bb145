// Products of matrices.
#include "model/op_table.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::model {

namespace {

TensorRef multiplied(const Call& call, const TensorRef& a, const TensorRef& b,
                     const ops::MatmulParameters& parameters = {}) {
  return call.made<ops::matmul>("matmul", *a, *b, parameters);
}

// Of integers, whose sums wrap around: all products, then the sums of those that belong together.
TensorRef integer_product(const Call& call, TensorRef a, TensorRef b) {
  const bool row = a->layout().rank == 1, column = b->layout().rank == 1;
  if (row) a = graph::with_unit(*a, 0);
  if (column) b = graph::with_unit(*b, 1);
  if (a->layout().rank == 0 || b->layout().rank == 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "an input is one number; they are matrices");
  }
  const uint32_t rank = std::max(a->layout().rank, b->layout().rank);
  if (rank == kRankMax) {
    fail(NETCL_ERROR_UNSUPPORTED, "a product of integers has at most %u dimensions", kRankMax - 1);
  }
  a = graph::with_unit(*a, a->layout().rank);
  b = graph::with_unit(*b, b->layout().rank - 2);
  const TensorRef products = call.formula("v0 * v1", {a, b}, a->dtype());
  std::vector<int32_t> axes = {-2};
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_SUM;
  request.axes = axes;
  request.dtype = a->dtype();
  TensorRef made = call.made<ops::reduce>("reduce", *products, request);
  std::vector<int64_t> shape = shape_of(*made);
  if (column) shape.pop_back();
  if (row) shape.erase(shape.end() - (column ? 1 : 2));
  return row || column ? call.reshaped(made, shape) : made;
}

void build_matmul(Call& call) {
  const TensorRef a = call.tensor(0), b = call.tensor(1);
  call.give(is_float(a->dtype()) ? multiplied(call, a, b) : integer_product(call, a, b));
}

void build_gemm(Call& call) {
  TensorRef a = call.tensor(0), b = call.tensor(1);
  if (a->layout().rank != 2 || b->layout().rank != 2) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "the inputs have shapes %s and %s; they are matrices",
         shape_text(*a).c_str(), shape_text(*b).c_str());
  }
  if (call.integer("transA", 0) != 0) a = graph::transposed(*a);
  if (call.integer("transB", 0) != 0) b = graph::transposed(*b);
  const double alpha = call.real("alpha", 1.0), beta = call.real("beta", 1.0);
  const netcl_dtype dtype = a->dtype();
  TensorRef made;
  if (is_float(dtype)) {
    ops::MatmulParameters parameters;
    parameters.alpha = alpha;
    made = multiplied(call, a, b, parameters);
  } else {
    made = integer_product(call, a, b);
    if (alpha != 1.0) made = call.formula("v0 * " + graph::literal(alpha), {made}, dtype);
  }
  if (const TensorRef bias = call.optional(2)) {
    const std::string scaled = beta == 1.0 ? "v1" : "v1 * " + graph::literal(beta);
    made = call.formula("v0 + " + scaled, {made, bias}, dtype);
  }
  call.give(made);
}

// [N] for columns, [M] for rows, or the zero points of each matrix of a stack.
void build_matmul_integer(Call& call) {
  ops::MatmulParameters parameters;
  parameters.a_zero_point = call.optional(2);
  parameters.b_zero_point = call.optional(3);
  call.give(multiplied(call, call.tensor(0), call.tensor(1), parameters));
}

constexpr OpRow kProductRows[] = {
    {"Gemm", "alpha beta transA transB", build_gemm},
    {"MatMul", "", build_matmul},
    {"MatMulInteger", "", build_matmul_integer},
};

}  // namespace

std::span<const OpRow> product_rows() { return kProductRows; }

}  // namespace netcl::model
