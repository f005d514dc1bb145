// Transpositions by tiles of a cache line in each direction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace netcl::cpu {

namespace transpose_detail {

// Vectors of 16 bytes, which every machine with vectors has.
template <class T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(16)));
};
template <class T>
using Vector = typename VectorOf<T>::Type;

// The lower or upper halves of two vectors, their lanes in turn.
inline Vector<uint64_t> low(Vector<uint64_t> a, Vector<uint64_t> b) {
  return __builtin_shufflevector(a, b, 0, 2);
}
inline Vector<uint64_t> high(Vector<uint64_t> a, Vector<uint64_t> b) {
  return __builtin_shufflevector(a, b, 1, 3);
}
inline Vector<uint32_t> low(Vector<uint32_t> a, Vector<uint32_t> b) {
  return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
inline Vector<uint32_t> high(Vector<uint32_t> a, Vector<uint32_t> b) {
  return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}
inline Vector<uint16_t> low(Vector<uint16_t> a, Vector<uint16_t> b) {
  return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
inline Vector<uint16_t> high(Vector<uint16_t> a, Vector<uint16_t> b) {
  return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
inline Vector<uint8_t> low(Vector<uint8_t> a, Vector<uint8_t> b) {
  return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
inline Vector<uint8_t> high(Vector<uint8_t> a, Vector<uint8_t> b) {
  return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                 31);
}

// Taking lanes in turn, as often as it takes to count the vectors in bits, swaps the two.
template <class T, int kLanes>
inline void transpose_vectors(Vector<T>* v) {
  Vector<T> w[kLanes];
#pragma GCC unroll 4
  for (int round = 1; round < kLanes; round *= 2) {
#pragma GCC unroll 16
    for (int i = 0; i < kLanes / 2; ++i) {
      w[2 * i] = low(v[i], v[i + kLanes / 2]);
      w[2 * i + 1] = high(v[i], v[i + kLanes / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) v[i] = w[i];
  }
}

// A tile of one cache line in each direction. It is gathered first, because lines that lie a power
// of two apart would push each other out of the cache before they are used up.
template <class T>
void transpose_tile(const T* x, T* y, int64_t x_stride, int64_t y_stride) {
  constexpr int kEdge = 64 / sizeof(T);
  constexpr int kLanes = 16 / sizeof(T);
  alignas(64) T lines[kEdge][kEdge];
  for (int q = 0; q < kEdge; ++q) std::memcpy(lines[q], x + q * x_stride, 64);
  for (int p = 0; p < kEdge; p += kLanes) {
    for (int q = 0; q < kEdge; q += kLanes) {
      Vector<T> v[kLanes];
#pragma GCC unroll 16
      for (int i = 0; i < kLanes; ++i) std::memcpy(&v[i], &lines[q + i][p], 16);
      transpose_vectors<T, kLanes>(v);
#pragma GCC unroll 16
      for (int i = 0; i < kLanes; ++i) std::memcpy(y + (p + i) * y_stride + q, &v[i], 16);
    }
  }
}

}  // namespace transpose_detail

// y[i * y_stride + q] = x[q * x_stride + i] for q below q_extent and i below `height`, which is at
// most what a cache line holds.
template <class T>
void transpose_strip(const T* x, T* y, int64_t height, int64_t q_extent, int64_t x_stride,
                     int64_t y_stride) {
  constexpr int64_t kEdge = 64 / sizeof(T);
  for (int64_t q = 0; q < q_extent; q += kEdge) {
    const int64_t width = std::min(kEdge, q_extent - q);
    if (width == kEdge && height == kEdge) {
      transpose_detail::transpose_tile(x + q * x_stride, y + q, x_stride, y_stride);
      continue;
    }
    for (int64_t i = 0; i < height; ++i) {
      for (int64_t j = 0; j < width; ++j) y[i * y_stride + q + j] = x[(q + j) * x_stride + i];
    }
  }
}

}  // namespace netcl::cpu
