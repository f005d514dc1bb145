// Random tensors; random_core.hpp says what the numbers are.
#pragma once

#include "ops/frame/run.hpp"
#include "ops/random/random_core.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Fills a tensor of any strides; element i in C order is element i of the plan.
void random(const RandomPlan& plan, const Tensor& target, const Run& run);

}  // namespace netcl::ops
