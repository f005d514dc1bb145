#include "cookbook.h"

void recipe_gradients(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *pair[2], *square, *loss, *gradient;
  netcl_graph *graph;
  netcl_run_options record = NETCL_RUN_OPTIONS_INIT;
  pair[0] = upload(device, 1, (const int64_t[]){2}, (const float[]){3, 5}); /* what is learned */
  pair[1] = upload(device, 1, (const int64_t[]){2}, (const float[]){1, 1});
  CHECK(netcl_graph_create(device, NULL, &graph));
  record.graph = graph; /* calls that name the graph are recorded */
  CHECK(netcl_op_expression_text("(v0 - v1) * (v0 - v1)", pair, 2, NULL, &record, &square));
  CHECK(netcl_op_reduce(square, NETCL_REDUCTION_SUM, NULL, &record, &loss));
  CHECK(netcl_graph_add_gradients(graph, &loss, 1, &pair[0], 1, NULL, &gradient));
  expect(gradient, 2, (const float[]){4, 8}); /* 2 (v0 - v1) */
  /* [end] */
  netcl_graph_release(graph);
  netcl_tensor_release(gradient);
  netcl_tensor_release(loss);
  netcl_tensor_release(square);
  netcl_tensor_release(pair[1]);
  netcl_tensor_release(pair[0]);
}
