// The gradient of softmax and of its logarithm. Graphs call this; it is no op of netcl.h.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// `y` is what softmax gave, or its logarithm; `grad` has its shape and dtype.
TensorRef softmax_gradient(const Tensor& y, const Tensor& grad, int32_t axis, bool logarithm,
                           const TensorRef& into, const Run& run);

}  // namespace netcl::ops
