// The numbers in the arguments of `netcl tune`. Each throws a UsageProblem that quotes `whole`, the
// argument that they stand in.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_TUNE_VALUES_HPP
#define NETCL_TOOL_TUNE_VALUES_HPP

#include <cstdint>
#include <string>

#include "netcl.h"

namespace netcl::tool {

int64_t read_integer(const std::string& text, int64_t low, int64_t high, const char* what,
                     const std::string& whole);
double read_real(const std::string& text, const char* what, const std::string& whole);
netcl_dtype find_dtype(const std::string& name, const std::string& whole);
bool is_floating(netcl_dtype dtype);

/// One end of a fill, which the dtype has to hold; a range of integers ends behind its last.
double read_fill(netcl_dtype dtype, const std::string& text, bool is_end, const std::string& whole);

/// Puts one element of a dtype; floats of 16 bits only as whole powers of two and 0, which need no
/// rounding.
void put_number(netcl_dtype dtype, double number, unsigned char* place);

void put_scalar(netcl_dtype dtype, const std::string& text, const std::string& whole,
                netcl_arg* arg);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_TUNE_VALUES_HPP
