// Several typed trees as one: what one gives is what another one takes.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "expression/types.hpp"

namespace netcl::expression {

class TreeJoiner {
 public:
  // An operand from memory, of a storage dtype. Gives its value.
  uint32_t add_input(netcl_dtype dtype);
  // The value that a tree gives for these values of its inputs, as it would be read back from
  // memory of the tree's result dtype. One for an input that the tree does not use is ignored.
  uint32_t add_tree(const TypedTree& tree, std::span<const uint32_t> inputs);

  size_t size() const noexcept { return nodes_.size(); }
  // The tree of a value, stored as `result`. The joiner is spent then.
  TypedTree finish(uint32_t value, netcl_dtype result);

 private:
  using Key = std::array<uint64_t, 7>;
  uint32_t add(const TypedNode& node);

  std::vector<TypedNode> nodes_;
  std::map<Key, uint32_t> known_;
  std::vector<netcl_dtype> inputs_;
};

}  // namespace netcl::expression
