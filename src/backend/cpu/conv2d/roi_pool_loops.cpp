#include "backend/cpu/conv2d/roi_pool_loops.hpp"

#include <limits>

#include "backend/cpu/conv2d/roi_pool_sides.hpp"
#include "backend/cpu/element.hpp"

namespace netcl::cpu {

namespace {

// The regions of a call. R is what places are computed in.
template <class R>
class RoiList {
 public:
  template <class Task>
  explicit RoiList(const Task& task)
      : rois_(static_cast<const R*>(task.rois_data) + task.rois.offset),
        images_(task.images_data),
        rois_layout_(task.rois),
        images_layout_(task.images),
        wide_(task.index == NETCL_I64) {}

  // Which image a region is of; any number.
  int64_t image(int64_t region) const {
    const int64_t at = images_layout_.offset + region * images_layout_.strides[0];
    return wide_ ? static_cast<const int64_t*>(images_)[at]
                 : static_cast<const int32_t*>(images_)[at];
  }
  // Left, upper, right and lower.
  R end(int64_t region, int64_t side) const {
    return rois_[region * rois_layout_.strides[0] + side * rois_layout_.strides[1]];
  }

 private:
  const R* const rois_;
  const void* const images_;
  const Layout& rois_layout_;
  const Layout& images_layout_;
  const bool wide_;
};

// to[i] += weight * from[i * stride]
template <class E>
void add_weighed(typename E::Compute* to, const typename E::Storage* from, int64_t stride,
                 int64_t count, typename E::Compute weight) {
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] += weight * E::load(from + i);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] += weight * E::load(from + i * stride);
  }
}

// Regions and channels of one thread, so many that what a region has in common is worked out once.
template <class Function>
void for_regions(ThreadPool& threads, int64_t regions, int64_t channels, int64_t bins,
                 const Function& function) {
  const int64_t grain = std::max<int64_t>(std::min<int64_t>(channels, 16), (1 << 10) / bins);
  threads.parallel_for(regions * channels, grain, [&](int64_t first, int64_t last) {
    function(first, last);
  });
}

// ---- Means -------------------------------------------------------------------------------------

template <class E, class R>
class RoiMeans {
 public:
  using Storage = typename E::Storage;
  using V = typename E::Compute;

  RoiMeans(const RoiTask& task, ThreadPool& threads)
      : task_(task), threads_(threads), list_(task) {}

  void run(int64_t first, int64_t last) const {
    const RoiPoolSettings& settings = task_.settings;
    const int64_t channels = task_.y.shape[1];
    RoiWeights<R> down(threads_, settings.rows, task_.x.shape[2]);
    RoiWeights<R> across(threads_, settings.columns, task_.x.shape[3]);
    const ScratchArray<V> line(threads_, static_cast<size_t>(task_.x.shape[3]));
    for (int64_t at = first; at < last;) {
      const int64_t region = at / channels, image = list_.image(region);
      const int64_t end = std::min(last, (region + 1) * channels);
      const bool known = image >= 0 && image < task_.x.shape[0];
      if (known) {
        down.set(settings, list_.end(region, 1), list_.end(region, 3));
        across.set(settings, list_.end(region, 0), list_.end(region, 2));
      }
      for (; at < end; ++at) {
        const int64_t channel = at % channels;
        Storage* const y = static_cast<Storage*>(task_.y_data) + task_.y.offset +
                           region * task_.y.strides[0] + channel * task_.y.strides[1];
        const Storage* const plane = static_cast<const Storage*>(task_.x_data) + task_.x.offset +
                                     (known ? image : 0) * task_.x.strides[0] +
                                     channel * task_.x.strides[1];
        for (int64_t row = 0; row < settings.rows; ++row) {
          run_row(plane, known ? &down : nullptr, across, row, line.data(),
                  y + row * task_.y.strides[2]);
        }
      }
    }
  }

