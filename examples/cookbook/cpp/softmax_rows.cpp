#include "cookbook.hpp"

void recipe_softmax_rows(netcl::device_ref device) {
  // [recipe]
  auto scores = netcl::tensor_from(device, {0.0f, 0.0f, 0.0f, 1.0f}, {2, 2});
  expect(netcl::op::softmax(scores, -1), {0.5f, 0.5f, 0.26894f, 0.73106f});  // the last axis
  // [end]
}
