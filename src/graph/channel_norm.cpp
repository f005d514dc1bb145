#include "graph/channel_norm.hpp"

#include "core/number.hpp"

namespace netcl::graph {

netcl_dtype wide_dtype(const Tensor& tensor) {
  return tensor.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
}

TensorRef widened(const Backward& backward, const TensorRef& tensor) {
  if (tensor->dtype() != wide_dtype(*tensor)) {
    return formula(backward, "v0", {tensor}, wide_dtype(*tensor));
  }
  backward.check(*tensor);
  return tensor;
}

TensorRef per_channel(const Tensor& tensor, uint32_t rank) {
  Layout layout;
  layout.rank = rank;
  layout.offset = tensor.layout().offset;
  layout.shape.fill(1);
  layout.shape[1] = tensor.layout().shape[0];
  layout.strides[1] = tensor.layout().strides[0];
  return with_layout(tensor, layout);
}

TensorRef per_channel(const Backward& backward, const TensorRef& tensor, uint32_t rank,
                      netcl_dtype dtype) {
  const TensorRef view = per_channel(*tensor, rank);
  backward.check(*view);
  return view->dtype() == dtype ? view : made<ops::cast>(backward, "cast", *view, dtype);
}

TensorRef channel_sums(const Backward& backward, const TensorRef& tensor) {
  Layout shape = tensor->layout();
  for (uint32_t d = 0; d < shape.rank; ++d) {
    if (d != 1) shape.shape[d] = 1;
  }
  return summed_to(backward.caller(), tensor, shape, wide_dtype(*tensor));
}

TensorRef channel_squares(const Backward& backward, const TensorRef& tensor) {
  std::vector<int32_t> axes;
  for (uint32_t d = 0; d < tensor->layout().rank; ++d) {
    if (d != 1) axes.push_back(static_cast<int32_t>(d));
  }
  ops::ReduceRequest request;
  request.kind = NETCL_REDUCTION_SUM_SQUARE;
  request.axes = axes;
  request.keepdims = true;
  return made<ops::reduce>(backward, "reduce", *tensor, request);
}

TensorRef channel_factor(const Backward& backward, const TensorRef& scale,
                         const TensorRef& variance, double epsilon) {
  const std::string root = "rsqrt(v0 + " + literal(epsilon) + ")";
  if (scale == nullptr) return formula(backward, root.c_str(), {variance});
  const uint32_t rank = variance->layout().rank;
  return formula(backward, (root + " * v1").c_str(),
                 {variance, per_channel(backward, scale, rank, variance->dtype())});
}

void add_channel_gradients(Backward& backward, const ChannelNorm& norm, const TensorRef& grad,
                           const std::function<TensorRef()>& make_given) {
  const uint32_t rank = grad->layout().rank;
  const netcl_dtype wide = wide_dtype(*grad);
  if (backward.wants(norm.bias)) backward.add(per_channel(*norm.bias, rank), grad);
  const bool squares = backward.wants(norm.scale) || backward.wants(norm.variance);
  if (!squares && !backward.wants(norm.mean)) return;
  const TensorRef variance = per_channel(backward, norm.variance, rank, wide);
  const TensorRef factor = channel_factor(backward, norm.scale, variance, norm.epsilon);
  if (backward.wants(norm.mean)) {
    backward.add(per_channel(*norm.mean, rank),
                 formula(backward, "-v0 * v1", {channel_sums(backward, grad), factor}, wide));
  }
  if (!squares) return;
  const TensorRef mean = per_channel(backward, norm.mean, rank, wide);
  const TensorRef weighed =
      channel_sums(backward, formula(backward, "v0 * (v1 - v2)", {grad, make_given(), mean}, wide));
  const std::string epsilon = literal(norm.epsilon);
  if (backward.wants(norm.scale)) {
    const std::string text = "v0 * rsqrt(v1 + " + epsilon + ")";
    backward.add(per_channel(*norm.scale, rank),
                 formula(backward, text.c_str(), {weighed, variance}, wide));
  }
  if (backward.wants(norm.variance)) {
    const std::string text = "v0 * v2 / (v1 + " + epsilon + ") * -0.5";
    backward.add(per_channel(*norm.variance, rank),
                 formula(backward, text.c_str(), {weighed, variance, factor}, wide));
  }
}

}  // namespace netcl::graph
