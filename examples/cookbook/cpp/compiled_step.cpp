#include "cookbook.hpp"

void recipe_compiled_step(netcl::device_ref device) {
  // [recipe]
  auto weights = netcl::tensor_from(device, {1.0f, 0.0f, 0.0f, 1.0f}, {2, 2});
  auto graph = netcl::graph::create_from_function(
      device,
      [&](const netcl::graph_call& call) {  // the weights have to stay as long as the graph
        auto product = netcl::op::matmul(call.inputs()[0], weights, nullptr, call.run());
        return netcl::op::expression_text("tanh(v0)", {product}, nullptr, call.run());
      },
      1);
  auto x = netcl::tensor_from(device, {0.0f, 1.0f}, {1, 2});
  for (int step = 0; step < 3; step++) {  // recorded and compiled once, then only run
    expect(graph.evaluate({x})[0], {0, 0.76159f});
  }
  // [end]
}
