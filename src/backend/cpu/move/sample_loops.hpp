// Weighed sums of elements of planes at places that all planes of a batch share, of the built-in
// device.
#pragma once

#include <array>

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

inline constexpr size_t kSampleAxesMost = 3;
inline constexpr size_t kSampleTapsMost = 4;  // along an axis

struct SampleTask {
  const void* x_data = nullptr;
  void* y_data = nullptr;
  // Packed [B, P], one for each tap of each axis, the taps of the first axis first.
  std::array<const int64_t*, kSampleAxesMost * kSampleTapsMost> places{};
  std::array<const void*, kSampleAxesMost * kSampleTapsMost> weights{};  // f32, or f64
  Layout x;  // [B, C, S]
  Layout y;  // [B, C, P], f32, or f64 where x is
  netcl_dtype dtype = NETCL_F32;         // of x
  netcl_dtype weights_dtype = NETCL_F32;
  std::array<int64_t, kSampleAxesMost> taps{};  // 0 behind the last axis
};
// y[b, c, p] is the sum, over all combinations of one tap of each axis, of x[b, c] at the sum of
// their places times the product of their weights. An element outside of the plane counts as 0.
void sample(const SampleTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
