// Products of matrices, and determinants.
#include "graph/matrix_product.hpp"
#include "model/op_table.hpp"
#include "ops/matmul/matmul.hpp"
#include "ops/move/gather.hpp"
#include "ops/reduce/reduce.hpp"

namespace netcl::model {

namespace {

TensorRef multiplied(const Call& call, const TensorRef& a, const TensorRef& b,
                     const ops::MatmulParameters& parameters = {}) {
  return call.made<ops::matmul>("matmul", *a, *b, parameters);
}

void build_matmul(Call& call) {
  call.give(graph::matrix_product(call.caller(), call.tensor(0), call.tensor(1)));
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
    made = graph::integer_product(call.caller(), a, b);
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

// ---- Determinants ------------------------------------------------------------------------------

// So many rows at most: each is some calls.
constexpr int64_t kDetMost = 64;

TensorRef reduced(const Call& call, const TensorRef& x, netcl_reduction kind) {
  const std::array<int32_t, 1> rows = {1};
  ops::ReduceRequest request;
  request.kind = kind;
  request.axes = rows;
  request.keepdims = true;
  return call.made<ops::reduce>("reduce", *x, request);
}

// Rows that are left, [B, n, columns], and the determinant of those that are not, [B, 1, 1].
struct Elimination {
  TensorRef rows;
  TensorRef left;  // 1 for a row that is left
  TensorRef det;
};

// Takes the row with the largest element in the first column away from the others.
void eliminate(const Call& call, const TensorRef& places, Elimination* state) {
  const auto& shape = state->rows->layout().shape;
  const TensorRef column = graph::part_of(*state->rows, 2, 0, 1);
  const TensorRef sizes = call.formula("v1 > 0.0 ? abs(v0) : -1.0", {column, state->left});
  const TensorRef pivot = reduced(call, sizes, NETCL_REDUCTION_ARGMAX);
  const int64_t line[3] = {shape[0], 1, shape[2]};
  const TensorRef row = call.made<ops::gather_elements>("gather_elements", *state->rows,
                                                        *broadcast(*pivot, 3, line), int32_t{1});
  const TensorRef first = graph::part_of(*row, 2, 0, 1);
  // A row that has an odd number of those left before it turns the sign.
  const TensorRef before = reduced(
      call, call.formula("v1 < v2 ? v0 : 0.0", {state->left, places, pivot}), NETCL_REDUCTION_SUM);
  state->det =
      call.formula("v0 * v1 * (v2 % 2.0 == 0.0 ? 1.0 : -1.0)", {state->det, first, before});
  state->left = call.formula("v1 == v2 ? 0.0 : v0", {state->left, places, pivot});
  if (shape[2] == 1) return;
  const auto rest = [&](const TensorRef& tensor) {
    return graph::part_of(*tensor, 2, 1, shape[2] - 1);
  };
  state->rows = call.formula("v2 == 0.0 ? v0 : v0 - v1 / v2 * v3",
                             {rest(state->rows), column, first, rest(row)});
}

void build_det(Call& call) {
  const TensorRef x = call.tensor(0);
  const Layout& from = x->layout();
  const int64_t n = from.rank < 2 ? -1 : from.shape[from.rank - 1];
  if (n < 1 || from.shape[from.rank - 2] != n || !is_float(x->dtype())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "an input of %s of shape %s has no determinant",
         dtype_facts(x->dtype()).name, shape_text(from).c_str());
  }
  if (n > kDetMost || x->empty()) {
    fail(NETCL_ERROR_UNSUPPORTED, "determinants of matrices of shape %s; they have up to %lld rows",
         shape_text(from).c_str(), static_cast<long long>(kDetMost));
  }
  const netcl_dtype wide = x->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  std::vector<int64_t> shape = shape_of(*x);
  shape.resize(shape.size() - 2);
  const int64_t stack[3] = {x->element_count() / (n * n), n, n};
  const int64_t column[3] = {stack[0], n, 1}, single[3] = {stack[0], 1, 1};
  const TensorRef one = call.constant(wide, {}, {1});
  Elimination state = {call.reshaped(call.cast(x, wide), stack), broadcast(*one, 3, column),
                       broadcast(*one, 3, single)};
  const TensorRef places = call.counted(NETCL_I64, {1, n, 1});
  for (int64_t i = 0; i < n; ++i) eliminate(call, places, &state);
  call.give(call.cast(call.reshaped(state.det, shape), x->dtype()));
}

constexpr OpRow kProductRows[] = {
    {"Det", "", build_det},
    {"Gemm", "alpha beta transA transB", build_gemm},
    {"MatMul", "", build_matmul},
    {"MatMulInteger", "", build_matmul_integer},
};

}  // namespace

std::span<const OpRow> product_rows() { return kProductRows; }

}  // namespace netcl::model
