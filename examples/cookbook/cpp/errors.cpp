#include "cookbook.hpp"

#include <cstdio>

void recipe_errors(netcl::device_ref device) {
  // [recipe]
  auto a = netcl::tensor_from(device, {1.0f, 2.0f, 3.0f}, {1, 3});
  try {
    (void)netcl::op::matmul(a, a);  // 3 and 1 do not fit
  } catch (const netcl::error& failed) {
    std::printf("%s: %s\n", netcl::name(failed.status()), failed.what());
  }
  // Where a failure is no surprise: a netcl::result, as every call gives without exceptions.
  auto product = netcl::attempt([&] { return netcl::op::matmul(a, a); });
  if (product.status() == netcl::status::invalid_argument) std::puts("they do not fit");
  // Nothing was made, and the inputs are as they were: correct the call and go on.
  // [end]
  require(!product, "the product");
}
