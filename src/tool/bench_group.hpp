// Timed collectives: `netcl bench group`.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_BENCH_GROUP_HPP
#define NETCL_TOOL_BENCH_GROUP_HPP

namespace netcl::tool {

/// Arguments begin after "group".
int bench_group(int argc, char** argv);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_BENCH_GROUP_HPP
