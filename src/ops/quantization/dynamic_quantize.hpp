// Quantising by the range of the elements: see netcl_op_dynamic_quantize_linear.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct DynamicQuantizeResult {
  TensorRef result;
  TensorRef scale;       // null when it is not wanted
  TensorRef zero_point;  // the same
};

DynamicQuantizeResult dynamic_quantize_linear(const TensorRef& x, bool wants_scale,
                                              bool wants_zero_point,
                                              const DynamicQuantizeResult& into, const Run& run);

}  // namespace netcl::ops
