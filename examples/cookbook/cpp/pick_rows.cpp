#include "cookbook.hpp"

void recipe_pick_rows(netcl::device_ref device) {
  // [recipe]
  auto table = netcl::tensor_from(device, {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}, {3, 2});
  auto rows = netcl::tensor_from(device, {2, 0, -1});  // int: i32; -1: the last one
  expect(netcl::op::gather(table, rows, 0), {5, 6, 1, 2, 5, 6});
  // [end]
}
