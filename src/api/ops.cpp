#include "api/run.hpp"
#include "ops/elementwise.hpp"
#include "ops/expression_cache.hpp"
#include "ops/matmul.hpp"
#include "ops/move.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

// The device an op runs on: its first input's, else that of the result or the queue.
DeviceRef op_device(std::span<const TensorRef> inputs, const netcl_run_options* run) {
  if (!inputs.empty()) return inputs[0]->device_ref();
  const netcl_run_options options = read_options(run, "run");
  if (options.into != nullptr) return pin(options.into, "run->into")->device_ref();
  if (options.queue != nullptr) {
    return pin(options.queue, "run->queue")->device().shared_from_this();
  }
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "inputs_count is 0 and neither run->into nor run->queue names a "
       "device");
}

void run_expression_op(const std::shared_ptr<const expression::Tree>& tree,
                       netcl_tensor* const* inputs, uint32_t inputs_count,
                       const netcl_expression_options* options, const netcl_run_options* run,
                       netcl_tensor** result) {
  require_result(run, result);
  const netcl_expression_options checked = read_options(options, "options");
  require_zero(checked.reserved, "options->reserved");
  if (checked.dtype != 0) dtype_facts(checked.dtype, "options->dtype");
  if (inputs_count > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %u; the limit is %d", inputs_count,
         NETCL_ARGS_MAX);
  }
  if (inputs_count > 0) require(inputs, "inputs");
  std::array<TensorRef, NETCL_ARGS_MAX> tensors;
  for (uint32_t i = 0; i < inputs_count; ++i) {
    tensors[i] = pin_at(inputs[i], "inputs", i).shared();
  }
  const std::span<const TensorRef> list(tensors.data(), inputs_count);
  ResolvedRun resolved(run, *op_device(list, run));
  TensorRef made = ops::expression(tree, list, checked.dtype, resolved.into(), resolved.run());
  give_result(resolved, std::move(made), result);
}

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

netcl_status netcl_expression_create(const char* text, netcl_expression** expression) {
  return guarded([&] {
    require(text, "text");
    require(expression, "expression");
    *expression = make_handle<netcl_expression>(netcl::expression::parse(text));
  });
}

netcl_status netcl_expression_retain(netcl_expression* expression) {
  return retain_handle(expression, "expression");
}
void netcl_expression_release(netcl_expression* expression) { release_handle(expression); }

netcl_status netcl_expression_get_arity(const netcl_expression* expression, uint32_t* arity) {
  return guarded([&] {
    const auto pinned = pin(expression, "expression");
    require(arity, "arity");
    *arity = pinned->arity();
  });
}

netcl_status netcl_expression_get_text(const netcl_expression* expression, char* buffer,
                                       size_t capacity, size_t* length) {
  return guarded(
      [&] { write_text(pin(expression, "expression")->text(), buffer, capacity, length); });
}

netcl_status netcl_op_expression(const netcl_expression* expression, netcl_tensor* const* inputs,
                                 uint32_t inputs_count, const netcl_expression_options* options,
                                 const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(expression, "expression");
    run_expression_op(pinned.shared(), inputs, inputs_count, options, run, result);
  });
}

netcl_status netcl_op_elementwise(const char* text, netcl_tensor* const* inputs,
                                  uint32_t inputs_count, const netcl_expression_options* options,
                                  const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    require(text, "text");
    run_expression_op(ops::ExpressionCache::instance().get(text), inputs, inputs_count, options,
                      run, result);
  });
}

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

netcl_status netcl_op_matmul(netcl_tensor* a, netcl_tensor* b, const netcl_matmul_options* options,
                             const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto left = pin(a, "a");
    const auto right = pin(b, "b");
    require_result(run, result);
    const netcl_matmul_options checked = read_options(options, "options");
    require_flag(checked.has_scale, "options->has_scale");
    if (checked.has_scale == 0 && (checked.alpha != 0.0 || checked.beta != 0.0)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->alpha is %g and options->beta is %g while "
           "options->has_scale is 0",
           checked.alpha, checked.beta);
    }
    if (checked.dtype != 0) dtype_facts(checked.dtype, "options->dtype");
    ops::MatmulScale scale;
    if (checked.has_scale != 0) scale = {checked.alpha, checked.beta};
    ResolvedRun resolved(run, left->device());
    TensorRef made =
        ops::matmul(*left, *right, checked.dtype, scale, resolved.into(), resolved.run());
    give_result(resolved, std::move(made), result);
  });
}

}  // extern "C"
