#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

TensorRef pool2d(const Tensor& x, netcl_pooling kind, const netcl_pool2d_options& options,
                 const TensorRef& into, const Run& run);

}  // namespace netcl::ops
