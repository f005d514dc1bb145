#include "api/call_op.hpp"
#include "expression/differentiate.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"

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

void run_expression_op(const expression::Tree& tree, netcl_tensor* const* inputs,
                       uint32_t inputs_count, const netcl_expression_options* options,
                       const netcl_run_options* run, netcl_tensor** result) {
  const netcl_expression_options checked = read_options(options, "options");
  if (checked.dtype != 0) dtype_facts(checked.dtype, "options->dtype");
  ops::require_elementwise_variant(checked.variant);
  if (inputs_count > NETCL_ARGS_MAX) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "inputs_count is %u; the limit is %d", inputs_count,
         NETCL_ARGS_MAX);
  }
  TensorList list(inputs_count);
  const std::span<const TensorRef> tensors = pin_list(inputs, &list);
  call_op_on<ops::expression>(*op_device(tensors, run), "expression", run, result, tree, tensors,
                              checked.dtype, checked.variant);
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

netcl_status netcl_expression_differentiate(const netcl_expression* expression, uint32_t input,
                                            netcl_expression** gradient) {
  return guarded([&] {
    const auto pinned = pin(expression, "expression");
    require(gradient, "gradient");
    const uint32_t arity = pinned->arity();
    if (input >= arity) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "input is %u; the expression has %u inputs", input, arity);
    }
    if (arity >= NETCL_ARGS_MAX) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "expression uses v%u; its gradient needs one more input, and %d are possible", arity - 1,
           NETCL_ARGS_MAX);
    }
    const auto tree = netcl::expression::differentiate(*pinned, arity, input);
    // Its text is an expression too, so it keeps to the limits of one.
    netcl::expression::parse(tree->text().c_str());
    *gradient = make_handle<netcl_expression>(tree);
  });
}

netcl_status netcl_op_expression(const netcl_expression* expression, netcl_tensor* const* inputs,
                                 uint32_t inputs_count, const netcl_expression_options* options,
                                 const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const auto pinned = pin(expression, "expression");
    run_expression_op(*pinned, inputs, inputs_count, options, run, result);
  });
}

netcl_status netcl_op_expression_text(const char* text, netcl_tensor* const* inputs,
                                      uint32_t inputs_count,
                                      const netcl_expression_options* options,
                                      const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    require(text, "text");
    run_expression_op(*ops::ExpressionCache::instance().get(text), inputs, inputs_count, options,
                      run, result);
  });
}

}  // extern "C"
