// Gradients of pooling: one place of the window after the other.
#include <algorithm>

#include "core/number.hpp"
#include "graph/rule.hpp"

namespace netcl::graph {

namespace {

struct Axis {
  int64_t extent, results, window, stride, dilation, before, after;

  // The results whose window has its place number `i` on an element of x, or on what padding is
  // counted as; `first` of the elements.
  struct Range {
    int64_t from, count, first;
  };
  Range range(int64_t i, bool padding) const {
    const int64_t at = i * dilation - before;  // of result 0
    const int64_t low = padding ? -before : 0;
    const int64_t high = padding ? extent + after : extent;
    const int64_t from = at >= low ? 0 : (low - at + stride - 1) / stride;
    const int64_t end = at >= high ? 0 : std::min(results, (high - 1 - at) / stride + 1);
    return {from, std::max<int64_t>(end - from, 0), at + from * stride};
  }
};

Axis axis_of(const Layout& x, const Layout& y, int i, const ops::Pool2dParameters& parameters) {
  Axis axis{};
  axis.extent = x.shape[2 + i];
  axis.results = y.shape[2 + i];
  axis.window = parameters.window[i] == 0 ? axis.extent : parameters.window[i];
  axis.stride = std::max<int64_t>(parameters.strides[i], 1);
  axis.dilation = std::max<int64_t>(parameters.dilations[i], 1);
  axis.before = parameters.padding[i];
  axis.after = parameters.padding[2 + i];
  return axis;
}

// The places of a window, with the parts of x and of the results that meet there.
class Places {
 public:
  Places(const TensorRef& x, const Axis& down, const Axis& across)
      : x_(x), down_(down), across_(across) {}

  // function(part of x, cut), where cut(tensor) is the part of a tensor of the results' shape.
  template <class Function>
  void each(const Function& function) const {
    for (int64_t i = 0; i < down_.window; ++i) {
      const Axis::Range rows = down_.range(i, false);
      for (int64_t j = 0; j < across_.window && rows.count > 0; ++j) {
        const Axis::Range columns = across_.range(j, false);
        if (columns.count == 0) continue;
        Layout part = x_->layout();
        part.offset += rows.first * part.strides[2] + columns.first * part.strides[3];
        part.shape[2] = rows.count;
        part.shape[3] = columns.count;
        part.strides[2] *= down_.stride;
        part.strides[3] *= across_.stride;
        function(with_layout(*x_, part), [&](const TensorRef& tensor) {
          return part_of(*part_of(*tensor, 2, rows.from, rows.count), 3, columns.from,
                         columns.count);
        });
      }
    }
  }

 private:
  const TensorRef& x_;
  const Axis& down_;
  const Axis& across_;
};

// The first of equal elements has the gradient: once it is found, the window is done.
void add_of_maxima(Backward& backward, const TensorRef& x, const Places& places) {
  const TensorRef& y = backward.result();
  backward.check(*x);
  backward.check(*y);
  const TensorRef found =
      Tensor::allocate(x->device_ref(), NETCL_BOOL, 4, y->layout().shape.data());
  recorded<ops::filled>(backward.caller(), "fill", found, ops::Element{});
  places.each([&](const TensorRef& part, const auto& cut) {
    const TensorRef hit =
        recorded_formula(backward.caller(), "!v2 && (v0 == v1 || (isnan(v0) && isnan(v1)))",
                         {part, cut(y), cut(found)}, NETCL_BOOL);
    recorded_formula(backward.caller(), "v0 || v1", {cut(found), hit}, NETCL_BOOL, cut(found));
    backward.add(part, formula(backward, "v0 ? v1 : 0", {hit, cut(backward.grad())}, x->dtype()));
  });
}

// How many elements each window has along one axis, as floats.
TensorRef counts(const Backward& backward, const Axis& axis, bool padding) {
  const TensorRef sums =
      Tensor::allocate(backward.run().device().shared_from_this(), NETCL_F32, 1, &axis.results);
  recorded<ops::filled>(backward.caller(), "fill", sums, ops::Element{});
  for (int64_t i = 0; i < axis.window; ++i) {
    const Axis::Range range = axis.range(i, padding);
    if (range.count == 0) continue;
    const TensorRef part = part_of(*sums, 0, range.from, range.count);
    recorded_formula(backward.caller(), "v0 + 1", {part}, NETCL_F32, part);
  }
  return sums;
}

// One window that covers a part of x: nothing to go through place by place.
bool is_global(const Axis& axis) {
  return axis.results == 1 && axis.before == 0 && axis.after == 0 && axis.dilation == 1;
}

}  // namespace

void pool2d_gradients(Backward& backward, const TensorRef& x, netcl_pooling kind,
                      const ops::Pool2dParameters& parameters) {
  if (!backward.wants(x)) return;
  const Layout& shape = backward.result()->layout();
  const Axis down = axis_of(x->layout(), shape, 0, parameters);
  const Axis across = axis_of(x->layout(), shape, 1, parameters);
  const Places places(x, down, across);
  if (kind == NETCL_POOLING_MAX) return add_of_maxima(backward, x, places);
  if (is_global(down) && is_global(across)) {
    const TensorRef part = part_of(*part_of(*x, 2, 0, down.window), 3, 0, across.window);
    const std::string text =
        "v0 / " + number_text(static_cast<double>(down.window * across.window)) + ".0";
    const TensorRef share = formula(backward, text.c_str(), {backward.grad()}, x->dtype());
    return backward.add(part, repeated(*share, part->layout()));
  }
  const bool padding = parameters.count_include_pad;
  const TensorRef share =
      formula(backward, "v0 / (v1 * v2)",
              {backward.grad(), along_axis(*counts(backward, down, padding), 4, 2),
               along_axis(*counts(backward, across, padding), 4, 3)},
              x->dtype());
  places.each([&](const TensorRef& part, const auto& cut) { backward.add(part, cut(share)); });
}

}  // namespace netcl::graph
