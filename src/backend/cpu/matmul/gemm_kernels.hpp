// The SIMD parts of the matrix product, one table of functions per instruction set.
#pragma once

#include <cstdint>

#include "netcl.h"

namespace netcl::cpu::gemm_detail {

// The largest register tile of any target, for buffers on the stack.
inline constexpr int64_t kTileRowsMax = 12;
inline constexpr int64_t kTileColumnsMax = 32;

template <class T>
struct KernelSet {
  // The register tile: `rows` x `columns` sums are kept in registers over the whole depth.
  int64_t rows;
  int64_t columns;
  int64_t lanes;  // columns is two vectors of so many elements

  // c[i * c_step + j] = alpha * sum over p of a[p * rows + i] * b[p * b_step + j] (+ beta * c) for
  // i < tile_rows(count) and j < used_columns rounded up to lanes. With beta = 0 c is not read.
  void (*tile)(int64_t count, int64_t used_columns, int64_t depth, const T* a, const T* b,
               int64_t b_step, T alpha, T beta, T* c, int64_t c_step);
  // The number of rows that `tile` writes for `count` wanted ones.
  int64_t (*tile_rows)(int64_t count);

  // Packs lines into panels of `width` lines, one after the other: in a panel,
  // target[p * width + i] = source[i * line_stride + p * depth_stride] as T. The last panel is
  // filled up with zeros.
  void (*pack)(netcl_dtype dtype, const void* source, int64_t line_stride, int64_t depth_stride,
               int64_t lines, int64_t width, int64_t depth, T* target);

  // c = alpha * sums + beta * c, rounded once to the dtype of c.
  void (*merge)(const T* sums, int64_t sums_step, int64_t rows, int64_t columns, T alpha, T beta,
                netcl_dtype dtype, void* c, int64_t row_stride, int64_t column_stride);

  // sums = alpha * sums + beta * source, in place.
  void (*accumulate)(T* sums, int64_t sums_step, int64_t rows, int64_t columns, T alpha, T beta,
                     netcl_dtype dtype, const void* source, int64_t row_stride,
                     int64_t column_stride);

  // sums[i] = sum over p of a[i * row_stride + p] * x[p], for a unit stride along the depth.
  void (*dot_rows)(netcl_dtype dtype, const void* a, int64_t row_stride, int64_t rows,
                   int64_t depth, const T* x, T* sums);
  // sums[i] += sum over p of a[i + p * depth_stride] * x[p], for a unit stride along the rows.
  void (*add_columns)(netcl_dtype dtype, const void* a, int64_t depth_stride, int64_t rows,
                      int64_t depth, const T* x, T* sums);
};

// The best set for this machine.
template <class T>
const KernelSet<T>& kernels();

}  // namespace netcl::cpu::gemm_detail
