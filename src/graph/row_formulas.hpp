// Gradients of ops over rows as formulas and reductions, which have gradients themselves.
#pragma once

#include "graph/backward.hpp"
#include "ops/rows/norm_gradient.hpp"

namespace netcl::graph {

// As ops::softmax_gradient.
TensorRef softmax_gradient_formulas(const Caller& caller, const TensorRef& y, const TensorRef& grad,
                                    int32_t axis, bool logarithm);
// As ops::norm_gradient.
ops::NormGradient norm_gradient_formulas(const Caller& caller, const TensorRef& x,
                                         const TensorRef& grad, int32_t axis,
                                         const ops::NormSettings& settings, bool wants_x,
                                         bool wants_product);

}  // namespace netcl::graph
