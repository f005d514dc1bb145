// Sizes that are told as numbers, and of which nobody has a tensor.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "core/error.hpp"
#include "core/layout.hpp"
#include "netcl.h"

namespace netcl::ops {

// Fails with INVALID_ARGUMENT when `what`, which has these extents, would have more than 2^60
// elements: rules may then multiply sizes of what is smaller without leaving 64 bits.
inline void require_elements(std::initializer_list<int64_t> extents, const char* what) {
  int64_t left = int64_t{1} << 60;
  for (const int64_t extent : extents) left /= std::max<int64_t>(extent, 1);
  if (left > 0) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "%s has the shape %s, which is more than 2^60 elements", what,
       shape_text(static_cast<uint32_t>(extents.size()), extents.begin()).c_str());
}

// The same of a product of m x k by k x n.
inline void require_product(int64_t batch, int64_t m, int64_t n, int64_t k) {
  require_elements({batch, m, k}, "a");
  require_elements({batch, k, n}, "b");
  require_elements({batch, m, n}, "the result");
}

}  // namespace netcl::ops
