// How much memory values have at each step, while steps are joined.
#pragma once

#include <unordered_set>

#include "graph/compile/steps.hpp"

namespace netcl::graph {

// Two steps that become one in the place of one of them.
struct Joint {
  size_t first;
  size_t second;
  size_t place;
};

class Lifetimes {
 public:
  // The most memory is that of the steps as they are now, at least `least_bytes`.
  Lifetimes(const Steps& steps, const Interface& interface, uint64_t least_bytes);

  // Makes one step of two in `uses`; false, and nothing is changed, where values would have more
  // memory at a time than the most.
  bool join(UseTable* uses, const Joint& joint, const Node& first, const Node& second,
            const Node& both);

 private:
  struct Range {
    size_t first = 0;
    size_t last = 0;
    bool empty = true;
  };
  static Range range_of(const Uses& uses);
  bool counts(const TensorRef& tensor) const;

  std::vector<int64_t> live_;  // bytes at each step
  int64_t most_ = 0;
  std::unordered_set<MemoryKey> outputs_;  // whose memory is the caller's
};

}  // namespace netcl::graph
