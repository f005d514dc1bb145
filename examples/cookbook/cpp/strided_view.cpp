#include "cookbook.hpp"

void recipe_strided_view(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor::create_zeros(device, netcl::dtype::f32, {2, 4});
  auto every_other = x.slice({{0, 2, 1}, {1, 2, 2}});  // both rows, columns 1 and 3
  netcl::op::expression_text_into(every_other, "v0 + 7", {every_other});
  expect(x, {0, 7, 0, 7, 0, 7, 0, 7});
  // [end]
}
