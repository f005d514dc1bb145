// Products and convolutions of quantised numbers; netcl_op_qlinear_matmul, netcl_op_conv2d_integer
// and netcl_op_qlinear_conv2d in netcl.h say what they are. All are products of integers
// (ops/matmul) and formulas: a convolution is a product with its windows laid out.
#pragma once

#include <array>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct QlinearMatmulSettings {
  TensorRef a_zero_point;  // null: 0
  TensorRef b_zero_point;
  TensorRef y_zero_point;
  netcl_dtype dtype = 0;  // of the result; 0: by y_zero_point, `into` or a
};
TensorRef qlinear_matmul(const TensorRef& a, const TensorRef& a_scale, const TensorRef& b,
                         const TensorRef& b_scale, const TensorRef& y_scale,
                         const QlinearMatmulSettings& settings, const TensorRef& into,
                         const Run& run);

struct IntegerConv2dSettings {
  TensorRef x_zero_point;  // null: 0
  TensorRef w_zero_point;
  std::array<int64_t, 2> strides = {1, 1};
  std::array<int64_t, 2> dilations = {1, 1};
  std::array<int64_t, 4> padding = {0, 0, 0, 0};  // top, left, bottom, right
  int64_t groups = 1;
};
TensorRef conv2d_integer(const TensorRef& x, const TensorRef& w,
                         const IntegerConv2dSettings& settings, const TensorRef& into,
                         const Run& run);

struct QlinearConv2dSettings {
  IntegerConv2dSettings conv;
  TensorRef y_zero_point;
  TensorRef bias;         // i32
  netcl_dtype dtype = 0;  // of the result; 0: by y_zero_point, `into` or x
};
TensorRef qlinear_conv2d(const TensorRef& x, const TensorRef& x_scale, const TensorRef& w,
                         const TensorRef& w_scale, const TensorRef& y_scale,
                         const QlinearConv2dSettings& settings, const TensorRef& into,
                         const Run& run);

}  // namespace netcl::ops
