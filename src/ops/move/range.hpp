#pragma once

#include "ops/move/move.hpp"

namespace netcl::ops {

// Element i of `into`, in C order, = start + i step, both of its dtype. Gives `into` back.
TensorRef range(const Element& start, const Element& step, const TensorRef& into, const Run& run);
// Ones on diagonal k of each matrix of `into`, zeros elsewhere. Gives `into` back.
TensorRef eye(int64_t k, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
