// Clipping by norm and the scale of a loss as kernels.
#pragma once

#include "ops/optimizer/group.hpp"
#include "ops/optimizer/scaling.hpp"

namespace netcl::ops {

void launch_clip_by_norm(std::span<const GroupTensors> entries, double max_norm, const Tensor& norm,
                         const Run& run);
void launch_unscale(std::span<const GroupTensors> entries, const TensorRef& scale,
                    const TensorRef& found_inf, const Run& run);
void launch_update_loss_scale(const TensorRef& scale, const TensorRef& tracker,
                              const TensorRef& found_inf, const LossScaleRule& rule,
                              const Run& run);

}  // namespace netcl::ops
