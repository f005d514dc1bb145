#include "cookbook.hpp"

void recipe_causal_mask(netcl::device_ref device) {
  // [recipe]
  auto q = netcl::tensor_from(device, {1.0f, 0.0f, 0.0f, 1.0f}, {1, 1, 2, 2});
  auto v = netcl::tensor_from(device, {1.0f, 2.0f, 3.0f, 4.0f}, {1, 1, 2, 2});
  // A token sees itself and those before it; no mask is made.
  auto [y, sums] = netcl::op::attention(q, q, v, netcl::attention_options().causal(true));
  expect(y, {1, 2, 2.33951f, 3.33951f});
  // [end]
  (void)sums;
}
