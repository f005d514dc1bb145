#pragma once

#include <span>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Joins tensors of one dtype along an axis.
TensorRef concat(std::span<const TensorRef> inputs, int32_t axis, const TensorRef& into,
                 const Run& run);

}  // namespace netcl::ops
