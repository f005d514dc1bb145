#include "cookbook.h"

/* [recipe] */
static netcl_status layer(const netcl_graph_call *call, netcl_tensor **outputs, void *user_data) {
  netcl_tensor *weights = user_data, *product;
  netcl_status status = netcl_op_matmul(call->inputs[0], weights, NULL, call->run, &product);
  if (status != NETCL_OK) return status;
  status = netcl_op_expression_text("tanh(v0)", &product, 1, NULL, call->run, &outputs[0]);
  netcl_tensor_release(product);
  return status;
}
/* [pause] */

void recipe_compiled_step(netcl_device *device) {
  netcl_tensor *weights = upload(device, 2, (const int64_t[]){2, 2}, (const float[]){1, 0, 0, 1});
  netcl_tensor *x = upload(device, 2, (const int64_t[]){1, 2}, (const float[]){0, 1});
  /* [go on] */
  netcl_graph *graph;
  netcl_tensor *y;
  uint32_t count;
  CHECK(netcl_graph_create_from_function(device, layer, weights, NULL, 1, NULL, &graph));
  for (int step = 0; step < 3; step++) { /* recorded and compiled once, then only run */
    CHECK(netcl_graph_evaluate(graph, &x, 1, NULL, &y, 1, &count));
    expect(y, 2, (const float[]){0, 0.76159f});
    netcl_tensor_release(y);
  }
  netcl_graph_release(graph);
  /* [end] */
  netcl_tensor_release(x);
  netcl_tensor_release(weights);
}
