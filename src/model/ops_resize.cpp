// Resize and Upsample.
#include <algorithm>
#include <cmath>

#include "model/op_table.hpp"
#include "model/resize_axis.hpp"
#include "ops/move/gather.hpp"
#include "ops/move/resize.hpp"

namespace netcl::model {

namespace {

// So many elements are added up for one result at most.
constexpr size_t kTapsMost = 256;
// And so many for all results along an axis, of which the host makes lists.
constexpr double kTapsOfAllMost = 1 << 22;

ResizeMode mode_of(const Call& call) {
  ResizeMode mode;
  mode.mode = call.text("mode", "nearest");
  if (mode.mode == "bilinear") mode.mode = "linear";
  const bool old = call.opset() < 11 || call.op() == "Upsample";
  mode.coordinates = call.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  mode.nearest = call.text("nearest_mode", old ? "floor" : "round_prefer_floor");
  mode.cubic_a = call.real("cubic_coeff_a", -0.75);
  mode.outside = call.real("extrapolation_value", 0);
  mode.exclude_outside = call.integer("exclude_outside", 0) != 0;
  mode.antialias = call.integer("antialias", 0) != 0;
  return mode;
}

// The numbers of an input, which may be left out by being empty too.
std::vector<double> reals_of(const Call& call, size_t input) {
  std::vector<double> reals;
  if (!call.has(input)) return reals;
  const HostValue& value = call.host(input);
  for (size_t i = 0; i < value.count(); ++i) reals.push_back(value.real(i));
  return reals;
}

// One scale for all axes, by which none is larger, or none smaller, than asked for.
void keep_aspect(const std::string& policy, std::span<const uint32_t> axes,
                 std::vector<ResizeAxis>* all) {
  if (policy == "stretch") return;
  double scale = 0;
  for (const uint32_t d : axes) {
    const ResizeAxis& axis = (*all)[d];
    if (d == axes[0] || (policy == "not_larger") == (axis.scale < scale)) scale = axis.scale;
  }
  for (const uint32_t d : axes) {
    ResizeAxis& axis = (*all)[d];
    axis.scale = scale;
    axis.to = static_cast<int64_t>(std::floor(scale * static_cast<double>(axis.from) + 0.5));
  }
}

int64_t extent_of(double wanted) {
  if (wanted >= 0 && wanted < 0x1p31) return static_cast<int64_t>(wanted);
  fail(NETCL_ERROR_INVALID_ARGUMENT, "an extent of the result is %g", wanted);
}

std::vector<ResizeAxis> axes_of_resize(const Call& call, const ResizeMode& mode, const Tensor& x) {
  const bool upsample = call.op() == "Upsample", old = upsample || call.opset() < 11;
  std::vector<double> scales = reals_of(call, old ? 1 : 2);
  if (const Attribute* const given = call.find("scales")) scales = given->reals;
  const std::vector<double> sizes = old ? std::vector<double>() : reals_of(call, 3);
  std::vector<uint32_t> axes;
  for (const int64_t axis : call.integers("axes")) axes.push_back(axis_of(axis, x.layout().rank));
  for (uint32_t d = 0; call.find("axes") == nullptr && d < x.layout().rank; ++d) axes.push_back(d);
  const std::vector<double>& numbers = sizes.empty() ? scales : sizes;
  const std::vector<double> roi = old ? std::vector<double>() : reals_of(call, 1);
  const bool crops = mode.coordinates == "tf_crop_and_resize";
  if (numbers.size() != axes.size() || (crops && roi.size() != 2 * axes.size())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%zu scales or sizes and %zu ends of roi for %zu axes",
         numbers.size(), roi.size(), axes.size());
  }
  std::vector<ResizeAxis> all(x.layout().rank);
  for (uint32_t d = 0; d < all.size(); ++d) all[d].from = all[d].to = x.layout().shape[d];
  for (size_t i = 0; i < axes.size(); ++i) {
    ResizeAxis& axis = all[axes[i]];
    const double from = static_cast<double>(axis.from);
    if (crops) {
      axis.start = roi[i];
      axis.end = roi[axes.size() + i];
    }
    axis.scale = sizes.empty() ? scales[i] : sizes[i] / from;
    if (!(axis.scale > 0)) fail(NETCL_ERROR_INVALID_ARGUMENT, "a scale is %g", axis.scale);
    axis.to = sizes.empty() ? extent_of(std::floor(from * (axis.end - axis.start) * axis.scale))
                            : extent_of(sizes[i]);
  }
  if (!sizes.empty()) {
    keep_aspect(call.text("keep_aspect_ratio_policy", "stretch"), axes, &all);
  }
  return all;
}

// The way in which netcl_op_resize finds the same coordinates; false where it has none.
bool own_coordinates(const ResizeMode& mode, const std::vector<ResizeAxis>& axes,
                     netcl_resize_coordinates* coordinates) {
  bool single = false;
  for (const ResizeAxis& axis : axes) {
    if (axis.scale * static_cast<double>(axis.from) != static_cast<double>(axis.to)) return false;
    single = single || (axis.to == 1 && axis.from != 1);
  }
  const std::string& how = mode.coordinates;
  if (how == "asymmetric") {
    *coordinates = NETCL_RESIZE_ASYMMETRIC;
  } else if (how == "align_corners") {
    *coordinates = NETCL_RESIZE_ALIGN_CORNERS;
  } else if (how == "half_pixel" || (how == "pytorch_half_pixel" && !single)) {
    *coordinates = NETCL_RESIZE_HALF_PIXEL;
  } else {
    return false;
  }
  return !mode.antialias;
}

// Of nearest elements the same ones have to be taken.
bool takes_the_same(const ResizeMode& mode, const std::vector<ResizeAxis>& axes) {
  if (mode.mode != "nearest" || mode.nearest == "round_prefer_floor") return true;
  ResizeMode own = mode;
  own.nearest = "round_prefer_floor";
  for (const ResizeAxis& axis : axes) {
    if (axis.from != axis.to && resize_taps(own, axis).places != resize_taps(mode, axis).places) {
      return false;
    }
  }
  return true;
}

TensorRef along(const Call& call, const TensorRef& x, uint32_t d,
                const std::vector<double>& numbers, netcl_dtype dtype) {
  std::vector<int64_t> shape(x->layout().rank, 1);
  shape[d] = static_cast<int64_t>(numbers.size());
  return call.constant(dtype, shape, numbers);
}

// One axis, with the elements that each result is made of picked by their indices.
TensorRef resized_along(const Call& call, const TensorRef& x, uint32_t d, const ResizeTaps& taps,
                        bool weighs) {
  TensorRef sum;
  for (size_t t = 0; t < taps.places.size(); ++t) {
    const TensorRef indices =
        call.constant(NETCL_I64, {static_cast<int64_t>(taps.places[t].size())}, taps.places[t]);
    const TensorRef picked =
        call.made<ops::gather>("gather", *x, *indices, static_cast<int32_t>(d));
    if (!weighs) return picked;
    const TensorRef weights = along(call, picked, d, taps.weights[t], x->dtype());
    sum = sum == nullptr ? call.formula("v0 * v1", {picked, weights})
                         : call.formula("v0 + v1 * v2", {sum, picked, weights});
  }
  return sum;
}

// What is listed for the host stays small.
void check_taps(const ResizeMode& mode, const ResizeAxis& axis) {
  const double scale = mode.antialias ? std::min(axis.scale, 1.0) : 1.0;
  if (axis.to > kHostElementsMost || 4 / scale > static_cast<double>(kTapsMost) ||
      4 / scale * static_cast<double>(axis.to) > kTapsOfAllMost) {
    fail(NETCL_ERROR_UNSUPPORTED, "%lld elements become %lld, which is too many, or too few",
         static_cast<long long>(axis.from), static_cast<long long>(axis.to));
  }
}

void build_resize(Call& call) {
  const TensorRef x = call.tensor(0);
  const ResizeMode mode = mode_of(call);
  const std::vector<ResizeAxis> axes = axes_of_resize(call, mode, *x);
  std::vector<int64_t> shape;
  for (const ResizeAxis& axis : axes) shape.push_back(axis.to);
  const bool nearest = mode.mode == "nearest";
  netcl_resize_coordinates coordinates = 0;
  if (x->empty() || std::count(shape.begin(), shape.end(), 0) > 0) {
    fail(NETCL_ERROR_UNSUPPORTED, "the input or the result has no elements");
  }
  for (const ResizeAxis& axis : axes) check_taps(mode, axis);
  if (mode.mode != "cubic" && own_coordinates(mode, axes, &coordinates) &&
      takes_the_same(mode, axes) && (nearest || is_float(x->dtype()))) {
    return call.give(call.made<ops::resize>(
        "resize", *x, std::span<const int64_t>(shape),
        netcl_resize_mode{nearest ? NETCL_RESIZE_NEAREST : NETCL_RESIZE_LINEAR}, coordinates));
  }
  const netcl_dtype dtype = x->dtype();
  const netcl_dtype wide = nearest ? dtype : dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  TensorRef made = call.cast(x, wide), inside;
  for (uint32_t d = 0; d < axes.size(); ++d) {
    const bool crops = mode.coordinates == "tf_crop_and_resize";
    const bool stays = axes[d].to == axes[d].from && axes[d].scale == 1;
    if (stays && (!crops || (axes[d].start == 0 && axes[d].end == 1))) continue;
    const ResizeTaps taps = resize_taps(mode, axes[d]);
    made = resized_along(call, made, d, taps, !nearest);
    if (!crops) continue;
    const TensorRef line = along(call, made, d, taps.inside, NETCL_BOOL);
    inside = inside == nullptr ? line : call.formula("v0 && v1", {inside, line}, NETCL_BOOL);
  }
  if (inside != nullptr) {
    made =
        call.formula("v1 ? v0 : v2", {made, inside, call.constant(wide, {}, {mode.outside})}, wide);
  }
  if (wide != dtype && !is_float(dtype)) made = call.formula("round(v0)", {made});
  call.give(call.cast(made, dtype));
}

std::string refuse_resize(const NodeFacts& node) {
  const std::string mode = node.text("mode", "nearest");
  if (mode != "nearest" && mode != "linear" && mode != "bilinear" && mode != "cubic") {
    return "mode " + shown(mode);
  }
  const std::string how = node.text("coordinate_transformation_mode", "half_pixel");
  for (const char* known : {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                            "align_corners", "asymmetric", "tf_crop_and_resize"}) {
    if (how == known) return "";
  }
  return "coordinate_transformation_mode " + shown(how);
}

constexpr OpRow kResizeRows[] = {
    {"Resize",
     "antialias axes coordinate_transformation_mode cubic_coeff_a exclude_outside "
     "extrapolation_value keep_aspect_ratio_policy mode nearest_mode",
     build_resize, "123", refuse_resize, 10},
    {"Upsample", "mode scales", build_resize, "1", refuse_resize},
};

}  // namespace

std::span<const OpRow> resize_rows() { return kResizeRows; }

}  // namespace netcl::model
