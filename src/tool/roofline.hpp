// The ceilings of a device as the tool shows them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_ROOFLINE_HPP
#define NETCL_TOOL_ROOFLINE_HPP

#include <cstdint>
#include <netcl.h>

#include <string>
#include <vector>

namespace netcl::tool {

class Json;

std::vector<netcl_ceiling> ceiling_rows(const netcl_ceilings* ceilings);
netcl_ceilings_info ceilings_info(const netcl_ceilings* ceilings);
/// The row of a kind, dtype and working set; null when there is none.
const netcl_ceiling* find_ceiling(const std::vector<netcl_ceiling>& rows, netcl_ceiling_kind kind,
                                  netcl_dtype dtype = 0, uint64_t working_set = 0);
/// "compute f32", "cache_read 64 KiB".
std::string ceiling_name(const netcl_ceiling& row);
/// The value with its unit: "4.28 TB/s", "64.4 TFLOP/s", "4.10 us" between two launches.
std::string ceiling_value(const netcl_ceiling& row);
/// Its runs differed so much that something else was running.
inline bool is_noisy(const netcl_ceiling& row) { return row.given == 0 && row.spread > 0.25; }
/// A rate of operations or bytes with a decimal prefix: "64.4 TFLOP/s".
std::string amount_text(double per_second, const char* unit);

void print_ceilings(const std::vector<netcl_ceiling>& rows, const netcl_ceilings_info& info);
void write_ceilings(Json& json, const std::vector<netcl_ceiling>& rows,
                    const netcl_ceilings_info& info);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_ROOFLINE_HPP
