// Gradients of matrix products.
#include "core/number.hpp"
#include "graph/formula_gradient.hpp"

namespace netcl::graph {

namespace {

// Operands as matrices with their batch in front, and the gradient in the shape that their product
// has then.
struct Product {
  TensorRef a;
  TensorRef b;
  TensorRef grad;
};

Product as_matrices(const TensorRef& a, const TensorRef& b, const TensorRef& grad) {
  Product product{a, b, grad};
  if (b->layout().rank == 1) {
    product.b = with_unit(*b, 1);
    product.grad = with_unit(*grad, grad->layout().rank);
  }
  if (a->layout().rank == 1) {
    product.a = with_unit(*a, 0);
    product.grad = with_unit(*product.grad, product.grad->layout().rank - 1);
  }
  return product;
}

TensorRef flattened(const Tensor& tensor) {
  const Layout& layout = tensor.layout();
  const int64_t columns = layout.shape[layout.rank - 1];
  const int64_t shape[2] = {columns == 0 ? 0 : layout.element_count() / columns, columns};
  return reshape_view(tensor, packed_layout(2, shape));
}

// One matrix b for all of a: one large product in place of many whose results are summed.
void flatten(Product* product) {
  if (product->b->layout().rank != 2 || product->a->layout().rank <= 2) return;
  if (product->a->layout().element_count() == 0) return;
  const TensorRef a = flattened(*product->a);
  const TensorRef grad = flattened(*product->grad);
  if (a == nullptr || grad == nullptr) return;
  product->a = a;
  product->grad = grad;
}

TensorRef converted(const Backward& backward, const TensorRef& tensor, netcl_dtype dtype) {
  if (tensor->dtype() == dtype) return tensor;
  return made<ops::cast>(backward, "cast", *tensor, dtype);
}

void add_products(Backward& backward, const TensorRef& a, const TensorRef& b, const TensorRef& grad,
                  double alpha, netcl_precision precision) {
  if (!backward.wants(a) && !backward.wants(b)) return;
  Product product = as_matrices(a, b, converted(backward, grad, a->dtype()));
  flatten(&product);
  ops::MatmulParameters parameters;
  parameters.alpha = alpha;
  parameters.precision = precision;
  if (backward.wants(a)) {
    backward.check(*b);
    backward.add(product.a, made<ops::matmul>(backward, "matmul", *product.grad,
                                              *transposed(*product.b), parameters));
  }
  if (backward.wants(b)) {
    backward.check(*a);
    backward.add(product.b, made<ops::matmul>(backward, "matmul", *transposed(*product.a),
                                              *product.grad, parameters));
  }
}

}  // namespace

void matmul_gradients(Backward& backward, const TensorRef& a, const TensorRef& b,
                      const ops::MatmulParameters& parameters) {
  const ops::Epilogue& epilogue = parameters.epilogue;
  const TensorRef& result = backward.result();
  const TensorRef grad = activation_gradient(
      backward, {epilogue.activation, epilogue.alpha, epilogue.beta}, backward.grad(), result, [&] {
        if (parameters.beta != 0.0) {
          backward.fail_without_derivative(
              "its activation needs what was in the result before, which is gone");
        }
        ops::MatmulParameters plain = parameters;
        plain.epilogue.activation = NETCL_ACTIVATION_NONE;
        plain.dtype = result->dtype();
        return made<ops::matmul>(backward, "matmul", *a, *b, plain);
      });
  add_products(backward, a, b, grad, parameters.alpha, parameters.precision);
  if (epilogue.bias != nullptr) backward.add(epilogue.bias, grad);
  if (epilogue.residual != nullptr) backward.add(epilogue.residual, grad);
  if (parameters.beta != 0.0 && backward.wants(result)) {
    const std::string text = "v0 * " + literal(parameters.beta);
    backward.add(result, formula(backward, text.c_str(), {grad}, result->dtype()));
  }
}

}  // namespace netcl::graph
