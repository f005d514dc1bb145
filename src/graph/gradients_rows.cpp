// Gradients of softmax and of normalisations.
#include "core/number.hpp"
#include "graph/channel_norm.hpp"
#include "graph/rule.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

namespace {

TensorRef reduced(const Backward& backward, const TensorRef& tensor, netcl_reduction kind,
                  std::span<const int32_t> axes) {
  ops::ReduceRequest request;
  request.kind = kind;
  request.axes = axes;
  request.keepdims = true;
  return made<ops::reduce>(backward, "reduce", *tensor, request);
}

}  // namespace

void softmax_gradients(Backward& backward, const TensorRef& x, int32_t axis, bool logarithm) {
  if (!backward.wants(x)) return;
  const netcl_dtype wide = wide_dtype(*x);
  const TensorRef& y = backward.result();
  const TensorRef& grad = backward.grad();
  const std::span<const int32_t> axes(&axis, 1);
  const TensorRef weighed =
      logarithm ? widened(backward, grad) : formula(backward, "v0 * v1", {grad, y}, wide);
  const TensorRef sum = reduced(backward, weighed, NETCL_REDUCTION_SUM, axes);
  const char* const text = logarithm ? "v0 - exp(v1) * v2" : "v1 * (v0 - v2)";
  backward.add(x, formula(backward, text, {grad, y, sum}, x->dtype()));
}

void norm_gradients(Backward& backward, const TensorRef& x, int32_t axis,
                    const ops::NormSettings& settings) {
  const netcl_dtype wide = wide_dtype(*x);
  const uint32_t rank = x->layout().rank;
  std::vector<int32_t> axes;
  for (uint32_t d = ops::checked_axis(axis, rank, "axis"); d < rank; ++d) {
    axes.push_back(static_cast<int32_t>(d));
  }
  const TensorRef& grad = backward.grad();
  if (settings.bias != nullptr) backward.add(settings.bias, grad);
  if (!backward.wants(x) && !backward.wants(settings.scale)) return;
  TensorRef centred = widened(backward, x);
  if (settings.centred) {
    const TensorRef mean = reduced(backward, centred, NETCL_REDUCTION_MEAN, axes);
    centred = formula(backward, "v0 - v1", {centred, mean});
  }
  int64_t count = 1;
  for (const int32_t d : axes) count *= x->layout().shape[static_cast<uint32_t>(d)];
  const std::string mean_of = "v0 / " + literal(static_cast<double>(count));
  const TensorRef variance =
      formula(backward, mean_of.c_str(),
              {reduced(backward, centred, NETCL_REDUCTION_SUM_SQUARE, axes)}, wide);
  const std::string text = "v0 * rsqrt(v1 + " + literal(settings.epsilon) + ")";
  const TensorRef normal = formula(backward, text.c_str(), {centred, variance}, wide);
  if (backward.wants(settings.scale)) {
    backward.add(settings.scale, formula(backward, "v0 * v1", {grad, normal}, wide));
  }
  if (!backward.wants(x)) return;
  const TensorRef scaled = settings.scale == nullptr
                               ? widened(backward, grad)
                               : formula(backward, "v0 * v1", {grad, settings.scale}, wide);
  const TensorRef along =
      reduced(backward, formula(backward, "v0 * v1", {scaled, normal}), NETCL_REDUCTION_MEAN, axes);
  const std::string rest = "rsqrt(v3 + " + literal(settings.epsilon) + ")";
  if (settings.centred) {
    const TensorRef mean = reduced(backward, scaled, NETCL_REDUCTION_MEAN, axes);
    const std::string whole = rest + " * (v0 - v4 - v1 * v2)";
    backward.add(
        x, formula(backward, whole.c_str(), {scaled, normal, along, variance, mean}, x->dtype()));
  } else {
    const std::string whole = rest + " * (v0 - v1 * v2)";
    backward.add(x,
                 formula(backward, whole.c_str(), {scaled, normal, along, variance}, x->dtype()));
  }
}

}  // namespace netcl::graph
