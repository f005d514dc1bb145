#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Adds elements around a tensor: `pads` has the begin of every axis, then the end of every axis;
// negative ones take away, before anything is added. `value` is one element of x's dtype, or null.
TensorRef pad(const Tensor& x, const int64_t* pads, uint32_t pads_count, netcl_pad_mode mode,
              const void* value, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
