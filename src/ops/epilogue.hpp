// What follows the sums of a product or a convolution; see netcl_epilogue.
#pragma once

#include "tensor/tensor.hpp"

namespace netcl::ops {

struct Epilogue {
  TensorRef bias;
  TensorRef residual;
  netcl_activation activation = NETCL_ACTIVATION_NONE;
  double alpha = 0.0;
  double beta = 0.0;
};

}  // namespace netcl::ops
