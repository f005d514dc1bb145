// What the nodes of a network stand for, recorded step by step or called at once.
#pragma once

#include "graph/capture.hpp"
#include "model/network.hpp"
#include "ops/move/move.hpp"

namespace netcl::model {

inline bool gives_a_dtype(const FileNode& node) {
  return node.op == "Cast" || node.op == "CastLike";
}

inline bool is_among(const ProgramNode& node, std::span<const OpRow> rows) {
  return node.row >= rows.data() && node.row < rows.data() + rows.size();
}

inline bool is_each(const ProgramNode& node) {
  return is_among(node, elementwise_rows()) && !gives_a_dtype(*node.file);
}

// One walk over the nodes of a step, which records what they stand for.
class Network::Recording final : public Scope {
 public:
  Recording(const Network& network, const graph::Caller& caller, const StepId& id)
      : Scope(*network.program_, caller, network.weights_, network.precision_),
        network_(network),
        block_(program_.blocks()[id.block]),
        step_(block_.steps[id.plan][id.step]),
        last_(id.block == 0 && id.step + 1 == block_.steps[id.plan].size()) {}

  void bind(std::span<const TensorRef> inputs, std::string_view bound) {
    for (size_t i = 0; i < inputs.size(); ++i) slot(step_.inputs[i]) = {inputs[i], nullptr};
    for (const uint32_t value : step_.bound) {
      const TensorRef& input = slot(value).tensor;
      const netcl_dtype dtype = host_dtype(value, input->dtype());
      const size_t bytes = static_cast<size_t>(input->element_count()) * dtype_size(dtype);
      slot(value).host = host_value(dtype, shape_of(*input), bound.substr(0, bytes));
      bound.remove_prefix(bytes);
    }
  }

  // Elementwise nodes take what is there; where that is both, what other nodes take too.
  TensorRef tensor_as(uint32_t value, netcl_dtype dtype) override {
    const TensorRef& other = slots_[value].other;
    if (dtype == 0 && takes_short_ && other != nullptr && precision_.is_short(other->dtype())) {
      return other;
    }
    if (dtype != 0) {
      if (TensorRef weight = network_.weight_as(value, dtype, caller_.run)) return weight;
    }
    return Scope::tensor_as(value, dtype);
  }

  void run() {
    for (size_t i = step_.first; i < step_.last; ++i) run_node(block_.nodes[i]);
  }

  // What a node gives of what is there before anything runs.
  std::vector<Slot> results_of(const ProgramNode& node) {
    run_node(node);
    std::vector<Slot> results;
    for (const int64_t output : node.outputs) {
      results.push_back(output == kNone ? Slot{} : slot(output));
    }
    return results;
  }
  void put(const ProgramNode& node, std::span<const Slot> results) {
    for (size_t i = 0; i < results.size(); ++i) {
      if (node.outputs[i] != kNone) slot(node.outputs[i]) = results[i];
    }
  }

