/*
 * The recipes of docs/cookbook in C++, which check what they compute.
 *
 * usage: cookbook_cpp [device]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <cstdio>

#include "cookbook.hpp"

int main(int argc, char** argv) {
  const char* name = "opening the device";
  try {
    const auto device = netcl::device::open(argc > 1 ? argv[1] : "auto");
#define RUN(recipe)   \
  name = #recipe;     \
  std::puts(#recipe); \
  recipe_##recipe(device);
    RECIPES(RUN)
    return 0;
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "cookbook_cpp: %s: %s\n", name, failed.what());
    return 1;
  }
}
