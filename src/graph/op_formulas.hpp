// Which ops are elementwise expressions, and of what. A formula gets the result and the arguments
// of its op; it has none where a call asks for a kernel of its own, or has a better one. And which
// are normalisations, by the arguments of the op.
#pragma once

#include "graph/node.hpp"
#include "graph/primitive_call.hpp"
#include "graph/primitive_gradient.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/elementwise_op.hpp"
#include "ops/move/move.hpp"
#include "ops/quantization/quantize.hpp"
#include "ops/rows/batchnorm.hpp"

namespace netcl::graph {

// An expression for these inputs, whose result has this dtype.
std::optional<Formula> formula_of(const expression::Tree& tree, std::span<const TensorRef> inputs,
                                  netcl_variant variant, const Tensor& result);
// The same of several expressions, with these results.
std::optional<Formula> formula_of(const expression::Trees& trees, std::span<const TensorRef> inputs,
                                  netcl_variant variant, std::span<const TensorRef> results);
std::optional<Formula> copy_formula(const TensorRef& x, const Tensor& result);
std::optional<Formula> fill_formula(const ops::Element& value, const Tensor& result);
std::optional<Formula> bias_formula(const TensorRef& x, const TensorRef& bias, int32_t axis,
                                    const Tensor& result);
std::optional<Formula> gradient_formula(const expression::Tree& tree,
                                        std::span<const TensorRef> inputs, uint32_t input,
                                        const TensorRef& grad, const TensorRef& out,
                                        const Tensor& result);

template <auto Op>
struct Formulas {};
template <>
struct Formulas<ops::expression> {
  static auto of(const Tensor& result, const expression::Tree& tree,
                 std::span<const TensorRef> inputs, netcl_dtype, netcl_variant variant) {
    return formula_of(tree, inputs, variant, result);
  }
};
template <>
struct Formulas<ops::expressions> {
  static auto of_all(std::span<const TensorRef> results, const expression::Trees& trees,
                     std::span<const TensorRef> inputs, std::span<const netcl_dtype>,
                     netcl_variant variant) {
    return formula_of(trees, inputs, variant, results);
  }
};
template <>
struct Formulas<ops::elementwise> {
  static auto of(const Tensor& result, netcl_elementwise op, std::span<const TensorRef> inputs,
                 const ops::ElementwiseParameters& parameters, netcl_dtype, netcl_variant variant) {
    return formula_of(*ops::elementwise_tree(op, inputs, parameters), inputs, variant, result);
  }
};
template <>
struct Formulas<ops::bias_add> {
  static auto of(const Tensor& result, const TensorRef& x, const TensorRef& bias, int32_t axis) {
    return bias_formula(x, bias, axis, result);
  }
};
template <>
struct Formulas<ops::copy> {
  static auto of(const Tensor& result, const TensorRef& x) { return copy_formula(x, result); }
};
template <>
struct Formulas<ops::cast> {
  static auto of(const Tensor& result, const TensorRef& x, netcl_dtype) {
    return copy_formula(x, result);
  }
};
template <>
struct Formulas<ops::filled> {
  static auto of(const Tensor& result, const ops::Element& value) {
    return fill_formula(value, result);
  }
};
std::optional<Formula> formula_of(const std::optional<ops::LinearFormula>& formula,
                                  const Tensor& result);
template <>
struct Formulas<ops::quantize_linear> {
  static auto of(const Tensor& result, const TensorRef& x, const TensorRef& scale, int32_t axis,
                 const ops::QuantizeSettings& settings) {
    return formula_of(ops::quantize_formula(x, scale, axis, settings, result.dtype()), result);
  }
};
template <>
struct Formulas<ops::dequantize_linear> {
  static auto of(const Tensor& result, const TensorRef& x, const TensorRef& scale, int32_t axis,
                 const ops::DequantizeSettings& settings) {
    return formula_of(ops::dequantize_formula(x, scale, axis, settings), result);
  }
};
template <>
struct Formulas<primitive> {
  static auto of(const Tensor& result, const PrimitiveCall& call,
                 std::span<const TensorRef> inputs) {
    return formula_of(call.tree(), inputs, NETCL_VARIANT_AUTO, result);
  }
};
template <>
struct Formulas<primitive_gradient> {
  static auto of(const Tensor& result, const expression::Tree& tree,
                 std::span<const TensorRef> inputs, uint32_t input, const TensorRef& grad,
                 const TensorRef& out) {
    return gradient_formula(tree, inputs, input, grad, out, result);
  }
};

template <auto Op>
struct Normalizations {};
template <>
struct Normalizations<ops::batchnorm> {
  static std::optional<Normalization> of(const TensorRef& x, const TensorRef& mean,
                                         const TensorRef& variance,
                                         const ops::BatchnormSettings& settings) {
    if (settings.training || settings.variant != NETCL_VARIANT_AUTO) return std::nullopt;
    return Normalization{x,        settings.scale,   settings.bias,       mean,
                         variance, settings.epsilon, settings.activation, settings.alpha,
                         settings.beta};
  }
};

}  // namespace netcl::graph