 private:
  // `line` becomes the sum of rows of the image, and each bin one of a few of its elements.
  void run_row(const Storage* plane, const RoiWeights<R>* down, const RoiWeights<R>& across,
               int64_t row, V* line, Storage* y) const {
    const int64_t columns = task_.settings.columns, stride = task_.x.strides[3];
    const R asked = down == nullptr ? R(0) : down->asked() * across.asked();
    if (!(asked > 0) || down->begin(row) == down->end(row)) {
      for (int64_t k = 0; k < columns; ++k) E::store(V(0), y + k * task_.y.strides[3]);
      return;
    }
    const int64_t low = across.low();
    std::fill(line, line + across.width(), V(0));
    for (const auto* part = down->begin(row); part != down->end(row); ++part) {
      add_weighed<E>(line, plane + part->element * task_.x.strides[2] + low * stride, stride,
                     across.width(), static_cast<V>(part->weight));
    }
    for (int64_t k = 0; k < columns; ++k) {
      V sum = 0;
      for (const auto* part = across.begin(k); part != across.end(k); ++part) {
        sum += line[part->element - low] * static_cast<V>(part->weight);
      }
      E::store(sum / static_cast<V>(asked), y + k * task_.y.strides[3]);
    }
  }

  const RoiTask& task_;
  ThreadPool& threads_;
  const RoiList<R> list_;
};

// ---- Extremes ----------------------------------------------------------------------------------

template <class V>
struct RoiFound {
  V value = 0;
  V weight = 0;
  int64_t place = -1;  // in the plane in C order; -1: no element

  // As the maximum of netcl has it: the first of equal ones, and what is no number stays.
  void meet(V other, V weighs, int64_t at) {
    if (place >= 0 && (value >= other || value != value)) return;
    value = other;
    weight = weighs;
    place = at;
  }
};

template <class E, class R>
class RoiExtremes {
 public:
  using Storage = typename E::Storage;
  using V = typename E::Compute;

  RoiExtremes(const RoiTask& task, ThreadPool& threads)
      : task_(task), threads_(threads), list_(task) {}

  void run(int64_t first, int64_t last) const {
    const RoiPoolSettings& settings = task_.settings;
    const int64_t channels = task_.y.shape[1];
    const bool elements = settings.kind == NETCL_ROI_POOLING_MAX;
    const auto side = elements ? element_side<R> : sampled_side<R>;
    const ScratchArray<RoiSide<R>> across(threads_, static_cast<size_t>(settings.columns));
    for (int64_t at = first; at < last;) {
      const int64_t region = at / channels, image = list_.image(region);
      const int64_t end = std::min(last, (region + 1) * channels), begin = at;
      const bool known = image >= 0 && image < task_.x.shape[0];
      for (int64_t k = 0; k < settings.columns; ++k) {
        across.data()[k] = side(settings, list_.end(region, 0), list_.end(region, 2),
                                settings.columns, k, task_.x.shape[3]);
      }
      for (int64_t row = 0; row < settings.rows; ++row) {
        const RoiSide<R> down = side(settings, list_.end(region, 1), list_.end(region, 3),
                                     settings.rows, row, task_.x.shape[2]);
        for (at = begin; at < end; ++at) {
          const int64_t plane = (known ? image : 0) * channels + at % channels;
          for (int64_t k = 0; k < settings.columns; ++k) {
            const RoiFound<V> found = !known     ? RoiFound<V>()
                                      : elements ? largest(plane, down, across.data()[k])
                                                 : largest_part(plane, down, across.data()[k]);
            give(found, region, plane, row, k);
          }
        }
      }
      at = end;
    }
  }

 private:
  const Storage* plane_at(int64_t plane) const {
    const int64_t channels = task_.x.shape[1];
    return static_cast<const Storage*>(task_.x_data) + task_.x.offset +
           plane / channels * task_.x.strides[0] + plane % channels * task_.x.strides[1];
  }

