// The gradient of a primitive as an op.
#pragma once

#include <span>

#include "expression/tree.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::graph {

// Runs the formula of the gradient of inputs[input] over the inputs, `grad` and, unless it is null,
// `out`; sums it where the input was broadcast.
TensorRef primitive_gradient(const expression::Tree& tree, std::span<const TensorRef> inputs,
                             uint32_t input, const TensorRef& grad, const TensorRef& out,
                             const TensorRef& into, const ops::Run& run);

}  // namespace netcl::graph
