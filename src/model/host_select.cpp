#include "model/host_select.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/layout.hpp"
#include "model/node_call.hpp"

namespace netcl::model {

namespace {

HostRef list_of_integers(std::vector<int64_t> shape, std::vector<int64_t> integers) {
  HostValue made;
  made.shape = std::move(shape);
  made.integers = std::move(integers);
  return rounded(std::move(made));
}

// A tensor as rows along an axis: element i of part k of row r is at (r count + k) length + i.
struct AxisParts {
  int64_t rows = 1;
  int64_t count = 1;
  int64_t length = 1;

  AxisParts(const std::vector<int64_t>& shape, size_t axis) : count(shape[axis]) {
    for (size_t d = 0; d < axis; ++d) rows *= shape[d];
    for (size_t d = axis + 1; d < shape.size(); ++d) length *= shape[d];
  }
  size_t at(int64_t row, int64_t part, int64_t i) const {
    return static_cast<size_t>((row * count + part) * length + i);
  }
};

// Parts along an axis, in the order of `places`.
HostValue parts_of_value(const HostValue& x, size_t axis, const std::vector<int64_t>& places) {
  const AxisParts parts(x.shape, axis);
  HostValue made;
  made.dtype = x.dtype;
  made.shape = x.shape;
  made.shape[axis] = static_cast<int64_t>(places.size());
  for (int64_t row = 0; row < parts.rows; ++row) {
    for (const int64_t place : places) {
      for (int64_t i = 0; i < parts.length; ++i) {
        if (x.is_real()) {
          made.reals.push_back(x.reals[parts.at(row, place, i)]);
        } else {
          made.integers.push_back(x.integers[parts.at(row, place, i)]);
        }
      }
    }
  }
  return made;
}

HostValue flattened(HostValue value) {
  value.shape = {static_cast<int64_t>(value.count())};
  return value;
}

// -1, 0 or 1; NaN is equal to NaN and larger than all others.
int compare_elements(const HostValue& value, size_t a, size_t b) {
  if (value.is_real()) {
    const double x = value.reals[a], y = value.reals[b];
    if (std::isnan(x) || std::isnan(y)) return int{std::isnan(x)} - int{std::isnan(y)};
    return int{x > y} - int{x < y};
  }
  const int64_t x = value.integers[a], y = value.integers[b];
  if (value.dtype == NETCL_U64) {
    return int{static_cast<uint64_t>(x) > static_cast<uint64_t>(y)} -
           int{static_cast<uint64_t>(x) < static_cast<uint64_t>(y)};
  }
  return int{x > y} - int{x < y};
}

struct Corners {
  float low[2];
  float high[2];

