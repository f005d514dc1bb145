#include "ops/conv2d/roi_pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/cpu/element.hpp"
#include "core/number.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

struct RoiPlan {
  Layout x, rois, images, y;
  RoiPoolSettings settings;
  netcl_dtype dtype, places, index;
};

// The samples of one bin along one side: those that may lie within the image, and how many it has
// in all. kernels/conv2d/roi_pool.cl has the same, step by step.
template <class R>
struct RoiSide {
  R begin = 0;        // the place of the bin's first sample
  R step = 0;         // to the next one
  R low = 0;          // the first sample that may lie within
  int64_t count = 0;  // of those
  R asked = 0;        // samples of the bin
};

template <class R>
RoiSide<R> sampled_side(const RoiPoolSettings& settings, R from, R to, int64_t bins, int64_t bin,
                        int64_t extent) {
  const R scale = static_cast<R>(settings.scale);
  const R offset = settings.half_pixel ? R(0.5) : R(0);
  const R start = from * scale - offset;
  R size = to * scale - offset - start;
  if (!settings.half_pixel) size = std::fmax(size, R(1));
  size /= static_cast<R>(bins);
  RoiSide<R> side;
  side.asked = settings.samples > 0 ? static_cast<R>(settings.samples) : std::ceil(size);
  // Also where it is no number.
  if (!(side.asked > 0)) return {};
  side.step = size / side.asked;
  side.begin = start + static_cast<R>(bin) * size + R(0.5) * side.step;
  R high = side.asked - 1;
  // Steps that the region asks for are longer than half an element.
  R most = 2 * static_cast<R>(extent) + 16;
  if (settings.samples > 0) {
    most = side.asked;
  } else if (side.step > 0) {
    side.low = std::fmax(R(0), std::floor((-1 - side.begin) / side.step) - 1);
    high = std::fmin(high, std::ceil((static_cast<R>(extent) - side.begin) / side.step) + 1);
  }
  const R count = high - side.low + 1;
  if (count > 0) side.count = static_cast<int64_t>(std::fmin(count, most));
  return side;
}

// The elements of one bin along one side, rounded outwards and cut at the image.
template <class R>
RoiSide<R> element_side(const RoiPoolSettings& settings, R from, R to, int64_t bins, int64_t bin,
                        int64_t extent) {
  const R scale = static_cast<R>(settings.scale), end = static_cast<R>(extent);
  const R start = std::round(from * scale);
  const R size = std::fmax(std::round(to * scale) - start + 1, R(1)) / static_cast<R>(bins);
  RoiSide<R> side;
  side.low = std::fmin(std::fmax(std::floor(static_cast<R>(bin) * size) + start, R(0)), end);
  const R high = std::fmin(std::fmax(std::ceil(static_cast<R>(bin + 1) * size) + start, R(0)), end);
  if (high > side.low) side.count = static_cast<int64_t>(high - side.low);
  return side;
}

// The two elements around a sample, the nearer end where it lies before or behind all.
template <class R>
struct RoiTap {
  int64_t low = 0;
  int64_t high = 0;
  R weight = 0;  // of the second
};

template <class R>
bool tap_at(const RoiSide<R>& side, int64_t n, int64_t extent, RoiTap<R>* tap) {
  const R place = side.begin + (side.low + static_cast<R>(n)) * side.step;
  if (!(place >= -1 && place <= static_cast<R>(extent))) return false;
  const R inside = std::fmin(std::fmax(place, R(0)), static_cast<R>(extent - 1));
  tap->low = std::min(static_cast<int64_t>(inside), extent - 1);
  tap->high = std::min(tap->low + 1, extent - 1);
  tap->weight = inside - static_cast<R>(tap->low);
  return true;
}

// As the maximum of netcl has it: what is no number stays.
template <class V>
V larger(V a, V b) {
  return a >= b || a != a ? a : b;
}

template <class E, class R>
class RoiBin {
 public:
  using Storage = typename E::Storage;
  using V = typename E::Compute;

  RoiBin(const RoiPlan& plan, const Storage* plane, const RoiSide<R>& down,
         const RoiSide<R>& across)
      : plan_(plan), plane_(plane), down_(down), across_(across) {}

  V element() const {
    V largest = -std::numeric_limits<V>::infinity();
    if (down_.count == 0 || across_.count == 0) return V(0);
    for (int64_t i = 0; i < down_.count; ++i) {
      for (int64_t k = 0; k < across_.count; ++k) {
        largest = larger(largest, at(static_cast<int64_t>(down_.low) + i,
                                     static_cast<int64_t>(across_.low) + k));
      }
    }
    return largest;
  }

