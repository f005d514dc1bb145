#include "model/network.hpp"

#include "graph/capture.hpp"
#include "ops/move/move.hpp"

namespace netcl::model {

// One walk over the nodes, which records what they stand for.
class Network::Recording final : public Values {
 public:
  Recording(const Network& network, const graph::Caller& caller, std::span<const TensorRef> inputs)
      : network_(network),
        program_(*network.program_),
        caller_(caller),
        tensors_(network.weights_),
        hosts_(network.host_weights_) {
    for (size_t i = 0; i < inputs.size(); ++i) tensors_[program_.input_values()[i]] = inputs[i];
  }

  void bind(std::span<const TensorRef> inputs, std::string_view bound) {
    for (const uint32_t i : network_.bound_inputs_) {
      const uint64_t bytes = inputs[i]->byte_count();
      hosts_[program_.input_values()[i]] =
          host_value(inputs[i]->dtype(), shape_of(*inputs[i]), bound.substr(0, bytes));
      bound.remove_prefix(bytes);
    }
  }

  void run(const ProgramNode& node) {
    try {
      if (node.host != nullptr) {
        work_out(node);
      } else {
        build(node);
      }
    } catch (const Error& error) {
      throw Error(error.status(), node.text() + ": " + error.message(), error.native_code());
    }
  }

  // What the network gives: values of the capture, none of them an input.
  std::vector<TensorRef> outputs() {
    std::vector<TensorRef> outputs;
    for (const uint32_t number : program_.outputs()) {
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

  TensorRef tensor(uint32_t value) override {
    TensorRef& known = tensors_[value];
    if (known != nullptr) return known;
    const HostRef& host = hosts_[value];
    if (host == nullptr) {
      fail(NETCL_ERROR_CORRUPT_DATA, "%s is an output that its node does not give",
           quoted(program_.values()[value].name.c_str(), 200).c_str());
    }
    known = upload(caller_.run.device(), host->dtype, host->shape, bytes_of(*host));
    return known;
  }

  HostRef host(uint32_t value) override {
    if (hosts_[value] != nullptr) return hosts_[value];
    fail(NETCL_ERROR_CORRUPT_DATA, "%s is an output that its node does not give",
         quoted(program_.values()[value].name.c_str(), 200).c_str());
  }

 private:
  std::vector<int64_t> shape_of_value(uint32_t value) {
    if (hosts_[value] != nullptr) return hosts_[value]->shape;
    if (tensors_[value] != nullptr) return shape_of(*tensors_[value]);
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
      if (node.outputs[i] != kNone) {
        hosts_[static_cast<size_t>(node.outputs[i])] = std::move(results[i]);
      }
    }
  }

  void build(const ProgramNode& node) {
    if (node.row->build == nullptr) {
      fail(NETCL_ERROR_CORRUPT_DATA, "it has no value");
    }
    Call call(*node.file, program_.file().opset, caller_, *this, node.inputs);
    node.row->build(call);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] != kNone) {
        tensors_[static_cast<size_t>(node.outputs[i])] = call.outputs()[i];
      }
    }
  }

  const Network& network_;
  const Program& program_;
  const graph::Caller& caller_;
  std::vector<TensorRef> tensors_;
  std::vector<HostRef> hosts_;
};

Network::Network(DeviceRef device, std::unique_ptr<Program> program)
    : device_(std::move(device)), program_(std::move(program)) {
  require_nothing_missing(*program_);
  const std::vector<ProgramValue>& values = program_->values();
  weights_.resize(values.size());
  host_weights_.resize(values.size());
  shapes_.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].input != kNone && values[i].on_host) {
      bound_inputs_.push_back(static_cast<uint32_t>(values[i].input));
    }
    if (values[i].constant == nullptr) continue;
    const Constant& constant = *values[i].constant;
    shapes_[i] = constant.shape;
    if (values[i].on_host) {
      host_weights_[i] = host_value(constant.dtype, constant.shape, constant.data);
    }
    if (!values[i].on_device) continue;
    weights_[i] = upload(*device_, constant.dtype, constant.shape, constant.data);
    ++weight_count_;
    weight_bytes_ += constant.data.size();
  }
  program_->drop_weights();
}

std::vector<TensorRef> Network::record(const graph::GraphRef& capture,
                                       std::span<const TensorRef> inputs, uint32_t,
                                       std::string_view bound) const {
  const QueueRef queue = QueueSet::of(*device_).default_queue();
  const graph::Caller caller{capture.get(), ops::Run{*queue, {}}};
  Recording recording(*this, caller, inputs);
  recording.bind(inputs, bound);
  for (const ProgramNode& node : program_->nodes()) recording.run(node);
  return recording.outputs();
}

}  // namespace netcl::model
