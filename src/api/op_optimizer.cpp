#include <cmath>

#include "api/read_group.hpp"
#include "ops/optimizer/optimizer.hpp"

using namespace netcl;
using namespace netcl::api;

namespace {

using netcl::cpu::OptimizerRule;

// The lists of tensors of a call, which a step has views of.
struct Lists {
  std::vector<TensorRef> parameters, gradients, masters;
  std::vector<TensorRef> states[netcl::cpu::kOptimizerStates];
};

void read_parameters(netcl_tensor* const* parameters, uint32_t parameters_count,
                     netcl_tensor* const* gradients, uint32_t gradients_count, Lists* lists) {
  lists->parameters = read_group(parameters, parameters_count, "parameters");
  lists->gradients = read_entries(gradients, gradients_count, lists->parameters.size(), true,
                                  "gradients", "parameters_count");
  for (uint32_t i = 0; i < parameters_count; ++i)
    require_own(*lists->parameters[i], "parameters", i);
}

void read_state(netcl_tensor* const* state, uint32_t count, bool needed, OptimizerRule rule,
                size_t which, Lists* lists) {
  const char* const name = ops::optimizer_state_name(rule, which);
  std::vector<TensorRef>& list = lists->states[which];
  list = read_entries(state, count, lists->parameters.size(), needed, name, "parameters_count");
  for (uint32_t i = 0; i < count; ++i) require_own(*list[i], name, i);
}

double read_number(double value, const char* name, double low, double high, const char* range) {
  if (value >= low && value < high) return value;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %g; it is %s", name, value, range);
}
double read_finite(double value, const char* name) {
  return read_number(value, name, 0.0, INFINITY, "a finite number from 0 on");
}
double read_share(double value, const char* name) {
  return read_number(value, name, 0.0, 1.0, "from 0 on and below 1");
}
double or_default(double value, double otherwise) { return value == 0.0 ? otherwise : value; }

// What all rules have.
template <class Options>
void read_common(const Options& options, double learning_rate, ops::OptimizerStep* step,
                 Lists* lists) {
  step->numbers.learning_rate = read_finite(learning_rate, "learning_rate");
  step->numbers.weight_decay = read_finite(options.weight_decay, "options->weight_decay");
  step->factor = optional_tensor(options.factor, "options->factor");
  const netcl_mixed_precision precision = read_options(options.precision, "options->precision");
  require_zero(precision.reserved, "options->precision->reserved");
  lists->masters =
      read_entries(precision.masters, precision.masters_count, lists->parameters.size(), false,
                   "options->precision->masters", "parameters_count");
  for (uint32_t i = 0; i < precision.masters_count; ++i) {
    require_own(*lists->masters[i], "options->precision->masters", i);
  }
  step->scale = optional_tensor(precision.scale, "options->precision->scale");
  step->found_inf = optional_tensor(precision.found_inf, "options->precision->found_inf");
}

void call_optimizer(const char* name, ops::OptimizerStep* step, const Lists& lists,
                    const netcl_run_options* run) {
  step->parameters = lists.parameters;
  step->gradients = lists.gradients;
  step->masters = lists.masters;
  for (size_t s = 0; s < netcl::cpu::kOptimizerStates; ++s) step->states[s] = lists.states[s];
  call_group<ops::optimizer_step>(lists.parameters[0]->device(), name, run, *step);
}

}  // namespace

extern "C" {

netcl_status netcl_op_sgd(netcl_tensor* const* parameters, uint32_t parameters_count,
                          netcl_tensor* const* gradients, uint32_t gradients_count,
                          double learning_rate, const netcl_sgd_options* options,
                          const netcl_run_options* run) {
  return guarded([&] {
    Lists lists;
    ops::OptimizerStep step;
    read_parameters(parameters, parameters_count, gradients, gradients_count, &lists);
    const netcl_sgd_options checked = read_options(options, "options");
    require_flag(checked.nesterov, "options->nesterov");
    step.kind = {OptimizerRule::sgd, checked.nesterov != 0, false};
    step.numbers.momentum = read_finite(checked.momentum, "options->momentum");
    step.numbers.dampening = read_finite(checked.dampening, "options->dampening");
    const bool moves = checked.momentum != 0.0;
    if (!moves && (checked.dampening != 0.0 || checked.nesterov != 0 ||
                   checked.momentum_buffers_count != 0)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->momentum is 0; dampening, nesterov and momentum_buffers need momentum");
    }
    if (checked.nesterov != 0 && checked.dampening != 0.0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->dampening is %g with nesterov; it is 0 there",
           checked.dampening);
    }
    read_state(checked.momentum_buffers, checked.momentum_buffers_count, moves, OptimizerRule::sgd,
               0, &lists);
    step.step = optional_tensor(checked.step, "options->step");
    if (checked.dampening != 0.0 && step.step == nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->step is NULL with dampening, which has to know the first step");
    }
    read_common(checked, learning_rate, &step, &lists);
    call_optimizer("sgd", &step, lists, run);
  });
}

