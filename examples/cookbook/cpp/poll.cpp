#include "cookbook.hpp"

#include <chrono>

using namespace std::chrono_literals;

void recipe_poll(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor_from(device, {1.0f, 2.0f});
  netcl::event done;
  auto y = netcl::op::expression_text("exp(v0)", {x}, netcl::run_options().event(done));
  while (true) {
    auto waited = netcl::attempt([&] { done.wait(1ms); });  // a millisecond at most; 0ms only asks
    if (waited) break;
    if (waited.status() != netcl::status::timeout) waited.value();  // throws
  }
  expect(y, {2.71828f, 7.38906f});
  // [end]
}
