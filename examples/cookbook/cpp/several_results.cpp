#include "cookbook.hpp"

void recipe_several_results(netcl::device_ref device) {
  // [recipe]
  std::vector<netcl::tensor> in;
  for (float value : {1.0f, 0.0f, 0.6f, 0.8f}) {  // x, y, cos, sin: tensors of rank 0
    in.push_back(netcl::tensor::create_full(device, netcl::dtype::f32, {}, value));
  }
  auto turned = netcl::op::expressions({"v0 * v2 - v1 * v3", "v0 * v3 + v1 * v2"}, in);
  expect(turned[0], {0.6f});
  expect(turned[1], {0.8f});
  // [end]
}
