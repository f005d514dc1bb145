#pragma once

#include <array>
#include <span>

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// As netcl_resize_options has them.
struct ResizeSettings {
  netcl_resize_mode mode = NETCL_RESIZE_NEAREST;
  netcl_resize_coordinates coordinates = NETCL_RESIZE_HALF_PIXEL;
  netcl_resize_rounding rounding = NETCL_RESIZE_ROUND_PREFER_FLOOR;
  bool antialias = false;
  bool exclude_outside = false;
  double cubic_coeff = -0.75;
  double extrapolation_value = 0;
  std::array<double, kRankMax> scales{};  // 0: what the extents give
  std::array<double, kRankMax> starts{};
  std::array<double, kRankMax> ends{1, 1, 1, 1, 1, 1, 1, 1};
};

// A tensor resized to another shape of its rank; see netcl_op_resize.
TensorRef resize(const Tensor& x, std::span<const int64_t> shape, const ResizeSettings& settings,
                 const TensorRef& into, const Run& run);

}  // namespace netcl::ops
