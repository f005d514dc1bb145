// Gradients of pooling and of what undoes it.
//
// Of the maximum of a window the first of equal elements, row by row, takes all of the gradient.
// The sum of a window is that of the sums of its parts along an axis: the gradient of an average
// goes back along one axis after the other.
#include <algorithm>

#include "core/number.hpp"
#include "graph/channel_norm.hpp"
#include "graph/made_again.hpp"
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

// A view of all elements of each channel of a packed tensor as lines.
TensorRef planes_of(const Tensor& tensor) {
  const Layout& layout = tensor.layout();
  int64_t shape[3] = {layout.shape[0], layout.shape[1], 1};
  for (uint32_t d = 2; d < layout.rank; ++d) shape[2] *= layout.shape[d];
  return reshape_view(tensor, packed_layout(3, shape));
}

}  // namespace

void pool_gradients(Backward& backward, const TensorRef& x, netcl_pooling kind,
                    const ops::PoolParameters& options, bool, bool) {
  if (!backward.wants(x) || backward.grad() == nullptr) return;
  if (kind == NETCL_POOLING_MAX) {
    std::array<int64_t, 3> extent{};
    std::copy_n(x->layout().shape.begin() + 2, x->layout().rank - 2, extent.begin());
    const TensorRef places = made<ops::max_pool_places>(backward, "max_pool_places", *x, options);
    backward.add(x, made<ops::max_pool_gradient>(backward, "max_pool_gradient", *places,
                                                 *backward.grad(), extent, options));
    return;
  }
  TensorRef grad = formula(backward, "v0", {backward.grad()}, wide_dtype(*x));
  for (uint32_t d = 2; d < x->layout().rank; ++d) {
    const PoolAxis axis = ops::pool_axis(x->layout(), d - 2, options);
    grad = spread(backward, shared(backward, grad, d, axis, options.count_include_pad), d, axis);
  }
  backward.add(x, grad);
}

void window_sums_gradients(Backward& backward, const TensorRef& x,
                           const ops::PoolParameters& options) {
  if (!backward.wants(x) || backward.grad() == nullptr) return;
  TensorRef grad = backward.grad();
  for (uint32_t d = 2; d < x->layout().rank; ++d) {
    grad = spread(backward, grad, d, ops::pool_axis(x->layout(), d - 2, options));
  }
  backward.add(x, grad);
}

// That of the calls that it stands for.
void lp_pool_gradients(Backward& backward, const TensorRef& x, const ops::PoolParameters& options,
                       double p) {
  if (!backward.wants(x) || backward.grad() == nullptr || x->empty()) return;
  backward.check(*x);
  const std::vector<TensorRef> made = gradients_made_again(
      backward.caller(), {&x, 1}, 1, {&backward.grad(), 1},
      [&](std::span<const TensorRef> own, const Caller& caller) -> std::vector<TensorRef> {
        const TensorRef powers =
            recorded_formula(caller, ops::powers_text(p).c_str(), {own[0]}, wide_dtype(*x));
        const TensorRef sums =
            recorded<ops::window_sums>(caller, "window_sums", TensorRef(), *powers, options);
        return {recorded_formula(caller, ops::root_text(p).c_str(), {sums}, x->dtype())};
      });
  if (made[0] != nullptr) backward.add(x, made[0]);
}

// The gradient of the calls that it stands for, in which the last of equal indices wins.
void max_unpool2d_gradients(Backward& backward, const TensorRef& x, const TensorRef& indices,
                            int64_t height, int64_t width, bool column_major) {
  if (!backward.wants(x) || x->empty() || height == 0 || width == 0) return;
  backward.check(*x);
  backward.check(*indices);
  const auto& shape = x->layout().shape;
  const int64_t planes[4] = {shape[0], shape[1], height, width};
  const int64_t all[1] = {shape[0] * shape[1] * height * width}, count[1] = {x->element_count()};
  const Layout list = packed_layout(1, count);
  const std::string text = ops::unpool_text(height, width, column_major);
  const std::vector<TensorRef> made = gradients_made_again(
      backward.caller(), {&x, 1}, 1, {&backward.grad(), 1},
      [&](std::span<const TensorRef> own, const Caller& caller) -> std::vector<TensorRef> {
        const TensorRef places = recorded_formula(caller, text.c_str(), {indices}, NETCL_I64);
        const TensorRef zeros = recorded<ops::filled>(
            caller, "fill", ops::new_tensor(x->dtype(), 1, all, caller.run), ops::Element{});
        const TensorRef values =
            recorded<ops::contiguous>(caller, "contiguous", TensorRef(), own[0]);
        const TensorRef image =
            recorded<ops::scatter>(caller, "scatter", TensorRef(), zeros,
                                   *reshape_view(*places, list), *reshape_view(*values, list),
                                   int32_t{0}, netcl_scatter_mode{NETCL_SCATTER_ASSIGN}, false);
        return {reshape_view(*image, packed_layout(4, planes))};
      });
  if (made[0] != nullptr) backward.add(x, made[0]);
}

// It is linear in the gradient that comes in: each window has that of its place, or zero.
void max_pool_gradient_gradients(Backward& backward, const TensorRef& places, const TensorRef& grad,
                                 const std::array<int64_t, 3>&, const ops::PoolParameters&) {
  if (!backward.wants(grad)) return;
  const TensorRef from = made<ops::contiguous>(backward, "contiguous", backward.grad());
  const TensorRef found = made<ops::gather_elements>(backward, "gather_elements", *planes_of(*from),
                                                     *planes_of(*places), int32_t{2});
  const Layout& shape = grad->layout();
  backward.add(grad, reshape_view(*found, packed_layout(shape.rank, shape.shape.data())));
}

}  // namespace netcl::graph
