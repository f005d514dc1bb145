// Arrays of archives of NumPy, FILE.npz and FILE.npz:MEMBER.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_ARRAY_FILE_HPP
#define NETCL_TOOL_ARRAY_FILE_HPP

#include <netcl.h>

#include <string>

#include "owned.hpp"

namespace netcl::tool {

struct ArrayFile {
  std::string path;
  std::string member;  ///< empty: the only one
};

/// What an argument names: a file of that name, or one whose name ends before a colon, with what
/// comes behind it as the member.
ArrayFile find_array_file(const std::string& argument);

/// Whether the first bytes of a file are those of an archive.
bool is_archive(const std::string& bytes);

/// The member, or the only one. Throws ToolError that lists the members where it is not there.
Tensor array_of_archive(netcl_device* device, const ArrayFile& file);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_ARRAY_FILE_HPP
