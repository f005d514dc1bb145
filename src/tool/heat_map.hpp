// What tuning measured, as a map over the two parameters that matter most, and as a table.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_HEAT_MAP_HPP
#define NETCL_TOOL_HEAT_MAP_HPP

#include <string>
#include <vector>

#include "tuned_data.hpp"

namespace netcl::tool {

/// A parameter, its values, and how much of the spread of the times it explains.
struct Influence {
  std::string name;
  std::vector<std::string> values;  ///< numbers in their order, texts as they came
  double share = 0;                 ///< of the variance of the logarithms, 0 to 1
};

/// The parameters with more than one value, the most influential first.
std::vector<Influence> influences(const TunedCase& one);

/// The section of the report: an overview, then a map and a table per case.
std::string tuning_section(const std::vector<TunedCase>& cases);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_HEAT_MAP_HPP
