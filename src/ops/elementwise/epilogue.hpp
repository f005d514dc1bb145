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

// Gives an activation whose parameters are both 0, and not `given`, those that ONNX gives its
// operator. Clipping has none there, which fails naming the parameters as members of `argument`.
void set_activation_defaults(netcl_activation activation, bool given, const char* argument,
                             double* alpha, double* beta);

}  // namespace netcl::ops
