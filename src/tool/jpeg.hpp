// JPEG, where the build has libjpeg.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_JPEG_HPP
#define NETCL_TOOL_JPEG_HPP

#include <string>
#include <string_view>

#include "picture.hpp"

namespace netcl::tool {

bool is_jpeg(std::string_view bytes);

/// The picture in a file's bytes, of grey or of red, green and blue, as it is stored: turned by
/// nothing that the file says of the camera. Throws ToolError naming `path`.
Picture decode_jpeg(const std::string& bytes, const std::string& path);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_JPEG_HPP
