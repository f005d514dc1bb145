// Matrix products; netcl_op_matmul in netcl.h says what they are.
#pragma once

#include "ops/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct MatmulScale {
  double alpha = 1.0;
  double beta = 0.0;
};

// The product of two tensors, into `into` or a new tensor of `dtype` (0: that of the inputs).
TensorRef matmul(const Tensor& a, const Tensor& b, netcl_dtype dtype, const MatmulScale& scale,
                 const TensorRef& into, const Run& run);

}  // namespace netcl::ops
