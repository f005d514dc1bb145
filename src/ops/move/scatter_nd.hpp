#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// A copy of x (x itself when `into` is x) with updates written at the places of gather_nd, or
// combined with what is there.
TensorRef scatter_nd(const TensorRef& x, const Tensor& indices, const Tensor& updates,
                     uint32_t batch_dims, netcl_scatter_mode mode, bool atomics,
                     const TensorRef& into, const Run& run);

}  // namespace netcl::ops