  V sampled() const {
    const bool average = plan_.settings.kind == RoiPooling::average;
    V sum = 0, largest = -std::numeric_limits<V>::infinity();
    R within = 0;
    RoiTap<R> row, column;
    for (int64_t i = 0; i < down_.count; ++i) {
      if (!tap_at(down_, i, plan_.x.shape[2], &row)) continue;
      for (int64_t k = 0; k < across_.count; ++k) {
        if (!tap_at(across_, k, plan_.x.shape[3], &column)) continue;
        within += 1;
        const V y = static_cast<V>(row.weight), x = static_cast<V>(column.weight);
        const V parts[4] = {at(row.low, column.low) * ((1 - y) * (1 - x)),
                            at(row.low, column.high) * ((1 - y) * x),
                            at(row.high, column.low) * (y * (1 - x)),
                            at(row.high, column.high) * (y * x)};
        for (const V part : parts) {
          sum += part;
          largest = larger(largest, part);
        }
      }
    }
    const R asked = down_.asked * across_.asked;
    if (average) return asked > 0 ? sum / static_cast<V>(asked) : V(0);
    return within < asked || within == 0 ? larger(largest, V(0)) : largest;
  }

 private:
  V at(int64_t row, int64_t column) const {
    return E::load(plane_ + row * plan_.x.strides[2] + column * plan_.x.strides[3]);
  }

  const RoiPlan& plan_;
  const Storage* const plane_;
  const RoiSide<R>& down_;
  const RoiSide<R>& across_;
};

// One row of bins of one region and channel.
template <class E, class R>
void pool_row(const RoiPlan& plan, const NativeCall& call, int64_t row) {
  using Storage = typename E::Storage;
  const RoiPoolSettings& settings = plan.settings;
  const int64_t bin = row % settings.rows, channel = row / settings.rows % plan.y.shape[1];
  const int64_t region = row / settings.rows / plan.y.shape[1];
  const int64_t place = plan.images.offset + region * plan.images.strides[0];
  const int64_t image = plan.index == NETCL_I64 ? call.at<const int64_t>(2)[place]
                                                : call.at<const int32_t>(2)[place];
  const bool known = image >= 0 && image < plan.x.shape[0];
  const R* const roi = call.at<const R>(1) + plan.rois.offset + region * plan.rois.strides[0];
  const auto end = [&](int64_t i) { return roi[i * plan.rois.strides[1]]; };
  const bool elements = settings.kind == RoiPooling::elements;
  const auto side = elements ? element_side<R> : sampled_side<R>;
  const RoiSide<R> down = side(settings, end(1), end(3), settings.rows, bin, plan.x.shape[2]);
  const Storage* const plane = call.at<const Storage>(0) + plan.x.offset +
                               (known ? image : 0) * plan.x.strides[0] +
                               channel * plan.x.strides[1];
  Storage* const target = call.at<Storage>(3) + plan.y.offset + region * plan.y.strides[0] +
                          channel * plan.y.strides[1] + bin * plan.y.strides[2];
  for (int64_t k = 0; k < settings.columns; ++k) {
    const RoiSide<R> across = side(settings, end(0), end(2), settings.columns, k, plan.x.shape[3]);
    const RoiBin<E, R> one(plan, plane, down, across);
    const typename E::Compute value = !known ? 0 : elements ? one.element() : one.sampled();
    E::store(value, target + k * plan.y.strides[3]);
  }
}

void pool_natively(const RoiPlan& plan, const Tensor& x, const Tensor& rois, const Tensor& images,
                   const Tensor& result, const Run& run) {
  const int64_t rows = plan.y.shape[0] * plan.y.shape[1] * plan.settings.rows;
  const int64_t grain = std::max<int64_t>(1, (1 << 10) / plan.settings.columns);
  const auto pool = [plan, rows, grain](const NativeCall& call) {
    netcl::cpu::with_float(plan.dtype, [&](auto element) {
      call.threads.parallel_for(rows, grain, [&](int64_t first, int64_t last) {
        using E = decltype(element);
        for (int64_t row = first; row < last; ++row) {
          if (plan.places == NETCL_F64) {
            pool_row<E, double>(plan, call, row);
          } else {
            pool_row<E, float>(plan, call, row);
          }
        }
      });
    });
  };
  enqueue_native({{x.memory(), false},
                  {rois.memory(), false},
                  {images.memory(), false},
                  {result.memory(), true}},
                 run, pool);
}

