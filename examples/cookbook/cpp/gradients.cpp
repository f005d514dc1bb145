#include "cookbook.hpp"

void recipe_gradients(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {3.0f, 5.0f});  // what is learned
  auto wanted = netcl::tensor_from(device, {1.0f, 1.0f});
  auto graph = netcl::graph::create(device);
  const auto record = netcl::run_options().graph(graph);  // calls that name it are recorded
  auto square = netcl::op::expression_text("(v0 - v1) * (v0 - v1)", {x, wanted}, record);
  auto loss = netcl::op::reduce(square, netcl::reduction::sum, record);
  auto gradients = graph.add_gradients({loss}, {x});
  expect(gradients[0], {4, 8});  // 2 (x - wanted)
  // [end]
}
