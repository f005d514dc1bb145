#include "ops/optimizer/optimizer.hpp"

#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/optimizer/group.hpp"
#include "ops/optimizer/optimizer_cl.hpp"

namespace netcl::ops {

namespace {

using netcl::cpu::kGradient;
using netcl::cpu::kMaster;
using netcl::cpu::kOptimizerStates;
using netcl::cpu::kParameter;
using netcl::cpu::kState;
using netcl::cpu::OptimizerRule;
using netcl::cpu::OptimizerTask;

void check_shape(const Tensor& tensor, GroupName name, const Tensor& parameter) {
  const Layout& own = tensor.layout();
  const Layout& wanted = parameter.layout();
  if (own.same_shape(wanted)) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has shape %s; parameters[%lld] has shape %s",
       name.text().c_str(), shape_text(own).c_str(), static_cast<long long>(name.index),
       shape_text(wanted).c_str());
}

// States and masters have the dtype that the step is computed in.
void check_state(const Tensor& tensor, GroupName name, const Tensor& parameter, const Run& run) {
  check_shape(tensor, name, parameter);
  const netcl_dtype wanted = parameter.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  if (tensor.dtype() != wanted) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %s; for parameters of %s it is %s",
         name.text().c_str(), dtype_facts(tensor.dtype()).name, dtype_facts(parameter.dtype()).name,
         dtype_facts(wanted).name);
  }
  if (&tensor.device() != &run.device()) require_device(tensor, run, name.text().c_str());
}

void check_master(const Tensor& tensor, GroupName name, const Tensor& parameter, const Run& run) {
  if (parameter.dtype() != NETCL_F16 && parameter.dtype() != NETCL_BF16) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->precision->masters are given and parameters[%lld] is %s; f16 and bf16 have "
         "masters",
         static_cast<long long>(name.index), dtype_facts(parameter.dtype()).name);
  }
  check_state(tensor, name, parameter, run);
}

// The tensors of entry i, checked.
GroupTensors checked_entry(const OptimizerStep& step, size_t i, const Run& run) {
  const auto index = static_cast<int64_t>(i);
  const Tensor& parameter = *step.parameters[i];
  const Tensor& gradient = *step.gradients[i];
  check_group_float(parameter, {"parameters", index}, run);
  check_same_width(parameter, {"parameters", index}, *step.parameters[0], "parameters[0]");
  check_group_float(gradient, {"gradients", index}, run);
  check_shape(gradient, {"gradients", index}, parameter);
  check_same_width(gradient, {"gradients", index}, *step.parameters[0], "parameters[0]");
  GroupTensors tensors{};
  tensors[kParameter] = &parameter;
  tensors[kGradient] = &gradient;
  for (size_t s = 0; s < kOptimizerStates; ++s) {
    if (step.states[s].empty()) continue;
    tensors[kState + s] = step.states[s][i].get();
    check_state(*step.states[s][i], {optimizer_state_name(step.kind.rule, s), index}, parameter,
                run);
  }
  if (!step.masters.empty()) {
    tensors[kMaster] = step.masters[i].get();
    check_master(*step.masters[i], {"options->precision->masters", index}, parameter, run);
  }
  return tensors;
}

void check_memory(const OptimizerStep& step, const std::vector<GroupTensors>& entries,
                  const char* step_name) {
  GroupMemory memory;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto index = static_cast<int64_t>(i);
    memory.add(*entries[i][kParameter], {"parameters", index}, true);
    memory.add(*entries[i][kGradient], {"gradients", index}, false);
    for (size_t s = 0; s < kOptimizerStates; ++s) {
      const Tensor* const state = entries[i][kState + s];
      if (state == nullptr) continue;
      memory.add(*state, {optimizer_state_name(step.kind.rule, s), index}, true);
    }
    if (entries[i][kMaster] == nullptr) continue;
    memory.add(*entries[i][kMaster], {"options->precision->masters", index}, true);
  }
  if (step.step != nullptr) memory.add(*step.step, {step_name}, true);
  if (step.factor != nullptr) memory.add(*step.factor, {"options->factor"}, false);
  if (step.scale != nullptr) memory.add(*step.scale, {"options->precision->scale"}, false);
  if (step.found_inf != nullptr) {
    memory.add(*step.found_inf, {"options->precision->found_inf"}, false);
  }
  memory.check();
}

