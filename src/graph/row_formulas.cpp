#include "graph/row_formulas.hpp"

#include "graph/channel_norm.hpp"
#include "graph/rule.hpp"

namespace netcl::graph {

namespace {

TensorRef along_rows(const Caller& caller, const TensorRef& tensor, netcl_reduction kind,
                     std::span<const int32_t> axes) {
  ops::ReduceRequest request;
  request.kind = kind;
  request.axes = axes;
  request.keepdims = true;
  return recorded<ops::reduce>(caller, "reduce", TensorRef(), *tensor, request);
}

TensorRef as_wide(const Caller& caller, const TensorRef& tensor) {
  const netcl_dtype wide = wide_dtype(*tensor);
  return tensor->dtype() == wide ? tensor : recorded_formula(caller, "v0", {tensor}, wide);
}

// What the gradients of a normalisation are made of.
struct NormalRows {
  TensorRef variance;
  TensorRef normal;
};

NormalRows normal_rows(const Caller& caller, const TensorRef& x, std::span<const int32_t> axes,
                       const ops::NormSettings& settings) {
  const netcl_dtype wide = wide_dtype(*x);
  TensorRef centred = as_wide(caller, x);
  if (settings.centred) {
    const TensorRef mean = along_rows(caller, centred, NETCL_REDUCTION_MEAN, axes);
    centred = recorded_formula(caller, "v0 - v1", {centred, mean}, 0);
  }
  int64_t count = 1;
  for (const int32_t d : axes) count *= x->layout().shape[static_cast<uint32_t>(d)];
  const std::string mean_of = "v0 / " + literal(static_cast<double>(count));
  NormalRows rows;
  rows.variance =
      recorded_formula(caller, mean_of.c_str(),
                       {along_rows(caller, centred, NETCL_REDUCTION_SUM_SQUARE, axes)}, wide);
  const std::string text = "v0 * rsqrt(v1 + " + literal(settings.epsilon) + ")";
  rows.normal = recorded_formula(caller, text.c_str(), {centred, rows.variance}, wide);
  return rows;
}

}  // namespace

TensorRef softmax_gradient_formulas(const Caller& caller, const TensorRef& y, const TensorRef& grad,
                                    int32_t axis, bool logarithm) {
  const std::span<const int32_t> axes(&axis, 1);
  const TensorRef weighed =
      logarithm ? as_wide(caller, grad)
                : recorded_formula(caller, "v0 * v1", {grad, y}, wide_dtype(*y));
  const TensorRef sum = along_rows(caller, weighed, NETCL_REDUCTION_SUM, axes);
  const char* const text = logarithm ? "v0 - exp(v1) * v2" : "v1 * (v0 - v2)";
  return recorded_formula(caller, text, {grad, y, sum}, y->dtype());
}

ops::NormGradient norm_gradient_formulas(const Caller& caller, const TensorRef& x,
                                         const TensorRef& grad, int32_t axis,
                                         const ops::NormSettings& settings, bool wants_x,
                                         bool wants_product) {
  const netcl_dtype wide = wide_dtype(*x);
  const uint32_t rank = x->layout().rank;
  std::vector<int32_t> axes;
  for (uint32_t d = ops::checked_axis(axis, rank, "axis"); d < rank; ++d) {
    axes.push_back(static_cast<int32_t>(d));
  }
  const auto [variance, normal] = normal_rows(caller, x, axes, settings);
  ops::NormGradient made;
  if (wants_product) {
    made.product = recorded_formula(caller, "v0 * v1", {grad, normal}, wide);
  }
  if (!wants_x) return made;
  const TensorRef scaled =
      settings.scale == nullptr
          ? as_wide(caller, grad)
          : recorded_formula(caller, "v0 * v1", {grad, settings.scale}, wide);
  const TensorRef along =
      along_rows(caller, recorded_formula(caller, "v0 * v1", {scaled, normal}, 0),
                 NETCL_REDUCTION_MEAN, axes);
  std::string text = "rsqrt(v3 + " + literal(settings.epsilon) + ")";
  if (settings.centred) {
    const TensorRef mean = along_rows(caller, scaled, NETCL_REDUCTION_MEAN, axes);
    text += " * (v0 - v4 - v1 * v2)";
    made.x = recorded_formula(caller, text.c_str(), {scaled, normal, along, variance, mean},
                              x->dtype());
  } else {
    text += " * (v0 - v1 * v2)";
    made.x = recorded_formula(caller, text.c_str(), {scaled, normal, along, variance}, x->dtype());
  }
  return made;
}

}  // namespace netcl::graph
