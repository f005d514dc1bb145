/* Cases of sweeps for graphs made from functions, and for reducers. */
#include "support_sweep_cases.h"

/* A product, its gradient, and something that is joined with it. */
static netcl_status square_and_slope(const netcl_graph_call *call, netcl_tensor **outputs,
                            void *user_data) {
  netcl_tensor *const x = call->inputs[0], *made = NULL, *sum = NULL;
  (void)user_data;
  netcl_status status = netcl_op_matmul(x, x, NULL, call->run, &made);
  if (status == NETCL_OK) {
    status = netcl_op_expression_text("v0 + 1", &made, 1, NULL, call->run, &outputs[0]);
  }
  if (status == NETCL_OK) {
    status = netcl_op_reduce(outputs[0], NETCL_REDUCTION_SUM, NULL, call->run, &sum);
  }
  if (status == NETCL_OK) {
    status = netcl_graph_add_gradients(call->run->graph, &sum, 1, &x, 1, NULL, &outputs[1]);
  }
  netcl_tensor_release(made);
  netcl_tensor_release(sum);
  return status;
}

netcl_status sweep_graph_function(netcl_device *device, netcl_tensor *x, netcl_tensor *y,
                                  netcl_tensor **result) {
  netcl_graph_function_options options = NETCL_GRAPH_FUNCTION_OPTIONS_INIT;
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  netcl_graph *graph = NULL;
  netcl_tensor *made[2] = {NULL, NULL}, *into[2] = {y, NULL}, *flat = NULL;
  uint32_t count = 0;
  options.forms_most = 1;
  netcl_status status =
      netcl_graph_create_from_function(device, square_and_slope, NULL, NULL, 2, &options, &graph);
  if (status != NETCL_OK) return status;
  status = netcl_graph_evaluate(graph, &x, 1, NULL, made, 2, &count);
  if (status == NETCL_OK) {
    into[1] = made[1];
    status = netcl_graph_run(graph, &x, 1, into, 2, NULL);
  }
  /* Another form, for which the first one goes. */
  if (status == NETCL_OK) status = netcl_tensor_permute(x, (uint32_t[]){1, 0}, 2, &flat);
  if (status == NETCL_OK) status = netcl_graph_compile(graph, &flat, 1, NULL, 0, NULL);
  if (status == NETCL_OK) status = netcl_graph_get_info(graph, &info);
  if (status == NETCL_OK) {
    char told[64];
    status = netcl_graph_explain(graph, NETCL_GRAPH_FORMAT_JSON, told, sizeof told, NULL);
  }
  if (status == NETCL_OK) {
    *result = made[0];
  } else {
    netcl_tensor_release(made[0]);
  }
  netcl_tensor_release(made[1]);
  netcl_tensor_release(flat);
  netcl_graph_release(graph);
  return status;
}

/* Two gradients in one bucket, of a tape. */
static netcl_status reduce_gradients(netcl_reducer *reducer, netcl_device *device,
                                     netcl_tensor *const *inputs, netcl_tensor **made) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *product = NULL, *sum = NULL;
  options.reducer = reducer;
  netcl_status status = netcl_graph_create(device, NULL, &run.graph);
  if (status != NETCL_OK) return status;
  status = netcl_op_expression_text("v0 * v1", inputs, 2, NULL, &run, &product);
  if (status == NETCL_OK) status = netcl_op_reduce(product, NETCL_REDUCTION_SUM, NULL, &run, &sum);
  if (status == NETCL_OK) {
    status = netcl_graph_add_gradients(run.graph, &sum, 1, inputs, 2, &options, made);
  }
  if (status == NETCL_OK) status = netcl_reducer_wait(reducer, NETCL_WAIT_FOREVER);
  netcl_tensor_release(product);
  netcl_tensor_release(sum);
  netcl_graph_release(run.graph);
  return status;
}

netcl_status sweep_reducer(netcl_device *device, netcl_tensor *x, netcl_tensor *y,
                           netcl_tensor **result) {
  netcl_group *group = NULL;
  netcl_reducer *reducer = NULL;
  netcl_tensor *const inputs[2] = {x, y};
  netcl_tensor *made[2] = {NULL, NULL};
  netcl_status status = netcl_group_create_local(&device, 1, NULL, &group);
  if (status == NETCL_OK) status = netcl_reducer_create(group, NULL, &reducer);
  if (status == NETCL_OK) status = reduce_gradients(reducer, device, inputs, made);
  if (status == NETCL_OK) {
    *result = made[0];
  } else {
    netcl_tensor_release(made[0]);
  }
  netcl_tensor_release(made[1]);
  netcl_reducer_release(reducer);
  netcl_group_release(group);
  return status;
}
