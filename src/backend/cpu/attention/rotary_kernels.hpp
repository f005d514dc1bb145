// The SIMD loops of rotary embeddings, one table of functions per instruction set.
#pragma once

#include <cstdint>

namespace netcl::cpu {

// y = the pairs of x, each rotated by the angle of which `cosines` and `sines` have the numbers.
// Products and sums are rounded one by one. y is x, or shares nothing with it.
template <class T>
using RotaryFunction = void (*)(const T* x, const T* cosines, const T* sines, int64_t pairs, T* y);

template <class T>
struct RotaryKernels {
  RotaryFunction<T> halves;       // pairs are elements i and i + pairs
  RotaryFunction<T> interleaved;  // pairs are elements 2 i and 2 i + 1
};

// The best table for this machine.
template <class T>
const RotaryKernels<T>& rotary_kernels();

}  // namespace netcl::cpu