  RoiFound<V> largest(int64_t plane, const RoiSide<R>& down, const RoiSide<R>& across) const {
    const Storage* const x = plane_at(plane);
    const auto top = static_cast<int64_t>(down.low), left = static_cast<int64_t>(across.low);
    RoiFound<V> found;
    for (int64_t i = top; i < top + down.count; ++i) {
      for (int64_t k = left; k < left + across.count; ++k) {
        found.meet(E::load(x + i * task_.x.strides[2] + k * task_.x.strides[3]), V(1),
                   i * task_.x.shape[3] + k);
      }
    }
    return found;
  }

  RoiFound<V> largest_part(int64_t plane, const RoiSide<R>& down, const RoiSide<R>& across) const {
    const Storage* const x = plane_at(plane);
    RoiFound<V> found;
    R within = 0;
    RoiTap<R> row, column;
    const auto meet = [&](int64_t i, int64_t k, V weight) {
      const V value = E::load(x + i * task_.x.strides[2] + k * task_.x.strides[3]);
      found.meet(value * weight, weight, i * task_.x.shape[3] + k);
    };
    for (int64_t i = 0; i < down.count; ++i) {
      if (!tap_at(down, i, task_.x.shape[2], &row)) continue;
      for (int64_t k = 0; k < across.count; ++k) {
        if (!tap_at(across, k, task_.x.shape[3], &column)) continue;
        within += 1;
        const V b = static_cast<V>(row.weight), d = static_cast<V>(column.weight);
        meet(row.low, column.low, (1 - b) * (1 - d));
        meet(row.low, column.high, (1 - b) * d);
        meet(row.high, column.low, b * (1 - d));
        meet(row.high, column.high, b * d);
      }
    }
    const bool outside = within < down.asked * across.asked;
    return outside && found.value < 0 ? RoiFound<V>() : found;
  }

  void give(const RoiFound<V>& found, int64_t region, int64_t plane, int64_t row,
            int64_t column) const {
    const int64_t at = task_.y.offset + region * task_.y.strides[0] +
                       plane % task_.x.shape[1] * task_.y.strides[1] + row * task_.y.strides[2] +
                       column * task_.y.strides[3];
    const int64_t size = task_.x.shape[2] * task_.x.shape[3];
    switch (task_.fact) {
      case RoiFact::value:
        return E::store(found.value, static_cast<Storage*>(task_.y_data) + at);
      case RoiFact::place:
        static_cast<int64_t*>(task_.y_data)[at] =
            found.place < 0 ? task_.x.element_count() : plane * size + found.place;
        return;
      case RoiFact::weight:
        static_cast<V*>(task_.y_data)[at] = found.weight;
    }
  }

  const RoiTask& task_;
  ThreadPool& threads_;
  const RoiList<R> list_;
};

// ---- Gradients of means ------------------------------------------------------------------------

template <class E, class R>
class RoiSpread {
 public:
  using Storage = typename E::Storage;
  using V = typename E::Compute;

  RoiSpread(const RoiSpreadTask& task, ThreadPool& threads)
      : task_(task), threads_(threads), list_(task) {}

  // Planes of the result.
  void run(int64_t first, int64_t last) const {
    const RoiPoolSettings& settings = task_.settings;
    const int64_t channels = task_.result.shape[1];
    RoiWeights<R> down(threads_, settings.rows, task_.result.shape[2]);
    RoiWeights<R> across(threads_, settings.columns, task_.result.shape[3]);
    const ScratchArray<V> line(threads_, static_cast<size_t>(task_.result.shape[3]));
    for (int64_t plane = first; plane < last; ++plane) clear(plane);
    for (int64_t region = 0; region < task_.grad.shape[0]; ++region) {
      const int64_t image = list_.image(region);
      if (image < first / channels || image > (last - 1) / channels) continue;
      down.set(settings, list_.end(region, 1), list_.end(region, 3));
      across.set(settings, list_.end(region, 0), list_.end(region, 2));
      if (!(down.asked() * across.asked() > 0)) continue;
      const int64_t end = std::min(last, (image + 1) * channels);
      for (int64_t plane = std::max(first, image * channels); plane < end; ++plane) {
        for (int64_t row = 0; row < settings.rows; ++row) {
          add_bins(region, plane, row, down, across, line.data());
        }
      }
    }
  }

