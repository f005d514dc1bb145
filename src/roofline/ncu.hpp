// Reads the CSV reports of NVIDIA Nsight Compute: a column per metric (with or without a row of
// units), a row per metric, and summaries of several launches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roofline/analysis.hpp"

namespace netcl::roofline {

struct NcuLaunch {
  std::string kernel;  // empty in a summary of all kernels of a device
  Metrics metrics;
};

struct NcuReport {
  std::vector<NcuLaunch> launches;    // in the report's order
  std::vector<std::string> messages;  // "==ERROR== ..." and "==WARNING== ..." of the profiler
};

// Fails with CORRUPT_DATA naming and quoting the line.
NcuReport read_ncu(std::string_view text);

// The launch that the options choose, and its place among those that match. Fails with NOT_FOUND
// naming the kernels there are.
struct ChosenLaunch {
  const NcuLaunch* launch = nullptr;
  uint32_t place = 0;
  uint32_t count = 0;
};
ChosenLaunch choose_launch(const NcuReport& report, const netcl_ncu_options& options);

// The analysis of that launch, with what the profiler says as warnings.
void analyze_ncu(const Analyzer& analyzer, std::string_view text, const netcl_ncu_options& options,
                 netcl_roofline_result* result);

}  // namespace netcl::roofline
