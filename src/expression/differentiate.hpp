// Derivatives of trees, as trees. The derivative of each function and what holds at kinks stands in
// docs/primitives.md.
#pragma once

#include <memory>
#include <span>

#include "expression/tree.hpp"

namespace netcl::expression {

// The gradient of input `input` of a tree whose nodes lie in a builder at `placed` (see graft),
// when that of its result is the node `grad`. A literal 0 when nothing of it reaches the input.
uint32_t differentiate(TreeBuilder* builder, const Tree& tree, std::span<const uint32_t> placed,
                       uint32_t input, uint32_t grad);

// The same as a tree of v0 ... v(count-1), where vcount is the gradient of the result.
std::shared_ptr<const Tree> differentiate(const Tree& tree, uint32_t count, uint32_t input);

}  // namespace netcl::expression
