#pragma once

#include <span>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// A tensor resized to another shape of its rank.
TensorRef resize(const Tensor& x, std::span<const int64_t> shape, netcl_resize_mode mode,
                 netcl_resize_coordinates coordinates, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
