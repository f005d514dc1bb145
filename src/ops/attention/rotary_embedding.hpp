// Rotary position embedding: see netcl_op_rotary_embedding.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct RotarySettings {
  TensorRef position_ids;
  int64_t heads = 0;    // of x of rank 3
  int64_t rotated = 0;  // elements of a head; 0: all
  bool interleaved = false;
  bool inverse = false;
};

TensorRef rotary_embedding(const Tensor& x, const Tensor& cosines, const Tensor& sines,
                           const RotarySettings& settings, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
