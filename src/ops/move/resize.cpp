#include "ops/move/resize.hpp"

#include <algorithm>
#include <cmath>

#include "core/number.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"
#include "ops/move/move_rows.hpp"
#include "ops/move/resize_plan.hpp"
#include "ops/move/resize_value.hpp"
#include "tensor/transfer.hpp"

namespace netcl::ops {

namespace {

// A resizing after its checks.
struct Resizing {
  const ResizeSettings& settings;
  uint32_t rank = 0;
  std::array<ResizeAxis, kRankMax> axes{};
  std::array<ResizeRange, kRankMax> ranges{};

  bool linear() const { return settings.mode == NETCL_RESIZE_LINEAR; }
  bool weighs() const { return settings.mode != NETCL_RESIZE_NEAREST; }
  bool keeps(uint32_t d) const { return resize_keeps(settings, axes[d]); }
  // Only two neighbours weigh along every axis.
  bool has_neighbours() const {
    bool shrinks = false;
    for (uint32_t d = 0; d < rank; ++d) shrinks = shrinks || (!keeps(d) && axes[d].scale < 1);
    return linear() && !(settings.antialias && shrinks);
  }
};

void add_table(const Resizing& resizing, const Tensor& x, uint32_t d, ResizePlan* plan) {
  const ResizeAxis& axis = resizing.axes[d];
  const ResizeRange& range = resizing.ranges[d];
  const int64_t stride = x.layout().strides[d];
  const double last = static_cast<double>(axis.in - 1);
  plan->table_of.shape[d] = 1;
  plan->table_of.strides[d] = static_cast<int64_t>(plan->tables.size());
  ++plan->changed;
  for (int64_t i = range.first; i < range.first + range.count; ++i) {
    const double place = resize_coordinate(resizing.settings, axis, i);
    Neighbours n{};
    if (!plan->linear) {
      n.low = resize_nearest(resizing.settings, axis, place) * stride;
    } else {
      // Beyond the first and the last element there is nothing to weigh.
      const double inside = std::clamp(place, 0.0, last), below = std::floor(inside);
      const auto low = static_cast<int64_t>(below);
      n.low = low * stride;
      n.high = std::min(low + 1, axis.in - 1) * stride;
      const double weight = inside - below;
      const auto narrow = static_cast<float>(weight);
      if (plan->doubles) {
        std::memcpy(n.weight, &weight, sizeof weight);
      } else {
        std::memcpy(n.weight, &narrow, sizeof narrow);
      }
    }
    plan->tables.push_back(n);
  }
}

void launch_resize(const ResizePlan& plan, const Tensor& x, const Tensor& result, const Run& run) {
  const uint64_t bytes = plan.tables.size() * sizeof(Neighbours);
  const BufferRef tables = constant_memory(plan.tables.data(), bytes, run);
  Arguments arguments;
  arguments.memory(reading(x));
  arguments.memory(writing(result));
  arguments.memory(reading(*tables));
  arguments.layout(plan.from);
  arguments.layout(plan.to);
  arguments.layout(plan.table_of);
  arguments.scalar(plan.rows);
  const size_t size = x.element_size();
  const char* const bits = size == 1 ? "u8" : size == 2 ? "u16" : size == 4 ? "u32" : "u64";
  const std::string dtype = plan.linear ? dtype_facts(x.dtype()).name : bits;
  std::string flags = "-DX=" + dtype + " -DY=" + dtype;
  flags += " -DCHANGED=" + number_text(plan.changed);
  flags += plan.last_changed ? " -DLAST=1" : " -DLAST=0";
  flags += plan.linear ? " -DLINEAR=1" : " -DLINEAR=0";
  if (plan.linear) {
    flags += plan.doubles ? " -DCOMPUTE_TYPE=double -DWIDE" : " -DCOMPUTE_TYPE=float";
    if (!is_float(x.dtype())) flags += " -DROUNDED";
  }
  int64_t most = result.element_count();
  if (!fits_32_bits({&x.layout()}, most)) most = INT64_MAX;
  launch_rows("resize.cl", "netcl_resize", flags, plan.rows, plan.to.shape[plan.to.rank - 1],
              !fits_32_bits({&result.layout()}, most), arguments, run);
}

void check_number(int32_t number, int32_t most, const char* member) {
  if (number >= 0 && number <= most) return;
  fail(NETCL_ERROR_INVALID_ARGUMENT, "options->%s is %d; it is 0 to %d", member, number, most);
}

void check_settings(const ResizeSettings& settings, uint32_t rank) {
  check_number(settings.mode, NETCL_RESIZE_CUBIC, "mode");
  check_number(settings.coordinates, NETCL_RESIZE_TF_CROP_AND_RESIZE, "coordinates");
  check_number(settings.rounding, NETCL_RESIZE_CEIL, "rounding");
  if (!std::isfinite(settings.cubic_coeff)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "options->cubic_coeff is %g", settings.cubic_coeff);
  }
  const bool crops = settings.coordinates == NETCL_RESIZE_TF_CROP_AND_RESIZE;
  for (uint32_t d = 0; d < rank; ++d) {
    const double start = settings.starts[d], end = settings.ends[d];
    if (crops && !(std::isfinite(start) && std::isfinite(end))) {
      fail(NETCL_ERROR_INVALID_ARGUMENT, "options->roi[%u] is %g and options->roi[%u] is %g", d,
           start, rank + d, end);
    }
  }
}

// Works out what becomes of each axis.
Resizing check(const Tensor& x, std::span<const int64_t> shape, const ResizeSettings& settings,
               const Run& run) {
  const Layout& source = x.layout();
  Resizing resizing{settings};
  resizing.rank = static_cast<uint32_t>(shape.size());
  if (resizing.rank != source.rank) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "rank is %u; x has rank %u", resizing.rank, source.rank);
  }
  if (shape.data() == nullptr && !shape.empty()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "shape is NULL while rank is %u", resizing.rank);
  }
  check_settings(settings, resizing.rank);
  std::array<int64_t, kRankMax> extents{};
  for (uint32_t d = 0; d < resizing.rank; ++d) {
    resizing.axes[d] = resize_axis(settings, d, source.shape[d], shape[d]);
    extents[d] = resizing.axes[d].out;
  }
  const Layout wanted = make_layout(resizing.rank, extents.data(), nullptr, x.element_size());
  if (resizing.weighs()) require_f64(run, x.dtype(), "x");
  if (x.empty() && wanted.element_count() != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "x has shape %s, which is empty; shape is %s",
         shape_text(source).c_str(), shape_text(resizing.rank, extents.data()).c_str());
  }
  return resizing;
}

