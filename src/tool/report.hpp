// The HTML report.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_REPORT_HPP
#define NETCL_TOOL_REPORT_HPP

#include <string>

namespace netcl::tool {

class Options;

/// Measures what the options ask for and writes the page; gives an exit code.
int write_report(const Options& options, const std::string& path);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_REPORT_HPP
