// Steps of optimisers by the built-in loops.
#pragma once

#include "backend/cpu/optimizer/group_loops.hpp"
#include "backend/cpu/optimizer/optimizer_kernels.hpp"

namespace netcl::cpu {

// The operands of an entry; three states from kState on.
enum OptimizerOperand : size_t { kParameter = 0, kGradient = 1, kState = 2, kMaster = 5 };
inline constexpr size_t kOptimizerStates = 3;

// The settings of an optimiser; which of them a rule has is said in netcl.h.
struct OptimizerNumbers {
  double learning_rate = 0;
  double weight_decay = 0;
  double momentum = 0;
  double dampening = 0;
  double beta1 = 0;
  double beta2 = 0;  // rmsprop: alpha
  double epsilon = 0;
  double learning_rate_decay = 0;
};

// The tensors of one element beside a group: where their memory is behind that of the entries, and
// which element it is. -1: there is none.
struct OptimizerControls {
  int64_t step = -1;
  int64_t factor = -1;
  int64_t scale = -1;
  int64_t found_inf = -1;
};
enum OptimizerControl : size_t { kStep, kFactor, kScale, kFoundInf, kOptimizerControls };

struct OptimizerTask {
  OptimizerKind kind;
  OptimizerNumbers numbers;
  OptimizerControls controls;
  std::vector<GroupEntry> entries;
  bool f64 = false;  // computed in f64
};

// `memory` has that of the entries (group_memory), then that of the controls.
void optimizer_step(const OptimizerTask& task, void* const* memory, ThreadPool& threads);

}  // namespace netcl::cpu
