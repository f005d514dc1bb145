// Reductions over axes: see netcl_op_reduce.
#pragma once

#include <span>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct ReduceRequest {
  netcl_reduction kind = 0;
  std::span<const int32_t> axes;  // none: all
  bool keepdims = false;
  bool select_last = false;
  netcl_dtype dtype = 0;  // of the result; 0: by the kind and x
  netcl_variant variant = 0;
};

// "SUM"; fails for what is no reduction.
const char* reduction_name(netcl_reduction kind);
// The dtype of the result of a tensor of dtype x; fails where there is none.
netcl_dtype reduced_dtype(netcl_dtype x, const ReduceRequest& request);
TensorRef reduce(const Tensor& x, const ReduceRequest& request, const TensorRef& into,
                 const Run& run);

}  // namespace netcl::ops
