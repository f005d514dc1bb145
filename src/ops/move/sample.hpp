#pragma once

#include <span>

#include "backend/cpu/move/sample_loops.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Elements between those of images: sums over x [B, C, S] of floats for each place, [B, C, P] of
// f32, or of f64 where x is. `taps` says how many taps each axis has, 0 behind the last one; each
// has places in a plane, i64, and weights, f32 or f64: packed tensors of B P elements, those of the
// first axis first. Of a combination of taps places are added, and weights multiplied; an element
// outside of the plane is 0. Models call it; it is no op of netcl.h.
TensorRef sample(const Tensor& x, std::span<const TensorRef> places,
                 std::span<const TensorRef> weights,
                 const std::array<int64_t, cpu::kSampleAxesMost>& taps, const TensorRef& into,
                 const Run& run);

}  // namespace netcl::ops