  float area() const { return (high[0] - low[0]) * (high[1] - low[1]); }
};

Corners corners_of(const HostValue& boxes, size_t box, bool centre) {
  float number[4];
  for (size_t i = 0; i < 4; ++i) number[i] = static_cast<float>(boxes.real(4 * box + i));
  Corners made;
  for (size_t i = 0; i < 2; ++i) {
    if (centre) {
      made.low[i] = number[i] - number[2 + i] / 2;
      made.high[i] = number[i] + number[2 + i] / 2;
    } else {
      made.low[i] = std::min(number[i], number[2 + i]);
      made.high[i] = std::max(number[i], number[2 + i]);
    }
  }
  return made;
}

// Whether two boxes have a larger part of their union in common.
bool overlap_more(const Corners& a, const Corners& b, float threshold) {
  Corners both;
  for (size_t i = 0; i < 2; ++i) {
    both.low[i] = std::max(a.low[i], b.low[i]);
    both.high[i] = std::min(a.high[i], b.high[i]);
    if (!(both.low[i] < both.high[i])) return false;
  }
  const float common = both.area(), all = a.area() + b.area() - common;
  if (!(common > 0) || a.area() <= 0 || b.area() <= 0 || all <= 0) return false;
  return common / all > threshold;
}

struct Suppression {
  bool centre = false;
  int64_t most = 0;  // boxes of a class
  float overlap = 0;
  bool has_least = false;
  float least = 0;  // score
};

// The boxes of one class that stay, the best ones first.
std::vector<int64_t> kept_boxes(const HostValue& scores, size_t first,
                                const std::vector<Corners>& boxes, const Suppression& rule) {
  std::vector<int64_t> order;
  const auto score = [&](int64_t box) {
    const float value = static_cast<float>(scores.real(first + static_cast<size_t>(box)));
    return std::isnan(value) ? -INFINITY : value;
  };
  for (int64_t box = 0; box < static_cast<int64_t>(boxes.size()); ++box) {
    if (!rule.has_least || score(box) > rule.least) order.push_back(box);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return score(a) > score(b); });
  std::vector<int64_t> kept;
  for (const int64_t box : order) {
    if (static_cast<int64_t>(kept.size()) >= rule.most) break;
    const Corners& corners = boxes[static_cast<size_t>(box)];
    const bool stays = std::none_of(kept.begin(), kept.end(), [&](int64_t other) {
      return overlap_more(corners, boxes[static_cast<size_t>(other)], rule.overlap);
    });
    if (stays) kept.push_back(box);
  }
  return kept;
}

// So many pairs of boxes are compared at most: some seconds.
constexpr int64_t kPairsMost = int64_t{1} << 31;

Suppression suppression_of(const HostCall& call) {
  const HostValue& boxes = call.input(0);
  const HostValue& scores = call.input(1);
  const std::vector<int64_t>&b = boxes.shape, &s = scores.shape;
  if (b.size() != 3 || s.size() != 3 || b[2] != 4 || b[0] != s[0] || b[1] != s[2]) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "boxes of shape %s and scores of shape %s do not fit",
         shape_text(static_cast<uint32_t>(b.size()), b.data()).c_str(),
         shape_text(static_cast<uint32_t>(s.size()), s.data()).c_str());
  }
  Suppression rule;
  rule.centre = call.node.integer("center_point_box", 0) != 0;
  if (call.has(2)) rule.most = std::clamp<int64_t>(call.input(2).integer(0), 0, b[1]);
  if (call.has(3)) rule.overlap = static_cast<float>(call.input(3).real(0));
  rule.has_least = call.has(4);
  if (rule.has_least) rule.least = static_cast<float>(call.input(4).real(0));
  // Each factor is below 2^20.
  if (static_cast<double>(scores.count()) * static_cast<double>(rule.most) >
      static_cast<double>(kPairsMost)) {
    fail(NETCL_ERROR_UNSUPPORTED, "%zu scores and %lld boxes of a class are too many for the host",
         scores.count(), static_cast<long long>(rule.most));
  }
  return rule;
}

}  // namespace

// Places of elements that are not zero, dimension by dimension.
std::vector<HostRef> host_non_zero(const HostCall& call) {
  const HostValue& x = call.input(0);
  std::vector<size_t> found;
  for (size_t i = 0; i < x.count(); ++i) {
    if (x.is_real() ? x.reals[i] != 0 : x.integers[i] != 0) found.push_back(i);
  }
  // A scalar counts as a list of one element.
  const std::vector<int64_t> shape = x.shape.empty() ? std::vector<int64_t>{1} : x.shape;
  host_count({static_cast<int64_t>(shape.size()), static_cast<int64_t>(found.size())});
  std::vector<int64_t> places(shape.size() * found.size());
  for (size_t i = 0; i < found.size(); ++i) {
    int64_t rest = static_cast<int64_t>(found[i]);
    for (size_t d = shape.size(); d-- > 0;) {
      places[d * found.size() + i] = rest % shape[d];
      rest /= shape[d];
    }
  }
  return {list_of_integers({static_cast<int64_t>(shape.size()), static_cast<int64_t>(found.size())},
                           std::move(places))};
}

