// The SIMD loops of the gradients of normalisations, one table of functions per instruction set.
#pragma once

#include <cstdint>

namespace netcl::cpu {

// What the gradient of a row is made of, with d = x - mean and s = grad * scale.
template <class T>
struct NormSums {
  T squares;  // the sum of d * d
  T sum;      // of s
  T along;    // of s * d
};

template <class T>
struct NormGradientKernels {
  // scale may be null.
  NormSums<T> (*sums)(const T* x, T mean, const T* grad, const T* scale, int64_t n);
  // With normal = d * factor: result[i] = factor * (s - shift - normal * along), and product[i] =
  // grad * normal. Each may be null, and either may lie where x or grad does.
  void (*write)(const T* x, T mean, T factor, const T* grad, const T* scale, T shift, T along,
                T* result, T* product, int64_t n);
};

// The best table for this machine.
template <class T>
const NormGradientKernels<T>& norm_gradient_kernels();

}  // namespace netcl::cpu
