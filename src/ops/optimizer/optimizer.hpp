// Steps of optimisers: a group of parameters, changed in place by their gradients.
#pragma once

#include "backend/cpu/optimizer/optimizer_loops.hpp"
#include "ops/frame/replay.hpp"

namespace netcl::ops {

// What the call of an optimiser is given. Lists are empty where there is none.
struct OptimizerStep {
  netcl::cpu::OptimizerKind kind;
  netcl::cpu::OptimizerNumbers numbers;
  std::span<const TensorRef> parameters;
  std::span<const TensorRef> gradients;
  std::array<std::span<const TensorRef>, netcl::cpu::kOptimizerStates> states;
  std::span<const TensorRef> masters;
  TensorRef step;
  TensorRef factor;
  TensorRef scale;
  TensorRef found_inf;
};

Nothing optimizer_step(const OptimizerStep& step, const Nothing& into, const Run& run);

// What the states of a rule are called.
const char* optimizer_state_name(netcl::cpu::OptimizerRule rule, size_t state);

}  // namespace netcl::ops
