#pragma once

#include "backend/cpu/conv2d/roi_pool_loops.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

using netcl::cpu::RoiPoolSettings;
// More samples of a bin than regions ask for by themselves.
inline constexpr int64_t kRoiSamplesMost = 256;

// Bins of regions of images: RoiAlign and MaxRoiPool of ONNX; see netcl_op_roi_pool.
TensorRef roi_pool(const Tensor& x, const Tensor& rois, const Tensor& images,
                   const RoiPoolSettings& settings, const TensorRef& into, const Run& run);

// What gradients are made of. Graphs call these; they are no ops of netcl.h.
//
// Which element of x in C order a bin's extreme is, as i64, and the weight that the element has in
// it, in f32 or f64: of the first of equal ones. Where a bin has no element the place is the number
// of x's elements.
TensorRef roi_pool_places(const Tensor& x, const Tensor& rois, const Tensor& images,
                          const RoiPoolSettings& settings, const TensorRef& into, const Run& run);
TensorRef roi_pool_weights(const Tensor& x, const Tensor& rois, const Tensor& images,
                           const RoiPoolSettings& settings, const TensorRef& into, const Run& run);
// The gradient of x, of this shape, from that of the averages: f64 where that is, or f32.
TensorRef roi_pool_gradient(const Tensor& grad, const Tensor& rois, const Tensor& images,
                            const std::array<int64_t, 4>& shape, const RoiPoolSettings& settings,
                            const TensorRef& into, const Run& run);

}  // namespace netcl::ops
