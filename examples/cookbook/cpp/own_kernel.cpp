#include "cookbook.hpp"

void recipe_own_kernel(netcl::device_ref device) {
  // [recipe]
  const auto options = netcl::kernel_options().source(R"(
    __kernel void axpy(__global const float *x, __global float *y, float a) {
      size_t i = get_global_id(0);
      y[i] = a * x[i] + y[i];
    })");
  auto made = netcl::attempt([&] { return netcl::kernel::create(device, "axpy", options); });
  if (made.status() == netcl::status::unsupported) return;  // the built-in device has no compiler
  netcl::kernel kernel = std::move(made).value();           // throws what went wrong, if it did
  auto x = netcl::tensor_from(device, {1.0f, 2.0f, 3.0f, 4.0f});
  auto y = netcl::tensor_from(device, {1.0f, 1.0f, 1.0f, 1.0f});
  kernel.launch({4}, {}, {netcl::arg::read_only(x), y, 3.0f});
  expect(y, {4, 7, 10, 13});
  // [end]
}
