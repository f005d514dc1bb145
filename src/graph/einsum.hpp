// Sums of products of tensors with a letter for each axis, as products of matrices.
#pragma once

#include <string>
#include <vector>

#include "graph/backward.hpp"

namespace netcl::graph {

// The terms of the inputs, then that of the result when it is told; '.' stands for an ellipsis.
struct Equation {
  std::vector<std::string> terms;
  bool told = false;
};

// Fails with `status` where the text is no equation.
Equation parse_equation(const std::string& text, netcl_status status);

// Messages call input i inputs[i].
TensorRef einsum(const Caller& caller, const Equation& equation, std::span<const TensorRef> inputs,
                 const TensorRef& into);

}  // namespace netcl::graph
