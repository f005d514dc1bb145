// What depends on weights alone is worked out when a model is loaded.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "model/network_recording.hpp"

namespace netcl::model {
namespace {

// What is worked out of weights takes at most so many times their bytes, or so many bytes.
constexpr uint64_t kFoldedTimesMost = 4, kFoldedBytesMost = 65536;

// What a run would find too, and say of which node.
bool is_mistake(const Error& error) {
  return error.status() == NETCL_ERROR_INVALID_ARGUMENT ||
         error.status() == NETCL_ERROR_UNSUPPORTED || error.status() == NETCL_ERROR_CORRUPT_DATA;
}

bool is_out_of_memory(const Error& error) {
  return error.status() == NETCL_ERROR_OUT_OF_DEVICE_MEMORY ||
         error.status() == NETCL_ERROR_OUT_OF_HOST_MEMORY;
}

}  // namespace

// Whether a node reads weights alone, one at least on the device, and gives the same each time.
bool Network::is_constant(const ProgramNode& node) const {
  if (node.row == nullptr || node.row->build == nullptr || node.host != nullptr || node.decides() ||
      is_among(node, random_rows())) {
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
  // Of what is worked out: the weights of the file that it is made of.
  std::unordered_map<size_t, std::set<size_t>> sources;
  std::vector<char> folded(weights_.size());
  for (const ProgramNode& node : block.nodes) {
    if (!is_constant(node)) continue;
    std::set<size_t> from;
    for (const int64_t input : node.inputs) {
      if (input == kNone) continue;
      const auto known = sources.find(static_cast<size_t>(input));
      if (known == sources.end()) {
        from.insert(static_cast<size_t>(input));
      } else {
        from.insert(known->second.begin(), known->second.end());
      }
    }
    uint64_t given = 0, made = 0;
    for (const size_t value : from) {
      if (weights_[value].tensor != nullptr) given += weights_[value].tensor->byte_count();
    }
    std::vector<Slot> results;
    try {
      results = recording.results_of(node);
    } catch (const std::bad_alloc&) {
      return give_back(folded);
    } catch (const Error& error) {
      if (is_out_of_memory(error)) return give_back(folded);
      if (!is_mistake(error)) throw;
    }
    bool whole = !results.empty();
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
      sources[value] = from;
      folded[value] = 1;
    }
    folded_.insert(&node);
  }
  if (folded_.empty()) return;
  program_->give_before_steps(folded);
  drop_read_weights();
}

// Where memory is short, runs work it out.
void Network::give_back(const std::vector<char>& folded) {
  for (size_t i = 0; i < folded.size(); ++i) {
    if (folded[i] != 0) weights_[i] = {};
  }
  folded_.clear();
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
    for (const auto& steps : block.steps) {
      for (const ProgramStep& step : steps) {
        want(step.bound);
        want(step.outputs);
      }
    }
  }
  want(program_->outputs());
  weight_count_ = weight_bytes_ = 0;
  for (size_t i = 0; i < weights_.size(); ++i) {
    if (wanted[i] == 0) {
      weights_[i].tensor = weights_[i].other = nullptr;
      others_.erase(static_cast<uint32_t>(i));
    }
    if (weights_[i].tensor == nullptr) continue;
    ++weight_count_;
    weight_bytes_ += weights_[i].tensor->byte_count();
  }
}

}  // namespace netcl::model
