// Convolutions, also of quantised numbers.
#include "model/op_table.hpp"
#include "model/window.hpp"
#include "ops/conv2d/conv2d.hpp"
#include "ops/move/concat.hpp"
#include "ops/move/move.hpp"
#include "ops/move/pad.hpp"
#include "ops/quantization/qlinear.hpp"

namespace netcl::model {

namespace {

std::vector<int64_t> kernel_of(const Tensor& filters) {
  std::vector<int64_t> shape = shape_of(filters);
  shape.erase(shape.begin(), shape.begin() + std::min<size_t>(2, shape.size()));
  return shape;
}

template <class Parameters>
void set_window(const Call& call, const Window& window, Parameters* parameters) {
  parameters->strides = window.strides;
  parameters->dilations = window.dilations;
  parameters->padding = window.padding;
  parameters->groups = call.integer("group", 1);
}

// The planes that a window of three dimensions covers, as channels of one plane: [N, C, D, H, W]
// becomes [N OD, C KD, H, W].
TensorRef stacked_planes(const Call& call, const TensorRef& x, const WindowDepth& depth) {
  TensorRef image = x;
  if (depth.before != 0 || depth.after != 0) {
    const std::array<int64_t, 10> pads = {0, 0, depth.before, 0, 0, 0, 0, depth.after, 0, 0};
    image = call.made<ops::pad>("pad", *x, std::span<const int64_t>(pads),
                                netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{});
  }
  const Layout& from = image->layout();
  const int64_t results = (from.shape[2] - depth.reach()) / depth.stride + 1;
  if (from.shape[2] < depth.reach()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "a window of %lld planes meets an image of shape %s",
         static_cast<long long>(depth.reach()), shape_text(*x).c_str());
  }
  Layout layout;
  layout.rank = 6;
  layout.offset = from.offset;
  layout.shape = {from.shape[0], results,       from.shape[1],
                  depth.kernel,  from.shape[3], from.shape[4]};
  layout.strides = {from.strides[0], depth.stride * from.strides[2],
                    from.strides[1], depth.dilation * from.strides[2],
                    from.strides[3], from.strides[4]};
  const TensorRef copy = call.made<ops::copy>("copy", *graph::with_layout(*image, layout));
  const int64_t planes[4] = {from.shape[0] * results, from.shape[1] * depth.kernel, from.shape[3],
                             from.shape[4]};
  return call.reshaped(copy, planes);
}

// A convolution over three dimensions, whose depth is summed over as channels are.
TensorRef convolved_boxes(const Call& call, const TensorRef& x, const TensorRef& w,
                          const WindowDepth& depth, const ops::Conv2dParameters& parameters) {
  const auto& k = w->layout().shape;
  const int64_t filters[4] = {k[0], k[1] * k[2], k[3], k[4]};
  const TensorRef made = call.made<ops::conv2d>("conv2d", stacked_planes(call, x, depth),
                                                call.reshaped(w, filters), parameters);
  const auto& shape = made->layout().shape;
  const int64_t planes = x->layout().shape[2] + depth.before + depth.after - depth.reach();
  const int64_t parts[5] = {x->layout().shape[0], planes / depth.stride + 1, shape[1], shape[2],
                            shape[3]};
  const uint32_t order[5] = {0, 2, 1, 3, 4};
  return graph::permuted(*call.reshaped(made, parts), order);
}

void build_conv(Call& call) {
  const TensorRef x = call.tensor(0), w = call.tensor(1);
  const Window window = window_of(call, *x, kernel_of(*w));
  ops::Conv2dParameters parameters;
  set_window(call, window, &parameters);
  parameters.epilogue.bias = call.optional(2);
  if (x->layout().rank == 5) {
    return call.give(convolved_boxes(call, x, w, window.depth, parameters));
  }
  const TensorRef made =
      call.made<ops::conv2d>("conv2d", as_planes(call, x), as_planes(call, w), parameters);
  call.give(from_planes(call, made, x->layout().rank));
}

// ---- Transposed --------------------------------------------------------------------------------

// One of two or three sides of an image whose elements lie `stride` apart.
struct SpreadSide {
  int64_t reach;
  int64_t stride;
  // What is put around the image; negative numbers take away.
  int64_t before;
  int64_t after;
};

// `planes` has two sides or three.
std::vector<SpreadSide> spread_of(const Call& call, const Tensor& planes, const Window& window) {
  const uint32_t sides = call.tensor(0)->layout().rank - 2, count = planes.layout().rank - 2;
  const std::array<int64_t, 3> more = side_numbers(call, "output_padding", sides, 0);
  const std::string automatic = call.text("auto_pad", "NOTSET");
  const std::vector<int64_t> wanted = call.integers("output_shape");
  if (!wanted.empty() && wanted.size() < sides) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "output_shape has %zu numbers; the image has %u sides",
         wanted.size(), sides);
  }
  std::vector<SpreadSide> spread;
  if (count == 3) {
    const WindowDepth& depth = window.depth;
    spread.push_back({depth.reach(), depth.stride, depth.before, depth.after});
  }
  for (size_t side = 0; side < 2; ++side) {
    spread.push_back(
        {window.reach(side), window.strides[side], window.padding[side], window.padding[2 + side]});
  }
  for (uint32_t i = 0; i < count; ++i) {
    SpreadSide& side = spread[i];
    const int64_t extent = planes.layout().shape[2 + i], last = more[3 - count + i];
    // A side that only makes planes of a line has nothing of its own.
    const bool own = i + sides >= count;
    int64_t result = -1;
    if (!wanted.empty() && own) {
      result = wanted[wanted.size() - count + i];
    } else if (automatic.starts_with("SAME") && own) {
      result = extent * side.stride;
    }
    if (result >= 0) {
      const int64_t all = side.stride * (extent - 1) + side.reach + last - result;
      const int64_t half = all >> 1;  // rounded down, also below 0
      side.before = automatic == "SAME_UPPER" ? half : all - half;
      side.after = all - side.before;
    }
    side.before = side.reach - 1 - side.before;
    side.after = side.reach - 1 - side.after + last;
  }
  return spread;
}

