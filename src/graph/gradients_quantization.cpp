// The gradient of dequantising: that of the scale. Whole numbers are constants, whatever they were
// made of.
#include "graph/formula_gradient.hpp"
#include "graph/op_gradients.hpp"

namespace netcl::graph {

void dequantize_gradients(Backward& backward, const TensorRef& x, const TensorRef& scale,
                          int32_t axis, const ops::DequantizeSettings& settings) {
  if (!backward.wants(scale)) return;
  const std::optional<ops::LinearFormula> formula =
      ops::dequantize_formula(x, scale, axis, settings);
  if (!formula.has_value()) backward.fail_without_derivative("it has blocks");
  const TensorRef grad =
      formula_gradient(backward, *formula->tree, formula->inputs, 1, backward.grad());
  if (grad != nullptr) backward.add(formula->inputs[1], grad);
}

}  // namespace netcl::graph
