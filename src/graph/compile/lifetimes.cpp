#include "graph/compile/lifetimes.hpp"

#include <algorithm>
#include <map>

namespace netcl::graph {

Lifetimes::Lifetimes(const Steps& steps, const Interface& interface, uint64_t least_bytes)
    : live_(steps.size()), most_(static_cast<int64_t>(least_bytes)) {
  for (const TensorRef& output : interface.outputs) {
    if (!output->empty()) outputs_.insert(memory_key(*output));
  }
  std::unordered_map<MemoryKey, int64_t> bytes;
  for (const Step& step : steps) {
    for (const auto list : {step.node->reads(), step.node->writes()}) {
      for (const TensorRef& tensor : list) {
        if (counts(tensor)) {
          bytes[memory_key(*tensor)] = static_cast<int64_t>(tensor->buffer()->bytes());
        }
      }
    }
  }
  const UseTable uses = uses_of(steps);
  for (const auto& [memory, size] : bytes) {
    const Range range = range_of(uses.at(memory));
    for (size_t i = range.first; i <= range.last; ++i) live_[i] += size;
  }
  for (const int64_t live : live_) most_ = std::max(most_, live);
}

bool Lifetimes::counts(const TensorRef& tensor) const {
  return tensor != nullptr && !tensor->empty() && is_planned(*tensor) &&
         outputs_.count(memory_key(*tensor)) == 0;
}

Lifetimes::Range Lifetimes::range_of(const Uses& uses) {
  Range range;
  for (const std::vector<size_t>* list : {&uses.reads, &uses.writes}) {
    if (list->empty()) continue;
    range.first = range.empty ? list->front() : std::min(range.first, list->front());
    range.last = range.empty ? list->back() : std::max(range.last, list->back());
    range.empty = false;
  }
  return range;
}

bool Lifetimes::join(UseTable* uses, const Joint& joint, const Node& first, const Node& second,
                     const Node& both) {
  struct Change {
    Uses uses;
    int64_t bytes = 0;  // 0 for memory that does not count
  };
  std::map<MemoryKey, Change> changes;
  const auto change_of = [&](const TensorRef& tensor) -> Change& {
    const auto [found, added] = changes.try_emplace(memory_key(*tensor));
    if (added) {
      found->second.uses = uses->at(memory_key(*tensor));
      if (counts(tensor)) {
        found->second.bytes = static_cast<int64_t>(tensor->buffer()->bytes());
      }
    }
    return found->second;
  };
  for (const Node* const node : {&first, &second}) {
    for (const auto list : {node->reads(), node->writes()}) {
      for (const TensorRef& tensor : list) {
        if (tensor == nullptr || tensor->empty()) continue;
        Uses& own = change_of(tensor).uses;
        for (std::vector<size_t>* steps : {&own.reads, &own.writes}) {
          remove_step(steps, joint.first);
          remove_step(steps, joint.second);
        }
      }
    }
  }
  for (const TensorRef& tensor : both.reads()) {
    if (!tensor->empty()) add_step(&change_of(tensor).uses.reads, joint.place);
  }
  for (const TensorRef& tensor : both.writes()) {
    add_step(&change_of(tensor).uses.writes, joint.place);
  }

  std::vector<int64_t> live(live_.begin() + static_cast<ptrdiff_t>(joint.first),
                            live_.begin() + static_cast<ptrdiff_t>(joint.second) + 1);
  const auto add = [&](const Range& range, int64_t bytes) {
    if (range.empty) return;
    const size_t last = std::min(range.last, joint.second);
    for (size_t i = std::max(range.first, joint.first); i <= last; ++i) {
      live[i - joint.first] += bytes;
    }
  };
  for (const auto& [memory, change] : changes) {
    if (change.bytes == 0) continue;
    add(range_of(uses->at(memory)), -change.bytes);
    add(range_of(change.uses), change.bytes);
  }
  if (std::any_of(live.begin(), live.end(), [&](int64_t bytes) { return bytes > most_; })) {
    return false;
  }
  std::copy(live.begin(), live.end(), live_.begin() + static_cast<ptrdiff_t>(joint.first));
  for (auto& [memory, change] : changes) (*uses)[memory] = std::move(change.uses);
  return true;
}

}  // namespace netcl::graph
