// The SIMD parts of convolutions, one table of functions per instruction set.
#pragma once

#include <cstdint>

#include "backend/cpu/matmul/gemm_kernels.hpp"
#include "netcl.h"

namespace netcl::cpu::conv2d_detail {

// Planes of numbers with a unit stride along their rows.
template <class T>
struct Planes {
  const T* data = nullptr;  // element (0, 0, 0, 0)
  int64_t image = 0;        // strides
  int64_t channel = 0;
  int64_t row = 0;
};

// The part of a convolution's geometry that copying its input needs.
struct Window {
  int64_t size[2];  // height and width of a plane
  int64_t channel;  // strides of the planes
  int64_t row;
  int64_t kernel[2];
  int64_t dilations[2];
  int64_t stride;  // horizontal
};

// Neighbouring columns of a column matrix that are outputs of one row of one image.
template <class T>
struct PixelRun {
  int64_t column;
  int64_t count;
  const T* plane;  // of the group's first channel; null: zeros
  int64_t y;       // where the window of the first output begins; may lie outside
  int64_t x;
};

// Neighbouring columns of sums and where their results go.
struct OutRun {
  int64_t column;
  int64_t count;
  int64_t result;  // elements from the first filter's plane of image 0
  int64_t residual;
};

// What becomes of sums.
template <class T>
struct Finish {
  netcl_dtype dtype;      // of result and residual
  void* result;           // element (0, 0, 0, 0)
  int64_t result_filter;  // strides
  int64_t result_column;
  const void* residual;  // null: none
  int64_t residual_filter;
  int64_t residual_column;
  const T* scale;  // null: 1
  const T* shift;  // null: 0
  netcl_activation activation;
  T alpha;
  T beta;
};

// Neighbouring tiles of Winograd's method in one row of one image.
template <class T>
struct TileRun {
  int64_t first;  // place in the chunk
  int64_t count;
  const T* plane;  // of the first channel
  int64_t y;       // where the first tile's input begins; may lie outside
  int64_t x;
};

// The largest column run that `columns` takes is two vectors.
template <class T>
struct Conv2dKernels {
  // target[(k - first) * width + column] = the input that meets k = (channel * kernel height + ky)
  // * kernel width + kx, for first <= k < last.
  void (*columns)(const PixelRun<T>* runs, int64_t count, const Window& window, int64_t first,
                  int64_t last, int64_t width, T* target);

  // Writes the results of `rows` filters from `filter` on from sums[row * step + column].
  void (*finish)(const Finish<T>& finish, const T* sums, int64_t step, int64_t filter, int64_t rows,
                 const OutRun* runs, int64_t count);

  // target[c * target_step + i] = source[c * channel_stride + i * column_stride] as T.
  void (*stage)(netcl_dtype dtype, const void* source, int64_t channel_stride,
                int64_t column_stride, int64_t channels, int64_t columns, T* target,
                int64_t target_step);

  // c[i * c_step + j] (+)= sum over p of a[i * a_step + p] * b[p * b_step + j] for i < count and j
  // < used_columns rounded up to lanes: the register tile with a in place. Its sums have the same
  // bits as those of the packed tile.
  void (*rows)(int64_t count, int64_t used_columns, int64_t depth, const T* a, int64_t a_step,
               const T* b, int64_t b_step, bool adds, T* c, int64_t c_step);

  // A register tile of the direct method: sums[f * step + i] for f < filters and i < columns
  // rounded up to lanes, over the inputs source[c * channel + taps[t] + i] and the weights
  // w[(c * taps_count + t) * kDirectFilters + f].
  void (*direct)(const T* source, int64_t channel, int64_t channels, const int64_t* taps,
                 int64_t taps_count, const T* w, int64_t filters, int64_t columns, T* sums,
                 int64_t step);
  int64_t direct_columns;  // the widest tile

  // Winograd's transforms, [0] of F(2, 3) and [1] of F(4, 3).
  // Inputs to target[xi * xi_step + channel * width + tile] in panels of `width` tiles that are
  // panel_step apart. `scratch` holds winograd_scratch() elements.
  void (*tiles_in[2])(const TileRun<T>* runs, int64_t count, const Window& window, int64_t channels,
                      int64_t tiles, int64_t width, int64_t xi_step, int64_t panel_step, T* scratch,
                      T* target);
  // Packed filters w[(c * 9 + tap) * rows + i] to target[xi * xi_step + c * rows + i]. Reads and
  // writes up to a vector past the end.
  void (*filters_in[2])(const T* w, int64_t channels, int64_t rows, int64_t xi_step, T* target);
  // Sums m[xi * width + tile] of one filter to outputs target[y * row_step + tile * edge + x].
  void (*tiles_out[2])(const T* m, int64_t width, int64_t tiles, int64_t row_step, T* target);
};

inline constexpr int64_t kDirectFilters = 6;
// Elements in front of and behind rows that vectors may touch.
inline constexpr int64_t kSlack = 32;

// Elements of scratch memory for a chunk of tiles.
inline int64_t winograd_scratch(int64_t tiles, int64_t edge) {
  return 2 * (edge + 2) * (tiles * edge + 4 * kSlack);
}

// The best set for this machine.
template <class T>
const Conv2dKernels<T>& conv2d_kernels();

}  // namespace netcl::cpu::conv2d_detail
