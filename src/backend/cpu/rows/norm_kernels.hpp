// The SIMD loops of the normalisations, one table of functions per instruction set.
#pragma once

#include <cstdint>

namespace netcl::cpu {

template <class T>
struct NormKernels {
  // The sum of the elements, and of their squared distances from a value.
  T (*sum)(const T* x, int64_t n);
  T (*squares)(const T* x, T mean, int64_t n);
  // y[i] = (x[i] - mean) * factor * scale[i] + bias[i]; scale and bias may be null. `stream` writes
  // past the caches, for results that are too large to stay there; a fence has to follow.
  void (*normalize)(const T* x, T mean, T factor, const T* scale, const T* bias, bool stream, T* y,
                    int64_t n);
  void (*fence)();

  // y[i] = x[i] * a + b, with negative results as 0 when `relu` is set. With `stream` it
  // makes its own fence.
  void (*affine)(const T* x, T a, T b, bool relu, bool stream, T* y, int64_t n);
  // The same with a coefficient for each element.
  void (*affine_each)(const T* x, const T* a, const T* b, bool relu, bool stream, T* y, int64_t n);

  // sums[i] += the elements of column i of `rows` rows, `step` apart; and of their squared
  // distances from mean[i].
  void (*add_rows)(const T* x, int64_t step, int64_t rows, int64_t width, T* sums);
  void (*add_squares)(const T* x, int64_t step, int64_t rows, int64_t width, const T* mean,
                      T* sums);
};

// The best table for this machine.
template <class T>
const NormKernels<T>& norm_kernels();

}  // namespace netcl::cpu
