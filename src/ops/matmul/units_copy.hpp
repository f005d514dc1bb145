// Copies of a and b for matrix units; see matmul_units_copy.cpp.
#pragma once

#include <array>

#include "ops/matmul/matmul.hpp"

namespace netcl::ops {

// They own the memory of the copies, null where there is none.
using UnitsCopies = std::array<TensorRef, 2>;

// Copies what the units cannot take in place, and all that is taken apart. The problem and its
// tensors are then those of the copies.
UnitsCopies copy_for_units(MatmulProblem* problem, MatmulTensors* tensors, const Run& run);

}  // namespace netcl::ops
