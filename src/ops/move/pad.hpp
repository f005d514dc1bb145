#pragma once

#include <span>

#include "ops/move/move.hpp"

namespace netcl::ops {

// Adds elements around a tensor: `pads` has the begin of every axis, then the end of every axis;
// negative ones take away, before anything is added. `value` is an element of x's dtype.
TensorRef pad(const Tensor& x, std::span<const int64_t> pads, netcl_pad_mode mode,
              const Element& value, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