std::vector<int64_t> chosen_by(const HostValue& condition, int64_t extent) {
  std::vector<int64_t> places;
  for (size_t i = 0; i < condition.count(); ++i) {
    if (condition.integer(i) == 0) continue;
    if (static_cast<int64_t>(i) >= extent) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "the condition takes element %zu of %lld", i,
           static_cast<long long>(extent));
    }
    places.push_back(static_cast<int64_t>(i));
  }
  return places;
}

std::vector<HostRef> host_compress(const HostCall& call) {
  const HostValue& x = call.input(0);
  if (call.node.find("axis") == nullptr) {
    const HostValue flat = flattened(x);
    return {rounded(parts_of_value(flat, 0, chosen_by(call.input(1), flat.shape[0])))};
  }
  const uint32_t axis =
      axis_of(call.node.integer("axis", 0), static_cast<uint32_t>(x.shape.size()));
  return {rounded(parts_of_value(x, axis, chosen_by(call.input(1), x.shape[axis])))};
}

// Elements, or parts along an axis, that are there once or more, sorted or as they come.
std::vector<HostRef> host_unique(const HostCall& call) {
  const bool whole = call.node.find("axis") == nullptr;
  const HostValue x = whole ? flattened(call.input(0)) : call.input(0);
  const uint32_t axis =
      axis_of(call.node.integer("axis", 0), static_cast<uint32_t>(x.shape.size()));
  const AxisParts parts(x.shape, axis);
  const auto compared = [&](int64_t a, int64_t b) {
    for (int64_t row = 0; row < parts.rows; ++row) {
      for (int64_t i = 0; i < parts.length; ++i) {
        const int order = compare_elements(x, parts.at(row, a, i), parts.at(row, b, i));
        if (order != 0) return order;
      }
    }
    return 0;
  };
  std::vector<int64_t> order(static_cast<size_t>(parts.count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return compared(a, b) < 0; });
  struct Kind {
    int64_t first;
    std::vector<int64_t> parts;
  };
  std::vector<Kind> kinds;
  for (const int64_t part : order) {
    if (kinds.empty() || compared(kinds.back().first, part) != 0) kinds.push_back({part, {}});
    kinds.back().parts.push_back(part);
  }
  if (call.node.integer("sorted", 1) == 0) {
    std::sort(kinds.begin(), kinds.end(),
              [](const Kind& a, const Kind& b) { return a.first < b.first; });
  }
  std::vector<int64_t> firsts, counts, numbers(order.size());
  for (size_t k = 0; k < kinds.size(); ++k) {
    firsts.push_back(kinds[k].first);
    counts.push_back(static_cast<int64_t>(kinds[k].parts.size()));
    for (const int64_t part : kinds[k].parts) {
      numbers[static_cast<size_t>(part)] = static_cast<int64_t>(k);
    }
  }
  const int64_t count = static_cast<int64_t>(kinds.size());
  return {rounded(parts_of_value(x, axis, firsts)), list_of_integers({count}, firsts),
          list_of_integers({parts.count}, std::move(numbers)),
          list_of_integers({count}, std::move(counts))};
}

// ONNX NonMaxSuppression: image, class and box of each that stays.
std::vector<HostRef> host_suppress(const HostCall& call) {
  const Suppression rule = suppression_of(call);
  const HostValue& boxes = call.input(0);
  const int64_t images = boxes.shape[0], each = boxes.shape[1];
  const int64_t classes = call.input(1).shape[1];
  std::vector<int64_t> found;
  for (int64_t image = 0; image < images; ++image) {
    std::vector<Corners> corners;
    for (int64_t box = 0; box < each; ++box) {
      corners.push_back(corners_of(boxes, static_cast<size_t>(image * each + box), rule.centre));
    }
    for (int64_t kind = 0; kind < classes; ++kind) {
      const size_t first = static_cast<size_t>((image * classes + kind) * each);
      for (const int64_t box : kept_boxes(call.input(1), first, corners, rule)) {
        found.insert(found.end(), {image, kind, box});
      }
    }
  }
  const int64_t count = static_cast<int64_t>(found.size() / 3);
  return {list_of_integers({count, 3}, std::move(found))};
}

}  // namespace netcl::model
