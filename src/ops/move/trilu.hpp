#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Fails when a tensor has no two dimensions of matrices.
void require_matrices(const Tensor& tensor, const char* argument);

// Of each matrix what is on diagonal k and above it, or below it; zeros elsewhere.
TensorRef trilu(const Tensor& x, bool upper, int64_t k, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
