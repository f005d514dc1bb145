#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct NormSettings {
  TensorRef scale;  // null: 1
  TensorRef bias;   // null: 0
  double epsilon = 1e-5;
  bool centred = true;  // layer normalisation; else RMS normalisation
};

struct NormResult {
  TensorRef y;
  TensorRef mean;     // of each row; null when it is not wanted
  TensorRef inverse;  // 1 / deviation of each row; the same
};

// Statistics are made when they are wanted and `into` has no tensor for them: of x's shape with
// extents of 1 from the axis on, f32 or, of f64, f64. RMS normalisation has no mean.
NormResult norm(const Tensor& x, int32_t axis, const NormSettings& settings, bool wants_mean,
                bool wants_inverse, const NormResult& into, const Run& run);

}  // namespace netcl::ops
