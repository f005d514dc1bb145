// What depends on weights alone is worked out when a model is loaded.
#include <algorithm>

#include "model/network_recording.hpp"

namespace netcl::model {
namespace {

// What is worked out of weights takes at most so many times their bytes, or so many bytes.
constexpr uint64_t kFoldedTimesMost = 4, kFoldedBytesMost = 65536;

bool is_random(const ProgramNode& node) {
  const std::span<const OpRow> rows = random_rows();
  return node.row >= rows.data() && node.row < rows.data() + rows.size();
}

}  // namespace

// Whether a node reads weights alone, one at least on the device, and gives the same each time.
bool Network::is_constant(const ProgramNode& node) const {
  if (node.row == nullptr || node.row->build == nullptr || node.host != nullptr || node.decides() ||
      is_random(node)) {
    return false;
  }
  bool on_device = false;
  for (const int64_t input : node.inputs) {
    if (input == kNone) continue;
    const Slot& known = weights_[static_cast<size_t>(input)];
    if (known.tensor == nullptr && known.host == nullptr) return false;
    on_device = on_device || known.tensor != nullptr;
  }
  return on_device;
}

// Works out what depends on weights alone, where that does not take much more memory than they do.
void Network::fold_weights() {
  const ProgramBlock& block = program_->blocks()[0];
  if (block.steps[kUnrolled].empty()) return;
  const QueueRef queue = QueueSet::of(*device_).default_queue();
  const graph::Caller caller{nullptr, ops::Run{*queue, {}}};
  Recording recording(*this, caller, {});
  for (const ProgramNode& node : block.nodes) {
    if (!is_constant(node)) continue;
    uint64_t given = 0, made = 0;
    for (const int64_t input : node.inputs) {
      if (input == kNone) continue;
      const TensorRef& tensor = weights_[static_cast<size_t>(input)].tensor;
      if (tensor != nullptr) given += tensor->byte_count();
    }
    std::vector<Slot> results;
    try {
      results = recording.results_of(node);
    } catch (const Error&) {
      // A run says what is wrong, if anything needs it.
      recording.put(node, std::vector<Slot>(node.outputs.size()));
      continue;
    }
    bool whole = true;
    for (size_t i = 0; i < results.size(); ++i) {
      if (node.outputs[i] == kNone) continue;
      whole = whole && results[i].tensor != nullptr;
      if (results[i].tensor != nullptr) made += results[i].tensor->byte_count();
    }
    if (!whole || made > std::max(kFoldedTimesMost * given, kFoldedBytesMost)) {
      recording.put(node, std::vector<Slot>(node.outputs.size()));
      continue;
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (node.outputs[i] == kNone) continue;
      const auto value = static_cast<size_t>(node.outputs[i]);
      weights_[value] = std::move(results[i]);
      shapes_[value] = shape_of(*weights_[value].tensor);
    }
    folded_.insert(&node);
  }
  if (!folded_.empty()) drop_read_weights();
}

// Lets go of weights that were worked into others, and counts what is held.
void Network::drop_read_weights() {
  std::vector<char> wanted(weights_.size());
  const auto want = [&](const auto& values) {
    for (const int64_t value : values) {
      if (value != kNone) wanted[static_cast<size_t>(value)] = 1;
    }
  };
  for (const ProgramBlock& block : program_->blocks()) {
    want(block.outputs);
    for (const ProgramNode& node : block.nodes) {
      if (folded_.count(&node) != 0) continue;
      want(node.inputs);
      want(node.captures);
    }
  }
  want(program_->outputs());
  weight_count_ = weight_bytes_ = 0;
  for (size_t i = 0; i < weights_.size(); ++i) {
    if (wanted[i] == 0) weights_[i].tensor = weights_[i].other = nullptr;
    if (weights_[i].tensor == nullptr) continue;
    ++weight_count_;
    weight_bytes_ += weights_[i].tensor->byte_count();
  }
}

}  // namespace netcl::model