Work resize_work(const Resizing& resizing, double taps, double operations, const Tensor& x,
                 const Tensor& result) {
  Work work = work_of("resize", x.dtype(), resizing.weighs() ? operations : 0.0, {}, {&result});
  // A smaller result does not look at every element.
  work.bytes += std::min(moved_bytes(&x), taps * moved_bytes(&result));
  return work;
}

// One element of x's dtype for what lies outside.
Element outside_element(netcl_dtype dtype, double value) {
  Element element{};
  netcl::cpu::with_dtype(dtype, [&](auto typed) {
    using E = decltype(typed);
    typename E::Storage stored;
    store_weighed<E>(value, &stored);
    std::memcpy(element.data(), &stored, sizeof stored);
  });
  return element;
}

// Which coordinates lie inside of x; false where none do.
bool find_ranges(Resizing* resizing) {
  bool any = true;
  for (uint32_t d = 0; d < resizing->rank; ++d) {
    resizing->ranges[d] = resize_range(resizing->settings, resizing->axes[d]);
    any = any && resizing->ranges[d].count > 0;
  }
  return any;
}

// The part of the result that lies inside of x; the rest is filled.
Tensor inner_part(const Resizing& resizing, const TensorRef& result, const Run& run) {
  Layout part = result->layout();
  bool whole = true;
  for (uint32_t d = 0; d < resizing.rank; ++d) {
    whole = whole && resizing.ranges[d].count == part.shape[d];
    part.shape[d] = resizing.ranges[d].count;
  }
  if (whole) return *result;
  if (part.element_count() > 0) {
    for (uint32_t d = 0; d < part.rank; ++d) {
      part.offset += resizing.ranges[d].first * part.strides[d];
    }
  }
  const Element element = outside_element(result->dtype(), resizing.settings.extrapolation_value);
  fill(*result, element.data(), part.element_count() > 0 ? run.without_event() : run);
  return Tensor(result->buffer(), result->dtype(), part);
}

// By the element next to each coordinate, or the two about it.
void by_neighbours(const Resizing& resizing, const Tensor& x, const Tensor& result,
                   const Run& run) {
  ResizePlan plan;
  plan.from = x.layout();
  plan.to = result.layout();
  plan.table_of.rank = resizing.rank;
  plan.linear = resizing.linear();
  plan.doubles = x.dtype() == NETCL_F64;
  for (uint32_t d = 0; d < resizing.rank; ++d) {
    if (!resizing.keeps(d)) add_table(resizing, x, d, &plan);
  }
  if (plan.changed == 0) return copy_into(x, result, run);
  simplify_resize(&plan);
  const Run declared = with_work(run, [&] {
    const double taps = plan.linear ? std::ldexp(1.0, plan.changed) : 1.0;
    return resize_work(resizing, taps, 2 * taps * static_cast<double>(result.element_count()), x,
                       result);
  });
  if (runs_native(run.device())) {
    resize_natively(std::move(plan), x, result, declared);
  } else {
    launch_resize(plan, x, result, declared);
  }
}

