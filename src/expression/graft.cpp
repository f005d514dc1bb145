#include "expression/graft.hpp"

#include <cmath>

#include "core/error.hpp"

namespace netcl::expression {

std::vector<uint32_t> graft(TreeBuilder* builder, const Tree& tree,
                            std::span<const uint32_t> inputs) {
  std::vector<uint32_t> placed;
  placed.reserve(tree.nodes().size());
  for (const TreeNode& node : tree.nodes()) {
    uint32_t args[3] = {0, 0, 0};
    for (uint32_t a = 0; a < 3 && a < op_facts(node.op).arity; ++a) args[a] = placed[node.args[a]];
    if (node.op == Op::input) {
      if (node.input >= inputs.size()) {
        fail(NETCL_ERROR_INTERNAL, "no node for input %u of a tree", node.input);
      }
      placed.push_back(inputs[node.input]);
    } else if (node.op == Op::cast) {
      placed.push_back(builder->cast(node.dtype, args[0]));
    } else if (node.op != Op::literal) {
      placed.push_back(builder->apply(node.op, args));
    } else if (node.kind == LiteralKind::floating) {
      placed.push_back(builder->floating(node.real));
    } else if (node.kind == LiteralKind::integer) {
      placed.push_back(builder->integer(node.integer));
    } else {
      placed.push_back(builder->boolean(node.integer != 0));
    }
  }
  return placed;
}

uint32_t number_node(TreeBuilder* builder, double value) {
  if (std::isnan(value) || !std::signbit(value)) return builder->floating(value);
  const uint32_t magnitude = builder->floating(-value);
  return builder->apply(Op::neg, &magnitude);
}

}  // namespace netcl::expression
