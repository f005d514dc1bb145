// Gradients of losses. Labels and weights of classes are constants.
#include "graph/rule.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

void refuse_weights(const Backward& backward, const ops::LossSettings& settings) {
  if (backward.wants(settings.weights)) {
    backward.fail_without_derivative("options->weights is a constant");
  }
}

TensorRef reduced(const Backward& backward, const TensorRef& tensor,
                  std::span<const int32_t> axes) {
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_SUM;
  request.axes = axes;
  request.keepdims = !axes.empty();
  return made<ops::reduce>(backward, "reduce", *tensor, request);
}

}  // namespace

void cross_entropy_gradients(Backward& backward, const TensorRef& x, const TensorRef& labels,
                             int32_t axis, bool logarithms, const ops::LossSettings& settings) {
  refuse_weights(backward, settings);
  if (!backward.wants(x)) return;
  const uint32_t along = ops::checked_axis(axis, x->layout().rank, "axis");
  const TensorRef scale = made<ops::label_scale>(backward, "label_scale", *labels, *backward.grad(),
                                                 x->layout().shape[along], along, settings);
  if (!logarithms) {
    backward.add(x, made<ops::cross_entropy_gradient>(backward, "cross_entropy_gradient", *x,
                                                      *labels, *scale, axis));
    return;
  }
  // One element of each row is there; a label that is left out has the scale 0.
  const TensorRef updates = formula(backward, "-v0", {scale}, x->dtype());
  const TensorRef zeros = zeros_like(backward, *x);
  backward.add(x, recorded<ops::scatter>(backward.caller(), "scatter", zeros, zeros,
                                         *with_unit(*labels, along), *updates, axis,
                                         netcl_scatter_mode{NETCL_SCATTER_ASSIGN}, false));
}

// It is linear in the gradient that comes in.
void label_scale_gradients(Backward& backward, const TensorRef& labels, const TensorRef& grad,
                           int64_t classes, uint32_t axis, const ops::LossSettings& settings) {
  refuse_weights(backward, settings);
  if (!backward.wants(grad)) return;
  const Layout& shape = grad->layout();
  const TensorRef ones =
      ops::new_tensor(grad->dtype(), shape.rank, shape.shape.data(), backward.run());
  recorded_formula(backward.caller(), "1", {}, grad->dtype(), ones);
  const TensorRef unit =
      made<ops::label_scale>(backward, "label_scale", *labels, *ones, classes, axis, settings);
  TensorRef part = formula(backward, "v0 * v1", {backward.grad(), unit});
  if (settings.reduction != NETCL_LOSS_NONE) {
    part = reduced(backward, part, {});
  } else {
    part = reshape_view(*part, packed_layout(shape.rank, shape.shape.data()));
  }
  backward.add(grad, part);
}

// Of scale (p - 1 at the label), with p = softmax(x) and the gradient G that comes in: scale p (G -
// sum p G) for x, and sum p G - G[label] for scale.
void cross_entropy_gradient_gradients(Backward& backward, const TensorRef& x,
                                      const TensorRef& labels, const TensorRef& scale,
                                      int32_t axis) {
  if (!backward.wants(x) && !backward.wants(scale)) return;
  const TensorRef& grad = backward.grad();
  const TensorRef p = made<ops::softmax>(backward, "softmax", *x, axis, false);
  const TensorRef sum = reduced(backward, formula(backward, "v0 * v1", {p, grad}, scale->dtype()),
                                std::span<const int32_t>(&axis, 1));
  if (backward.wants(x)) {
    backward.add(x, formula(backward, "v0 * v1 * (v2 - v3)", {scale, p, grad, sum}, x->dtype()));
  }
  if (!backward.wants(scale)) return;
  const uint32_t along = ops::checked_axis(axis, x->layout().rank, "axis");
  const TensorRef at_label = made<ops::gather_elements>(backward, "gather_elements", *grad,
                                                        *with_unit(*labels, along), axis);
  backward.add(scale, formula(backward, "v0 - v1", {sum, at_label}, scale->dtype()));
}

}  // namespace netcl::graph
