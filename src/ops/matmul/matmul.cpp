#include "ops/matmul/matmul.hpp"

#include <algorithm>

#include "ops/frame/result.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {

namespace {

// The operands as stacks of matrices: rank 1 becomes a row or a column.
struct Shapes {
  Layout a;       // batch dimensions, M, K
  Layout b;       // batch dimensions, K, N
  Layout result;  // as the caller sees it
  bool drop_row = false;
  bool drop_column = false;
  int64_t m = 0, n = 0, k = 0;
  uint32_t batch_rank = 0;
  std::array<int64_t, kRankMax> batch{};
};

// Adds a dimension of extent 1 at `place`.
Layout with_unit_dimension(const Layout& layout, uint32_t place) {
  Layout out = layout;
  out.rank = layout.rank + 1;
  for (uint32_t d = layout.rank; d > place; --d) {
    out.shape[d] = layout.shape[d - 1];
    out.strides[d] = layout.strides[d - 1];
  }
  out.shape[place] = 1;
  out.strides[place] = 0;
  return out;
}

void check_matmul_operands(const Tensor& a, const Tensor& b, const Run& run) {
  const bool bytes = is_matmul_byte(a.dtype()) && is_matmul_byte(b.dtype());
  if (a.dtype() != b.dtype() && !bytes) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a is %s and b is %s; dtypes must be equal%s",
         dtype_facts(a.dtype()).name, dtype_facts(b.dtype()).name,
         is_matmul_byte(a.dtype()) || is_matmul_byte(b.dtype()) ? ", or i8 and u8" : "");
  }
  if (!is_float(a.dtype()) && !bytes) {
    fail(NETCL_ERROR_UNSUPPORTED, "a is %s; matmul takes f16, bf16, f32, f64, i8 and u8",
         dtype_facts(a.dtype()).name);
  }
  require_device(a, run, "a");
  require_device(b, run, "b");
  require_f64(run, a.dtype(), "a");
  for (const auto& [tensor, name] : {std::pair{&a, "a"}, std::pair{&b, "b"}}) {
    if (tensor->layout().rank == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has rank 0; matmul takes ranks 1 to %u", name,
           kRankMax);
    }
  }
}

Shapes work_out_shapes(const Layout& a, const Layout& b) {
  Shapes shapes;
  shapes.drop_row = a.rank == 1;
  shapes.drop_column = b.rank == 1;
  shapes.a = shapes.drop_row ? with_unit_dimension(a, 0) : a;
  shapes.b = shapes.drop_column ? with_unit_dimension(b, 1) : b;
  const uint32_t rank = std::max(shapes.a.rank, shapes.b.rank);
  shapes.m = shapes.a.shape[shapes.a.rank - 2];
  shapes.k = shapes.a.shape[shapes.a.rank - 1];
  shapes.n = shapes.b.shape[shapes.b.rank - 1];
  if (shapes.b.shape[shapes.b.rank - 2] != shapes.k) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a has shape %s and b has shape %s; K is %lld against %lld",
         shape_text(a).c_str(), shape_text(b).c_str(), static_cast<long long>(shapes.k),
         static_cast<long long>(shapes.b.shape[shapes.b.rank - 2]));
  }
  shapes.batch_rank = rank - 2;
  for (uint32_t d = 0; d < shapes.batch_rank; ++d) {
    const auto extent = [&](const Layout& layout) {
      const uint32_t lead = rank - layout.rank;
      return d < lead ? int64_t{1} : layout.shape[d - lead];
    };
    const int64_t left = extent(shapes.a);
    const int64_t right = extent(shapes.b);
    if (left != right && left != 1 && right != 1) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "a has shape %s and b has shape %s; their leading "
           "dimensions do not broadcast: %lld against %lld",
           shape_text(a).c_str(), shape_text(b).c_str(), static_cast<long long>(left),
           static_cast<long long>(right));
    }
    shapes.batch[d] = left == 1 ? right : left;
  }
  std::array<int64_t, kRankMax> extents = shapes.batch;
  uint32_t result_rank = shapes.batch_rank;
  if (!shapes.drop_row) extents[result_rank++] = shapes.m;
  if (!shapes.drop_column) extents[result_rank++] = shapes.n;
  shapes.result = packed_layout(result_rank, extents.data());
  return shapes;
}

// Row, column and batch strides of one operand; a missing or broadcast batch dimension has stride
// 0.
MatmulOperand operand_of(const Layout& layout, const Shapes& shapes) {
  MatmulOperand operand;
  operand.offset = layout.offset;
  operand.row_stride = layout.strides[layout.rank - 2];
  operand.column_stride = layout.strides[layout.rank - 1];
  const uint32_t lead = shapes.batch_rank - (layout.rank - 2);
  for (uint32_t d = lead; d < shapes.batch_rank; ++d) {
    if (layout.shape[d - lead] != 1) operand.batch_strides[d] = layout.strides[d - lead];
  }
  return operand;
}

