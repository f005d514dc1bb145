#include "cookbook.hpp"

void recipe_sort_topk(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {3.0f, 1.0f, 4.0f, 1.0f, 5.0f});
  auto [best, places] = netcl::op::topk(x, 2, 0);  // the two largest
  expect(best, {5, 4});
  require(netcl::to_vector<int64_t>(places) == std::vector<int64_t>{4, 2}, "the places");

  // The 5 smallest of 5: sorted.
  auto sorted = netcl::op::topk(x, 5, 0, netcl::topk_options().smallest(true));
  expect(std::get<0>(sorted), {1, 1, 3, 4, 5});
  // [end]
}
