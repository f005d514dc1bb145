// How the results of a convolution are cut into boxes for matrix units; wgmma_text.hpp has the
// kernel.
#pragma once

#include <cstdint>

namespace netcl::ops {

// Elements of a line, lines and images.
struct Conv2dWindows {
  int64_t box[3] = {1, 1, 1};    // 64 results at most
  int64_t boxes[3] = {0, 0, 0};  // that cover all of them

  int64_t count() const { return boxes[0] * boxes[1] * boxes[2]; }
};

// Strides between neighbours that copies by tensor maps can make.
inline constexpr int64_t kWindowStrideMost = 8;

// Channels that a stage takes.
constexpr int64_t window_depth(int64_t channels) {
  return channels <= 16 ? 16 : channels <= 32 ? 32 : 64;
}

// The fewest boxes for `out` results (elements of a line, lines, images), with the strides between
// these (elements, lines).
Conv2dWindows conv2d_windows(const int64_t (&out)[3], const int64_t (&strides)[2]);

}  // namespace netcl::ops