// A layout of the result's shape as the rows and columns of a stack of matrices.
MatmulOperand operand_of_result(const Layout& layout, const Shapes& shapes) {
  Layout full = layout;
  if (shapes.drop_column) full = with_unit_dimension(full, full.rank);
  if (shapes.drop_row) full = with_unit_dimension(full, full.rank - 1);
  return operand_of(full, shapes);
}

// The layout of a bias over the result's shape: 0 strides where it repeats.
Layout broadcast_bias(const Tensor& bias, const Shapes& shapes) {
  const Layout& given = bias.layout();
  const Layout& result = shapes.result;
  Layout out = result;
  out.offset = given.offset;
  bool fits = given.rank <= result.rank;
  for (uint32_t d = 0; fits && d < result.rank; ++d) {
    const uint32_t lead = result.rank - given.rank;
    const int64_t extent = d < lead ? 1 : given.shape[d - lead];
    fits = extent == 1 || extent == result.shape[d];
    out.strides[d] = extent == 1 ? 0 : given.strides[d - lead];
  }
  if (!fits) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->epilogue->bias has shape %s, which does not broadcast to the result's %s",
         shape_text(given).c_str(), shape_text(result).c_str());
  }
  return out;
}

netcl_dtype result_dtype(const Shapes& shapes, netcl_dtype input, netcl_dtype dtype,
                         const TensorRef& into) {
  const char* const argument = dtype == 0 && into != nullptr ? "run->into" : "options->dtype";
  const netcl_dtype own = is_matmul_byte(input) ? NETCL_I32 : input;
  if (dtype == 0) dtype = into != nullptr ? into->dtype() : own;
  const bool widens = dtype == NETCL_F32 && (input == NETCL_F16 || input == NETCL_BF16);
  if (into != nullptr && into->dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->dtype is %s; run->into is %s",
         dtype_facts(dtype, "options->dtype").name, dtype_facts(into->dtype()).name);
  }
  if (dtype_facts(dtype, "options->dtype").size == 0 || (dtype != own && !widens)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; the product of %s gives %s%s", argument,
         dtype_facts(dtype).name, dtype_facts(input).name, dtype_facts(own).name,
         dtype_facts(input).size == 2 ? " or f32" : "");
  }
  if (into != nullptr && !into->layout().same_shape(shapes.result)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into has shape %s; the product has %s",
         shape_text(*into).c_str(), shape_text(shapes.result).c_str());
  }
  return dtype;
}

void check_addend(const Tensor& tensor, const char* argument, netcl_dtype input, netcl_dtype result,
                  const Run& run) {
  require_device(tensor, run, argument);
  if (tensor.dtype() == result || (tensor.dtype() == input && !is_matmul_byte(input))) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; a is %s and the result %s", argument,
       dtype_facts(tensor.dtype()).name, dtype_facts(input).name, dtype_facts(result).name);
}

void check_epilogue(const Epilogue& epilogue, const Shapes& shapes, netcl_dtype input,
                    netcl_dtype result, const TensorRef& into, const Run& run) {
  if (epilogue.bias != nullptr) {
    check_addend(*epilogue.bias, "options->epilogue->bias", input, result, run);
    refuse_sharing(into, *epilogue.bias, "options->epilogue->bias");
  }
  if (epilogue.residual == nullptr) return;
  check_addend(*epilogue.residual, "options->epilogue->residual", input, result, run);
  refuse_sharing(into, *epilogue.residual, "options->epilogue->residual", true);
  if (!epilogue.residual->layout().same_shape(shapes.result)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->epilogue->residual has shape %s; the result has %s",
         shape_text(epilogue.residual->layout()).c_str(), shape_text(shapes.result).c_str());
  }
}

MatmulOperand zero_operand(const Tensor& zero, bool of_rows, const Shapes& shapes) {
  return zero_point_operand(zero, of_rows, of_rows ? shapes.m : shapes.n, shapes.batch_rank,
                            shapes.batch.data());
}

MatmulProblem make_problem(const MatmulTensors& tensors, const Shapes& shapes,
                           const MatmulParameters& parameters) {
  MatmulProblem problem;
  problem.m = shapes.m;
  problem.n = shapes.n;
  problem.k = shapes.k;
  problem.batch_rank = shapes.batch_rank;
  std::copy(shapes.batch.begin(), shapes.batch.begin() + shapes.batch_rank, problem.batch);
  problem.operands[kRoleA] = operand_of(shapes.a, shapes);
  problem.operands[kRoleB] = operand_of(shapes.b, shapes);
  problem.operands[kRoleC] = operand_of_result(tensors[kRoleC]->layout(), shapes);
  problem.dtype = tensors[kRoleA]->dtype();
  problem.b_dtype = tensors[kRoleB]->dtype();
  problem.out_dtype = tensors[kRoleC]->dtype();
  if (const Tensor* bias = tensors[kRoleBias]) {
    problem.operands[kRoleBias] = operand_of_result(broadcast_bias(*bias, shapes), shapes);
    problem.bias_dtype = bias->dtype();
  }
  if (const Tensor* residual = tensors[kRoleResidual]) {
    problem.operands[kRoleResidual] = operand_of_result(residual->layout(), shapes);
    problem.residual_dtype = residual->dtype();
  }
  for (const MatmulRole role : {kRoleZeroA, kRoleZeroB}) {
    if (tensors[role] == nullptr) continue;
    const bool of_rows = role == kRoleZeroA;
    (of_rows ? problem.has_zero_a : problem.has_zero_b) = true;
    problem.operands[role] = zero_operand(*tensors[role], of_rows, shapes);
  }
  problem.precision = parameters.precision;
  problem.alpha = parameters.alpha;
  problem.beta = parameters.beta;
  problem.activation = parameters.epilogue.activation;
  problem.activation_alpha = parameters.epilogue.alpha;
  problem.activation_beta = parameters.epilogue.beta;
  return problem;
}

}  // namespace

