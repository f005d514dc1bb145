#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// A copy of x (x itself when `into` is x) with updates written at indices along an axis, or
// combined with what is there. Of bool MUL and MIN are AND, ADD and MAX are OR.
TensorRef scatter(const TensorRef& x, const Tensor& indices, const Tensor& updates, int32_t axis,
                  netcl_scatter_mode mode, bool atomics, const TensorRef& into, const Run& run);

// Fails unless updates may be combined with x in this way.
void check_scatter_mode(const Tensor& x, const Tensor& updates, netcl_scatter_mode mode,
                        bool atomics, const Run& run);

}  // namespace netcl::ops
