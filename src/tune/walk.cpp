#include "tune/walk.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace netcl::tune {

namespace {

constexpr size_t kKnownMost = size_t{1} << 20;

size_t index_of(const std::vector<Space::Parameter>& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const auto& parameter) { return parameter.name == name; });
  return static_cast<size_t>(found - parameters.begin());
}

// The number of parameters that must have values before a constraint can be tried.
size_t depth_of(const SpaceFormula& constraint, const std::vector<Space::Parameter>& parameters) {
  size_t depth = 0;
  for (const std::string& name : constraint.names()) {
    const size_t index = index_of(parameters, name);
    if (index < parameters.size()) depth = std::max(depth, index + 1);
  }
  return depth;
}

}  // namespace

SpaceWalk::SpaceWalk(const Space& space, const Limits& limits)
    : parameters_(space.parameters()),
      limits_(limits),
      due_(parameters_.size() + 1),
      live_(parameters_.size() + 1),
      known_(parameters_.size() + 1),
      digits_(parameters_.size()) {
  for (const SpaceFormula& constraint : space.constraints()) {
    const size_t due = depth_of(constraint, parameters_);
    due_[due].push_back(&constraint);
    for (const std::string& name : constraint.names()) {
      const size_t index = index_of(parameters_, name);
      if (index == parameters_.size()) continue;
      for (size_t depth = index + 1; depth < due; ++depth) {
        std::vector<size_t>& live = live_[depth];
        if (std::find(live.begin(), live.end(), index) == live.end()) live.push_back(index);
      }
    }
  }
  lookup_ = [this](const std::string& name) -> const Value* {
    const size_t index = index_of(parameters_, name);
    return index < chosen_ ? &parameters_[index].values[digits_[index]] : limits_.find(name);
  };
}

bool SpaceWalk::holds(size_t depth) {
  chosen_ = depth;
  return std::all_of(due_[depth].begin(), due_[depth].end(),
                     [&](const SpaceFormula* constraint) { return constraint->holds(lookup_); });
}

// True when the values so far and this one break no constraint.
bool SpaceWalk::choose(size_t depth, uint32_t place) {
  if (++steps_ > kStepsMost) {
    gave_up_ = true;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "the constraints of the space are not tried after %llu steps; let each name few "
         "parameters, and those near each other in the order",
         static_cast<unsigned long long>(kStepsMost));
  }
  digits_[depth] = place;
  return holds(depth + 1);
}

uint64_t SpaceWalk::count_each(size_t depth) {
  uint64_t total = 0;
  for (uint32_t place = 0; place < parameters_[depth].values.size(); ++place) {
    if (!choose(depth, place)) continue;
    if (__builtin_add_overflow(total, count_from(depth + 1), &total)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "the space has more than 2^64 - 1 valid configurations");
    }
  }
  return total;
}

// How many ways there are to go on from the first `depth` values.
uint64_t SpaceWalk::count_from(size_t depth) {
  if (depth == parameters_.size()) return 1;
  if (!can_remember(depth)) return count_each(depth);
  uint64_t key = 0;
  for (const size_t index : live_[depth]) {
    uint64_t radix = parameters_[index].values.size();
    // Such a product is not walked in any case.
    if (__builtin_mul_overflow(key, radix, &key)) return count_each(depth);
    key += digits_[index];
  }
  const auto found = known_[depth].find(key);
  if (found != known_[depth].end()) return found->second;
  const uint64_t count = count_each(depth);
  if (known_count_ < kKnownMost) {
    known_[depth].emplace(key, count);
    ++known_count_;
  }
  return count;
}

uint64_t SpaceWalk::count() {
  steps_ = 0;
  return parameters_.empty() || !holds(0) ? 0 : count_from(0);
}

std::optional<uint64_t> SpaceWalk::try_count() {
  gave_up_ = false;
  try {
    return count();
  } catch (const Error&) {
    // A formula that is wrong stays wrong.
    if (!gave_up_) throw;
    return std::nullopt;
  }
}

bool SpaceWalk::valid(const Digits& digits) {
  digits_ = digits;
  for (size_t depth = 0; depth <= parameters_.size(); ++depth) {
    if (!holds(depth)) return false;
  }
  return true;
}

bool SpaceWalk::descend(size_t depth, const std::function<bool(const Digits&)>& visit) {
  if (depth == parameters_.size()) return visit(digits_);
  for (uint32_t place = 0; place < parameters_[depth].values.size(); ++place) {
    if (!choose(depth, place)) continue;
    // A dead end that is known costs nothing; to find out about others would double the walk.
    if (can_remember(depth + 1) && count_from(depth + 1) == 0) continue;
    if (!descend(depth + 1, visit)) return false;
  }
  return true;
}

void SpaceWalk::visit(const std::function<bool(const Digits&)>& visit) {
  steps_ = 0;
  if (!parameters_.empty() && holds(0)) descend(0, visit);
}

bool SpaceWalk::at(uint64_t index, Digits* digits) {
  steps_ = 0;
  if (parameters_.empty() || !holds(0)) return false;
  for (size_t depth = 0; depth < parameters_.size(); ++depth) {
    bool found = false;
    for (uint32_t place = 0; place < parameters_[depth].values.size() && !found; ++place) {
      if (!choose(depth, place)) continue;
      const uint64_t count = count_from(depth + 1);
      found = index < count;
      if (!found) index -= count;
    }
    if (!found) return false;
  }
  *digits = digits_;
  return true;
}

}  // namespace netcl::tune