static void check_precision(netcl_precision precision, netcl_dtype dtype) {
  if (precision < NETCL_PRECISION_STRICT || precision > NETCL_PRECISION_SPLIT) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->precision is %d; expected STRICT (0), TF32 (1) or SPLIT (2)", precision);
  }
  if (precision != NETCL_PRECISION_STRICT && dtype != NETCL_F32) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->precision is %s and a is %s; f32 alone has it",
         precision == NETCL_PRECISION_TF32 ? "TF32" : "SPLIT", dtype_facts(dtype).name);
  }
}

static void check_zero_point_shapes(const Shapes& shapes, const MatmulParameters& parameters) {
  if (parameters.a_zero_point != nullptr) zero_operand(*parameters.a_zero_point, true, shapes);
  if (parameters.b_zero_point != nullptr) zero_operand(*parameters.b_zero_point, false, shapes);
}

Layout matmul_result(const Tensor& a, const Tensor& b, const MatmulParameters& parameters,
                     const TensorRef& into, const Run& run) {
  check_matmul_operands(a, b, run);
  const Shapes shapes = work_out_shapes(a.layout(), b.layout());
  check_zero_points(a, b, parameters, into, run);
  check_zero_point_shapes(shapes, parameters);
  return shapes.result;
}

MatmulCall prepare_matmul(const Tensor& a, const MatmulFactor& b,
                          const MatmulParameters& parameters, const TensorRef& into,
                          const Run& run) {
  const Shapes shapes = work_out_shapes(a.layout(), b.layout);
  if (parameters.beta != 0.0 && into == nullptr) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->beta is %g while run->into is not set",
         parameters.beta);
  }
  const netcl_dtype dtype = result_dtype(shapes, a.dtype(), parameters.dtype, into);
  check_epilogue(parameters.epilogue, shapes, a.dtype(), dtype, into, run);
  if (parameters.epilogue.bias != nullptr) broadcast_bias(*parameters.epilogue.bias, shapes);
  if (dtype == NETCL_I32) check_integer_options(parameters);
  check_zero_points(a, *b.tensor, parameters, into, run);
  check_zero_point_shapes(shapes, parameters);
  MatmulCall call;
  call.c = result_tensor(into, shapes.result.rank, shapes.result.shape.data(), dtype, run);

  // A residual that is the result itself is one more times the old result. Only minus one, which
  // would not read it then, needs a copy.
  MatmulParameters own = parameters;
  TensorRef residual = parameters.epilogue.residual;
  const bool in_place = residual != nullptr && into != nullptr && same_elements(*into, *residual);
  if (in_place && own.beta != -1.0) {
    own.beta += 1.0;
    residual = nullptr;
  }
  call.copies_residual = in_place && residual != nullptr;
  call.tensors = {&a,
                  b.tensor,
                  call.c.get(),
                  parameters.epilogue.bias.get(),
                  residual.get(),
                  parameters.a_zero_point.get(),
                  parameters.b_zero_point.get(),
                  nullptr};
  call.problem = make_problem(call.tensors, shapes, own);
  return call;
}

TensorRef matmul(const Tensor& a, const Tensor& b, const MatmulParameters& parameters,
                 const TensorRef& into, const Run& run) {
  check_matmul_operands(a, b, run);
  check_precision(parameters.precision, a.dtype());
  refuse_sharing(into, a, "a");
  refuse_sharing(into, b, "b");
  MatmulCall call = prepare_matmul(a, {&b, b.layout()}, parameters, into, run);
  normalize(&call.problem);
  const VariantConfig config =
      choose_matmul(run.device(), matmul_case(call.problem), parameters.variant);
  if (call.c->empty()) return call.c;
  if (!call.copies_residual) {
    run_matmul(call.tensors, call.problem, config, parameters.variant, run);
    return call.c;
  }
  const TensorRef copied = copy(*parameters.epilogue.residual, nullptr, run.without_event());
  MatmulParameters own = parameters;
  own.epilogue.residual = copied;
  MatmulCall other = prepare_matmul(a, {&b, b.layout()}, own, into, run);
  normalize(&other.problem);
  run_matmul(other.tensors, other.problem, config, parameters.variant, run);
  return call.c;
}

}  // namespace netcl::ops
