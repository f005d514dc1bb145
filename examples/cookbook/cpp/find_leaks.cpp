#include "cookbook.hpp"

void recipe_find_leaks(netcl::device_ref device) {
  // [recipe]
  const auto before = netcl::library_get_live_count(netcl::handle_type::tensor);
  {
    auto x = netcl::tensor_from(device, {1.0f});
    netcl::tensor same = x.share();  // another reference to the same tensor
    std::vector<netcl::tensor> kept;
    kept.push_back(std::move(x));  // the reference moves, x is empty
  }                                // all are given back here, also by an exception
  require(netcl::library_get_live_count(netcl::handle_type::tensor) == before, "the count");
  // [end]
}
