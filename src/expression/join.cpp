#include "expression/join.hpp"

#include <cstring>

#include "core/dtype.hpp"

namespace netcl::expression {

uint32_t TreeJoiner::add(const TypedNode& node) {
  uint64_t bits;
  std::memcpy(&bits, &node.real, sizeof bits);
  const Key key{static_cast<uint64_t>(node.op) << 32 | static_cast<uint32_t>(node.dtype),
                node.input,
                node.args[0],
                node.args[1],
                node.args[2],
                node.integer,
                bits};
  const auto [found, added] = known_.try_emplace(key, static_cast<uint32_t>(nodes_.size()));
  if (added) nodes_.push_back(node);
  return found->second;
}

uint32_t TreeJoiner::add_input(netcl_dtype dtype) {
  TypedNode node;
  node.op = Op::input;
  node.dtype = compute_dtype(dtype);
  node.input = static_cast<uint32_t>(inputs_.size());
  inputs_.push_back(dtype);
  return add(node);
}

std::vector<uint32_t> TreeJoiner::add_tree(const TypedTree& tree,
                                           std::span<const uint32_t> inputs) {
  std::vector<uint32_t> placed;
  placed.reserve(tree.nodes.size());
  for (const TypedNode& node : tree.nodes) {
    if (node.op == Op::input) {
      placed.push_back(inputs[node.input]);
      continue;
    }
    TypedNode own = node;
    own.args = {};
    for (uint32_t a = 0; a < op_facts(node.op).arity; ++a) own.args[a] = placed[node.args[a]];
    placed.push_back(add(own));
  }
  std::vector<uint32_t> values;
  for (const TypedResult& result : tree.results) values.push_back(placed[result.node]);
  return values;
}

// Memory of 16-bit floats holds what was computed in f32, rounded.
uint32_t TreeJoiner::add_stored(uint32_t value, netcl_dtype dtype) {
  if (dtype != NETCL_F16 && dtype != NETCL_BF16) return value;
  TypedNode rounded;
  rounded.op = dtype == NETCL_F16 ? Op::round_f16 : Op::round_bf16;
  const TypedNode& node = nodes_[value];
  if (node.op == rounded.op || (node.op == Op::input && inputs_[node.input] == dtype)) {
    return value;
  }
  rounded.dtype = NETCL_F32;
  rounded.args[0] = value;
  return add(rounded);
}

TypedTree TreeJoiner::finish(std::span<const TypedResult> results) {
  std::vector<char> reached(nodes_.size());
  for (const TypedResult& result : results) reached[result.node] = 1;
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (reached[i] == 0) continue;
    for (uint32_t a = 0; a < op_facts(nodes_[i].op).arity; ++a) reached[nodes_[i].args[a]] = 1;
  }
  TypedTree tree;
  tree.inputs = std::move(inputs_);
  tree.used.resize(tree.inputs.size());
  std::vector<uint32_t> placed(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (reached[i] == 0) continue;
    TypedNode node = nodes_[i];
    for (uint32_t& argument : node.args) argument = placed[argument];
    placed[i] = static_cast<uint32_t>(tree.nodes.size());
    if (node.op == Op::input) tree.used[node.input] = true;
    tree.needs_f64 = tree.needs_f64 || node.dtype == NETCL_F64;
    tree.nodes.push_back(node);
  }
  for (const TypedResult& result : results) {
    tree.results.push_back({placed[result.node], result.dtype});
  }
  if (results.size() == 1) tree.copied_input = copied_input(tree, 0);
  return tree;
}

}  // namespace netcl::expression
