// The gradient of products with quantised weights: that of the product with the weights made whole.
#include "graph/formula_gradient.hpp"

namespace netcl::graph {

void matmul_quantized_gradients(Backward& backward, const TensorRef& x, const TensorRef& weights,
                                const ops::QuantizedProduct& product) {
  const ops::QuantizedSettings& settings = product.settings;
  for (const TensorRef* tensor : {&settings.scales, &settings.zero_points}) {
    if (*tensor != nullptr && backward.wants(*tensor)) {
      backward.fail_without_derivative("scales and zero points of quantised weights have none");
    }
  }
  const ops::Epilogue& epilogue = product.epilogue;
  const TensorRef grad = activation_gradient(
      backward, {epilogue.activation, epilogue.alpha, epilogue.beta}, backward.grad(),
      backward.result(), [&] {
        ops::QuantizedProduct plain = product;
        plain.epilogue.activation = NETCL_ACTIVATION_NONE;
        plain.settings.dtype = backward.result()->dtype();
        return made<ops::matmul_quantized>(backward, "matmul_quantized", *x, *weights, plain);
      });
  if (backward.wants(x)) {
    backward.check(*weights);
    ops::QuantizedSettings whole = settings;
    whole.dtype = x->dtype();
    const TensorRef w =
        made<ops::dequantize_weights>(backward, "dequantize_weights", *weights, whole);
    const TensorRef wanted =
        grad->dtype() == x->dtype() ? grad : made<ops::cast>(backward, "cast", *grad, x->dtype());
    backward.add(x, made<ops::matmul>(backward, "matmul", *wanted, *w, ops::MatmulParameters()));
  }
  if (epilogue.bias != nullptr) backward.add(epilogue.bias, grad);
  if (epilogue.residual != nullptr) backward.add(epilogue.residual, grad);
}

}  // namespace netcl::graph
