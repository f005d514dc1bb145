// Running sums, products and extremes: see netcl_op_scan.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

TensorRef scan(const Tensor& x, netcl_reduction kind, int32_t axis, bool exclusive, bool reverse,
               const TensorRef& into, const Run& run);

}  // namespace netcl::ops
