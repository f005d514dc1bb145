// Reductions as kernels.
#pragma once

#include "backend/cpu/reduce/reduce_loops.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

using netcl::cpu::ReduceTask;

// Enqueues the kernels of a task with at least one output and one element each.
void launch_reduce(const ReduceTask& task, const Tensor& x, const Tensor& out, const Run& run);

}  // namespace netcl::ops
