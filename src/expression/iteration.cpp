#include "expression/iteration.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace netcl::expression {

void arrange(Layout* layouts, size_t count) {
  if (count == 0) return;
  const Layout output = layouts[count - 1];
  std::array<uint32_t, kRankMax> order{};
  for (uint32_t d = 0; d < output.rank; ++d) order[d] = d;
  const auto distance = [&](uint32_t d) {
    const int64_t stride = output.strides[d];
    return stride < 0 ? -stride : stride;
  };
  // An insertion sort keeps equal strides in order and allocates nothing.
  for (uint32_t d = 1; d < output.rank; ++d) {
    const uint32_t moved = order[d];
    uint32_t place = d;
    for (; place > 0 && distance(order[place - 1]) < distance(moved); --place) {
      order[place] = order[place - 1];
    }
    order[place] = moved;
  }
  for (size_t i = 0; i < count; ++i) {
    const Layout source = layouts[i];
    for (uint32_t d = 0; d < output.rank; ++d) {
      layouts[i].shape[d] = source.shape[order[d]];
      layouts[i].strides[d] = source.strides[order[d]];
    }
  }
  coalesce(layouts, count);
}

OperandShape::Access access_of(const Layout& layout) noexcept {
  if (layout.is_c_contiguous()) return OperandShape::Access::contiguous;
  for (uint32_t d = 0; d < layout.rank; ++d) {
    if (layout.strides[d] != 0) return OperandShape::Access::strided;
  }
  return OperandShape::Access::scalar;
}

}  // namespace netcl::expression
