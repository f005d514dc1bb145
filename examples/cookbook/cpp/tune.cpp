#include "cookbook.hpp"

#include <chrono>
#include <cstdio>

using namespace std::chrono_literals;

void recipe_tune(netcl::device_ref device) {
  // [recipe]
  const auto search = netcl::search_options().budget(200ms);  // by default a minute
  auto tuner = netcl::tuner::create(device, netcl::tuner_options().search(search));
  tuner.add_matmul(1, 64, 64, 64, netcl::dtype::f32);  // tuner.add: a kernel
  tuner.run();
  auto [result, config] = tuner.result(0);  // kept on disk: later programs take the winner
  std::printf("%.1f us, by default %.1f us\n", result.median() * 1e-3,
              result.default_median() * 1e-3);
  // [end]
  (void)config;
}
