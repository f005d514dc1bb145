#pragma once

#include <span>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// x beside itself repeats[d] times along axis d.
TensorRef tile(const Tensor& x, std::span<const int64_t> repeats, const TensorRef& into,
               const Run& run);

}  // namespace netcl::ops
