#include "cookbook.hpp"

void recipe_standardize(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {1.0f, 3.0f, 10.0f, 30.0f}, {2, 2});
  const auto rows = netcl::reduce_options().axes(-1).keepdims(true);  // [2, 1]: broadcasts
  auto mean = netcl::op::reduce(x, netcl::reduction::mean, rows);
  auto square = netcl::op::expression_text("(v0 - v1) * (v0 - v1)", {x, mean});
  auto variance = netcl::op::reduce(square, netcl::reduction::mean, rows);
  expect(netcl::op::expression_text("(v0 - v1) / sqrt(v2)", {x, mean, variance}), {-1, 1, -1, 1});
  // [end]
}
