// Walks and counts the configurations of a space that satisfy its constraints.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tune/space.hpp"

namespace netcl::tune {

// A constraint is tried as soon as its names have values, so most of the product is never walked.
// Where what comes later does not depend on all that came before, it is counted once for what it
// does depend on: parameters without constraints between them cost a sum, no product.
class SpaceWalk {
 public:
  // Places in the lists of values, one per parameter.
  using Digits = std::vector<uint32_t>;

  // Values that are tried before a walk is given up with INVALID_ARGUMENT.
  static constexpr uint64_t kStepsMost = uint64_t{1} << 24;

  SpaceWalk(const Space& space, const Limits& limits);

  // Fails with INVALID_ARGUMENT when they are more than 2^64 - 1.
  uint64_t count();
  // The same, or nothing when the walk would be given up.
  std::optional<uint64_t> try_count();
  // Whether these values, one of each parameter, satisfy all constraints.
  bool valid(const Digits& digits);
  // All in the order of the space, until `visit` returns false.
  void visit(const std::function<bool(const Digits&)>& visit);
  // False past the end.
  bool at(uint64_t index, Digits* digits);

 private:
  uint64_t count_from(size_t depth);
  uint64_t count_each(size_t depth);
  bool descend(size_t depth, const std::function<bool(const Digits&)>& visit);
  bool can_remember(size_t depth) const { return live_[depth].size() < depth; }
  bool choose(size_t depth, uint32_t place);
  bool holds(size_t depth);

  const std::vector<Space::Parameter>& parameters_;
  const Limits& limits_;
  std::vector<std::vector<const SpaceFormula*>> due_;  // by the number of values that they need
  std::vector<std::vector<size_t>> live_;  // at a depth: earlier ones that later constraints name
  std::vector<std::unordered_map<uint64_t, uint64_t>> known_;  // counts by the digits of live_
  size_t known_count_ = 0;
  SpaceFormula::Lookup lookup_;
  Digits digits_;
  size_t chosen_ = 0;  // how many of them have a value
  uint64_t steps_ = 0;
  bool gave_up_ = false;
};

}  // namespace netcl::tune
