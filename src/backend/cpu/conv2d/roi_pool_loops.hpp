// Bins of regions of images, of the built-in device.
#pragma once

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

struct RoiPoolSettings {
  netcl_roi_pooling kind = NETCL_ROI_POOLING_AVERAGE;
  int64_t rows = 1;  // of a region's bins
  int64_t columns = 1;
  int64_t samples = 0;  // of a bin along each side; 0: one for each element begun
  double scale = 1;     // of the regions' numbers
  bool half_pixel = false;
};

// What is told of a bin: what it is, or which element of x in C order that is of, and the weight
// which the element has in it. Without one the place is the number of x's elements.
enum class RoiFact : int32_t { value, place, weight };

struct RoiTask {
  const void* x_data = nullptr;
  const void* rois_data = nullptr;
  const void* images_data = nullptr;
  void* y_data = nullptr;
  Layout x;       // [N, C, H, W]
  Layout rois;    // [R, 4]
  Layout images;  // [R]
  Layout y;       // [R, C, rows, columns]
  RoiPoolSettings settings;
  netcl_dtype dtype = NETCL_F32;   // of x
  netcl_dtype places = NETCL_F32;  // of rois: f32 or f64
  netcl_dtype index = NETCL_I64;   // of images: i32 or i64
  // PLACE gives i64, WEIGHT what x is computed in; neither is asked of averages.
  RoiFact fact = RoiFact::value;
};
void roi_pool(const RoiTask& task, ThreadPool& threads);

// The gradient of averages: the result, of f32 or of f64 where grad is f64, is the sum over bins of
// what each gives to its elements, in the order of the regions.
struct RoiSpreadTask {
  const void* grad_data = nullptr;
  const void* rois_data = nullptr;
  const void* images_data = nullptr;
  void* result_data = nullptr;
  Layout grad;  // [R, C, rows, columns]
  Layout rois;
  Layout images;
  Layout result;  // [N, C, H, W]
  RoiPoolSettings settings;
  netcl_dtype dtype = NETCL_F32;  // of grad
  netcl_dtype places = NETCL_F32;
  netcl_dtype index = NETCL_I64;
};
void roi_spread(const RoiSpreadTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