// One axis of those that change.
struct ResizePass {
  uint32_t axis;
  ResizeFilter filter;
};

// Those that leave the fewest elements come first.
std::vector<ResizePass> make_passes(const Resizing& resizing) {
  std::vector<uint32_t> order;
  for (uint32_t d = 0; d < resizing.rank; ++d) {
    if (!resizing.keeps(d)) order.push_back(d);
  }
  const auto share = [&](uint32_t d) {
    return static_cast<double>(resizing.ranges[d].count) / static_cast<double>(resizing.axes[d].in);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return share(a) < share(b); });
  std::vector<ResizePass> passes;
  for (const uint32_t d : order) {
    passes.push_back({d, resize_filter(resizing.settings, resizing.axes[d], resizing.ranges[d])});
  }
  return passes;
}

void by_filters(const Resizing& resizing, const std::vector<ResizePass>& passes, const Tensor& x,
                const Tensor& result, const Run& run) {
  if (passes.empty()) return copy_into(x, result, run);
  const netcl_dtype wide = x.dtype() == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  std::array<int64_t, kRankMax> shape = x.layout().shape;
  double taps = 1, operations = 0;
  Tensor from = x;
  for (size_t i = 0; i < passes.size(); ++i) {
    const auto& [d, filter] = passes[i];
    const double each = static_cast<double>(filter.weights.size()) /
                        static_cast<double>(resizing.ranges[d].count);
    shape[d] = resizing.ranges[d].count;
    taps *= each;
    const bool last = i + 1 == passes.size();
    const Tensor to = last ? result : *new_tensor(wide, resizing.rank, shape.data(), run);
    operations += 2 * each * static_cast<double>(to.element_count());
    const Run declared =
        with_work(run, [&] { return resize_work(resizing, taps, operations, x, result); });
    filter_axis(filter, d, from, to, last ? declared : run.without_event());
    from = to;
  }
}

}  // namespace

// Leaves out dimensions of one element and joins neighbours that do not change.
void simplify_resize(ResizePlan* plan) {
  Layout& from = plan->from;
  Layout& to = plan->to;
  Layout& table_of = plan->table_of;
  uint32_t rank = 0;
  for (uint32_t d = 0; d < to.rank; ++d) {
    const bool same = table_of.shape[d] == 0;
    const int64_t extent = to.shape[d];
    if (same && extent == 1) continue;
    const bool joins = rank > 0 && same && table_of.shape[rank - 1] == 0 &&
                       from.strides[rank - 1] == from.strides[d] * extent &&
                       to.strides[rank - 1] == to.strides[d] * extent;
    const uint32_t at = joins ? rank - 1 : rank;
    to.shape[at] = joins ? to.shape[at] * extent : extent;
    from.shape[at] = same ? to.shape[at] : from.shape[d];
    from.strides[at] = from.strides[d];
    to.strides[at] = to.strides[d];
    table_of.shape[at] = table_of.shape[d];
    table_of.strides[at] = table_of.strides[d];
    if (!joins) ++rank;
  }
  from.rank = to.rank = table_of.rank = rank;
  plan->last_changed = table_of.shape[rank - 1] != 0;
  plan->rows = to.element_count() / to.shape[rank - 1];
}

TensorRef resize(const Tensor& x, std::span<const int64_t> shape, const ResizeSettings& settings,
                 const TensorRef& into, const Run& run) {
  Resizing resizing = check(x, shape, settings, run);
  refuse_sharing(into, x, "x");
  std::array<int64_t, kRankMax> extents{};
  for (uint32_t d = 0; d < resizing.rank; ++d) extents[d] = resizing.axes[d].out;
  const TensorRef result = result_tensor(into, resizing.rank, extents.data(), x.dtype(), run);
  if (result->empty()) return result;
  const bool inside = find_ranges(&resizing);
  const bool filters = inside && resizing.weighs() && !resizing.has_neighbours();
  // What refuses the call comes before what is written.
  const std::vector<ResizePass> passes =
      filters ? make_passes(resizing) : std::vector<ResizePass>();
  const Tensor part = inner_part(resizing, result, run);
  if (filters) {
    by_filters(resizing, passes, x, part, run);
  } else if (inside) {
    by_neighbours(resizing, x, part, run);
  }
  return result;
}

}  // namespace netcl::ops
