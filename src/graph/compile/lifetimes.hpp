// How much memory values have at each step, while steps are joined.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

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
  Lifetimes(const Steps& steps, const Interface& interface, const MemoryLimit& limit);

  // Other uses of some memory.
  using Changes = std::map<MemoryKey, Uses>;
  // Puts them into `uses`; false, and nothing is changed, where values would have more memory at a
  // time than the limit, or than they had in the beginning where that was more.
  bool change(UseTable* uses, Changes changes);
  // A value becomes an output, which lies in the caller's memory.
  void give_away(const UseTable& uses, MemoryKey memory);
  // As change() for two steps that become one.
  bool join(UseTable* uses, const Joint& joint, const Node& first, const Node& second,
            const Node& both);

 private:
  struct Range {
    size_t first = 0;
    size_t last = 0;
    bool empty = true;
  };
  static Range range_of(const Uses& uses);

  std::vector<int64_t> live_;  // bytes at each step
  int64_t most_ = 0;
  std::unordered_map<MemoryKey, int64_t> bytes_;  // of what counts: outputs are the caller's
};

}  // namespace netcl::graph
