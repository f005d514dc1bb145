// The SIMD parts of the matrix product, one table of functions per instruction set.
#pragma once

#include <cstdint>
#include <type_traits>

#include "netcl.h"

namespace netcl::cpu::gemm_detail {

// The largest register tile of any target, for buffers on the stack.
inline constexpr int64_t kTileRowsMax = 12;
inline constexpr int64_t kTileColumnsMax = 32;

// Of sums in i32 a packed element holds two steps of the depth, else one.
template <class T>
inline constexpr int64_t kStepsPacked = std::is_same_v<T, int32_t> ? 2 : 1;

// Modulo 2^32.
inline int32_t wrapped_add(int32_t x, int32_t y) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) + static_cast<uint32_t>(y));
}
inline int32_t wrapped_multiply(int32_t x, int32_t y) {
  return static_cast<int32_t>(static_cast<uint32_t>(x) * static_cast<uint32_t>(y));
}

// An element of i8 or u8.
inline int32_t byte_at(netcl_dtype dtype, const void* data, int64_t index) {
  return dtype == NETCL_I8 ? int32_t{static_cast<const int8_t*>(data)[index]}
                           : int32_t{static_cast<const uint8_t*>(data)[index]};
}

// T is float, double, or int32_t for 8-bit integers.
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

  // sums[i] = sum over p of a[i * row_stride + p] * x[p], for a unit stride along the depth. x is
  // packed, a is as it is: zero points of 8-bit integers are not looked at.
  void (*dot_rows)(netcl_dtype dtype, const void* a, int64_t row_stride, int64_t rows,
                   int64_t depth, const T* x, T* sums);
  // sums[i] += sum over p of a[i + p * depth_stride] * x[p], for a unit stride along the rows.
  void (*add_columns)(netcl_dtype dtype, const void* a, int64_t depth_stride, int64_t rows,
                      int64_t depth, const T* x, T* sums);

  // Of int32_t alone, in place of `pack`: lines less the zero point of each, from `zero` on,
  // `zero_stride` elements apart; null: 0. `depth` counts steps of the source.
  void (*pack_bytes)(netcl_dtype dtype, const void* source, int64_t line_stride,
                     int64_t depth_stride, int64_t lines, int64_t width, int64_t depth,
                     const void* zero, int64_t zero_stride, T* target);
};

// The best set for this machine.
template <class T>
const KernelSet<T>& kernels();

}  // namespace netcl::cpu::gemm_detail