// The elements with zeros between them, and around them.
TensorRef spread_image(const Call& call, const TensorRef& x,
                       const std::vector<SpreadSide>& spread) {
  const auto& shape = x->layout().shape;
  const size_t sides = spread.size(), rank = 2 + 2 * sides;
  std::vector<int64_t> parts = {shape[0], shape[1]}, wide = parts;
  std::vector<int64_t> between(2 * rank), around(2 * (2 + sides));
  bool apart = false;
  for (size_t side = 0; side < sides; ++side) {
    const int64_t gap = spread[side].stride - 1, extent = shape[2 + side];
    apart = apart || gap > 0;
    parts.insert(parts.end(), {extent, 1});
    wide.push_back(extent * (gap + 1));
    between[rank + 3 + 2 * side] = gap;
    around[2 + side] = spread[side].before;
    around[4 + sides + side] = spread[side].after - gap;
  }
  TensorRef made = x;
  if (apart) {
    made = call.made<ops::pad>("pad", *call.reshaped(x, parts), std::span<const int64_t>(between),
                               netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{});
    made = call.reshaped(made, wide);
  }
  return call.made<ops::pad>("pad", *made, std::span<const int64_t>(around),
                             netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{});
}

// [C, M / groups, ...] as filters [M, C / groups, ...] with all sides turned round.
TensorRef turned(const Call& call, const TensorRef& w, int64_t groups) {
  const Layout& from = w->layout();
  if (groups < 1 || from.shape[0] % groups != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "group is %lld; the weights have shape %s",
         static_cast<long long>(groups), shape_text(from).c_str());
  }
  const int64_t inner = from.shape[0] / groups;
  std::vector<int64_t> shape = {groups * from.shape[1], inner};
  Layout layout;
  layout.rank = 3;
  layout.shape = {groups, from.shape[1], inner};
  layout.strides = {inner * from.strides[0], from.strides[1], from.strides[0]};
  layout.offset = from.offset;
  for (uint32_t d = 2; d < from.rank; ++d) {
    layout.shape[layout.rank] = from.shape[d];
    layout.strides[layout.rank++] = -from.strides[d];
    layout.offset += (from.shape[d] - 1) * from.strides[d];
    shape.push_back(from.shape[d]);
  }
  return call.reshaped(call.made<ops::copy>("copy", *graph::with_layout(*w, layout)), shape);
}

void build_conv_transpose(Call& call) {
  const TensorRef x = call.tensor(0), w = call.tensor(1);
  const Window window = window_of(call, *x, kernel_of(*w));
  const TensorRef planes = as_planes(call, x);
  const TensorRef filters = as_planes(call, w);
  if (planes->empty() || filters->empty()) {
    fail(NETCL_ERROR_UNSUPPORTED, "an input has no elements");
  }
  ops::Conv2dParameters parameters;
  parameters.dilations = window.dilations;
  parameters.groups = call.integer("group", 1);
  parameters.epilogue.bias = call.optional(2);
  const TensorRef image = spread_image(call, planes, spread_of(call, *planes, window));
  const TensorRef around = turned(call, filters, parameters.groups);
  if (x->layout().rank == 5) {
    const WindowDepth depth = {window.depth.kernel, 1, window.depth.dilation, 0, 0};
    return call.give(convolved_boxes(call, image, around, depth, parameters));
  }
  const TensorRef made = call.made<ops::conv2d>("conv2d", image, around, parameters);
  call.give(from_planes(call, made, x->layout().rank));
}

