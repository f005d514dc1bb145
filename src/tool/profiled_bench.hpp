// Benchmarks under a profile, and the tree of regions that it gives.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_PROFILE_HPP
#define NETCL_TOOL_PROFILE_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench.hpp"

namespace netcl::tool {

/// One region of the tree, parents before their children.
struct RegionRow {
  std::string name;
  size_t depth = 0;
  uint64_t calls = 0;
  uint64_t commands = 0;
  double host_ns = 0;
  double device_ns = 0;
  double bytes = 0;
  double operations = 0;
};

struct ProfiledBenches {
  std::vector<BenchRow> rows;
  std::vector<RegionRow> regions;
};

/// Runs benchmarks in a region per op and size. `trace_path` may be null.
ProfiledBenches run_profiled(netcl_device* device, netcl_ceilings* ceilings,
                             const std::vector<BenchCase>& cases, const BenchOptions& options,
                             const char* trace_path, const Progress& progress);

/// What was recorded while `work` ran, which is all that the device had to do.
struct Profiled {
  std::string text;  ///< the report, for people
  uint64_t commands = 0;
  double device_ns = 0;
  double bytes = 0;
  double operations = 0;
};
Profiled profile_work(netcl_device* device, const std::function<void()>& work,
                      const char* trace_path);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_PROFILE_HPP
