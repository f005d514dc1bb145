#include "cookbook.hpp"

void recipe_update_in_place(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {1.0f, 2.0f, 3.0f, 4.0f});
  netcl::op::expression_text_into(x, "v0 * 10 + 1", {x});  // the result goes where the input is
  expect(x, {11, 21, 31, 41});
  // [end]
}