// Operations for each element, without the decay of weights.
double operations(const OptimizerStep& step) {
  switch (step.kind.rule) {
    case OptimizerRule::sgd:
      return step.states[0].empty() ? 2.0 : step.kind.nesterov ? 7.0 : 5.0;
    case OptimizerRule::adam:
      return 13.0;
    case OptimizerRule::rmsprop:
      return 9.0;
    default:
      return 7.0;
  }
}

Work declared_work(const OptimizerStep& step, const std::vector<GroupTensors>& entries) {
  Work work;
  work.name = optimizer_name(step.kind.rule);
  work.dtype = entries[0][kParameter]->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  for (const GroupTensors& tensors : entries) {
    const auto count = static_cast<double>(tensors[kParameter]->element_count());
    work.operations += operations(step) * count;
    for (size_t o = 0; o < kGroupOperands; ++o) {
      const double bytes = moved_bytes(tensors[o]);
      const bool read = o != kParameter || tensors[kMaster] == nullptr;
      work.bytes += bytes * ((kOptimizerWrites[o] ? 1 : 0) + (read ? 1 : 0));
      if (kOptimizerWrites[o]) work.bytes_written += bytes;
    }
  }
  return work;
}

void step_natively(OptimizerTask task, const OptimizerStep& step,
                   const std::vector<GroupTensors>& entries, const Run& run) {
  std::vector<Access> accesses;
  accesses.reserve(entries.size() * kGroupOperands + netcl::cpu::kOptimizerControls);
  for (const GroupTensors& tensors : entries) {
    task.entries.push_back(group_entry(tensors));
    add_group_accesses(tensors, kOptimizerWrites, &accesses);
  }
  for (const TensorRef* control : {&step.step, &step.factor, &step.scale, &step.found_inf}) {
    accesses.push_back(access_to(control->get(), control == &step.step));
  }
  auto function = [task = std::move(task)](const NativeCall& call) {
    netcl::cpu::optimizer_step(task, call.memory, call.threads);
  };
  backend::NativeFunctionOf<decltype(function)> native(std::move(function));
  enqueue_native(std::span<const Access>(accesses), run, native);
}

}  // namespace

const char* optimizer_kernel_name(OptimizerRule rule) {
  static const char* const kNames[] = {"netcl_sgd", "netcl_adam", "netcl_rmsprop", "netcl_adagrad"};
  return kNames[static_cast<size_t>(rule)];
}

const char* optimizer_name(OptimizerRule rule) {
  return optimizer_kernel_name(rule) + std::char_traits<char>::length("netcl_");
}

const char* optimizer_state_name(OptimizerRule rule, size_t state) {
  static const char* const kNames[4][kOptimizerStates] = {
      {"options->momentum_buffers", "", ""},
      {"averages", "square_averages", "options->max_square_averages"},
      {"square_averages", "options->momentum_buffers", "options->averages"},
      {"sums", "", ""}};
  return kNames[static_cast<size_t>(rule)][state];
}

Nothing optimizer_step(const OptimizerStep& step, const Nothing&, const Run& run) {
  std::vector<GroupTensors> entries;
  entries.reserve(step.parameters.size());
  for (size_t i = 0; i < step.parameters.size(); ++i) {
    entries.push_back(checked_entry(step, i, run));
  }
  const char* const step_name = step.kind.rule == OptimizerRule::adam ? "step" : "options->step";
  check_control(step.step, step_name, NETCL_I64, run);
  check_control(step.factor, "options->factor", NETCL_F32, run);
  check_control(step.scale, "options->precision->scale", NETCL_F32, run);
  check_control(step.found_inf, "options->precision->found_inf", NETCL_F32, run);
  check_memory(step, entries, step_name);
  OptimizerTask task;
  task.kind = step.kind;
  task.numbers = step.numbers;
  task.f64 = step.parameters[0]->dtype() == NETCL_F64;
  task.controls = {control_at(step.step), control_at(step.factor), control_at(step.scale),
                   control_at(step.found_inf)};
  const Run declared = with_work(run, [&] { return declared_work(step, entries); });
  if (runs_native(run.device())) {
    step_natively(std::move(task), step, entries, declared);
  } else {
    launch_optimizer(task, step, entries, declared);
  }
  return {};
}

}  // namespace netcl::ops
