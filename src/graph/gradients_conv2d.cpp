// Gradients of convolutions, which are convolutions too.
#include <algorithm>

#include "core/number.hpp"
#include "graph/formula_gradient.hpp"

namespace netcl::graph {

namespace {

// Padding may be negative here: that many rows or columns are taken away.
TensorRef cropped(const TensorRef& image, std::array<int64_t, 4>* padding) {
  TensorRef part = image;
  for (uint32_t i = 0; i < 4; ++i) {
    int64_t& amount = (*padding)[i];
    if (amount >= 0) continue;
    const uint32_t axis = 2 + i % 2;
    const int64_t left = part->layout().shape[axis] + amount;
    part = part_of(*part, axis, i < 2 ? -amount : 0, left);
    amount = 0;
  }
  return part;
}

TensorRef convolved(const Backward& backward, const TensorRef& image, const TensorRef& filters,
                    ops::Conv2dParameters parameters) {
  const TensorRef part = cropped(image, &parameters.padding);
  return made<ops::conv2d>(backward, "conv2d", part, filters, parameters);
}

// Zeros between the rows and columns, `strides` apart then.
TensorRef dilated(const Backward& backward, const TensorRef& grad,
                  const std::array<int64_t, 2>& strides) {
  if (strides[0] == 1 && strides[1] == 1) return grad;
  Layout wide = grad->layout();
  for (int i = 0; i < 2; ++i) wide.shape[2 + i] = (wide.shape[2 + i] - 1) * strides[i] + 1;
  const TensorRef image = Tensor::allocate(grad->device_ref(), grad->dtype(), 4, wide.shape.data());
  recorded<ops::filled>(backward.caller(), "fill", image, ops::Element{});
  Layout places = grad->layout();
  places.offset = image->layout().offset;
  for (int i = 0; i < 4; ++i) {
    places.strides[i] = image->layout().strides[i] * (i < 2 ? 1 : strides[i - 2]);
  }
  recorded<ops::copy>(backward.caller(), "copy", with_layout(*image, places), *grad);
  return image;
}

// [F, C / groups, KH, KW] as [C, F / groups, KH, KW], turned round in both directions.
TensorRef turned_filters(const Backward& backward, const TensorRef& w, int64_t groups) {
  const Layout& from = w->layout();
  Layout turned;
  turned.rank = 5;
  turned.shape = {groups, from.shape[1], from.shape[0] / groups, from.shape[2], from.shape[3]};
  turned.strides = {from.strides[0] * turned.shape[2], from.strides[1], from.strides[0],
                    -from.strides[2], -from.strides[3]};
  turned.offset =
      from.offset + (from.shape[2] - 1) * from.strides[2] + (from.shape[3] - 1) * from.strides[3];
  backward.check(*w);
  const TensorRef packed =
      recorded<ops::copy>(backward.caller(), "copy", TensorRef(), *with_layout(*w, turned));
  const int64_t shape[4] = {groups * turned.shape[1], turned.shape[2], turned.shape[3],
                            turned.shape[4]};
  return reshape_view(*packed, packed_layout(4, shape));
}

void add_image_gradient(Backward& backward, const TensorRef& x, const TensorRef& w,
                        const TensorRef& grad, const ops::Conv2dParameters& parameters) {
  if (!backward.wants(x)) return;
  ops::Conv2dParameters back;
  back.dilations = parameters.dilations;
  back.groups = parameters.groups;
  const TensorRef image = dilated(backward, grad, parameters.strides);
  for (int i = 0; i < 2; ++i) {
    const int64_t span = parameters.dilations[i] * (w->layout().shape[2 + i] - 1);
    back.padding[i] = span - parameters.padding[i];
    back.padding[2 + i] =
        x->layout().shape[2 + i] + span - image->layout().shape[2 + i] - back.padding[i];
  }
  backward.add(x, convolved(backward, image, turned_filters(backward, w, parameters.groups), back));
}

// The images take the place of channels: a sum over all of them is what a filter's gradient is.
void add_filter_gradient(Backward& backward, const TensorRef& x, const TensorRef& w,
                         const TensorRef& grad, const ops::Conv2dParameters& parameters) {
  if (!backward.wants(w)) return;
  backward.check(*x);
  static constexpr uint32_t kSwapped[4] = {1, 0, 2, 3};
  ops::Conv2dParameters back;
  back.strides = parameters.dilations;
  back.dilations = parameters.strides;
  for (int i = 0; i < 2; ++i) {
    back.padding[i] = parameters.padding[i];
    back.padding[2 + i] = parameters.dilations[i] * (w->layout().shape[2 + i] - 1) + 1 +
                          parameters.strides[i] * (grad->layout().shape[2 + i] - 1) -
                          x->layout().shape[2 + i] - parameters.padding[i];
  }
  const int64_t filters = w->layout().shape[0] / parameters.groups;
  const int64_t channels = w->layout().shape[1];
  for (int64_t group = 0; group < parameters.groups; ++group) {
    const TensorRef images = permuted(*part_of(*x, 1, group * channels, channels), kSwapped);
    const TensorRef by = permuted(*part_of(*grad, 1, group * filters, filters), kSwapped);
    const TensorRef sums = convolved(backward, images, by, back);
    backward.add(part_of(*w, 0, group * filters, filters), permuted(*sums, kSwapped));
  }
}

// What a batch normalisation inside a convolution was given: the sums with their bias.
TensorRef plain_sums(const Backward& backward, const TensorRef& x, const TensorRef& w,
                     const ops::Conv2dParameters& parameters) {
  ops::Conv2dParameters plain = parameters;
  plain.has_batchnorm = false;
  plain.batchnorm = {};
  plain.epilogue.activation = NETCL_ACTIVATION_NONE;
  plain.epilogue.residual = nullptr;
  return made<ops::conv2d>(backward, "conv2d", x, w, plain);
}

// Through the normalisation, whose tensors get theirs on the way.
TensorRef through_batchnorm(Backward& backward, const TensorRef& x, const TensorRef& w,
                            const TensorRef& grad, const ops::Conv2dParameters& parameters) {
  if (!parameters.has_batchnorm) return grad;
  const ops::Conv2dBatchnorm& norm = parameters.batchnorm;
  const auto channels = [](const TensorRef& tensor) {
    return tensor == nullptr ? nullptr : along_axis(*tensor, 4, 1);
  };
  const TensorRef mean = channels(norm.mean);
  const TensorRef variance = channels(norm.variance);
  const TensorRef scale = channels(norm.scale);
  const std::string root = "rsqrt(v1 + " + number_text(norm.epsilon) + ")";
  if (norm.bias != nullptr) backward.add(channels(norm.bias), grad);
  const netcl_dtype dtype = grad->dtype();
  const std::string factor = "v0 * " + root + (scale == nullptr ? "" : " * v2");
  const TensorRef through = scale == nullptr
                                ? formula(backward, factor.c_str(), {grad, variance}, dtype)
                                : formula(backward, factor.c_str(), {grad, variance, scale}, dtype);
  if (backward.wants(norm.mean)) backward.add(mean, formula(backward, "-v0", {through}));
  if (!backward.wants(norm.scale) && !backward.wants(norm.variance)) return through;
  const TensorRef sums = plain_sums(backward, x, w, parameters);
  if (backward.wants(norm.scale)) {
    const std::string text = "v0 * (v2 - v3) * " + root;
    backward.add(scale, formula(backward, text.c_str(), {grad, variance, sums, mean}, dtype));
  }
  if (backward.wants(norm.variance)) {
    const std::string text = "-0.5 * v0 * (v2 - v3) / (v1 + " + number_text(norm.epsilon) + ")";
    backward.add(variance, formula(backward, text.c_str(), {through, variance, sums, mean}, dtype));
  }
  return through;
}

}  // namespace

void conv2d_gradients(Backward& backward, const TensorRef& x, const TensorRef& w,
                      const ops::Conv2dParameters& parameters) {
  const ops::Epilogue& epilogue = parameters.epilogue;
  TensorRef grad =
      activation_gradient(backward, {epilogue.activation, epilogue.alpha, epilogue.beta},
                          backward.grad(), backward.result(), [&] {
                            ops::Conv2dParameters plain = parameters;
                            plain.epilogue.activation = NETCL_ACTIVATION_NONE;
                            return made<ops::conv2d>(backward, "conv2d", x, w, plain);
                          });
  if (epilogue.residual != nullptr) backward.add(epilogue.residual, grad);
  grad = through_batchnorm(backward, x, w, grad, parameters);
  if (epilogue.bias != nullptr) backward.add(along_axis(*epilogue.bias, 4, 1), grad);
  if (grad->empty()) return;
  add_image_gradient(backward, x, w, grad, parameters);
  add_filter_gradient(backward, x, w, grad, parameters);
}

}  // namespace netcl::graph
