// 2-d convolutions on the CPU for any strides and the floating dtypes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "backend/cpu/thread_pool.hpp"
#include "netcl.h"

namespace netcl::cpu {

// An array of four dimensions in memory. `data` is its first element; strides count elements and
// may have any sign and value (not in a result).
struct Conv2dArray {
  void* data = nullptr;
  int64_t strides[4] = {0, 0, 0, 0};
  netcl_dtype dtype = NETCL_F32;
};

// The sizes of a convolution. Pairs are vertical and horizontal.
struct Conv2dShape {
  int64_t batch = 0;
  int64_t groups = 1;
  int64_t channels = 0;        // of one group; 0 makes every sum 0, and x and w have no memory then
  int64_t filters = 0;         // of one group
  int64_t size[2] = {0, 0};    // height and width of x
  int64_t kernel[2] = {0, 0};  // of w
  int64_t out[2] = {0, 0};     // of the result
  int64_t strides[2] = {1, 1};
  int64_t dilations[2] = {1, 1};
  int64_t padding[4] = {0, 0, 0, 0};  // top, left, bottom, right, where zeros are

  // Products per element of the result.
  int64_t depth() const { return channels * kernel[0] * kernel[1]; }
};

// result = activation(sums * scale[f] + shift[f] + residual). Sums are kept in f64 for f64 and in
// f32 otherwise, and are rounded once. The result is not empty; without x.data every sum is 0. The
// bits of the result depend on variant, tile and instruction set, not on the number of threads.
struct Conv2dTask : Conv2dShape {
  Conv2dArray x;         // batch, groups * channels, height, width
  Conv2dArray w;         // groups * filters, channels, kernel height, kernel width
  Conv2dArray result;    // batch, groups * filters, out height, out width
  Conv2dArray residual;  // as the result; data is null when there is none

  // One number per filter of all groups, as f64 for f64 and else as f32; null: 1 and 0.
  const void* scale = nullptr;
  const void* shift = nullptr;
  netcl_activation activation = NETCL_ACTIVATION_NONE;
  double alpha = 0.0;
  double beta = 0.0;

  netcl_variant variant = NETCL_VARIANT_CONV2D_NAIVE;
  uint32_t winograd_tile = 4;  // 2 or 4
};

// A convolution ready to run: it has decided how to cut the work and knows the memory it needs.
class Conv2dWork {
 public:
  virtual ~Conv2dWork() = default;
  // Bytes of working memory, which is aligned to a cache line.
  size_t bytes() const noexcept { return bytes_; }
  virtual void run(std::byte* memory, ThreadPool& pool) const = 0;

 protected:
  size_t bytes_ = 0;
};

// `threads` is the number of threads that will take part at most.
std::unique_ptr<Conv2dWork> make_conv2d(const Conv2dTask& task, unsigned threads);

// The elements of the tile that the variant tiled_local needs for one row of the result. Saturates.
int64_t conv2d_tile_elements(int64_t channels, const int64_t kernel[2], const int64_t strides[2],
                             const int64_t dilations[2], int64_t out_width);
inline constexpr int64_t kConv2dTileElementsMax = int64_t{1} << 23;

}  // namespace netcl::cpu
