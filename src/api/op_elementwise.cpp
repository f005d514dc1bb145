#include "api/call_op.hpp"
#include "ops/elementwise/elementwise_op.hpp"

using namespace netcl;
using namespace netcl::api;

extern "C" {

const char* netcl_elementwise_name(netcl_elementwise op) { return ops::elementwise_name(op); }

netcl_status netcl_elementwise_find(const char* name, netcl_elementwise* op) {
  return guarded([&] {
    require(name, "name");
    require(op, "op");
    *op = ops::find_elementwise(name);
  });
}

netcl_status netcl_op_elementwise(netcl_elementwise op, netcl_tensor* const* inputs,
                                  uint32_t inputs_count, const netcl_elementwise_options* options,
                                  const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const netcl_elementwise_options checked = read_options(options, "options");
    require_zero(checked.reserved, "options->reserved");
    require_flag(checked.has_parameters, "options->has_parameters");
    if (checked.dtype != 0) dtype_facts(checked.dtype, "options->dtype");
    ops::require_elementwise_variant(checked.variant);
    ops::require_elementwise_inputs(op, inputs_count);
    TensorList list(inputs_count);
    const std::span<const TensorRef> tensors = pin_list(inputs, &list);
    const ops::ElementwiseParameters parameters{checked.has_parameters != 0, checked.alpha,
                                                checked.beta};
    call_op<ops::elementwise>("elementwise", run, result, op, tensors, parameters, checked.dtype,
                              checked.variant);
  });
}

netcl_status netcl_op_bias_add(netcl_tensor* x, netcl_tensor* bias, int32_t axis,
                               const netcl_run_options* run, netcl_tensor** result) {
  return guarded([&] {
    const TensorRef tensor = pin(x, "x").shared();
    const TensorRef vector = pin(bias, "bias").shared();
    call_op<ops::bias_add>("bias_add", run, result, tensor, vector, axis);
  });
}

}  // extern "C"
