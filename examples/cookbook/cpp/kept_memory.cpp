#include "cookbook.hpp"

void recipe_kept_memory(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {1.0f, 2.0f});
  auto y = netcl::tensor::create(device, netcl::dtype::f32, {2});  // made once
  for (int step = 0; step < 100; step++) {                         // and written again by each step
    netcl::op::expression_text_into(y, "v0 + 1", {x});
  }
  expect(y, {2, 3});
  // [end]
}
