#include "api/call_op.hpp"
#include "ops/move/concat.hpp"
#include "ops/move/move.hpp"
#include "ops/move/pad.hpp"
#include "ops/move/transpose.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// Checks that run->into fits a result of this shape and dtype.
void check_into(const Tensor& into, const Layout& shape, netcl_dtype dtype) {
  if (!into.layout().same_shape(shape)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into has shape %s; the result has %s",
         shape_text(into.layout().rank, into.layout().shape.data()).c_str(),
         shape_text(shape.rank, shape.shape.data()).c_str());
  }
  if (into.dtype() != dtype) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "run->into is %s; the result is %s",
         dtype_facts(into.dtype()).name, dtype_facts(dtype).name);
  }
}

}  // namespace

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
    if (options.into != nullptr) device = pin(options.into, "run->into")->device_ref();
    ResolvedRun resolved(run, *device);
    TensorRef made;
    if (resolved.into() != nullptr) {
      check_into(*resolved.into(), pinned->layout(), pinned->dtype());
      ops::copy_into(*pinned, *resolved.into(), resolved.run());
    } else {
      made = ops::copy(*pinned, resolved.run());
    }
    give_result(resolved, std::move(made), result);
  });
}

netcl_status netcl_op_contiguous(netcl_tensor* tensor, const netcl_run_options* run,
                                 netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(result, "result");
    ResolvedRun resolved(run, pinned->device());
    resolved.refuse_into();
    TensorRef made =
        pinned->layout().is_c_contiguous() ? pinned.shared() : ops::copy(*pinned, resolved.run());
    give_result(resolved, std::move(made), result);
  });
}

netcl_status netcl_op_cast(netcl_tensor* tensor, netcl_dtype dtype, const netcl_run_options* run,
                           netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require_result(run, result);
    dtype_facts(dtype);
    ResolvedRun resolved(run, pinned->device());
    TensorRef made = resolved.into();
    if (made != nullptr) {
      check_into(*made, pinned->layout(), dtype);
    } else {
      made = Tensor::allocate(pinned->device_ref(), dtype, pinned->layout().rank,
                              pinned->layout().shape.data());
    }
    ops::cast_into(*pinned, *made, resolved.run());
    give_result(resolved, std::move(made), result);
  });
}

netcl_status netcl_op_fill(netcl_tensor* tensor, const void* value, const netcl_run_options* run) {
  return guarded([&] {
    const auto pinned = pin(tensor, "tensor");
    require(value, "value");
    require_own_elements(*pinned, "tensor");
    ResolvedRun resolved(run, pinned->device());
    resolved.refuse_into();
    ops::fill(*pinned, value, resolved.run());
    resolved.give_event();
  });
}

netcl_status netcl_op_transpose(netcl_tensor* x, const uint32_t* axes, uint32_t axes_count,
                                const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    ops::CallKey key("transpose");
    key.tensor(&*pinned);
    key.axes(axes, axes_count);
    run_op(key, *pinned, run, result, [&](const TensorRef& into, const ops::Run& resolved) {
      return ops::transpose(*pinned, axes, axes_count, into, resolved);
    });
  });
}

netcl_status netcl_op_concat(netcl_tensor* const* inputs, uint32_t inputs_count, int32_t axis,
                             const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    if (inputs_count == 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is 0");
    require(inputs, "inputs");
    std::vector<TensorRef> tensors;
    for (uint32_t i = 0; i < inputs_count; ++i) {
      tensors.push_back(pin_at(inputs[i], "inputs", i).shared());
    }
    run_op(*tensors[0], run, result, [&](const TensorRef& into, const ops::Run& resolved) {
      return ops::concat(tensors, axis, into, resolved);
    });
  });
}

netcl_status netcl_op_pad(netcl_tensor* x, const int64_t* pads, uint32_t pads_count,
                          const netcl_pad_options* options, const netcl_run_options* run,
                          netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
    const netcl_pad_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    run_op(*pinned, run, result, [&](const TensorRef& into, const ops::Run& resolved) {
      return ops::pad(*pinned, pads, pads_count, checked.mode, checked.value, into, resolved);
    });
  });
}

netcl_status netcl_tensor_split(netcl_tensor* x, int32_t axis, const int64_t* sizes,
                                uint32_t sizes_count, netcl_tensor** views) {
  return guarded([&] {
    const auto pinned = pin(x, "x");
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
