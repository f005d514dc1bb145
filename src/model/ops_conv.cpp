// Convolutions, also of quantised numbers.
#include "model/op_table.hpp"
#include "model/window.hpp"
#include "ops/conv2d/conv2d.hpp"
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

void build_conv(Call& call) {
  const TensorRef x = call.tensor(0), w = call.tensor(1);
  ops::Conv2dParameters parameters;
  set_window(call, window_of(call, *x, kernel_of(*w)), &parameters);
  parameters.epilogue.bias = call.optional(2);
  const TensorRef made =
      call.made<ops::conv2d>("conv2d", as_planes(call, x), as_planes(call, w), parameters);
  call.give(from_planes(call, made, x->layout().rank));
}

// ---- Transposed --------------------------------------------------------------------------------

// What is put around an image whose elements lie `stride` apart; negative numbers take away.
struct Spread {
  std::array<int64_t, 2> before;
  std::array<int64_t, 2> after;
};

Spread spread_of(const Call& call, const Tensor& planes, Window window) {
  const uint32_t sides = call.tensor(0)->layout().rank - 2;
  const std::array<int64_t, 2> more = side_numbers(call, "output_padding", sides, 0);
  const std::string automatic = call.text("auto_pad", "NOTSET");
  const std::vector<int64_t> wanted = call.integers("output_shape");
  if (!wanted.empty() && wanted.size() < sides) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "output_shape has %zu numbers; the image has %u sides",
         wanted.size(), sides);
  }
  Spread spread{};
  for (size_t side = 2 - sides; side < 2; ++side) {
    const int64_t extent = planes.layout().shape[2 + side];
    const int64_t whole = window.strides[side] * (extent - 1) + window.reach(side) + more[side];
    int64_t result = -1;
    if (!wanted.empty()) {
      result = wanted[wanted.size() - 2 + side];
    } else if (automatic.starts_with("SAME")) {
      result = extent * window.strides[side];
    }
    if (result >= 0) {
      const int64_t all = whole - result;
      const bool upper = automatic == "SAME_UPPER";
      const int64_t half = all >> 1;  // rounded down, also below 0
      window.padding[side] = upper ? half : all - half;
      window.padding[2 + side] = all - window.padding[side];
    }
    spread.before[side] = window.reach(side) - 1 - window.padding[side];
    spread.after[side] = window.reach(side) - 1 - window.padding[2 + side] + more[side];
  }
  return spread;
}

// The elements with zeros between them, and around them.
TensorRef spread_image(const Call& call, const TensorRef& x, const Window& window,
                       const Spread& spread) {
  const auto& shape = x->layout().shape;
  const auto& strides = window.strides;
  const int64_t parts[6] = {shape[0], shape[1], shape[2], 1, shape[3], 1};
  const std::array<int64_t, 12> between = {
      0, 0, 0, 0, 0, 0, 0, 0, 0, strides[0] - 1, 0, strides[1] - 1};
  TensorRef made = x;
  const int64_t wide[4] = {shape[0], shape[1], shape[2] * strides[0], shape[3] * strides[1]};
  if (strides[0] > 1 || strides[1] > 1) {
    made = call.made<ops::pad>("pad", *call.reshaped(x, parts), std::span<const int64_t>(between),
                               netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{});
    made = call.reshaped(made, wide);
  }
  std::array<int64_t, 8> around = {};
  for (size_t side = 0; side < 2; ++side) {
    around[2 + side] = spread.before[side];
    around[6 + side] = spread.after[side] - (strides[side] - 1);
  }
  return call.made<ops::pad>("pad", *made, std::span<const int64_t>(around),
                             netcl_pad_mode{NETCL_PAD_CONSTANT}, ops::Element{});
}

// [C, M / groups, KH, KW] as filters [M, C / groups, KH, KW] with rows and columns turned round.
TensorRef turned(const Call& call, const TensorRef& w, int64_t groups) {
  const Layout& from = w->layout();
  if (groups < 1 || from.shape[0] % groups != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "group is %lld; the weights have shape %s",
         static_cast<long long>(groups), shape_text(from).c_str());
  }
  const int64_t inner = from.shape[0] / groups;
  Layout layout;
  layout.rank = 5;
  layout.shape = {groups, from.shape[1], inner, from.shape[2], from.shape[3]};
  layout.strides = {inner * from.strides[0], from.strides[1], from.strides[0], -from.strides[2],
                    -from.strides[3]};
  layout.offset =
      from.offset + (from.shape[2] - 1) * from.strides[2] + (from.shape[3] - 1) * from.strides[3];
  const TensorRef copy = call.made<ops::copy>("copy", *graph::with_layout(*w, layout));
  const int64_t shape[4] = {groups * from.shape[1], inner, from.shape[2], from.shape[3]};
  return call.reshaped(copy, shape);
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
  const TensorRef image = spread_image(call, planes, window, spread_of(call, *planes, window));
  const TensorRef made =
      call.made<ops::conv2d>("conv2d", image, turned(call, filters, parameters.groups), parameters);
  call.give(from_planes(call, made, x->layout().rank));
}

std::string refuse_transposed(const NodeFacts& node) {
  const std::vector<int64_t> shape = node.integers("output_shape");
  if (!shape.empty() && shape.size() > 4) return "output_shape of several dimensions";
  return refuse_window(node);
}

// ---- Integers ----------------------------------------------------------------------------------

void build_conv_integer(Call& call) {
  const TensorRef x = call.tensor(0), w = call.tensor(1);
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
