// Clipping by norm, and the scale of a loss whose gradients are f16 or bf16.
#pragma once

#include "backend/cpu/optimizer/scaling_loops.hpp"
#include "ops/frame/replay.hpp"

namespace netcl::ops {

using netcl::cpu::LossScaleRule;

// Gives the norm that the tensors, which are changed, had together.
TensorRef clip_by_norm(std::span<const TensorRef> tensors, double max_norm, const TensorRef& into,
                       const Run& run);
// `scale` is null where the tensors are only read.
Nothing unscale(std::span<const TensorRef> tensors, const TensorRef& scale,
                const TensorRef& found_inf, const Nothing& into, const Run& run);
Nothing update_loss_scale(const TensorRef& scale, const TensorRef& tracker,
                          const TensorRef& found_inf, const LossScaleRule& rule,
                          const Nothing& into, const Run& run);

}  // namespace netcl::ops
