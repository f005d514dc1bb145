// Parts of memory that tensors lie on.
#pragma once

#include "tensor/tensor.hpp"

namespace netcl::graph {

// The shape of a tensor, as messages show it.

// True when both are known to have no element in common. Slices of one tensor are told apart
// exactly, other layouts by the ranges that they touch.
bool disjoint(const Tensor& a, const Tensor& b);
// The same for layouts of elements of one dtype in one memory.
bool disjoint(const Layout& a, const Layout& b);

// True when every element of `part` is known to be one of `whole`, of which no two share memory.
bool is_part_of(const Layout& part, const Layout& whole);

// A layout whose dimensions stand in the order in which they lie in memory, without those of extent
// 1: the same for all orders of one region. `axes` gets the dimensions that were taken.
struct Region {
  Layout layout;
  std::array<uint32_t, NETCL_RANK_MAX> axes{};
};
Region region_of(const Layout& layout);

// True when the same elements lie there in one order, however they are divided into dimensions.
bool same_region(const Layout& a, const Layout& b);

}  // namespace netcl::graph