 private:
  V* row_at(int64_t plane, int64_t row) const {
    const int64_t channels = task_.result.shape[1];
    return static_cast<V*>(task_.result_data) + task_.result.offset +
           plane / channels * task_.result.strides[0] +
           plane % channels * task_.result.strides[1] + row * task_.result.strides[2];
  }
  void clear(int64_t plane) const {
    for (int64_t row = 0; row < task_.result.shape[2]; ++row) {
      V* const to = row_at(plane, row);
      for (int64_t k = 0; k < task_.result.shape[3]; ++k) to[k * task_.result.strides[3]] = 0;
    }
  }

  // A row of bins: what goes to the columns first, then to the rows.
  void add_bins(int64_t region, int64_t plane, int64_t row, const RoiWeights<R>& down,
                const RoiWeights<R>& across, V* line) const {
    if (down.begin(row) == down.end(row)) return;
    const V asked = static_cast<V>(down.asked() * across.asked());
    const int64_t low = across.low(), width = across.width(), stride = task_.result.strides[3];
    const Storage* const grad = static_cast<const Storage*>(task_.grad_data) + task_.grad.offset +
                                region * task_.grad.strides[0] +
                                plane % task_.result.shape[1] * task_.grad.strides[1] +
                                row * task_.grad.strides[2];
    std::fill(line, line + width, V(0));
    for (int64_t k = 0; k < task_.settings.columns; ++k) {
      const V share = E::load(grad + k * task_.grad.strides[3]) / asked;
      for (const auto* part = across.begin(k); part != across.end(k); ++part) {
        line[part->element - low] += share * static_cast<V>(part->weight);
      }
    }
    for (const auto* part = down.begin(row); part != down.end(row); ++part) {
      V* const to = row_at(plane, part->element) + low * stride;
      const V weight = static_cast<V>(part->weight);
      for (int64_t i = 0; i < width; ++i) to[i * stride] += weight * line[i];
    }
  }

  const RoiSpreadTask& task_;
  ThreadPool& threads_;
  const RoiList<R> list_;
};

// Calls function(element, R()) for the dtypes of a task.
template <class Task, class Function>
void with_roi_types(const Task& task, const Function& function) {
  with_float(task.dtype, [&](auto element) {
    if (task.places == NETCL_F64) {
      function(element, double());
    } else {
      function(element, float());
    }
  });
}

}  // namespace

void roi_pool(const RoiTask& task, ThreadPool& threads) {
  with_roi_types(task, [&](auto element, auto place) {
    using E = decltype(element);
    using R = decltype(place);
    const int64_t bins = task.settings.rows * task.settings.columns;
    for_regions(threads, task.y.shape[0], task.y.shape[1], bins, [&](int64_t first, int64_t last) {
      if (task.settings.kind == NETCL_ROI_POOLING_AVERAGE) {
        RoiMeans<E, R>(task, threads).run(first, last);
      } else {
        RoiExtremes<E, R>(task, threads).run(first, last);
      }
    });
  });
}

void roi_spread(const RoiSpreadTask& task, ThreadPool& threads) {
  with_roi_types(task, [&](auto element, auto place) {
    const RoiSpread<decltype(element), decltype(place)> spread(task, threads);
    threads.parallel_for(task.result.shape[0] * task.result.shape[1], 4,
                         [&](int64_t first, int64_t last) { spread.run(first, last); });
  });
}

}  // namespace netcl::cpu