  // What the step gives: values of the capture, none of them an input.
  std::vector<TensorRef> outputs() {
    std::vector<TensorRef> outputs;
    for (size_t i = 0; i < step_.outputs.size(); ++i) {
      TensorRef output = tensor_as(step_.outputs[i], declared(i));
      const bool own = !output->empty() && output->buffer()->planned() &&
                       !graph::stands_in_for_input(*output->buffer());
      outputs.push_back(own ? std::move(output) : copied(*output, step_.outputs[i]));
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
  // The dtype of an output of the network where it matters here, or 0.
  netcl_dtype declared(size_t output) const {
    if (!last_ || !precision_.on()) return 0;
    const netcl_dtype dtype = dtype_of(program_.file().outputs[output].onnx_type);
    if (dtype == 0) return NETCL_F32;
    return precision_.is_either(dtype) ? dtype : netcl_dtype{0};
  }

  // A stretched view may be more than there is memory for.
  TensorRef copied(const Tensor& output, uint32_t value) const {
    try {
      return graph::recorded<ops::copy>(caller_, "copy", TensorRef(), output);
    } catch (const Error& error) {
      const std::string name = quoted(program_.values()[value].name.c_str(), 200);
      throw Error(error.status(), "the value " + name + ": " + error.message(),
                  error.native_code());
    }
  }

  void run_node(const ProgramNode& node) {
    if (network_.folded_.count(&node) != 0) return;
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
    const netcl_dtype width = width_of_node(node);
    const Widths widths = widths_of(node, width);
    takes_short_ = precision_.is_short(width);
    Call call(*node.file, program_.file().opset, caller_, *this, node.inputs, precision_, widths);
    node.row->build(call);
    const bool shortens =
        gives_short(node) || (widths.result != 0 && precision_.is_short(widths.result));
    const bool chained = precision_.is_short(width) && widths.result == NETCL_F32;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == kNone) continue;
      TensorRef made = call.outputs()[i];
      const bool wide = made != nullptr && made->dtype() == NETCL_F32;
      if (wide && shortens) made = call.cast(made, precision_.short_dtype());
      slot(node.outputs[i]) = {std::move(made), nullptr, nullptr,
                               wide && chained ? Vote::shorter : Vote::by_dtype};
    }
  }

  // Elementwise nodes compute in f32 whatever they take, so only their results are rounded.
  Widths widths_of(const ProgramNode& node, netcl_dtype width) const {
    if (!is_each(node)) {
      const bool norm = precision_.on() && width_of(*node.file) == Width::norm;
      return {width, norm ? netcl_dtype{NETCL_F32} : width, 0};
    }
    const bool stays =
        !node.outputs.empty() && node.outputs[0] != kNone && network_.stays_wide(node.outputs[0]);
    return {0, 0, stays && width != 0 ? netcl_dtype{NETCL_F32} : width};
  }

  Vote vote_of(int64_t value) const {
    const Slot& known = slots_[static_cast<size_t>(value)];
    const netcl_dtype dtype = known.tensor != nullptr ? known.tensor->dtype()
                              : known.host != nullptr ? known.host->dtype
                                                      : netcl_dtype{0};
    if (precision_.is_short(dtype)) return Vote::shorter;
    if (dtype != NETCL_F32) return Vote::none;
    if (known.host != nullptr) return precision_.vote_of(*known.host);
    if (known.vote != Vote::by_dtype) return known.vote;
    const bool given = program_.values()[static_cast<size_t>(value)].input != kNone;
    return given ? Vote::shorter : Vote::wide;
  }

  netcl_dtype width_of_node(const ProgramNode& node) const {
    if (!precision_.on()) return 0;
    const Width width = width_of(*node.file);
    if (width == Width::wide || width == Width::wide_within) return NETCL_F32;
    bool shorter = width == Width::shorter;
    for (const int64_t input : node.inputs) {
      if (input == kNone) continue;
      const Vote vote = vote_of(input);
      const bool follows = width == Width::follows || width == Width::norm;
      if (vote == Vote::must || (vote == Vote::wide && follows)) return NETCL_F32;
      shorter = shorter || vote == Vote::shorter;
      if (width == Width::norm) break;
    }
    return shorter ? precision_.short_dtype() : netcl_dtype{0};
  }

  // What is f32 in the results of a node is made short: what the short dtype holds.
  bool gives_short(const ProgramNode& node) const {
    if (!precision_.on()) return false;
    if (width_of(*node.file) == Width::wide_within) return true;
    if (!gives_a_dtype(*node.file)) return false;
    const TensorRef& given = slots_[static_cast<size_t>(node.inputs[0])].tensor;
    if (given == nullptr) return false;
    const netcl_dtype from = given->dtype();
    return dtype_size(from) == 1 || precision_.is_short(from);
  }

  const Network& network_;
  const ProgramBlock& block_;
  const ProgramStep& step_;
  const bool last_;           // of the network
  bool takes_short_ = false;  // the node at hand computes in the short dtype
  size_t rounds_ = 0;
};

}  // namespace netcl::model