netcl_status netcl_op_adam(netcl_tensor* const* parameters, uint32_t parameters_count,
                           netcl_tensor* const* gradients, uint32_t gradients_count,
                           netcl_tensor* const* averages, uint32_t averages_count,
                           netcl_tensor* const* square_averages, uint32_t square_averages_count,
                           netcl_tensor* steps, double learning_rate,
                           const netcl_adam_options* options, const netcl_run_options* run) {
  return guarded([&] {
    Lists lists;
    ops::OptimizerStep step;
    read_parameters(parameters, parameters_count, gradients, gradients_count, &lists);
    read_state(averages, averages_count, true, OptimizerRule::adam, 0, &lists);
    read_state(square_averages, square_averages_count, true, OptimizerRule::adam, 1, &lists);
    step.step = pin(steps, "step").shared();
    const netcl_adam_options checked = read_options(options, "options");
    require_flag(checked.has_betas, "options->has_betas");
    require_flag(checked.decoupled, "options->decoupled");
    require_zero(checked.reserved, "options->reserved");
    const bool set = checked.has_betas != 0;
    const double beta1 = read_share(checked.beta1, "options->beta1");
    const double beta2 = read_share(checked.beta2, "options->beta2");
    step.kind = {OptimizerRule::adam, false, checked.decoupled != 0};
    step.numbers.beta1 = set ? beta1 : or_default(beta1, 0.9);
    step.numbers.beta2 = set ? beta2 : or_default(beta2, 0.999);
    step.numbers.epsilon = or_default(read_finite(checked.epsilon, "options->epsilon"), 1e-8);
    read_state(checked.max_square_averages, checked.max_square_averages_count, false,
               OptimizerRule::adam, 2, &lists);
    read_common(checked, learning_rate, &step, &lists);
    call_optimizer("adam", &step, lists, run);
  });
}

netcl_status netcl_op_rmsprop(netcl_tensor* const* parameters, uint32_t parameters_count,
                              netcl_tensor* const* gradients, uint32_t gradients_count,
                              netcl_tensor* const* square_averages, uint32_t square_averages_count,
                              double learning_rate, const netcl_rmsprop_options* options,
                              const netcl_run_options* run) {
  return guarded([&] {
    Lists lists;
    ops::OptimizerStep step;
    read_parameters(parameters, parameters_count, gradients, gradients_count, &lists);
    read_state(square_averages, square_averages_count, true, OptimizerRule::rmsprop, 0, &lists);
    const netcl_rmsprop_options checked = read_options(options, "options");
    step.kind.rule = OptimizerRule::rmsprop;
    step.numbers.beta2 = or_default(read_share(checked.alpha, "options->alpha"), 0.99);
    step.numbers.epsilon = or_default(read_finite(checked.epsilon, "options->epsilon"), 1e-8);
    step.numbers.momentum = read_finite(checked.momentum, "options->momentum");
    const bool moves = checked.momentum != 0.0;
    if (!moves && checked.momentum_buffers_count != 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->momentum is 0; options->momentum_buffers need momentum");
    }
    read_state(checked.momentum_buffers, checked.momentum_buffers_count, moves,
               OptimizerRule::rmsprop, 1, &lists);
    read_state(checked.averages, checked.averages_count, false, OptimizerRule::rmsprop, 2, &lists);
    read_common(checked, learning_rate, &step, &lists);
    call_optimizer("rmsprop", &step, lists, run);
  });
}

netcl_status netcl_op_adagrad(netcl_tensor* const* parameters, uint32_t parameters_count,
                              netcl_tensor* const* gradients, uint32_t gradients_count,
                              netcl_tensor* const* sums, uint32_t sums_count, double learning_rate,
                              const netcl_adagrad_options* options, const netcl_run_options* run) {
  return guarded([&] {
    Lists lists;
    ops::OptimizerStep step;
    read_parameters(parameters, parameters_count, gradients, gradients_count, &lists);
    read_state(sums, sums_count, true, OptimizerRule::adagrad, 0, &lists);
    const netcl_adagrad_options checked = read_options(options, "options");
    step.kind.rule = OptimizerRule::adagrad;
    step.numbers.epsilon = or_default(read_finite(checked.epsilon, "options->epsilon"), 1e-10);
    step.numbers.learning_rate_decay =
        read_finite(checked.learning_rate_decay, "options->learning_rate_decay");
    step.step = optional_tensor(checked.step, "options->step");
    if (checked.learning_rate_decay != 0.0 && step.step == nullptr) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "options->step is NULL with learning_rate_decay, which goes by the steps");
    }
    read_common(checked, learning_rate, &step, &lists);
    call_optimizer("adagrad", &step, lists, run);
  });
}

}  // extern "C"
