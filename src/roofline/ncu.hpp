// Reads the CSV reports of NVIDIA Nsight Compute: the wide form (a column per metric, with or
// without a row of units) and the long form (a row per metric).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "roofline/analysis.hpp"

namespace netcl::roofline {

struct NcuLaunch {
  std::string id;
  std::string kernel;
  Metrics metrics;
};

// All launches of a report in their order. Fails with CORRUPT_DATA naming the line.
std::vector<NcuLaunch> read_ncu(std::string_view text);

// The launch that the options choose. Fails with NOT_FOUND naming the kernels there are.
const NcuLaunch& choose_launch(const std::vector<NcuLaunch>& launches,
                               const netcl_ncu_options& options);

// A number as reports write it: separators of thousands in either convention, surrounding blanks.
// False for empty cells, "n/a", "no data" and the like.
bool parse_ncu_number(std::string_view text, double* value);

}  // namespace netcl::roofline
