// Gradients of 2-d convolutions.
//
// Whatever the stride is, the inputs whose places have the same remainder by it are a convolution
// of stride 1: of the gradient with those of the turned filters that meet them. So nothing is
// multiplied by zeros between the elements of the gradient.
//
// The gradient of the filters is a matrix product of the gradient with all windows side by side.
#include <algorithm>
#include <numeric>

#include "graph/channel_norm.hpp"
#include "graph/formula_gradient.hpp"
#include "graph/op_gradients.hpp"

namespace netcl::graph {

namespace {

// Windows that are side by side in memory at a time, in bytes.
constexpr int64_t kWindowBytes = int64_t{64} << 20;

struct Convolution {
  Backward& backward;
  const TensorRef& x;
  const TensorRef& w;
  const ops::Conv2dParameters& parameters;
  TensorRef grad;  // of the sums

  int64_t filters() const { return w->layout().shape[0] / parameters.groups; }
  int64_t channels() const { return w->layout().shape[1]; }
};

// ---- The input ---------------------------------------------------------------------------------

// Along one axis, the inputs at remainder, remainder + stride, ...
struct Phase {
  int64_t remainder = 0;
  int64_t count = 0;
  // Filter positions that meet them, in the turned filters.
  int64_t first_tap = 0;
  int64_t tap_step = 1;
  int64_t taps = 0;
  // Elements of the gradient that do, and what they are convolved with.
  int64_t first = 0;
  int64_t results = 0;
  int64_t dilation = 1;
  int64_t before = 0;
  int64_t after = 0;
};

// Without taps or results when nothing meets them.
Phase phase_of(const Convolution& c, size_t side, int64_t remainder) {
  const int64_t stride = c.parameters.strides[side];
  const int64_t dilation = c.parameters.dilations[side];
  const int64_t kernel = c.w->layout().shape[2 + side];
  const int64_t results = c.grad->layout().shape[2 + side];
  const int64_t common = std::gcd(stride, dilation);
  Phase phase;
  phase.remainder = remainder;
  phase.count = (c.x->layout().shape[2 + side] - remainder + stride - 1) / stride;
  // Input remainder + i stride meets result i - (tap dilation - offset) / stride.
  const int64_t offset = c.parameters.padding[side] + remainder;
  int64_t tap = 0;
  while (tap < kernel && (tap * dilation - offset) % stride != 0) ++tap;
  if (tap == kernel) return phase;
  phase.tap_step = stride / common;
  phase.taps = (kernel - 1 - tap) / phase.tap_step + 1;
  phase.first_tap = kernel - 1 - (tap + (phase.taps - 1) * phase.tap_step);
  phase.dilation = dilation / common;
  const int64_t reach = (phase.taps - 1) * phase.dilation;
  phase.before = (tap * dilation - offset) / stride + reach;
  phase.after = phase.count + reach - results - phase.before;
  phase.first = std::max<int64_t>(0, -phase.before);
  phase.results = std::max<int64_t>(0, results - phase.first - std::max<int64_t>(0, -phase.after));
  phase.before = std::max<int64_t>(0, phase.before);
  phase.after = std::max<int64_t>(0, phase.after);
  return phase;
}

std::vector<Phase> phases_of(const Convolution& c, size_t side, bool* all) {
  std::vector<Phase> phases;
  const int64_t stride = c.parameters.strides[side];
  for (int64_t r = 0; r < std::min(stride, c.x->layout().shape[2 + side]); ++r) {
    const Phase phase = phase_of(c, side, r);
    if (phase.taps > 0 && phase.results > 0) {
      phases.push_back(phase);
    } else {
      *all = false;
    }
  }
  return phases;
}

// The filters with rows and columns turned round, and the channels of a group for its filters:
// [C, F / groups, KH, KW].
TensorRef turned_filters(const Convolution& c) {
  const Layout& from = c.w->layout();
  const int64_t last[2] = {from.shape[2] - 1, from.shape[3] - 1};
  Layout layout;
  layout.rank = 5;
  layout.shape = {c.parameters.groups, c.channels(), c.filters(), from.shape[2], from.shape[3]};
  layout.strides = {c.filters() * from.strides[0], from.strides[1], from.strides[0],
                    -from.strides[2], -from.strides[3]};
  layout.offset = from.offset + last[0] * from.strides[2] + last[1] * from.strides[3];
  const TensorRef copy = made<ops::copy>(c.backward, "copy", *with_layout(*c.w, layout));
  const int64_t shape[4] = {c.parameters.groups * c.channels(), c.filters(), from.shape[2],
                            from.shape[3]};
  return reshape_view(*copy, packed_layout(4, shape));
}

// A new tensor of a shape and dtype, whose channels are innermost in memory where they are in it.
TensorRef tensor_like(const Backward& backward, const Tensor& tensor) {
  Layout layout = packed_layout(4, tensor.layout().shape.data());
  const auto& shape = layout.shape;
  if (shape[1] > 1 && tensor.layout().strides[1] == 1) {
    layout.strides = {shape[1] * shape[2] * shape[3], 1, shape[1] * shape[3], shape[1]};
  }
  return ops::new_tensor(tensor.dtype(), layout, backward.run());
}

// Every `step`th element along an axis.
TensorRef stepped(const Tensor& tensor, uint32_t axis, int64_t first, int64_t step, int64_t count) {
  Layout layout = tensor.layout();
  layout.offset += first * layout.strides[axis];
  layout.strides[axis] *= step;
  layout.shape[axis] = count;
  return with_layout(tensor, layout);
}

void add_input_gradient(const Convolution& c) {
  bool all = true;
  const std::vector<Phase> rows = phases_of(c, 0, &all);
  const std::vector<Phase> columns = phases_of(c, 1, &all);
  const TensorRef filters = turned_filters(c);
  const TensorRef result = tensor_like(c.backward, *c.x);
  const Caller& caller = c.backward.caller();
  if (!all) recorded<ops::filled>(caller, "fill", result, ops::Element{});
  for (const Phase& row : rows) {
    const TensorRef grads = part_of(*c.grad, 2, row.first, row.results);
    const TensorRef taps = stepped(*filters, 2, row.first_tap, row.tap_step, row.taps);
    const TensorRef lines = stepped(*result, 2, row.remainder, c.parameters.strides[0], row.count);
    for (const Phase& column : columns) {
      ops::Conv2dParameters parameters;
      parameters.dilations = {row.dilation, column.dilation};
      parameters.padding = {row.before, column.before, row.after, column.after};
      parameters.groups = c.parameters.groups;
      recorded<ops::conv2d>(
          caller, "conv2d",
          stepped(*lines, 3, column.remainder, c.parameters.strides[1], column.count),
          part_of(*grads, 3, column.first, column.results),
          stepped(*taps, 3, column.first_tap, column.tap_step, column.taps), parameters);
    }
  }
  c.backward.add(c.x, result);
}

// ---- The filters -------------------------------------------------------------------------------

// The part of x and its padding that windows cover, of images from `first` on.
TensorRef covered(const Convolution& c, int64_t first, int64_t count) {
  TensorRef part = part_of(*c.x, 0, first, count);
  Layout shape = part->layout();
  std::array<int64_t, 2> before{};
  std::array<int64_t, 2> taken{};
  bool padded = false;
  for (uint32_t side = 0; side < 2; ++side) {
    const int64_t extent = part->layout().shape[2 + side];
    const int64_t reach = (c.grad->layout().shape[2 + side] - 1) * c.parameters.strides[side] +
                          (c.w->layout().shape[2 + side] - 1) * c.parameters.dilations[side] + 1;
    before[side] = c.parameters.padding[side];
    taken[side] = std::clamp<int64_t>(reach - before[side], 0, extent);
    padded = padded || taken[side] < reach;
    shape.shape[2 + side] = reach;
    part = part_of(*part, 2 + side, 0, taken[side]);
  }
  if (!padded) return part;
  if (part->empty()) {
    TensorRef room = ops::new_tensor(c.x->dtype(), 4, shape.shape.data(), c.backward.run());
    recorded<ops::filled>(c.backward.caller(), "fill", room, ops::Element{});
    return room;
  }
  std::array<int64_t, 8> pads{};
  for (uint32_t side = 0; side < 2; ++side) {
    pads[2 + side] = before[side];
    pads[6 + side] = shape.shape[2 + side] - before[side] - taken[side];
  }
  return made<ops::pad>(c.backward, "pad", *part, std::span<const int64_t>(pads),
                        netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{});
}

// One deep product over all images has its windows as [C, KH, KW, N, OH, OW]; a product for each
// image, which are summed, as [N, C, KH, KW, OH, OW].
constexpr uint32_t kImagesInside[6] = {1, 2, 3, 0, 4, 5};

// Copies all windows side by side.
TensorRef windows_of(const Convolution& c, const Tensor& x, bool by_image) {
  const Layout& from = x.layout();
  const Layout& grad = c.grad->layout();
  const Layout& kernel = c.w->layout();
  const auto& strides = c.parameters.strides;
  const auto& dilations = c.parameters.dilations;
  Layout layout;
  layout.rank = 6;
  layout.offset = from.offset;
  layout.shape = {from.shape[0],   from.shape[1], kernel.shape[2],
                  kernel.shape[3], grad.shape[2], grad.shape[3]};
  layout.strides = {from.strides[0],
                    from.strides[1],
                    dilations[0] * from.strides[2],
                    dilations[1] * from.strides[3],
                    strides[0] * from.strides[2],
                    strides[1] * from.strides[3]};
  TensorRef windows = with_layout(x, layout);
  if (!by_image) windows = permuted(*windows, kImagesInside);
  return made<ops::copy>(c.backward, "copy", *windows);
}

// The same elements in C order in another shape.
TensorRef reshaped(const Backward& backward, const Tensor& tensor, const Layout& shape) {
  if (TensorRef view = reshape_view(tensor, shape)) return view;
  return reshape_view(*made<ops::copy>(backward, "copy", tensor), shape);
}

void add_filter_gradient(const Convolution& c) {
  const Layout& kernel = c.w->layout();
  const Layout& grad = c.grad->layout();
  const int64_t groups = c.parameters.groups;
  const int64_t places = grad.shape[2] * grad.shape[3];
  const int64_t depth = c.channels() * kernel.shape[2] * kernel.shape[3];
  const int64_t each = groups * depth * places * static_cast<int64_t>(c.x->element_size());
  const int64_t at_once = std::clamp<int64_t>(kWindowBytes / each, 1, grad.shape[0]);
  // With many places the products of single images are far smaller than what they are made of.
  const bool by_image = 4 * c.filters() < places;
  ops::MatmulParameters parameters;
  parameters.dtype = wide_dtype(*c.w);
  TensorRef sum;
  for (int64_t first = 0; first < grad.shape[0]; first += at_once) {
    const int64_t count = std::min(at_once, grad.shape[0] - first);
    const TensorRef windows = windows_of(c, *covered(c, first, count), by_image);
    TensorRef grads = part_of(*c.grad, 0, first, count);
    if (!by_image) grads = permuted(*grads, std::array<uint32_t, 4>{1, 0, 2, 3});
    const int64_t batch = by_image ? count : 1;
    const int64_t inner = count * places / batch;
    const int64_t left[4] = {batch, groups, c.filters(), inner};
    const int64_t right[4] = {batch, groups, depth, inner};
    const int64_t one[4] = {1, groups, c.filters(), depth};
    const TensorRef products = made<ops::matmul>(
        c.backward, "matmul", *reshaped(c.backward, *grads, packed_layout(4, left)),
        *transposed(*reshape_view(*windows, packed_layout(4, right))), parameters);
    const TensorRef part =
        summed_to(c.backward.caller(), products, packed_layout(4, one), parameters.dtype);
    sum = sum == nullptr ? part : formula(c.backward, "v0 + v1", {sum, part});
  }
  c.backward.add(c.w, reshaped(c.backward, *sum, packed_layout(4, kernel.shape.data())));
}

// ---- All of it ---------------------------------------------------------------------------------

TensorRef sums_of(const Backward& backward, const TensorRef& x, const TensorRef& w,
                  const ops::Conv2dParameters& parameters) {
  return made<ops::conv2d>(backward, "conv2d", x, w, parameters);
}

// Adds what a batch normalisation has, and gives the gradient of what was given to it.
TensorRef add_batchnorm(Backward& backward, const TensorRef& x, const TensorRef& w,
                        const ops::Conv2dParameters& parameters, const TensorRef& grad) {
  const ops::Conv2dBatchnorm& norm = parameters.batchnorm;
  const netcl_dtype wide = wide_dtype(*x);
  const TensorRef& bias = parameters.epilogue.bias;
  add_channel_gradients(backward, {norm.scale, norm.bias, norm.mean, norm.variance, norm.epsilon},
                        grad, [&] {
                          ops::Conv2dParameters plain = parameters;
                          plain.has_batchnorm = false;
                          plain.batchnorm = {};
                          plain.epilogue = {};
                          plain.epilogue.bias = bias;
                          return sums_of(backward, x, w, plain);
                        });
  const TensorRef factor = channel_factor(
      backward, norm.scale, per_channel(backward, norm.variance, 4, wide), norm.epsilon);
  if (backward.wants(bias)) {
    backward.add(per_channel(*bias, 4),
                 formula(backward, "v0 * v1", {channel_sums(backward, grad), factor}, wide));
  }
  return formula(backward, "v0 * v1", {grad, factor}, x->dtype());
}

}  // namespace

void conv2d_gradients(Backward& backward, const TensorRef& x, const TensorRef& w,
                      const ops::Conv2dParameters& parameters) {
  const ops::Epilogue& epilogue = parameters.epilogue;
  TensorRef grad = activation_gradient(
      backward, {epilogue.activation, epilogue.alpha, epilogue.beta}, backward.grad(),
      backward.result(), [&] {
        ops::Conv2dParameters plain = parameters;
        plain.epilogue.activation = NETCL_ACTIVATION_NONE;
        return sums_of(backward, x, w, plain);
      });
  if (epilogue.residual != nullptr) backward.add(epilogue.residual, grad);
  if (parameters.has_batchnorm) {
    grad = add_batchnorm(backward, x, w, parameters, grad);
  } else if (backward.wants(epilogue.bias)) {
    backward.add(per_channel(*epilogue.bias, 4), grad);
  }
  const Convolution convolution{backward, x, w, parameters, grad};
  if (backward.wants(x)) add_input_gradient(convolution);
  if (backward.wants(w)) add_filter_gradient(convolution);
}

}  // namespace netcl::graph
