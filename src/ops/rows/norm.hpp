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

TensorRef norm(const Tensor& x, int32_t axis, const NormSettings& settings, const TensorRef& into,
               const Run& run);

}  // namespace netcl::ops