std::string refuse_transposed(const NodeFacts& node) {
  const std::vector<int64_t> shape = node.integers("output_shape");
  if (!shape.empty() && shape.size() > 5) return "output_shape of several dimensions";
  return refuse_window(node);
}

// ---- Of sequences ------------------------------------------------------------------------------

// Along each channel of [B, C, L], with what came before, or zeros, in front; and what the next
// piece of the sequence needs of this one.
void build_causal_conv(Call& call) {
  const TensorRef x = call.tensor(0), w = call.tensor(1), past = call.optional(3);
  const Layout& from = x->layout();
  const int64_t k = w->layout().rank == 3 ? w->layout().shape[2] : 0, before = k - 1;
  if (from.rank != 3 || k < 1 || w->layout().shape[0] != from.shape[1] ||
      w->layout().shape[1] != 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "weights of shape %s for an input of shape %s",
         shape_text(*w).c_str(), shape_text(from).c_str());
  }
  TensorRef whole = x;
  if (past != nullptr) {
    const TensorRef parts[2] = {past, x};
    whole = call.made<ops::concat>("concat", std::span<const TensorRef>(parts), int32_t{2});
  } else if (before > 0) {
    const std::array<int64_t, 6> pads = {0, 0, before, 0, 0, 0};
    whole = call.made<ops::pad>("pad", *x, std::span<const int64_t>(pads),
                                netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{});
  }
  if (whole->layout().shape[2] != from.shape[2] + before) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "past_state has shape %s; weights have %lld elements",
         shape_text(*past).c_str(), static_cast<long long>(k));
  }
  ops::Conv2dParameters parameters;
  parameters.groups = from.shape[1];
  parameters.epilogue.bias = call.optional(2);
  TensorRef made = from_planes(
      call,
      call.made<ops::conv2d>("conv2d", as_planes(call, whole), as_planes(call, w), parameters), 3);
  if (call.text("activation", "none") != "none") {
    made = call.formula("v0 * sigmoid(v0)", {made}, x->dtype());
  }
  call.give(made);
  call.give(1, graph::part_of(*whole, 2, from.shape[2], before));
}

std::string refuse_causal(const NodeFacts& node) {
  const std::string activation = node.text("activation", "none");
  for (const char* known : {"none", "silu", "swish"}) {
    if (activation == known) return "";
  }
  return "activation " + shown(activation);
}

// ---- Integers ----------------------------------------------------------------------------------

void build_conv_integer(Call& call) {
  const TensorRef x = call.tensor(0), w = call.tensor(1);
  require_planes(*x);
  ops::IntegerConv2dSettings settings;
  set_window(call, window_of(call, *x, kernel_of(*w)), &settings);
  settings.x_zero_point = call.optional(2);
  settings.w_zero_point = call.optional(3);
  const TensorRef made = call.made<ops::conv2d_integer>("conv2d_integer", as_planes(call, x),
                                                        as_planes(call, w), settings);
  call.give(from_planes(call, made, x->layout().rank));
}

void build_qlinear_conv(Call& call) {
  const TensorRef x = call.tensor(0), w = call.tensor(3);
  require_planes(*x);
  ops::QlinearConv2dSettings settings;
  set_window(call, window_of(call, *x, kernel_of(*w)), &settings.conv);
  settings.conv.x_zero_point = call.tensor(2);
  settings.conv.w_zero_point = call.tensor(5);
  settings.y_zero_point = call.tensor(7);
  settings.bias = call.optional(8);
  settings.dtype = settings.y_zero_point->dtype();
  const TensorRef made =
      call.made<ops::qlinear_conv2d>("qlinear_conv2d", as_planes(call, x), call.tensor(1),
                                     as_planes(call, w), call.tensor(4), call.tensor(6), settings);
  call.give(from_planes(call, made, x->layout().rank));
}

constexpr char kWindowAttributes[] = "auto_pad dilations group kernel_shape pads strides";

constexpr OpRow kConvRows[] = {
    {"CausalConvWithState", "activation", build_causal_conv, "", refuse_causal},
    {"Conv", kWindowAttributes, build_conv, "", refuse_window},
    {"ConvInteger", kWindowAttributes, build_conv_integer, "", refuse_window},
    {"ConvTranspose",
     "auto_pad dilations group kernel_shape output_padding output_shape pads strides",
     build_conv_transpose, "", refuse_transposed},
    {"QLinearConv", kWindowAttributes, build_qlinear_conv, "", refuse_window},
};

}  // namespace

std::span<const OpRow> conv_rows() { return kConvRows; }

}  // namespace netcl::model
