#include "graph/compile/lifetimes.hpp"

#include <algorithm>
#include <unordered_set>

#include "graph/compile/plan.hpp"

namespace netcl::graph {

Lifetimes::Lifetimes(const Steps& steps, const Interface& interface, const MemoryLimit& limit)
    : live_(steps.size()), most_(static_cast<int64_t>(limit.bytes)) {
  std::unordered_set<MemoryKey> outputs;
  for (const TensorRef& output : interface.outputs) {
    if (!output->empty()) outputs.insert(memory_key(*output));
  }
  for (const Step& step : steps) {
    for (const auto list : {step.node->reads(), step.node->writes()}) {
      for (const TensorRef& tensor : list) {
        if (tensor == nullptr || tensor->empty() || !is_planned(*tensor)) continue;
        if (outputs.count(memory_key(*tensor)) != 0) continue;
        bytes_[memory_key(*tensor)] =
            static_cast<int64_t>(aligned(tensor->buffer()->bytes(), limit.alignment));
      }
    }
  }
  const UseTable uses = uses_of(steps);
  for (const auto& [memory, size] : bytes_) {
    const Range range = range_of(uses.at(memory));
    for (size_t i = range.first; i <= range.last; ++i) live_[i] += size;
  }
  for (const int64_t live : live_) most_ = std::max(most_, live);
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

bool Lifetimes::change(UseTable* uses, Changes changes) {
  std::map<size_t, int64_t> steps;  // what is more or less from a step on
  const auto add = [&](const Range& range, int64_t bytes) {
    if (range.empty) return;
    steps[range.first] += bytes;
    steps[range.last + 1] -= bytes;
  };
  for (const auto& [memory, own] : changes) {
    const auto counted = bytes_.find(memory);
    if (counted == bytes_.end()) continue;
    add(range_of(uses->at(memory)), -counted->second);
    add(range_of(own), counted->second);
  }
  const auto each = [&](auto function) {
    int64_t more = 0;
    for (auto at = steps.begin(); at != steps.end(); ++at) {
      more += at->second;
      const auto next = std::next(at);
      if (next == steps.end() || more == 0) continue;
      for (size_t i = at->first; i < next->first; ++i) {
        if (!function(i, more)) return false;
      }
    }
    return true;
  };
  if (!each([&](size_t i, int64_t more) { return more < 0 || live_[i] + more <= most_; })) {
    return false;
  }
  each([&](size_t i, int64_t more) {
    live_[i] += more;
    return true;
  });
  for (auto& [memory, own] : changes) (*uses)[memory] = std::move(own);
  return true;
}

void Lifetimes::give_away(const UseTable& uses, MemoryKey memory) {
  const auto counted = bytes_.find(memory);
  if (counted == bytes_.end()) return;
  const Range range = range_of(uses.at(memory));
  for (size_t i = range.first; !range.empty && i <= range.last; ++i) live_[i] -= counted->second;
  bytes_.erase(counted);
}

bool Lifetimes::join(UseTable* uses, const Joint& joint, const Node& first, const Node& second,
                     const Node& both) {
  Changes changes;
  const auto change_of = [&](const TensorRef& tensor) -> Uses& {
    const auto [found, added] = changes.try_emplace(memory_key(*tensor));
    if (added) found->second = uses->at(memory_key(*tensor));
    return found->second;
  };
  for (const Node* const node : {&first, &second}) {
    for (const auto list : {node->reads(), node->writes()}) {
      for (const TensorRef& tensor : list) {
        if (tensor == nullptr || tensor->empty()) continue;
        Uses& own = change_of(tensor);
        for (std::vector<size_t>* steps : {&own.reads, &own.writes}) {
          remove_step(steps, joint.first);
          remove_step(steps, joint.second);
        }
      }
    }
  }
  for (const TensorRef& tensor : both.reads()) {
    if (!tensor->empty()) add_step(&change_of(tensor).reads, joint.place);
  }
  for (const TensorRef& tensor : both.writes()) {
    add_step(&change_of(tensor).writes, joint.place);
  }
  return change(uses, std::move(changes));
}

}  // namespace netcl::graph
