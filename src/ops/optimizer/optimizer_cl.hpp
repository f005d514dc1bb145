// Steps of optimisers as kernels.
#pragma once

#include "ops/optimizer/group.hpp"
#include "ops/optimizer/optimizer.hpp"

namespace netcl::ops {

// The operands that a step writes.
inline constexpr GroupFlags kOptimizerWrites = {true, false, true, true, true, true};

// "adam"
const char* optimizer_name(netcl::cpu::OptimizerRule rule);
// "netcl_adam"
const char* optimizer_kernel_name(netcl::cpu::OptimizerRule rule);

// The entries of the task are not set.
void launch_optimizer(const netcl::cpu::OptimizerTask& task, const OptimizerStep& step,
                      std::span<const GroupTensors> entries, const Run& run);

}  // namespace netcl::ops
