#pragma once

#include "graph/rule.hpp"

namespace netcl::graph {

// The product of matrices, or of stacks of them, in their dtype; sums of integers wrap around.
TensorRef matrix_product(const Caller& caller, const TensorRef& a, const TensorRef& b);

// The same of integers alone.
TensorRef integer_product(const Caller& caller, TensorRef a, TensorRef b);

// The sum over some axes, in the dtype of x.
TensorRef summed_over(const Caller& caller, const TensorRef& x, std::span<const int32_t> axes);

}  // namespace netcl::graph
