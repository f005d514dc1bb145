// Pictures from files, for models that look at them.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef NETCL_TOOL_PICTURE_HPP
#define NETCL_TOOL_PICTURE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "owned.hpp"

namespace netcl::tool {

/// 8-bit samples, row by row; of a pixel red, green, blue, or one grey.
struct Picture {
  int64_t height = 0;
  int64_t width = 0;
  int64_t channels = 0;
  bool transparent = false;  ///< the file has transparency, which was laid on black
  std::vector<uint8_t> samples;
};

/// What is wrong with a picture.
ToolError picture_error(const std::string& path, const std::string& problem);
/// Fails unless a picture has so many pixels as can be read.
void require_pixels(int64_t height, int64_t width, const std::string& path);

/// Whether the first bytes of a file are those of a picture that can be read, or of one that only
/// this build cannot read.
bool is_picture(std::string_view bytes);

/// The picture in a file's bytes: PNG, JPEG, or binary PPM or PGM of 8 bits. Throws ToolError
/// naming `path`.
Picture decode_picture(const std::string& bytes, const std::string& path);

/// Resizes as Pillow does with bilinear weights that widen where a picture shrinks, which is what
/// torchvision's Resize gives: the same samples.
Picture resize_picture(const Picture& picture, int64_t height, int64_t width);

/// The pixels from (top, left) on, which must be there.
Picture crop_picture(const Picture& picture, int64_t top, int64_t left, int64_t height,
                     int64_t width);

/// Grey from colour by the weights of ITU-R 601, colour from grey by three equal channels.
Picture recolor_picture(const Picture& picture, int64_t channels);

}  // namespace netcl::tool

#endif  // NETCL_TOOL_PICTURE_HPP
