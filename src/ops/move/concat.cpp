#include "ops/move/concat.hpp"

#include "ops/frame/result.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {

namespace {

// Checks the inputs against the first one and gives the extent of the result along the axis.
int64_t joined_extent(std::span<const TensorRef> inputs, uint32_t axis, const TensorRef& into,
                      const Run& run) {
  const Layout& first = inputs[0]->layout();
  int64_t extent = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& input = *inputs[i];
    const Layout& layout = input.layout();
    const std::string name = format("inputs[%zu]", i);
    require_device(input, run, name.c_str());
    refuse_sharing(into, input, name.c_str());
    if (input.dtype() != inputs[0]->dtype()) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs[%zu] is %s; inputs[0] is %s", i,
           dtype_facts(input.dtype()).name, dtype_facts(inputs[0]->dtype()).name);
    }
    bool fits = layout.rank == first.rank;
    for (uint32_t d = 0; fits && d < layout.rank; ++d) {
      fits = d == axis || layout.shape[d] == first.shape[d];
    }
    if (!fits) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "inputs[%zu] has shape %s; inputs[0] has shape %s, and only extents along axis %u may "
           "differ",
           i, shape_text(layout).c_str(), shape_text(first).c_str(), axis);
    }
    if (__builtin_add_overflow(extent, layout.shape[axis], &extent)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "the extents along axis %u add up to more than 2^63 - 1",
           axis);
    }
  }
  return extent;
}

}  // namespace

TensorRef concat(std::span<const TensorRef> inputs, int32_t axis, const TensorRef& into,
                 const Run& run) {
  Layout shape = inputs[0]->layout();
  const uint32_t along = checked_axis(axis, shape.rank, "axis");
  shape.shape[along] = joined_extent(inputs, along, into, run);
  const TensorRef result =
      result_tensor(into, shape.rank, shape.shape.data(), inputs[0]->dtype(), run);
  size_t last = inputs.size();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]->empty()) last = i;
  }
  Layout part = result->layout();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i]->empty()) continue;
    part.shape[along] = inputs[i]->layout().shape[along];
    const Tensor target(result->buffer(), result->dtype(), part);
    copy_into(*inputs[i], target, i == last ? run : run.without_event());
    part.offset += part.shape[along] * part.strides[along];
  }
  return result;
}

}  // namespace netcl::ops
