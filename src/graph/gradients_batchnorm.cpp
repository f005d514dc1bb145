// Gradients of batch normalisation.
#include "core/number.hpp"
#include "graph/formula_gradient.hpp"

namespace netcl::graph {

namespace {

// The call in formulas: y = activation((x - mean) * rsqrt(variance + epsilon) * scale + bias), with
// the parameters laid along the channels and all that is worked out in f32, or f64 for f64.
struct Normalisation {
  Backward& backward;
  const TensorRef& x;
  netcl_dtype wide;
  std::vector<int32_t> axes;  // all but the channels
  TensorRef mean, variance, scale, bias;
  std::string root;  // of v1, the variance

  TensorRef along(const TensorRef& parameter) const {
    return parameter == nullptr ? nullptr : along_axis(*parameter, x->layout().rank, 1);
  }
  TensorRef averaged(const TensorRef& tensor) const {
    ops::ReduceRequest request;
    request.kind = NETCL_REDUCTION_MEAN;
    request.axes = axes;
    request.keepdims = true;
    return made<ops::reduce>(backward, "reduce", *tensor, request);
  }
  TensorRef normal() const {
    const std::string text = "(v0 - v2) * " + root;
    return formula(backward, text.c_str(), {x, variance, mean}, wide);
  }
  // What the activation was given.
  TensorRef result_of(const TensorRef& normal) const {
    TensorRef value = normal;
    if (scale != nullptr) value = formula(backward, "v0 * v1", {value, scale}, wide);
    if (bias != nullptr) value = formula(backward, "v0 + v1", {value, bias}, wide);
    return value;
  }
};

void take_statistics(Normalisation* norm, const TensorRef& mean, const TensorRef& variance,
                     bool training) {
  if (!training) {
    norm->mean = norm->along(mean);
    norm->variance = norm->along(variance);
    return;
  }
  norm->mean = norm->averaged(formula(norm->backward, "v0", {norm->x}, norm->wide));
  norm->variance =
      norm->averaged(formula(norm->backward, "square(v0 - v1)", {norm->x, norm->mean}, norm->wide));
}

void add_of_x(const Normalisation& norm, const TensorRef& grad, const TensorRef& normal,
              bool training) {
  Backward& backward = norm.backward;
  const TensorRef scaled =
      norm.scale == nullptr ? grad : formula(backward, "v0 * v1", {grad, norm.scale}, norm.wide);
  if (!training) {
    const std::string text = "v0 * " + norm.root;
    return backward.add(norm.x,
                        formula(backward, text.c_str(), {scaled, norm.variance}, norm.x->dtype()));
  }
  const TensorRef mean = norm.averaged(scaled);
  const TensorRef along = norm.averaged(formula(backward, "v0 * v1", {scaled, normal}));
  const std::string text = norm.root + " * (v0 - v2 - v3 * v4)";
  backward.add(norm.x, formula(backward, text.c_str(), {scaled, norm.variance, mean, normal, along},
                               norm.x->dtype()));
}

// In inference the statistics are operands like the parameters.
void add_of_statistics(const Normalisation& norm, const TensorRef& grad, const TensorRef& normal,
                       const TensorRef& mean, const TensorRef& variance, double epsilon) {
  Backward& backward = norm.backward;
  const TensorRef scaled =
      norm.scale == nullptr ? grad : formula(backward, "v0 * v1", {grad, norm.scale}, norm.wide);
  if (backward.wants(mean)) {
    const std::string text = "-v0 * " + norm.root;
    backward.add(norm.mean, formula(backward, text.c_str(), {scaled, norm.variance}, norm.wide));
  }
  if (backward.wants(variance)) {
    const std::string text = "-0.5 * v0 * v2 / (v1 + " + number_text(epsilon) + ")";
    backward.add(norm.variance,
                 formula(backward, text.c_str(), {scaled, norm.variance, normal}, norm.wide));
  }
}

}  // namespace

void batchnorm_gradients(Backward& backward, const TensorRef& x, const TensorRef& mean,
                         const TensorRef& variance, const ops::BatchnormSettings& settings) {
  if (settings.training && (backward.grad(1) != nullptr || backward.grad(2) != nullptr)) {
    backward.fail_without_derivative("of what training makes of mean and variance");
  }
  Normalisation norm{backward, x,  x->dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32,    {}, {}, {},
                     {},       {}, "rsqrt(v1 + " + number_text(settings.epsilon) + ")"};
  for (uint32_t d = 0; d < x->layout().rank; ++d) {
    if (d != 1) norm.axes.push_back(static_cast<int32_t>(d));
  }
  norm.scale = norm.along(settings.scale);
  norm.bias = norm.along(settings.bias);
  take_statistics(&norm, mean, variance, settings.training);
  const TensorRef normal = norm.normal();
  const TensorRef grad =
      formula(backward, "v0",
              {activation_gradient(backward, {settings.activation, settings.alpha, settings.beta},
                                   backward.grad(), backward.result(),
                                   [&] { return norm.result_of(normal); })},
              norm.wide);
  if (norm.bias != nullptr) backward.add(norm.bias, grad);
  if (backward.wants(settings.scale)) {
    backward.add(norm.scale, formula(backward, "v0 * v1", {grad, normal}, norm.wide));
  }
  if (backward.wants(x)) add_of_x(norm, grad, normal, settings.training);
  if (!settings.training) {
    add_of_statistics(norm, grad, normal, mean, variance, settings.epsilon);
  }
}

}  // namespace netcl::graph
