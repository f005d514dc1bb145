#include "ops/optimizer/optimizer_cl.hpp"

#include <cmath>

#include "ops/optimizer/group_cl.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::kMaster;
using netcl::cpu::kOptimizerStates;
using netcl::cpu::kState;
using netcl::cpu::OptimizerNumbers;
using netcl::cpu::OptimizerTask;

constexpr size_t kNumbers = 10;

std::string flags_of(const OptimizerTask& task, const GroupTensors& tensors) {
  std::string flags = format("-DNAME=%s -DRULE=%d -DNESTEROV=%d -DDECOUPLED=%d -DDAMPENING=%d",
                             optimizer_name(task.kind.rule), static_cast<int>(task.kind.rule),
                             task.kind.nesterov ? 1 : 0, task.kind.decoupled ? 1 : 0,
                             task.numbers.dampening != 0.0 ? 1 : 0);
  int place = 2;
  for (size_t s = 0; s < kOptimizerStates; ++s) {
    flags += format(" -DSTATE%zu=%d", s, tensors[kState + s] == nullptr ? -1 : place++);
  }
  return flags + format(" -DMASTER=%d", tensors[kMaster] == nullptr ? -1 : place);
}

void add_numbers(const OptimizerTask& task, Arguments* arguments) {
  const OptimizerNumbers& n = task.numbers;
  const bool adam = task.kind.rule == netcl::cpu::OptimizerRule::adam;
  const bool rmsprop = task.kind.rule == netcl::cpu::OptimizerRule::rmsprop;
  const double share = adam ? 1.0 - n.beta1 : rmsprop ? 1.0 - n.beta2 : 1.0 - n.dampening;
  const double list[kNumbers] = {
      n.learning_rate, n.weight_decay,    n.momentum,        share,     n.beta2,
      1.0 - n.beta2,   std::log(n.beta1), std::log(n.beta2), n.epsilon, n.learning_rate_decay};
  for (const double number : list) add_real(number, task.f64, arguments);
}

void launch_count(const OptimizerStep& step, const Run& run) {
  KernelCall call{"optimizer_step.cl", "netcl_count_step", ""};
  call.local[0] = 1;
  Arguments arguments;
  add_control(step.step, true, &arguments);
  add_control(step.found_inf, false, &arguments);
  enqueue_kernel(call, arguments, run);
}

}  // namespace

void launch_optimizer(const OptimizerTask& task, const OptimizerStep& step,
                      std::span<const GroupTensors> entries, const Run& run) {
  const PackedGroup group(entries, kOptimizerWrites, run);
  const bool counts = step.step != nullptr;
  const Run inner = run.without_event();
  const size_t rest_bytes = 4 * kControlBytes + kNumbers * (task.f64 ? 8 : 4);
  const GroupKernel kernel{"optimizer.cl", optimizer_kernel_name(task.kind.rule),
                           flags_of(task, entries[0]), rest_bytes, kOptimizerWrites};
  launch_group(
      kernel, group.entries(),
      [&](Arguments* arguments, int64_t) {
        add_control(step.step, false, arguments);
        add_control(step.factor, false, arguments);
        add_control(step.scale, false, arguments);
        add_control(step.found_inf, false, arguments);
        add_numbers(task, arguments);
      },
      counts || group.wants_finish() ? inner : run);
  if (group.wants_finish()) group.finish(counts ? inner : run);
  if (counts) launch_count(step, run);
}

}  // namespace netcl::ops
