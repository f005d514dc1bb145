// 2-d convolutions; netcl_op_conv2d in netcl.h says what they are.
//
// conv2d.cpp checks a call, works out its shapes, chooses the variant and makes the result; then
// one of the two functions at the end does the work. All layouts are in the order N, C, H, W (x and
// result) and F, C / groups, KH, KW (w), whatever lies innermost in memory.
#pragma once

#include "backend/cpu/conv2d/conv2d_loops.hpp"
#include "ops/elementwise/epilogue.hpp"
#include "ops/frame/run.hpp"
#include "ops/frame/variant.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// A batch normalisation of inference as it was given. All tensors are [filters] of x's dtype or
// f32; scale and bias may be null.
struct Conv2dBatchnorm {
  TensorRef scale;
  TensorRef bias;
  TensorRef mean;
  TensorRef variance;
  double epsilon = 1e-5;
};

struct Conv2dParameters {
  std::array<int64_t, 2> strides = {1, 1};
  std::array<int64_t, 2> dilations = {1, 1};
  std::array<int64_t, 4> padding = {0, 0, 0, 0};  // top, left, bottom, right
  int64_t groups = 1;
  netcl_variant variant = NETCL_VARIANT_AUTO;
  uint32_t winograd_tile = 0;
  Epilogue epilogue;
  bool has_batchnorm = false;
  Conv2dBatchnorm batchnorm;
};

// A convolution that is sound and not empty:
//   result = activation(sums * scale[f] + shift[f] + residual)
// in compute_dtype, rounded once to the dtype of the result.
struct Conv2dProblem : netcl::cpu::Conv2dShape {
  Conv2dProblem(const Tensor& image, const Tensor& weights, const Tensor& to)
      : x(image), w(weights), result(to) {}

  const Tensor& x;
  const Tensor& w;
  const Tensor& result;  // the dtypes of the three are equal; it shares no memory with x and w

  netcl_dtype compute_dtype = NETCL_F32;  // NETCL_F64 for f64, else NETCL_F32

  // Null: 1. A packed tensor [filters] of compute_dtype.
  TensorRef scale = nullptr;
  // Null: 0. A tensor [filters] of any stride, of compute_dtype or (a plain bias) of x's dtype or
  // f32.
  TensorRef shift = nullptr;
  // Null: 0. The shape and dtype of the result; it may be the result itself (same elements).
  TensorRef residual = nullptr;
  netcl_activation activation = NETCL_ACTIVATION_NONE;
  double alpha = 0.0;  // parameters of the activation
  double beta = 0.0;

  netcl_variant request = NETCL_VARIANT_AUTO;  // what the call asks for
  // The variant is set; winograd_tile is 2 or 4 with winograd.
  VariantConfig config = NETCL_VARIANT_CONFIG_INIT;
};

// The extents of the result, with shapes, strides, dilations, padding and groups checked.
std::array<int64_t, 4> conv2d_result_shape(const Tensor& x, const Tensor& w,
                                           const Conv2dParameters& parameters);

TensorRef conv2d(const TensorRef& x, const TensorRef& w, const Conv2dParameters& parameters,
                 const TensorRef& into, const Run& run);

// Does a convolution by the built-in loops.
void conv2d_natively(const Conv2dProblem& problem, const Run& run);

// Enqueues a convolution on an OpenCL device with the kernels of problem.config.variant. The event
// of `run` belongs to the last command.
void conv2d_on_device(const Conv2dProblem& problem, const Run& run);

}  // namespace netcl::ops
