#include "model/resize_axis.hpp"

#include <algorithm>
#include <cmath>

namespace netcl::model {

namespace {

// Weights for the elements from `first` on, counted from the one below the coordinate.
struct Kernel {
  int64_t first = 0;
  std::vector<double> weights;
};

double cubic_weight(double x, double a) {
  x = std::fabs(x);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

double nearest_place(const std::string& how, double x) {
  if (how == "floor") return std::floor(x);
  if (how == "ceil") return std::ceil(x);
  if (how == "round_prefer_ceil") return std::floor(x + 0.5);
  return std::ceil(x - 0.5);
}

// With antialias the weights of an image that becomes smaller reach further.
Kernel kernel_at(const ResizeMode& mode, const ResizeAxis& axis, double ratio) {
  const bool cubic = mode.mode == "cubic";
  const double scale = mode.antialias ? std::min(axis.scale, 1.0) : 1.0;
  const double width = cubic ? 2.0 : 1.0;
  Kernel kernel;
  kernel.first = static_cast<int64_t>(std::floor(-width / scale)) + 1;
  double sum = 0;
  for (int64_t i = kernel.first; i < 2 - kernel.first; ++i) {
    const double x = (static_cast<double>(i) - ratio) * scale;
    const double weight =
        cubic ? cubic_weight(x, mode.cubic_a) : std::clamp(1 - std::fabs(x), 0.0, 1.0);
    kernel.weights.push_back(weight);
    sum += weight;
  }
  if (mode.antialias) {
    for (double& weight : kernel.weights) weight /= sum;
  }
  return kernel;
}

// Elements outside have no weight, or that of the nearest one inside.
void settle(const ResizeMode& mode, const ResizeAxis& axis, int64_t base, Kernel* kernel) {
  if (!mode.exclude_outside) return;
  double sum = 0;
  for (size_t t = 0; t < kernel->weights.size(); ++t) {
    const int64_t place = base + kernel->first + static_cast<int64_t>(t);
    if (place < 0 || place >= axis.from) kernel->weights[t] = 0;
    sum += kernel->weights[t];
  }
  for (double& weight : kernel->weights) weight /= sum;
}

}  // namespace

double resize_coordinate(const ResizeMode& mode, const ResizeAxis& axis, int64_t i) {
  const double at = static_cast<double>(i), from = static_cast<double>(axis.from);
  const double wide = axis.scale * from;
  const std::string& how = mode.coordinates;
  if (how == "asymmetric") return at / axis.scale;
  if (how == "align_corners") return wide == 1 ? 0 : at * (from - 1) / (wide - 1);
  if (how == "tf_crop_and_resize") {
    if (axis.to <= 1) return 0.5 * (axis.start + axis.end) * (from - 1);
    const double step = (axis.end - axis.start) * (from - 1) / static_cast<double>(axis.to - 1);
    return axis.start * (from - 1) + at * step;
  }
  const double half = (at + 0.5) / axis.scale - 0.5;
  if (how == "pytorch_half_pixel") return axis.to > 1 ? half : 0;
  if (how == "half_pixel_symmetric") {
    return from / 2 * (1 - static_cast<double>(axis.to) / wide) + half;
  }
  return half;
}

ResizeTaps resize_taps(const ResizeMode& mode, const ResizeAxis& axis) {
  ResizeTaps taps;
  const bool crops = mode.coordinates == "tf_crop_and_resize";
  const double last = static_cast<double>(axis.from - 1);
  const auto add = [&](size_t t, double place, double weight) {
    if (t == taps.places.size()) {
      taps.places.emplace_back();
      taps.weights.emplace_back();
    }
    taps.places[t].push_back(std::clamp(place, 0.0, last));
    taps.weights[t].push_back(weight);
  };
  for (int64_t i = 0; i < axis.to; ++i) {
    const double x = resize_coordinate(mode, axis, i);
    if (!(std::fabs(x) < 0x1p53)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "element %lld of the result lies at %g",
           static_cast<long long>(i), x);
    }
    if (crops) taps.inside.push_back(x < 0 || x > last ? 0 : 1);
    if (mode.mode == "nearest") {
      add(0, nearest_place(mode.nearest, x), 1);
      continue;
    }
    // A coordinate on an element counts as right of the one before.
    const double base = std::ceil(x) - 1;
    Kernel kernel = kernel_at(mode, axis, x - base);
    settle(mode, axis, static_cast<int64_t>(base), &kernel);
    for (size_t t = 0; t < kernel.weights.size(); ++t) {
      add(t, base + static_cast<double>(kernel.first) + static_cast<double>(t), kernel.weights[t]);
    }
  }
  return taps;
}

}  // namespace netcl::model
