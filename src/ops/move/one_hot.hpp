#pragma once

#include "ops/move/move.hpp"

namespace netcl::ops {

// A line of `depth` elements of a dtype for each index: `on` at its place, `off` elsewhere.
TensorRef one_hot(const Tensor& indices, int64_t depth, int32_t axis, netcl_dtype dtype,
                  const Element& on, const Element& off, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
