#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct BatchnormSettings {
  TensorRef scale;  // null: 1
  TensorRef bias;   // null: 0
  double epsilon = 1e-5;
  double momentum = 0.9;
  double alpha = 0.0;
  double beta = 0.0;
  netcl_activation activation = NETCL_ACTIVATION_NONE;
  netcl_variant variant = NETCL_VARIANT_AUTO;
  bool training = false;
};

// In training `mean` and `variance` are moved towards the statistics of the batch.
TensorRef batchnorm(const Tensor& x, const Tensor& mean, const Tensor& variance,
                    const BatchnormSettings& settings, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
