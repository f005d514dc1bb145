#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

enum class RoiPooling : int32_t {
  average,  // of samples between elements
  largest,  // of the products of samples' elements and weights
  elements  // the largest element, as MaxRoiPool has it
};

struct RoiPoolSettings {
  RoiPooling kind = RoiPooling::average;
  int64_t rows = 1;  // of a region's bins
  int64_t columns = 1;
  int64_t samples = 0;  // of a bin along each side; 0: one for each element begun
  double scale = 1;     // of the regions' numbers
  bool half_pixel = false;
};
// More samples of a bin than regions ask for by themselves.
inline constexpr int64_t kRoiSamplesMost = 256;

// Bins of regions of images: RoiAlign and MaxRoiPool of ONNX. x is [N, C, H, W] of floats, `rois`
// [R, 4] of f32 or f64 has the left, upper, right and lower end of each region, `images` [R] of
// i32 or i64 the image that it is of. The result is [R, C, rows, columns] of x's dtype: 0 for
// regions of images that there are not, and for bins without samples or elements. What lies
// outside of an image counts as 0. Samples are weighed in f32, or in f64 where x is f64.
TensorRef roi_pool(const Tensor& x, const Tensor& rois, const Tensor& images,
                   const RoiPoolSettings& settings, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
