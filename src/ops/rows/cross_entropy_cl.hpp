// The same ops as kernels.
#pragma once

#include "backend/cpu/rows/cross_entropy_loops.hpp"
#include "ops/rows/cross_entropy.hpp"

namespace netcl::ops {

// Of tasks the kernels take all but the pointers.
void launch_cross_entropy(const netcl::cpu::CrossEntropyTask& task, const Tensor& x,
                          const Tensor& labels, const Tensor* weights, const Tensor& y,
                          const Run& run);
void launch_label_scale(const netcl::cpu::LabelScaleTask& task, const Tensor& labels,
                        const Tensor* weights, const Tensor& grad, const Tensor& y, const Run& run);
void launch_cross_entropy_gradient(const netcl::cpu::CrossEntropyGradientTask& task,
                                   const Tensor& x, const Tensor& labels, const Tensor& scale,
                                   const Tensor& y, const Run& run);

}  // namespace netcl::ops
