#include "cookbook.hpp"

void recipe_first(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {1.0f, 2.0f, 3.0f, -4.0f, 5.0f, 6.0f}, {2, 3});
  auto y = netcl::op::expression_text("relu(v0) * 2 + 1", {x});
  std::vector<float> result = netcl::to_vector<float>(y);  // 3, 5, 7, 1, 11, 13
  // [end]
  require(result == std::vector<float>{3, 5, 7, 1, 11, 13}, "first");
}
