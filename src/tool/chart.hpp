// Charts of the report as SVG.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_CHART_HPP
#define NETCL_TOOL_CHART_HPP

#include <string>
#include <vector>

#include "bench.hpp"

namespace netcl::tool {

/// A text that may stand in HTML and in its attributes.
std::string html(const std::string& text);

/// Operations per byte against operations per second, with the roofs and the benchmarks as
/// numbered points. Ops without operations have no place in it.
std::string roofline_chart(const std::vector<netcl_ceiling>& ceilings,
                           const std::vector<BenchRow>& rows);

/// Why a benchmark has no point in the chart; empty when it has one.
std::string missing_point(const BenchRow& row);

/// Bytes per second against the working set.
std::string cache_chart(const std::vector<netcl_ceiling>& ceilings);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_CHART_HPP
