#include "model/network.hpp"

#include <cstring>

#include "model/network_recording.hpp"
#include "model/shared_weights.hpp"
#include "ops/move/move.hpp"

namespace netcl::model {

namespace {

// Larger weights cost more memory in two dtypes than their cast costs time.
constexpr size_t kOtherBytesMost = 65536;

}  // namespace

// By value: whether a node reads it that does not compute in f32 anyway.
std::vector<char> Network::read_short() const {
  std::vector<char> read(program_->values().size());
  for (const ProgramBlock& block : program_->blocks()) {
    for (const ProgramNode& node : block.nodes) {
      const Width width = width_of(*node.file);
      if (node.decides() || width == Width::wide || width == Width::wide_within) continue;
      const size_t count =
          width == Width::norm ? std::min<size_t>(1, node.inputs.size()) : node.inputs.size();
      for (size_t i = 0; i < count; ++i) {
        if (node.inputs[i] != kNone) read[static_cast<size_t>(node.inputs[i])] = 1;
      }
    }
  }
  return read;
}

// By value: whether an elementwise node of its own graph is all that reads it, or the network
// gives it.
std::vector<char> Network::read_by_one() const {
  const std::vector<ProgramValue>& values = program_->values();
  std::vector<uint32_t> readers(values.size());
  std::vector<char> alone(values.size());
  for (size_t b = 0; b < program_->blocks().size(); ++b) {
    const ProgramBlock& block = program_->blocks()[b];
    for (const ProgramNode& node : block.nodes) {
      for (const int64_t input : node.inputs) {
        if (input == kNone) continue;
        const auto value = static_cast<size_t>(input);
        alone[value] = ++readers[value] == 1 && values[value].block == b && is_each(node);
      }
    }
  }
  const auto leave_out = [&](std::span<const uint32_t> given) {
    for (const uint32_t value : given) alone[value] = 0;
  };
  for (const ProgramBlock& block : program_->blocks()) {
    leave_out(block.outputs);
    for (const auto& steps : block.steps) {
      for (const ProgramStep& step : steps) leave_out(step.outputs);
    }
  }
  for (size_t i = 0; i < program_->outputs().size(); ++i) {
    const netcl_dtype dtype = dtype_of(program_->file().outputs[i].onnx_type);
    if (dtype == 0 || dtype == NETCL_F32) alone[program_->outputs()[i]] = 1;
  }
  return alone;
}

TensorRef Network::weight_as(uint32_t value, netcl_dtype dtype, const ops::Run& run) const {
  const TensorRef& own = weights_[value].tensor;
  if (own == nullptr) return nullptr;
  if (own->dtype() == dtype || !precision_.is_either(own->dtype())) return own;
  if (own->empty() || own->byte_count() > kOtherBytesMost) return nullptr;
  const std::lock_guard lock(others_mutex_);
  TensorRef& other = others_[value];
  if (other == nullptr) other = ops::call("cast", ops::cast, TensorRef(), run, *own, dtype);
  return other;
}

void Network::upload_weight(size_t value, bool may_be_short) {
  const Constant& constant = *program_->values()[value].constant;
  netcl_dtype dtype = constant.dtype;
  std::string_view bytes = constant.data;
  std::string made;
  if (precision_.on() && may_be_short && dtype == NETCL_F32) {
    if (constant.count() == 1) {
      weights_[value].vote = precision_.vote_of(*host_value(dtype, constant.shape, bytes));
    } else if (precision_.shorten(bytes, &made)) {
      dtype = precision_.short_dtype();
      bytes = made;
    } else {
      weights_[value].vote = Vote::must;
    }
  }
  TensorRef& tensor = weights_[value].tensor;
  tensor = find_shared_weight(*device_, constant, dtype);
  if (tensor == nullptr) {
    tensor = upload(*device_, dtype, constant.shape, bytes);
    share_weight(constant, tensor);
  }
  ++weight_count_;
  weight_bytes_ += bytes.size();
}

Network::Network(DeviceRef device, std::unique_ptr<Program> program, const FlowLimits& limits,
                 const Precision& precision)
    : device_(std::move(device)),
      program_(std::move(program)),
      limits_(limits),
      precision_(precision) {
  require_nothing_missing(*program_);
  const std::vector<ProgramValue>& values = program_->values();
  weights_.resize(values.size());
  shapes_.resize(values.size());
  const std::vector<char> may_be_short = read_short();
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].constant == nullptr) continue;
    const Constant& constant = *values[i].constant;
    shapes_[i] = constant.shape;
    if (values[i].on_host) {
      weights_[i].host = host_value(constant.dtype, constant.shape, constant.data);
    }
    if (!values[i].on_device) continue;
    upload_weight(i, may_be_short[i] != 0);
  }
  for (const ProgramBlock& block : program_->blocks()) {
    for (const ProgramStep& step : block.steps[kUnrolled]) {
      for (const uint32_t value : step.bound) {
        if (values[value].input != kNone)
          bound_inputs_.insert(static_cast<uint32_t>(values[value].input));
      }
    }
  }
  stays_wide_ = read_by_one();
  program_->drop_weights();
  fold_weights();
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
