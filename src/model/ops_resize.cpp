// Resize and Upsample.
#include <cmath>

#include "model/op_table.hpp"
#include "ops/move/resize.hpp"

namespace netcl::model {

namespace {

struct ResizeChoice {
  const char* name;
  int32_t value;
};
constexpr ResizeChoice kResizeModes[] = {{"nearest", NETCL_RESIZE_NEAREST},
                                         {"linear", NETCL_RESIZE_LINEAR},
                                         {"bilinear", NETCL_RESIZE_LINEAR},
                                         {"cubic", NETCL_RESIZE_CUBIC}};
constexpr ResizeChoice kResizeCoordinates[] = {
    {"half_pixel", NETCL_RESIZE_HALF_PIXEL},
    {"half_pixel_symmetric", NETCL_RESIZE_HALF_PIXEL_SYMMETRIC},
    {"pytorch_half_pixel", NETCL_RESIZE_PYTORCH_HALF_PIXEL},
    {"align_corners", NETCL_RESIZE_ALIGN_CORNERS},
    {"asymmetric", NETCL_RESIZE_ASYMMETRIC},
    {"tf_crop_and_resize", NETCL_RESIZE_TF_CROP_AND_RESIZE}};
constexpr ResizeChoice kResizeRoundings[] = {
    {"round_prefer_floor", NETCL_RESIZE_ROUND_PREFER_FLOOR},
    {"round_prefer_ceil", NETCL_RESIZE_ROUND_PREFER_CEIL},
    {"floor", NETCL_RESIZE_FLOOR},
    {"ceil", NETCL_RESIZE_CEIL}};

// Null where there is none of this name.
const ResizeChoice* resize_choice(std::span<const ResizeChoice> choices, const std::string& name) {
  for (const ResizeChoice& choice : choices) {
    if (name == choice.name) return &choice;
  }
  return nullptr;
}

bool is_old(const Call& call) { return call.opset() < 11 || call.op() == "Upsample"; }

// All but the scales and the region; names were looked at when the model was loaded.
ops::ResizeSettings settings_of(const Call& call) {
  ops::ResizeSettings settings;
  const bool old = is_old(call);
  settings.mode = resize_choice(kResizeModes, call.text("mode", "nearest"))->value;
  settings.coordinates =
      resize_choice(kResizeCoordinates,
                    call.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel"))
          ->value;
  settings.rounding = resize_choice(kResizeRoundings,
                                    call.text("nearest_mode", old ? "floor" : "round_prefer_floor"))
                          ->value;
  settings.cubic_coeff = call.real("cubic_coeff_a", -0.75);
  settings.extrapolation_value = call.real("extrapolation_value", 0);
  settings.exclude_outside = call.integer("exclude_outside", 0) != 0;
  settings.antialias = call.integer("antialias", 0) != 0;
  return settings;
}

// The numbers of an input, which may be left out by being empty too.
std::vector<double> reals_of(const Call& call, size_t input) {
  std::vector<double> reals;
  if (!call.has(input)) return reals;
  const HostValue& value = call.host(input);
  for (size_t i = 0; i < value.count(); ++i) reals.push_back(value.real(i));
  return reals;
}

int64_t extent_of(double wanted) {
  if (wanted >= 0 && wanted < 0x1p31) return static_cast<int64_t>(wanted);
  fail(NETCL_ERROR_INVALID_ARGUMENT, "an extent of the result is %g", wanted);
}

// One scale for all axes, by which none is larger, or none smaller, than asked for.
void keep_aspect(bool larger, const Tensor& x, std::span<const uint32_t> axes,
                 std::vector<int64_t>* shape, ops::ResizeSettings* settings) {
  const auto extent = [&](uint32_t d) { return static_cast<double>(x.layout().shape[d]); };
  double scale = 0;
  for (const uint32_t d : axes) {
    const double own = static_cast<double>((*shape)[d]) / extent(d);
    if (d == axes[0] || (larger ? own > scale : own < scale)) scale = own;
  }
  for (const uint32_t d : axes) {
    settings->scales[d] = scale;
    (*shape)[d] = extent_of(std::floor(scale * extent(d) + 0.5));
  }
}

// The shape of the result, with the scales and the region that it comes of.
std::vector<int64_t> shape_of_resize(const Call& call, const Tensor& x,
                                     ops::ResizeSettings* settings) {
  const bool old = is_old(call);
  std::vector<double> scales = reals_of(call, old ? 1 : 2);
  if (const Attribute* const given = call.find("scales")) scales = given->reals;
  const std::vector<double> sizes = old ? std::vector<double>() : reals_of(call, 3);
  std::vector<uint32_t> axes;
  for (const int64_t axis : call.integers("axes")) axes.push_back(axis_of(axis, x.layout().rank));
  for (uint32_t d = 0; call.find("axes") == nullptr && d < x.layout().rank; ++d) axes.push_back(d);
  const std::vector<double>& numbers = sizes.empty() ? scales : sizes;
  const std::vector<double> roi = old ? std::vector<double>() : reals_of(call, 1);
  const bool crops = settings->coordinates == NETCL_RESIZE_TF_CROP_AND_RESIZE;
  if (numbers.size() != axes.size() || (crops && roi.size() != 2 * axes.size())) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%zu scales or sizes and %zu ends of roi for %zu axes",
         numbers.size(), roi.size(), axes.size());
  }
  std::vector<int64_t> shape(x.layout().shape.begin(), x.layout().shape.begin() + x.layout().rank);
  for (size_t i = 0; i < axes.size(); ++i) {
    const uint32_t d = axes[i];
    if (crops) {
      settings->starts[d] = roi[i];
      settings->ends[d] = roi[axes.size() + i];
    }
    if (!sizes.empty()) {
      shape[d] = extent_of(sizes[i]);
      continue;
    }
    if (!(scales[i] > 0)) fail(NETCL_ERROR_INVALID_ARGUMENT, "a scale is %g", scales[i]);
    settings->scales[d] = scales[i];
    shape[d] = extent_of(std::floor(static_cast<double>(shape[d]) *
                                    (settings->ends[d] - settings->starts[d]) * scales[i]));
  }
  const std::string policy = call.text("keep_aspect_ratio_policy", "stretch");
  if (!sizes.empty() && policy != "stretch" && !x.empty()) {
    keep_aspect(policy == "not_smaller", x, axes, &shape, settings);
  }
  return shape;
}

void build_resize(Call& call) {
  const TensorRef x = call.tensor(0);
  ops::ResizeSettings settings = settings_of(call);
  const std::vector<int64_t> shape = shape_of_resize(call, *x, &settings);
  call.give(call.made<ops::resize>("resize", *x, std::span<const int64_t>(shape), settings));
}

std::string refuse_resize(const NodeFacts& node) {
  const std::string mode = node.text("mode", "nearest");
  if (resize_choice(kResizeModes, mode) == nullptr) return "mode " + shown(mode);
  const std::string how = node.text("coordinate_transformation_mode", "half_pixel");
  if (resize_choice(kResizeCoordinates, how) == nullptr) {
    return "coordinate_transformation_mode " + shown(how);
  }
  const std::string rounding = node.text("nearest_mode", "round_prefer_floor");
  return resize_choice(kResizeRoundings, rounding) == nullptr ? "nearest_mode " + shown(rounding)
                                                              : "";
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
