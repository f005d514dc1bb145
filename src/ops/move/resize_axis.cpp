#include "ops/move/resize_axis.hpp"

#include <algorithm>
#include <cmath>

namespace netcl::ops {

namespace {

constexpr double kWeightsMost = 1 << 26;
// Steps of 1 from it, by as many as there are weights, are exact.
constexpr double kCoordinateMost = 0x1p52;

bool crops(const ResizeSettings& settings) {
  return settings.coordinates == NETCL_RESIZE_TF_CROP_AND_RESIZE;
}

// A coordinate times 1 / scale.
double unscaled(const ResizeAxis& axis, double x) {
  if (!axis.exact) return x / axis.scale;
  return x * static_cast<double>(axis.in) / static_cast<double>(axis.out);
}

double plain_coordinate(const ResizeSettings& settings, const ResizeAxis& axis, int64_t i) {
  const double at = static_cast<double>(i), in = static_cast<double>(axis.in);
  const double out = static_cast<double>(axis.out), wide = axis.exact ? out : axis.scale * in;
  switch (settings.coordinates) {
    case NETCL_RESIZE_ALIGN_CORNERS:
      return i == 0 || wide == 1 ? 0 : at * (in - 1) / (wide - 1);
    case NETCL_RESIZE_ASYMMETRIC:
      return unscaled(axis, at);
    case NETCL_RESIZE_HALF_PIXEL_SYMMETRIC:
      // The same as in / 2 (1 - out / wide) + half pixel, rounded once.
      return (in - 1) / 2 + unscaled(axis, at + 0.5 - out / 2);
    case NETCL_RESIZE_PYTORCH_HALF_PIXEL:
      return axis.out > 1 ? unscaled(axis, at + 0.5) - 0.5 : 0;
    case NETCL_RESIZE_TF_CROP_AND_RESIZE:
      if (axis.out == 1) return (in - 1) * (axis.start + axis.end) / 2;
      // With the ends of whole regions exactly on elements.
      return (in - 1) * ((out - 1 - at) * axis.start + at * axis.end) / (out - 1);
    default:
      return unscaled(axis, at + 0.5) - 0.5;
  }
}

// Factored, so that it is exactly 0 at other elements.
double weight_of(const ResizeSettings& settings, double x) {
  x = std::fabs(x);
  if (settings.mode == NETCL_RESIZE_LINEAR) return x < 1 ? 1 - x : 0;
  const double a = settings.cubic_coeff;
  if (x < 1) return (1 - x) * (1 + x - (a + 2) * x * x);
  return x < 2 ? a * (x - 1) * (x - 2) * (x - 2) : 0;
}

// The weights for one coordinate, gathered by the elements that they are for.
class Gathered {
 public:
  Gathered(const ResizeSettings& settings, const ResizeAxis& axis)
      : settings_(settings), last_(axis.in - 1) {
    shrink_ = settings.antialias ? std::min(axis.scale, 1.0) : 1.0;
    reach_ = (settings.mode == NETCL_RESIZE_LINEAR ? 1.0 : 2.0) / shrink_;
  }
  // How many elements have a weight at most: both ends of the reach have none.
  double looks_at() const { return 2 * std::ceil(reach_); }

  void add(double x, ResizeFilter* filter) {
    const double low = std::ceil(x - reach_), high = std::floor(x + reach_);
    const int64_t first = bounded(low), end = bounded(high) + 1;
    list_.assign(static_cast<size_t>(end - first), 0.0);
    double sum = 0, all = 0;
    for (double place = low; place <= high; ++place) {
      const double weight = weight_of(settings_, (place - x) * shrink_);
      all += weight;
      const int64_t at = bounded(place);
      if (settings_.exclude_outside && static_cast<double>(at) != place) continue;
      list_[static_cast<size_t>(at - first)] += weight;
      sum += weight;
    }
    if (settings_.exclude_outside && sum == 0) {
      // Nothing is inside: as at the edge.
      list_.assign(1, 1.0);
      return store(bounded(x), filter);
    }
    if (settings_.exclude_outside || settings_.antialias) {
      const double whole = settings_.exclude_outside ? sum : all;
      for (double& weight : list_) weight /= whole;
    }
    store(first, filter);
  }

