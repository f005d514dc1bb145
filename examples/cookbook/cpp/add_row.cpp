#include "cookbook.hpp"

void recipe_add_row(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}, {2, 3});
  auto row = netcl::tensor_from(device, {10.0f, 20.0f, 30.0f});
  expect(x + row, {11, 22, 33, 14, 25, 36});  // operators broadcast, each is one kernel
  // [end]
}
