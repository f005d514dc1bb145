// Copying, converting and filling tensors of any strides. All of it is elementwise work on the
// identity expression or on one value.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// target = source, bit for bit; shapes broadcast, dtypes are equal.
void copy_into(const Tensor& source, const Tensor& target, const Run& run);
// A new C-order copy on the run's device; the source may live on another one.
TensorRef copy(const Tensor& source, const Run& run);
// target = source converted to the target's dtype.
void cast_into(const Tensor& source, const Tensor& target, const Run& run);
// Every element of target = the element of its dtype at `value`.
void fill(const Tensor& target, const void* value, const Run& run);

}  // namespace netcl::ops
