#include "cookbook.hpp"

void recipe_dense_layer(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {1.0f, 2.0f}, {1, 2});
  auto w = netcl::tensor_from(device, {1.0f, -1.0f, 1.0f, -1.0f}, {2, 2});
  auto b = netcl::tensor_from(device, {0.5f, 0.5f});
  const auto relu = netcl::epilogue().bias(b).activation(netcl::activation::relu);
  auto y = netcl::op::matmul(x, w, netcl::matmul_options().epilogue(relu));  // one kernel
  expect(y, {3.5f, 0});
  // [end]
}
