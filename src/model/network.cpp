#include "model/network.hpp"

#include <cstring>

#include "graph/capture.hpp"
#include "ops/move/move.hpp"

namespace netcl::model {

// One walk over the nodes of a step, which records what they stand for.
class Network::Recording final : public Scope {
 public:
  Recording(const Network& network, const graph::Caller& caller, const StepId& id)
      : Scope(*network.program_, caller, network.weights_),
        network_(network),
        block_(program_.blocks()[id.block]),
        step_(block_.steps[id.plan][id.step]) {}

  void bind(std::span<const TensorRef> inputs, std::string_view bound) {
    for (size_t i = 0; i < inputs.size(); ++i) slot(step_.inputs[i]) = {inputs[i], nullptr};
    for (const uint32_t value : step_.bound) {
      const TensorRef& input = slot(value).tensor;
      const uint64_t bytes = input->byte_count();
      slot(value).host = host_value(input->dtype(), shape_of(*input), bound.substr(0, bytes));
      bound.remove_prefix(bytes);
    }
  }

  void run() {
    for (size_t i = step_.first; i < step_.last; ++i) run_node(block_.nodes[i]);
  }

  // What the step gives: values of the capture, none of them an input.
  std::vector<TensorRef> outputs() {
    std::vector<TensorRef> outputs;
    for (const uint32_t number : step_.outputs) {
      TensorRef output = tensor(number);
      const bool own = !output->empty() && output->buffer()->planned() &&
                       !graph::stands_in_for_input(*output->buffer());
      if (!own) {
        output = graph::recorded<ops::copy>(caller_, "copy", TensorRef(), *output);
      }
      outputs.push_back(std::move(output));
    }
    return outputs;
  }

 protected:
  void run_block(uint32_t block) override {
    for (const ProgramNode& node : program_.blocks()[block].nodes) run_node(node);
  }

  void count_round() override {
    const size_t most = network_.limits_.recorded_most;
    if (++rounds_ <= most && caller_.graph->count() <= most) return;
    network_.set_apart();
    fail(NETCL_ERROR_UNSUPPORTED, "its rounds are more than %zu calls, which one graph has at most",
         most);
  }

 private:
  void run_node(const ProgramNode& node) {
    named(node, [&] {
      if (node.host != nullptr) {
        work_out(node);
      } else if (node.decides()) {
        run_flow(node);
      } else {
        build(node);
      }
    });
  }

  std::vector<int64_t> shape_of_value(uint32_t value) {
    if (slots_[value].host != nullptr) return slots_[value].host->shape;
    if (slots_[value].tensor != nullptr) return shape_of(*slots_[value].tensor);
    return network_.shapes_[value];
  }

  void work_out(const ProgramNode& node) {
    HostCall call{{*node.file, program_.file().opset}, {}, {}};
    for (const int64_t input : node.inputs) {
      const bool wanted = input != kNone && !node.host->shape_alone;
      call.inputs.push_back(wanted ? host(static_cast<uint32_t>(input)) : nullptr);
    }
    if (!node.inputs.empty() && node.inputs[0] != kNone) {
      call.shape = shape_of_value(static_cast<uint32_t>(node.inputs[0]));
    }
    std::vector<HostRef> results = node.host->evaluate(call);
    for (size_t i = 0; i < std::min(results.size(), node.outputs.size()); ++i) {
      if (node.outputs[i] != kNone) slot(node.outputs[i]) = {nullptr, std::move(results[i])};
    }
  }

  void build(const ProgramNode& node) {
    if (node.row->build == nullptr) fail(NETCL_ERROR_CORRUPT_DATA, "it has no value");
    Call call(*node.file, program_.file().opset, caller_, *this, node.inputs);
    node.row->build(call);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] != kNone) slot(node.outputs[i]) = {call.outputs()[i], nullptr};
    }
  }

  const Network& network_;
  const ProgramBlock& block_;
  const ProgramStep& step_;
  size_t rounds_ = 0;
};

Network::Network(DeviceRef device, std::unique_ptr<Program> program, const FlowLimits& limits)
    : device_(std::move(device)), program_(std::move(program)), limits_(limits) {
  require_nothing_missing(*program_);
  const std::vector<ProgramValue>& values = program_->values();
  weights_.resize(values.size());
  shapes_.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].constant == nullptr) continue;
    const Constant& constant = *values[i].constant;
    shapes_[i] = constant.shape;
    if (values[i].on_host) {
      weights_[i].host = host_value(constant.dtype, constant.shape, constant.data);
    }
    if (!values[i].on_device) continue;
    weights_[i].tensor = upload(*device_, constant.dtype, constant.shape, constant.data);
    ++weight_count_;
    weight_bytes_ += constant.data.size();
  }
  for (const ProgramBlock& block : program_->blocks()) {
    for (const ProgramStep& step : block.steps[kUnrolled]) {
      for (const uint32_t value : step.bound) {
        if (values[value].input != kNone)
          bound_inputs_.insert(static_cast<uint32_t>(values[value].input));
      }
    }
  }
  program_->drop_weights();
}

size_t Network::step_count() const noexcept {
  size_t count = 0;
  for (const ProgramBlock& block : program_->blocks()) count += block.steps[kUnrolled].size();
  return count;
}

graph::CompiledGraphRef Network::form(graph::Forms& forms, const StepId& id,
                                      std::span<const TensorRef> inputs, std::string bound) const {
  bound.append(reinterpret_cast<const char*>(&id), sizeof id);
  return forms.form(inputs, bound);
}

std::vector<TensorRef> Network::record(const graph::GraphRef& capture,
                                       std::span<const TensorRef> inputs, uint32_t,
                                       std::string_view bound) const {
  const QueueRef queue = QueueSet::of(*device_).default_queue();
  const graph::Caller caller{capture.get(), ops::Run{*queue, {}}};
  StepId id;
  std::memcpy(&id, bound.data() + bound.size() - sizeof id, sizeof id);
  Recording recording(*this, caller, id);
  recording.bind(inputs, bound);
  recording.run();
  return recording.outputs();
}

}  // namespace netcl::model
