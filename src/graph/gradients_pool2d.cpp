// Gradients of 2-d pooling.
//
// A window's maximum is that of the maxima of its rows, and its sum that of their sums: the
// gradient goes back along the columns first, to the rows of each window, and then along the rows.
// Of equal elements the first one in the order of the window, row by row, takes all of it.
#include <algorithm>

#include "core/number.hpp"
#include "graph/channel_norm.hpp"
#include "graph/op_gradients.hpp"

namespace netcl::graph {

namespace {

using netcl::cpu::PoolAxis;

// Elements along an axis, and the windows that have one of them each, or one window that has all.
struct Part {
  int64_t first = 0;
  int64_t step = 1;
  int64_t count = 0;
  int64_t first_window = 0;
  bool one_window = false;
};

// One part for each position in the window, in order, or one for each window: what there is less
// of.
std::vector<Part> parts_of(const PoolAxis& axis) {
  std::vector<Part> parts;
  if (axis.result < axis.window) {
    for (int64_t i = 0; i < axis.result; ++i) {
      const PoolAxis::Taps taps = axis.inside(i);
      if (taps.count() == 0) continue;
      parts.push_back(
          {axis.begin(i) + taps.first * axis.dilation, axis.dilation, taps.count(), i, true});
    }
    return parts;
  }
  for (int64_t tap = 0; tap < axis.window; ++tap) {
    const int64_t begin = tap * axis.dilation - axis.before;  // in window 0
    const int64_t first = begin >= 0 ? 0 : (-begin + axis.stride - 1) / axis.stride;
    if (begin + first * axis.stride >= axis.extent) continue;
    const int64_t last = std::min(axis.result - 1, (axis.extent - 1 - begin) / axis.stride);
    if (last < first) continue;
    parts.push_back({begin + first * axis.stride, axis.stride, last - first + 1, first, false});
  }
  return parts;
}

TensorRef elements_of(const Tensor& tensor, uint32_t dimension, const Part& part) {
  Layout layout = tensor.layout();
  layout.offset += part.first * layout.strides[dimension];
  layout.strides[dimension] *= part.step;
  layout.shape[dimension] = part.count;
  return with_layout(tensor, layout);
}
TensorRef windows_of(const Tensor& tensor, uint32_t dimension, const Part& part) {
  Layout layout = tensor.layout();
  layout.offset += part.first_window * layout.strides[dimension];
  if (part.one_window) layout.strides[dimension] = 0;
  layout.shape[dimension] = part.count;
  return with_layout(tensor, layout);
}

// Zeros of a shape but for one extent.
TensorRef zeros_along(const Backward& backward, const Tensor& grad, uint32_t dimension,
                      int64_t extent) {
  Layout shape = grad.layout();
  shape.shape[dimension] = extent;
  const TensorRef zeros =
      ops::new_tensor(grad.dtype(), shape.rank, shape.shape.data(), backward.run());
  return recorded<ops::filled>(backward.caller(), "fill", zeros, ops::Element{});
}

// formula(), into the first of the inputs.
void change(const Backward& backward, const char* text, std::initializer_list<TensorRef> inputs) {
  const TensorRef& into = *inputs.begin();
  recorded_formula(backward.caller(), text, inputs, into->dtype(), into);
}

// ---- Averages ----------------------------------------------------------------------------------

// A gradient divided by the number of elements that each window along an axis counts.
TensorRef shared(const Backward& backward, const TensorRef& grad, uint32_t dimension,
                 const PoolAxis& axis, bool count_padding) {
  const int64_t whole = axis.counted(0, count_padding);
  bool equal = true;
  for (int64_t i = 1; i < axis.result; ++i) {
    equal = equal && axis.counted(i, count_padding) == whole;
  }
  if (equal) {
    const std::string text = "v0 / " + literal(whole);
    return formula(backward, text.c_str(), {grad});
  }
  Layout shape;
  shape.rank = grad->layout().rank - dimension;
  shape.shape.fill(1);
  shape.shape[0] = axis.result;
  const TensorRef counts =
      ops::new_tensor(grad->dtype(), shape.rank, shape.shape.data(), backward.run());
  for (int64_t first = 0; first < axis.result;) {
    const int64_t count = axis.counted(first, count_padding);
    int64_t last = first + 1;
    while (last < axis.result && axis.counted(last, count_padding) == count) ++last;
    const auto real = static_cast<double>(count);
    const auto single = static_cast<float>(count);
    const ops::Element value = grad->dtype() == NETCL_F64
                                   ? ops::make_element(&real, sizeof real)
                                   : ops::make_element(&single, sizeof single);
    recorded<ops::filled>(backward.caller(), "fill", part_of(*counts, 0, first, last - first),
                          value);
    first = last;
  }
  return formula(backward, "v0 / v1", {grad, counts});
}

// The gradient of sums over the windows along an axis.
TensorRef spread(const Backward& backward, const TensorRef& grad, uint32_t dimension,
                 const PoolAxis& axis) {
  const TensorRef result = zeros_along(backward, *grad, dimension, axis.extent);
  for (const Part& part : parts_of(axis)) {
    change(backward, "v0 + v1",
           {elements_of(*result, dimension, part), windows_of(*grad, dimension, part)});
  }
  return result;
}

// ---- Maxima ------------------------------------------------------------------------------------

// The gradient of the maxima y of the windows along an axis of x. Elements take theirs out of
// `grad`, where 0 stays behind.
TensorRef given_to_first(const Backward& backward, const TensorRef& x, const TensorRef& y,
                         const TensorRef& grad, uint32_t dimension, const PoolAxis& axis) {
  const TensorRef result = zeros_along(backward, *grad, dimension, axis.extent);
  for (const Part& part : parts_of(axis)) {
    const TensorRef to = elements_of(*result, dimension, part);
    const TensorRef from = elements_of(*x, dimension, part);
    const TensorRef highest = windows_of(*y, dimension, part);
    const TensorRef grads = windows_of(*grad, dimension, part);
    if (part.one_window) {
      const TensorRef found =
          formula(backward, "v0 == v1 || isnan(v0) ? 1 : 0", {from, highest}, NETCL_I32);
      const TensorRef before = made<ops::scan>(backward, "scan", *found, NETCL_REDUCTION_SUM,
                                               static_cast<int32_t>(dimension), true, false);
      change(backward, "v1 != 0 && v2 == 0 ? v0 + v3 : v0", {to, found, before, grads});
    } else {
      change(backward, "v1 == v2 || isnan(v1) ? v0 + v3 : v0", {to, from, highest, grads});
      change(backward, "v1 == v2 || isnan(v1) ? 0 : v0", {grads, from, highest});
    }
  }
  return result;
}

TensorRef maxima_of_rows(const Backward& backward, const TensorRef& x, const PoolAxis& horizontal,
                         const ops::Pool2dParameters& options) {
  ops::Pool2dParameters rows;
  rows.window = {1, horizontal.window};
  rows.strides = {1, horizontal.stride};
  rows.dilations = {1, horizontal.dilation};
  rows.padding = {0, horizontal.before, 0, horizontal.after};
  rows.ceil_mode = options.ceil_mode;
  return made<ops::pool2d>(backward, "pool2d", *x, netcl_pooling{NETCL_POOLING_MAX}, rows);
}

}  // namespace

void pool2d_gradients(Backward& backward, const TensorRef& x, netcl_pooling kind,
                      const ops::Pool2dParameters& options) {
  if (!backward.wants(x)) return;
  const PoolAxis vertical = ops::pool_axis(x->layout(), 0, options);
  const PoolAxis horizontal = ops::pool_axis(x->layout(), 1, options);
  TensorRef grad = formula(backward, "v0", {backward.grad()}, wide_dtype(*x));
  if (kind == NETCL_POOLING_AVERAGE) {
    const bool padding = options.count_include_pad;
    grad = spread(backward, shared(backward, grad, 2, vertical, padding), 2, vertical);
    grad = spread(backward, shared(backward, grad, 3, horizontal, padding), 3, horizontal);
  } else {
    const TensorRef& y = backward.result();
    backward.check(*y);
    const TensorRef rows = maxima_of_rows(backward, x, horizontal, options);
    grad = given_to_first(backward, rows, y, grad, 2, vertical);
    grad = given_to_first(backward, x, rows, grad, 3, horizontal);
  }
  backward.add(x, grad);
}

}  // namespace netcl::graph
