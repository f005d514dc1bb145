// What products of 8-bit integers ask of their options, and their zero points.
#include <cmath>

#include "ops/frame/result.hpp"
#include "ops/matmul/matmul.hpp"

namespace netcl::ops {
namespace {

void require_whole(double value, const char* argument) {
  if (std::trunc(value) == value && value >= INT32_MIN && value <= INT32_MAX) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "%s is %g; products of i8 and u8 take whole numbers from -2147483648 to 2147483647",
       argument, value);
}

void check_zero_point(const Tensor& zero, const Tensor& operand, const char* argument,
                      const char* of, const TensorRef& into, const Run& run) {
  if (!is_matmul_byte(operand.dtype())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is set and %s is %s; i8 and u8 alone have zero points",
         argument, of, dtype_facts(operand.dtype()).name);
  }
  if (zero.dtype() != operand.dtype()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s and %s is %s; dtypes must be equal", argument,
         dtype_facts(zero.dtype()).name, of, dtype_facts(operand.dtype()).name);
  }
  require_device(zero, run, argument);
  refuse_sharing(into, zero, argument);
}

}  // namespace

void check_integer_options(const MatmulParameters& parameters) {
  require_whole(parameters.alpha, "options->alpha");
  require_whole(parameters.beta, "options->beta");
  const netcl_activation activation = parameters.epilogue.activation;
  if (activation == NETCL_ACTIVATION_NONE || activation == NETCL_ACTIVATION_RELU) return;
  fail(NETCL_ERROR_UNSUPPORTED,
       "options->epilogue->activation is %d; products of i8 and u8 take NONE and RELU", activation);
}

void check_zero_points(const Tensor& a, const Tensor& b, const MatmulParameters& parameters,
                       const TensorRef& into, const Run& run) {
  if (parameters.a_zero_point != nullptr) {
    check_zero_point(*parameters.a_zero_point, a, "options->a_zero_point", "a", into, run);
  }
  if (parameters.b_zero_point != nullptr) {
    check_zero_point(*parameters.b_zero_point, b, "options->b_zero_point", "b", into, run);
  }
}

MatmulOperand zero_point_operand(const Tensor& zero, bool of_rows, int64_t extent,
                                 uint32_t batch_rank, const int64_t* batch) {
  const Layout& layout = zero.layout();
  MatmulOperand operand;
  operand.offset = layout.offset;
  if (layout.element_count() == 1) return operand;
  // Along the rows of a zero points are a vector or a column, along the columns of b a row.
  const bool vector = layout.rank == 1;
  const uint32_t rank = layout.rank;
  const uint32_t along = vector ? 0 : of_rows ? rank - 2 : rank - 1;
  const uint32_t across = of_rows ? rank - 1 : rank - 2;
  const uint32_t leading = vector ? 0 : rank - 2;
  bool fits = (layout.shape[along] == extent || layout.shape[along] == 1) &&
              (vector || layout.shape[across] == 1) && leading <= batch_rank;
  for (uint32_t d = 0; fits && d < leading; ++d) {
    const uint32_t place = batch_rank - leading + d;
    fits = layout.shape[d] == 1 || layout.shape[d] == batch[place];
    if (layout.shape[d] != 1) operand.batch_strides[place] = layout.strides[d];
  }
  if (!fits) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "%s has shape %s; it takes one element, [%lld], or %s with leading dimensions that "
         "broadcast to the result's %s",
         of_rows ? "options->a_zero_point" : "options->b_zero_point",
         shape_text(rank, layout.shape.data()).c_str(), static_cast<long long>(extent),
         of_rows ? format("[..., %lld, 1]", static_cast<long long>(extent)).c_str()
                 : format("[..., 1, %lld]", static_cast<long long>(extent)).c_str(),
         shape_text(batch_rank, batch).c_str());
  }
  const int64_t stride = layout.shape[along] == 1 ? 0 : layout.strides[along];
  (of_rows ? operand.row_stride : operand.column_stride) = stride;
  return operand;
}

}  // namespace netcl::ops
