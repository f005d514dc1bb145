/* Cases of sweeps for primitives. */
#include "support_sweep_cases.h"

static netcl_status first_of(netcl_status a, netcl_status b) { return a != NETCL_OK ? a : b; }

netcl_status sweep_primitive(netcl_tensor *const *inputs, netcl_tensor *grad,
                             netcl_tensor **result) {
  static const char *const kAttributes[] = {"a"};
  static const double kDefaults[] = {2};
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_status status = NETCL_OK;
  options.forward = "v0 * v1 + sin(v0) * a";
  options.attributes = kAttributes;
  options.defaults = kDefaults;
  options.attributes_count = options.defaults_count = 1;
  options.arity = 2;
  (void)netcl_primitive_unregister("swept"); /* It may have failed before. */
  status = netcl_primitive_register("swept", &options);
  if (status == NETCL_OK && grad != NULL) {
    status = netcl_op_primitive_gradient("swept", inputs, 2, 0, grad, NULL, NULL, NULL, result);
  } else if (status == NETCL_OK && inputs != NULL) {
    status = netcl_op_primitive("swept", inputs, 2, NULL, NULL, result);
  }
  return first_of(status, netcl_primitive_unregister("swept"));
}

/* Both the result and the gradient are twice what comes in. */
static netcl_status twice(const netcl_primitive_call *call, netcl_tensor **tensors,
                          void *user_data) {
  netcl_tensor *from = call->grad != NULL ? call->grad : call->inputs[0];
  (void)user_data;
  return netcl_op_expression_text("2 * v0", &from, 1, NULL, call->run, tensors);
}

netcl_status sweep_function(netcl_tensor *input, netcl_tensor **result) {
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  netcl_tensor *made = NULL;
  options.arity = 1;
  options.gives_gradients = 1;
  (void)netcl_primitive_unregister("worked");
  netcl_status status = netcl_primitive_register_function("worked", twice, NULL, NULL, &options);
  if (status == NETCL_OK) status = netcl_op_primitive("worked", &input, 1, NULL, NULL, &made);
  if (status == NETCL_OK) {
    status = netcl_op_primitive_gradient("worked", &input, 1, 0, input, made, NULL, NULL, result);
  }
  netcl_tensor_release(made);
  return first_of(status, netcl_primitive_unregister("worked"));
}
