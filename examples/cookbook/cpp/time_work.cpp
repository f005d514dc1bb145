#include "cookbook.hpp"

#include <chrono>
#include <cstdio>

using namespace std::chrono_literals;

void recipe_time_work(netcl::device_ref device) {
  // [recipe]
  auto x = netcl::tensor::create_random(device, netcl::dtype::f32, {64, 64});
  auto y = netcl::tensor::create(device, netcl::dtype::f32, {64, 64});
  auto statistics = device.queue().time(
      [&](netcl::queue_ref queue) {  // a lambda, which may throw
        netcl::op::matmul_into(y, x, x, netcl::run_options().queue(queue));
      },
      netcl::measurement_options().budget(20ms));  // by default up to a second
  std::printf("%.1f us\n", statistics.median() * 1e-3);
  // [end]
}
