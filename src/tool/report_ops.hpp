// Tables of the report with ops and kernels.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_REPORT_OPS_HPP
#define NETCL_TOOL_REPORT_OPS_HPP

#include <string>
#include <vector>

#include "bench.hpp"

namespace netcl::tool {

/// "9.5%", "95%".
std::string percent_text(double percent);

/// A row per op; `first` is the number of the first one, which its point in the chart has too.
std::string ops_table(const std::vector<BenchRow>& rows, size_t first);

/// What the analysis warns of; empty when there is nothing.
std::string ops_warnings(const std::vector<BenchRow>& rows);

/// Which of the rows have no point in the chart, and why; empty when all have one.
std::string missing_points(const std::vector<BenchRow>& rows);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_REPORT_OPS_HPP