 private:
  int64_t bounded(double place) const {
    if (!(place > 0)) return 0;
    return place < static_cast<double>(last_) ? static_cast<int64_t>(place) : last_;
  }
  // Without what has no weight at both ends.
  void store(int64_t first, ResizeFilter* filter) const {
    size_t from = 0, to = list_.size();
    while (from + 1 < to && list_[from] == 0) ++from;
    while (from + 1 < to && list_[to - 1] == 0) --to;
    filter->sums.push_back({first + static_cast<int64_t>(from),
                            static_cast<int64_t>(filter->weights.size()),
                            static_cast<int64_t>(to - from)});
    filter->weights.insert(filter->weights.end(), list_.begin() + static_cast<ptrdiff_t>(from),
                           list_.begin() + static_cast<ptrdiff_t>(to));
  }

  const ResizeSettings& settings_;
  const int64_t last_;
  double shrink_;
  double reach_;
  std::vector<double> list_;
};

}  // namespace

ResizeAxis resize_axis(const ResizeSettings& settings, uint32_t d, int64_t in, int64_t extent) {
  ResizeAxis axis;
  axis.in = in;
  axis.out = extent;
  if (crops(settings)) {
    axis.start = settings.starts[d];
    axis.end = settings.ends[d];
  }
  const double scale = settings.scales[d];
  if (extent == -1) {
    if (scale == 0) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "shape[%u] is -1 and options->scales is empty", d);
    }
    const double wanted = std::floor(static_cast<double>(in) * (axis.end - axis.start) * scale);
    if (!(wanted >= 0 && wanted < 0x1p62)) {
      fail(NETCL_ERROR_INVALID_ARGUMENT,
           "shape[%u] is -1 and options->scales[%u] is %g: the extent would be %g", d, d, scale,
           wanted);
    }
    axis.out = static_cast<int64_t>(wanted);
  }
  const double out = static_cast<double>(axis.out);
  axis.exact = scale == 0 || scale * static_cast<double>(in) == out;
  axis.scale = axis.exact && in > 0 ? out / static_cast<double>(in) : scale;
  return axis;
}

bool resize_keeps(const ResizeSettings& settings, const ResizeAxis& axis) {
  if (axis.in != axis.out || !axis.exact) return false;
  return !crops(settings) || (axis.start == 0 && axis.end == 1);
}

double resize_coordinate(const ResizeSettings& settings, const ResizeAxis& axis, int64_t i) {
  const double x = plain_coordinate(settings, axis, i);
  if (std::isnan(x)) return 0;
  return std::clamp(x, -kCoordinateMost, kCoordinateMost);
}

int64_t resize_nearest(const ResizeSettings& settings, const ResizeAxis& axis, double x) {
  double place = std::ceil(x - 0.5);
  if (settings.rounding == NETCL_RESIZE_ROUND_PREFER_CEIL) place = std::floor(x + 0.5);
  if (settings.rounding == NETCL_RESIZE_FLOOR) place = std::floor(x);
  if (settings.rounding == NETCL_RESIZE_CEIL) place = std::ceil(x);
  if (!(place > 0)) return 0;
  return place < static_cast<double>(axis.in) ? static_cast<int64_t>(place) : axis.in - 1;
}

// Coordinates go up or down steadily, so those inside stand beside each other.
ResizeRange resize_range(const ResizeSettings& settings, const ResizeAxis& axis) {
  if (!crops(settings)) return {0, axis.out};
  ResizeRange range;
  const double last = static_cast<double>(axis.in - 1);
  for (int64_t i = 0; i < axis.out; ++i) {
    const double x = resize_coordinate(settings, axis, i);
    if (!(x >= 0 && x <= last)) continue;
    if (range.count == 0) range.first = i;
    range.count = i - range.first + 1;
  }
  return range;
}

ResizeFilter resize_filter(const ResizeSettings& settings, const ResizeAxis& axis,
                           const ResizeRange& range) {
  Gathered gathered(settings, axis);
  const double most = gathered.looks_at() * static_cast<double>(range.count);
  if (most > kWeightsMost) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "%lld elements become %lld of an axis, with %.3g weights; there are at most %.0f",
         static_cast<long long>(axis.in), static_cast<long long>(axis.out), most, kWeightsMost);
  }
  ResizeFilter filter;
  filter.sums.reserve(static_cast<size_t>(range.count));
  for (int64_t i = 0; i < range.count; ++i) {
    gathered.add(resize_coordinate(settings, axis, range.first + i), &filter);
  }
  return filter;
}

}  // namespace netcl::ops
