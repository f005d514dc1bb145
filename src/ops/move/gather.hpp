#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Slices along an axis at indices, whose shape takes the place of the axis.
TensorRef gather(const Tensor& x, const Tensor& indices, int32_t axis, const TensorRef& into,
                 const Run& run);
// Elements along an axis at indices, which have the shape of the result.
TensorRef gather_elements(const Tensor& x, const Tensor& indices, int32_t axis,
                          const TensorRef& into, const Run& run);

// Fails with UNSUPPORTED when a tensor is no list of indices.
void require_indices(const Tensor& indices, const char* argument = "indices");
// Fails unless `indices` reach no further than x but along the axis.
void require_within(const Tensor& indices, const Tensor& x, uint32_t axis);

}  // namespace netcl::ops
