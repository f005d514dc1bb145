// A tree inside another one: its inputs become nodes of a builder.
#pragma once

#include <span>
#include <vector>

#include "expression/tree.hpp"

namespace netcl::expression {

// Adds the nodes of `tree` to a builder, with inputs[k] in place of its vk. Gives where each node
// of the tree went; the last one is its root.
std::vector<uint32_t> graft(TreeBuilder* builder, const Tree& tree,
                            std::span<const uint32_t> inputs);

// A number as a formula would have it: a negative one is a negated literal, so that the text of the
// tree gives the same tree again.
uint32_t number_node(TreeBuilder* builder, double value);

}  // namespace netcl::expression
