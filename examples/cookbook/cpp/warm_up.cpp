#include "cookbook.hpp"

void recipe_warm_up(netcl::device_ref device) {
  // [recipe]
  auto graph = netcl::graph::create_from_function(
      device,
      [](const netcl::graph_call& call) {
        return netcl::op::softmax(call.inputs()[0], -1, call.run());
      },
      1);
  for (int64_t batch = 1; batch <= 8; batch *= 2) {  // each shape that requests will have
    auto like = netcl::tensor::create_zeros(device, netcl::dtype::f32, {batch, 10});
    graph.compile({like}, {});  // kernels are built here
  }
  require(graph.info().form_count() == 4, "the shapes that are ready");  // now take requests
  // [end]
}
