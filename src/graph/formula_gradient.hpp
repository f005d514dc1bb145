// Gradients of ops that are formulas.
#pragma once

#include "graph/rule.hpp"

namespace netcl::graph {

// The gradient of inputs[input] when that of tree(inputs) is `grad`: in the input's shape and
// dtype. Null when the result does not depend on it.
TensorRef formula_gradient(const Backward& backward, const expression::Tree& tree,
                           std::span<const TensorRef> inputs, uint32_t input,
                           const TensorRef& grad);

// The gradient of what an activation was given, from that of its result, the result itself and,
// where this does not say enough, the values that it was given: `make_given` makes them.
struct Activation {
  netcl_activation kind = NETCL_ACTIVATION_NONE;
  double alpha = 0;
  double beta = 0;
};
template <class MakeGiven>
TensorRef activation_gradient(const Backward& backward, const Activation& activation,
                              const TensorRef& grad, const TensorRef& result, MakeGiven make_given);

// The formula over v0, the gradient, and v1, the result; empty when the result does not say enough.
std::string activation_formula(const Activation& activation);
// The activation as an expression of v0.
std::shared_ptr<const expression::Tree> activation_tree(const Activation& activation,
                                                        const TensorRef& given);

// What was given may be beyond f16 while the result is not. Derivatives are as they are there.
inline constexpr const char* kWithinF16 = "clamp(v0, -65504.0, 65504.0)";

template <class MakeGiven>
TensorRef activation_gradient(const Backward& backward, const Activation& activation,
                              const TensorRef& grad, const TensorRef& result,
                              MakeGiven make_given) {
  if (activation.kind == NETCL_ACTIVATION_NONE) return grad;
  const std::string text = activation_formula(activation);
  if (!text.empty() && backward.is_intact(*result)) {
    return formula(backward, text.c_str(), {grad, result}, result->dtype());
  }
  TensorRef given = make_given();
  if (given->dtype() == NETCL_F16) given = formula(backward, kWithinF16, {given});
  const TensorRef made =
      formula_gradient(backward, *activation_tree(activation, given), {&given, 1}, 0, grad);
  return made == nullptr ? zeros_like(backward, *grad) : made;
}

}  // namespace netcl::graph
