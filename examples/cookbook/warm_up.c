#include "cookbook.h"

/* [recipe] */
static netcl_status serve(const netcl_graph_call *call, netcl_tensor **outputs, void *user_data) {
  (void)user_data;
  return netcl_op_softmax(call->inputs[0], -1, call->run, &outputs[0]);
}
/* [pause] */

void recipe_warm_up(netcl_device *device) {
  /* [go on] */
  netcl_graph *graph;
  netcl_graph_info info = NETCL_GRAPH_INFO_INIT;
  CHECK(netcl_graph_create_from_function(device, serve, NULL, NULL, 1, NULL, &graph));
  for (int64_t batch = 1; batch <= 8; batch *= 2) { /* each shape that requests will have */
    netcl_tensor *like;
    CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 2, (const int64_t[]){batch, 10}, NULL, NULL,
                                    &like));
    CHECK(netcl_graph_compile(graph, &like, 1, NULL, 0, NULL)); /* kernels are built here */
    netcl_tensor_release(like);
  }
  CHECK(netcl_graph_get_info(graph, &info));
  printf("%u shapes are ready\n", (unsigned)info.form_count); /* now take requests */
  /* [end] */
  REQUIRE(info.form_count == 4);
  netcl_graph_release(graph);
}
