// The profile of a program, for the report.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_PROGRAM_PROFILE_HPP
#define NETCL_TOOL_PROGRAM_PROFILE_HPP

#include <string>
#include <vector>

#include "bench.hpp"
#include "profiled_bench.hpp"

namespace netcl::tool {

struct ProgramProfile {
  std::vector<RegionRow> regions;
  std::vector<BenchRow> kernels;   ///< those that took the most time first, by their mean call
  std::vector<netcl_work> works;   ///< of each of them
  std::vector<std::string> notes;  ///< what is not in these numbers
};

/// Reads what netcl_profile_report gives with NETCL_FORMAT_JSON. Kernels that did not run on
/// `device` have a problem. Throws ToolError naming the file and what is wrong with it.
ProgramProfile read_program_profile(const std::string& path, const std::string& device);

/// Compares the other kernels with ceilings.
void analyze_profile(netcl_ceilings* ceilings, ProgramProfile* profile);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_PROGRAM_PROFILE_HPP
