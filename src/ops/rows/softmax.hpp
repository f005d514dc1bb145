#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// exp(x - m) / sum exp(x - m) along an axis, or its logarithm.
TensorRef softmax(const Tensor& x, int32_t axis, bool logarithm, const TensorRef& into,
                  const Run& run);

}  // namespace netcl::ops
