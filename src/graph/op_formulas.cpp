#include "graph/op_formulas.hpp"

#include <algorithm>

#include "graph/rule.hpp"
#include "ops/elementwise/expression_cache.hpp"

namespace netcl::graph {

std::optional<Formula> formula_of(const expression::Tree& tree, std::span<const TensorRef> inputs,
                                  netcl_variant variant, const Tensor& result) {
  if (variant != NETCL_VARIANT_AUTO) return std::nullopt;
  std::vector<netcl_dtype> dtypes;
  for (const TensorRef& input : inputs) dtypes.push_back(input->dtype());
  const auto typed = ops::typed_expression(tree, dtypes.data(),
                                           static_cast<uint32_t>(dtypes.size()), result.dtype());
  return Formula{typed->tree, {inputs.begin(), inputs.end()}};
}

std::optional<Formula> formula_of(const expression::Trees& trees, std::span<const TensorRef> inputs,
                                  netcl_variant variant, std::span<const TensorRef> results) {
  if (variant != NETCL_VARIANT_AUTO) return std::nullopt;
  std::vector<netcl_dtype> read, stored;
  for (const TensorRef& input : inputs) read.push_back(input->dtype());
  for (const TensorRef& result : results) stored.push_back(result->dtype());
  const auto typed =
      ops::typed_expressions(trees, read.data(), static_cast<uint32_t>(read.size()), stored);
  return Formula{typed->tree, {inputs.begin(), inputs.end()}};
}

std::optional<Formula> formula_of(const std::optional<ops::LinearFormula>& formula,
                                  const Tensor& result) {
  if (!formula.has_value()) return std::nullopt;
  return formula_of(*formula->tree, formula->inputs, NETCL_VARIANT_AUTO, result);
}

// Other orders in memory are copied in tiles, which is faster than element by element.
std::optional<Formula> copy_formula(const TensorRef& x, const Tensor& result) {
  if (!x->layout().is_c_contiguous() || !result.layout().is_c_contiguous()) return std::nullopt;
  return formula_of(*ops::ExpressionCache::instance().identity(), {&x, 1}, NETCL_VARIANT_AUTO,
                    result);
}

std::optional<Formula> fill_formula(const ops::Element& value, const Tensor& result) {
  if (std::any_of(value.begin(), value.end(), [](unsigned char byte) { return byte != 0; })) {
    return std::nullopt;
  }
  return formula_of(*ops::ExpressionCache::instance().get("0"), {}, NETCL_VARIANT_AUTO, result);
}

std::optional<Formula> bias_formula(const TensorRef& x, const TensorRef& bias, int32_t axis,
                                    const Tensor& result) {
  const uint32_t rank = x->layout().rank;
  const TensorRef inputs[2] = {x, along_axis(*bias, rank, ops::checked_axis(axis, rank, "axis"))};
  return formula_of(*ops::ExpressionCache::instance().get("v0 + v1"), inputs, NETCL_VARIANT_AUTO,
                    result);
}

// One whose input was broadcast is a sum.
std::optional<Formula> gradient_formula(const expression::Tree& tree,
                                        std::span<const TensorRef> inputs, uint32_t input,
                                        const TensorRef& grad, const TensorRef& out,
                                        const Tensor& result) {
  if (!inputs[input]->layout().same_shape(grad->layout())) return std::nullopt;
  std::vector<TensorRef> operands(inputs.begin(), inputs.end());
  operands.push_back(grad);
  if (out != nullptr) operands.push_back(out);
  return formula_of(tree, operands, NETCL_VARIANT_AUTO, result);
}

}  // namespace netcl::graph
