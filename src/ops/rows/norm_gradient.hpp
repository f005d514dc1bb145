// The gradients of normalisations. Graphs call this; it is no op of netcl.h.
#pragma once

#include "ops/rows/norm.hpp"

namespace netcl::ops {

// Those that are not wanted are null.
struct NormGradient {
  TensorRef x;        // of x's dtype
  TensorRef product;  // the gradient of each element of scale in each row, as f32, or f64 for f64
};

// `grad` has x's shape and dtype. The bias is not looked at.
NormGradient norm_gradient(const Tensor& x, const Tensor& grad, int32_t axis,
                           const NormSettings& settings, bool wants_x, bool wants_product,
                           const NormGradient& into, const Run& run);

}  // namespace netcl::ops
