#include "model/execution.hpp"

namespace netcl::model {

Execution::Execution(const Network& network, graph::Forms& forms, const graph::Caller& caller,
                     std::span<const TensorRef> inputs, Read read)
    : Scope(network.program(), caller, network.weights(), network.precision()),
      network_(network),
      forms_(forms),
      read_(read),
      plan_(network.plan()) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    slot(program_.input_values()[i]) = {inputs[i], nullptr};
  }
}

graph::CompiledGraphRef Execution::last_form(std::vector<TensorRef>* inputs) {
  const size_t last = network_.steps(0, plan_).size() - 1;
  run_steps(0, last);
  return form_of(0, last, inputs);
}

void Execution::run_block(uint32_t block) { run_steps(block, network_.steps(block, plan_).size()); }

void Execution::count_round() {
  const uint64_t most = network_.limits().rounds_most;
  if (++rounds_ <= most) return;
  fail(NETCL_ERROR_UNSUPPORTED, "loops go round more than %llu times",
       static_cast<unsigned long long>(most));
}

void Execution::run_steps(uint32_t block, size_t count) {
  const auto& steps = network_.steps(block, plan_);
  for (size_t s = 0; s < count; ++s) {
    const ProgramStep& step = steps[s];
    if (step.by_host) {
      const ProgramNode& node = program_.blocks()[block].nodes[step.first];
      named(node, [&] { run_flow(node); });
    } else {
      std::vector<TensorRef> inputs;
      const graph::CompiledGraphRef form = form_of(block, s, &inputs);
      std::vector<TensorRef> made = form->evaluate(std::move(inputs), caller_.run);
      for (size_t i = 0; i < made.size(); ++i) {
        slot(step.outputs[i]) = {std::move(made[i]), nullptr};
      }
    }
    for (const uint32_t value : step.frees) slot(value) = {};
  }
}

graph::CompiledGraphRef Execution::form_of(uint32_t block, size_t step,
                                           std::vector<TensorRef>* inputs) {
  const ProgramStep& what = network_.steps(block, plan_)[step];
  for (const uint32_t value : what.inputs) inputs->push_back(tensor(value));
  std::string bound;
  for (const uint32_t value : what.bound) bound += bytes_of(*host(value));
  return network_.form(forms_, {plan_, block, static_cast<uint32_t>(step)}, *inputs, bound);
}

std::string Execution::value_text(uint32_t value) const {
  const ProgramValue& known = program_.values()[value];
  if (known.input != kNone) return format("inputs[%lld]", static_cast<long long>(known.input));
  return quoted(known.name.c_str(), 200);
}

HostRef Execution::host(uint32_t value) {
  Slot& known = slots_[value];
  if (known.host == nullptr) {
    const TensorRef from = tensor(value);
    if (from->element_count() > kHostElementsMost) {
      fail(NETCL_ERROR_UNSUPPORTED,
           "%s has shape %s; the host needs its elements, and reads at most %lld",
           value_text(value).c_str(), shape_text(*from).c_str(),
           static_cast<long long>(kHostElementsMost));
    }
    known.host = host_value(from->dtype(), shape_of(*from), read_(from));
    const netcl_dtype dtype = host_dtype(value, from->dtype());
    if (dtype != from->dtype()) {
      known.host = std::make_shared<HostValue>(converted(*known.host, dtype));
    }
  }
  return known.host;
}

}  // namespace netcl::model
