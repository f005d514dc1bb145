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
  // The values that the results of a tree have for these values of its inputs, before they are
  // stored. One for an input that the tree does not use is ignored.
  std::vector<uint32_t> add_tree(const TypedTree& tree, std::span<const uint32_t> inputs);
  // A value as it is read back from memory of a dtype that it was stored in.
  uint32_t add_stored(uint32_t value, netcl_dtype dtype);

  size_t size() const noexcept { return nodes_.size(); }
  // The tree of these results, whose nodes are values. The joiner is spent then.
  TypedTree finish(std::span<const TypedResult> results);

 private:
  using Key = std::array<uint64_t, 7>;
  uint32_t add(const TypedNode& node);

  std::vector<TypedNode> nodes_;
  std::map<Key, uint32_t> known_;
  std::vector<netcl_dtype> inputs_;
};

}  // namespace netcl::expression
