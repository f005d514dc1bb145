#include "cookbook.hpp"

void recipe_mask(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {-2.0f, -1.0f, 0.0f, 1.0f, 2.0f});
  expect(netcl::op::expression_text("select(v0 > 0, v0, v0 * 0.1)", {x}), {-0.2f, -0.1f, 0, 1, 2});

  auto positive = netcl::op::expression_text("v0 > 0", {x});  // bool
  auto count = netcl::op::reduce(positive, netcl::reduction::sum);
  require(netcl::to_value<int64_t>(count) == 2, "the count");
  // [end]
}
