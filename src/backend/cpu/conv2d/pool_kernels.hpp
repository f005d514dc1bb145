// The SIMD loops of pooling, one table of functions per instruction set.
#pragma once

#include <cstdint>

namespace netcl::cpu {

template <class T>
struct PoolKernels {
  // acc[i] = the larger of acc[i] and x[i step]; NaN wins. step is 1 or more; with 2, x is read up
  // to element 2 n + 1 of lanes, so there has to be room behind it.
  void (*take_max)(const T* x, int64_t step, T* acc, int64_t n);
  // acc[i] += x[i step].
  void (*add)(const T* x, int64_t step, T* acc, int64_t n);
};

// Elements that may be read behind the last one that is used.
inline constexpr int64_t kPoolRoom = 64;

// The best table for this machine.
template <class T>
const PoolKernels<T>& pool_kernels();

}  // namespace netcl::cpu
