// The loops that find out what a processor can do, one table of functions per instruction set.
#pragma once

#include <cstdint>

namespace netcl::cpu {

// Each function does its work `passes` times over. Counts are multiples of kCeilingGrain elements
// and memory is aligned to a cache line.
inline constexpr int64_t kCeilingGrain = 256;

struct CeilingKernels {
  // The sum of the elements.
  float (*read)(const float* x, int64_t n, int64_t passes);
  // `stream` writes past the caches.
  void (*write)(float value, bool stream, float* y, int64_t n, int64_t passes);
  void (*copy)(const float* x, bool stream, float* y, int64_t n, int64_t passes);
  // Independent chains of multiply-adds; gives the operations done and writes what they come to.
  double (*compute_f32)(int64_t passes, float* out);
  double (*compute_f64)(int64_t passes, double* out);
  double (*compute_i32)(int64_t passes, int32_t* out);
};

// The best table for this machine.
const CeilingKernels& ceiling_kernels();

}  // namespace netcl::cpu
