// Copying, converting and filling tensors of any strides. All of it is elementwise work on the
// identity expression or on one value.
#pragma once

#include <array>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// The bytes of one element of any dtype.
using Element = std::array<unsigned char, 8>;
// The `size` bytes at `value`; zeros for null.
Element make_element(const void* value, size_t size);

// target = source, bit for bit; shapes broadcast, dtypes are equal.
void copy_into(const Tensor& source, const Tensor& target, const Run& run);
// A copy on the run's device, in C order when it is new; the source may live on another one.
TensorRef copy(const Tensor& source, const TensorRef& into, const Run& run);
// The tensor itself where it is in C order, else a copy.
TensorRef contiguous(const TensorRef& source, const TensorRef& into, const Run& run);
// The same for two packed tensors of one device, by the driver's own command.
void copy_packed(const Tensor& source, const Tensor& target, const Run& run);
// target = source converted to the target's dtype.
void cast_into(const Tensor& source, const Tensor& target, const Run& run);
TensorRef cast(const Tensor& source, netcl_dtype dtype, const TensorRef& into, const Run& run);
// Every element of target = the element of its dtype at `value`.
void fill(const Tensor& target, const void* value, const Run& run);
// The same for what an op writes to: `into`, which it gives back.
TensorRef filled(const Element& value, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