void launch_pool(const RoiPlan& plan, const Tensor& x, const Tensor& rois, const Tensor& images,
                 const Tensor& result, const Run& run) {
  Arguments arguments;
  arguments.memory(x.memory(), false);
  arguments.memory(rois.memory(), false);
  arguments.memory(images.memory(), false);
  arguments.memory(result.memory(), true);
  for (const Layout* const layout : {&plan.x, &plan.rois, &plan.images, &plan.y}) {
    arguments.layout(*layout);
  }
  const bool wide = plan.places == NETCL_F64;
  arguments.scalar(plan.settings.samples);
  if (wide) {
    arguments.scalar(plan.settings.scale);
  } else {
    arguments.scalar(static_cast<float>(plan.settings.scale));
  }
  std::string flags = std::string("-DX=") + dtype_facts(plan.dtype).name;
  flags += std::string(" -DR=") + (wide ? "double" : "float");
  flags += std::string(" -DI=") + (plan.index == NETCL_I64 ? "long" : "int");
  flags += " -DKIND=" + number_text(static_cast<int64_t>(plan.settings.kind));
  flags += plan.settings.half_pixel ? " -DHALF_PIXEL=1" : " -DHALF_PIXEL=0";
  launch_rows("roi_pool.cl", "netcl_roi_pool", flags,
              plan.y.shape[0] * plan.y.shape[1] * plan.settings.rows, plan.settings.columns, true,
              arguments, run);
}

void check_roi_settings(const RoiPoolSettings& settings) {
  const auto refuse = [](const char* name, int64_t value, int64_t least, int64_t most) {
    if (value >= least && value <= most) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %lld; it is %lld to %lld", name,
         static_cast<long long>(value), static_cast<long long>(least),
         static_cast<long long>(most));
  };
  refuse("the height of the result", settings.rows, 1, 1 << 16);
  refuse("the width of the result", settings.columns, 1, 1 << 16);
  refuse("sampling_ratio", settings.samples, 0, kRoiSamplesMost);
}

void check_roi_tensors(const Tensor& x, const Tensor& rois, const Tensor& images, const Run& run) {
  const Layout &from = x.layout(), &list = rois.layout(), &numbers = images.layout();
  const bool fits = from.rank == 4 && list.rank == 2 && list.shape[1] == 4 && numbers.rank == 1 &&
                    numbers.shape[0] == list.shape[0];
  if (!fits) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "regions of shape %s of images of shape %s, for images of shape %s",
         shape_text(list).c_str(), shape_text(numbers).c_str(), shape_text(from).c_str());
  }
  const bool places = rois.dtype() == NETCL_F32 || rois.dtype() == NETCL_F64;
  const bool index = images.dtype() == NETCL_I32 || images.dtype() == NETCL_I64;
  if (!is_float(x.dtype()) || !places || !index) {
    fail(NETCL_ERROR_UNSUPPORTED, "images are %s, regions %s and their images %s",
         dtype_facts(x.dtype()).name, dtype_facts(rois.dtype()).name,
         dtype_facts(images.dtype()).name);
  }
  if (x.empty() && list.shape[0] != 0 && from.shape[1] != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "images of shape %s have no elements",
         shape_text(from).c_str());
  }
  require_f64(run, x.dtype(), "x");
  require_f64(run, rois.dtype(), "rois");
}

}  // namespace

TensorRef roi_pool(const Tensor& x, const Tensor& rois, const Tensor& images,
                   const RoiPoolSettings& settings, const TensorRef& into, const Run& run) {
  check_roi_settings(settings);
  check_roi_tensors(x, rois, images, run);
  for (const Tensor* const tensor : {&x, &rois, &images}) refuse_sharing(into, *tensor, "into");
  const int64_t shape[4] = {rois.layout().shape[0], x.layout().shape[1], settings.rows,
                            settings.columns};
  const TensorRef result = result_tensor(into, 4, shape, x.dtype(), run);
  if (result->empty()) return result;
  const RoiPlan plan{x.layout(), rois.layout(), images.layout(), result->layout(),
                     settings,   x.dtype(),     rois.dtype(),    images.dtype()};
  const Run declared = with_work(run, [&] {
    const double count = static_cast<double>(result->element_count());
    const double samples = static_cast<double>(std::max<int64_t>(settings.samples, 1));
    return work_of("roi_pool", x.dtype(), count * samples * samples * 8, {&x, &rois, &images},
                   {result.get()});
  });
  if (runs_native(run.device())) {
    pool_natively(plan, x, rois, images, *result, declared);
  } else {
    launch_pool(plan, x, rois, images, *result, declared);
  }
  return result;
}

}  // namespace netcl::ops
