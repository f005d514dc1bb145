// How the operands of an elementwise kernel are walked: the one order that suits the output, with
// as few dimensions as possible. Both backends prepare their loops with it.
#pragma once

#include <cstddef>

#include "core/layout.hpp"
#include "expression/print_cl.hpp"

namespace netcl::expression {

// Reorders the dimensions of `count` layouts of one shape so that the last layout (the output) is
// walked from its largest stride to its smallest, then joins what is contiguous in all of them. The
// elements that belong together stay together; their order is free in an elementwise kernel.
void arrange(Layout* layouts, size_t count);

// How an arranged layout is accessed.
OperandShape::Access access_of(const Layout& layout) noexcept;

}  // namespace netcl::expression
