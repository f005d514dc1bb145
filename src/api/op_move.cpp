#include "api/call_op.hpp"
#include "ops/move/concat.hpp"
#include "ops/move/depth_to_space.hpp"
#include "ops/move/move.hpp"
#include "ops/move/pad.hpp"
#include "ops/move/range.hpp"
#include "ops/move/tile.hpp"
#include "ops/move/transpose.hpp"
#include "ops/move/trilu.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

netcl_status netcl_op_copy(netcl_tensor* tensor, const netcl_run_options* run,
                           netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require_result(run, result);
    // A copy may go to another device: the one that run->into, or else run->queue, is on.
    const netcl_run_options options = read_options(run, "run");
    DeviceRef device = pinned->device_ref();
    if (options.queue != nullptr) {
      device = pin(options.queue, "run->queue")->device().shared_from_this();
    }
    if (options.into != nullptr) {
      const auto into = pin(options.into, "run->into");
      require_content(*into, "run->into");
      device = into->device_ref();
    }
    if (device.get() != &pinned->device()) require_content(*pinned, "tensor");
    call_op_on<ops::copy>(*device, "copy", run, result, *pinned);
  });
}

netcl_status netcl_op_contiguous(netcl_tensor* tensor, const netcl_run_options* run,
                                 netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(result, "result");
    ResolvedRun resolved(run, pinned->device());
    resolved.refuse_into();
    TensorRef made = pinned.shared();
    if (!made->layout().is_c_contiguous()) {
      made = call_into<ops::contiguous>(resolved, "contiguous", TensorRef(), made);
    }
    give_result(resolved, std::move(made), result);
  });
}

netcl_status netcl_op_cast(netcl_tensor* tensor, netcl_dtype dtype, const netcl_run_options* run,
                           netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    call_op<ops::cast>("cast", run, result, *pinned, dtype);
  });
}

netcl_status netcl_op_fill(netcl_tensor* tensor, const void* value, const netcl_run_options* run) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(value, "value");
    require_own_elements(*pinned, "tensor");
    ResolvedRun resolved(run, pinned->device());
    resolved.refuse_into();
    call_into<ops::filled>(resolved, "fill", pinned.shared(),
                           ops::make_element(value, pinned->element_size()));
    resolved.give_event();
  });
}

netcl_status netcl_op_range(netcl_tensor* tensor, const void* start_value, const void* step_value,
                            const netcl_run_options* run) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(start_value, "start_value");
    require(step_value, "step_value");
    require_own_elements(*pinned, "tensor");
    ResolvedRun resolved(run, pinned->device());
    resolved.refuse_into();
    const size_t size = pinned->element_size();
    call_into<ops::range>(resolved, "range", pinned.shared(), ops::make_element(start_value, size),
                          ops::make_element(step_value, size));
    resolved.give_event();
  });
}

netcl_status netcl_op_eye(netcl_tensor* tensor, int64_t k, const netcl_run_options* run) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require_own_elements(*pinned, "tensor");
    ResolvedRun resolved(run, pinned->device());
    resolved.refuse_into();
    call_into<ops::eye>(resolved, "eye", pinned.shared(), k);
    resolved.give_event();
  });
}

netcl_status netcl_op_transpose(netcl_tensor* x, const uint32_t* axes, uint32_t axes_count,
                                const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    require_array(axes, axes_count, "axes");
    call_op<ops::transpose>("transpose", run, result, *pinned, std::span(axes, axes_count));
  });
}

netcl_status netcl_op_concat(netcl_tensor* const* inputs, uint32_t inputs_count, int32_t axis,
                             const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    if (inputs_count == 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 0");
    require_array(inputs, inputs_count, "inputs");
    TensorList list(inputs_count);
    call_op<ops::concat>("concat", run, result, pin_list(inputs, &list), axis);
  });
}

netcl_status netcl_op_pad(netcl_tensor* x, const int64_t* pads, uint32_t pads_count,
                          const netcl_pad_options* options, const netcl_run_options* run,
                          netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    const netcl_pad_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    require_array(pads, pads_count, "pads");
    call_op<ops::pad>("pad", run, result, *pinned, std::span(pads, pads_count), checked.mode,
                      ops::make_element(checked.value, pinned->element_size()));
  });
}

netcl_status netcl_op_tile(netcl_tensor* x, const int64_t* repeats, uint32_t repeats_count,
                           const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    require_array(repeats, repeats_count, "repeats");
    call_op<ops::tile>("tile", run, result, *pinned, std::span(repeats, repeats_count));
  });
}

netcl_status netcl_op_trilu(netcl_tensor* x, uint32_t upper, int64_t k,
                            const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    require_flag(upper, "upper");
    call_op<ops::trilu>("trilu", run, result, *pinned, upper != 0, k);
  });
}

netcl_status netcl_op_depth_to_space(netcl_tensor* x, int64_t block, netcl_depth_order order,
                                     const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    call_op<ops::depth_to_space>("depth_to_space", run, result, *pinned, block, order);
  });
}

netcl_status netcl_op_space_to_depth(netcl_tensor* x, int64_t block, netcl_depth_order order,
                                     const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    call_op<ops::space_to_depth>("space_to_depth", run, result, *pinned, block, order);
  });
}

netcl_status netcl_tensor_split(netcl_tensor* x, int32_t axis, const int64_t* sizes,
                                uint32_t sizes_count, netcl_tensor** views) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    require_array(sizes, sizes_count, "sizes");
    require(views, "views");
    const std::vector<TensorRef> parts =
        split(*pinned, ops::checked_axis(axis, pinned->layout().rank, "axis"), sizes, sizes_count);
    std::vector<netcl_tensor*> handles;
    handles.reserve(parts.size());
    try {
      for (const TensorRef& part : parts) handles.push_back(make_handle<netcl_tensor>(part));
    } catch (...) {
      for (netcl_tensor* handle : handles) release_handle(handle);
      throw;
    }
    std::copy(handles.begin(), handles.end(), views);
  });
}

}  // extern "C"
