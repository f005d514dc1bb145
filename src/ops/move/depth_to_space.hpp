#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Channels spread over blocks of space, and gathered from them.
TensorRef depth_to_space(const Tensor& x, int64_t block, netcl_depth_order order,
                         const TensorRef& into, const Run& run);
TensorRef space_to_depth(const Tensor& x, int64_t block, netcl_depth_order order,
                         const TensorRef& into, const Run& run);

}  // namespace netcl::ops
