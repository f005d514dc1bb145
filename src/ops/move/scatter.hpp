#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// A copy of x (x itself when `into` is x) with updates written or added at indices along an axis.
TensorRef scatter(const TensorRef& x, const Tensor& indices, const Tensor& updates, int32_t axis,
                  netcl_scatter_mode mode, bool atomics, const TensorRef& into, const Run& run);

// What becomes of an element and an update at it.
enum class ScatterKind { assign, add, multiply, maximum, minimum };
// The same for all kinds: models call it, it is no op of netcl.h. Of bool MULTIPLY and MINIMUM are
// AND, ADD and MAXIMUM are OR; NaN is the largest and the smallest.
TensorRef scatter_combined(const TensorRef& x, const Tensor& indices, const Tensor& updates,
                           int32_t axis, ScatterKind kind, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
