#include "backend/cpu/conv2d/pool2d_gradient_loops.hpp"

#include <algorithm>
#include <limits>

#include "backend/cpu/conv2d/pool2d_window.hpp"
#include "backend/cpu/element.hpp"
#include "backend/cpu/rows/norm_gather.hpp"

namespace netcl::cpu {

namespace {

int64_t plane_at(const Layout& layout, int64_t plane) {
  const int64_t channels = layout.shape[1];
  return layout.offset + plane / channels * layout.strides[0] +
         plane % channels * layout.strides[1];
}

// The place in a plane as task.places has it.
int64_t counted_place(const PoolTask& task, int64_t plane, int64_t place) {
  if (task.places == PoolPlaces::in_plane) return place;
  const int64_t height = task.x.shape[2], width = task.x.shape[3];
  if (place == height * width) return -1;
  if (task.places == PoolPlaces::by_columns) place = place % width * height + place / width;
  return plane * height * width + place;
}

// A row as packed numbers: itself, or gathered into `values`.
template <class T>
const T* row_of(netcl_dtype dtype, const void* data, int64_t at, int64_t count, int64_t stride,
                T* values) {
  if (dtype == kRealDtype<T> && stride == 1) return static_cast<const T*>(data) + at;
  gather(dtype, data, at, stepped(count, stride), 0, count, values);
  return values;
}

// T is what x is computed in, Index what holds a place in a plane.
template <class T, class Index>
class MaximumPlaces {
 public:
  MaximumPlaces(const PoolTask& task, ThreadPool& threads)
      : task_(task),
        threads_(threads),
        rows_(task.vertical),
        columns_(task.horizontal),
        none_(static_cast<Index>(task.x.shape[2] * task.x.shape[3])),
        whole_(task.dtype == kRealDtype<T> && task.x.strides[3] == 1 && rows_.is_whole() &&
               columns_.is_whole()) {}

  void run() const {
    const int64_t planes = task_.x.shape[0] * task_.x.shape[1];
    const int64_t work = rows_.window * columns_.window * columns_.result;
    const int64_t grain = std::max<int64_t>(1, kPoolChunk / std::max<int64_t>(work, 1));
    threads_.parallel_for(planes * rows_.result, grain, [&](int64_t first, int64_t last) {
      const auto results = static_cast<size_t>(columns_.result);
      const ScratchArray<T> numbers(threads_, static_cast<size_t>(columns_.extent) + results);
      const ScratchArray<Index> places(threads_, results);
      for (int64_t at = first; at < last; ++at) {
        run_row(at / rows_.result, at % rows_.result, numbers.data(), places.data());
      }
    });
  }

 private:
  // A row of windows of kHigh x kWide elements, all of which are there. These are so small that
  // going over rows of taps would take longer than the taps.
  template <size_t kHigh, size_t kWide>
  void run_small(int64_t plane, int64_t oh) const {
    WindowTaps<kHigh * kWide> taps, places;  // in memory, and in a plane in C order
    for (size_t i = 0; i < taps.size(); ++i) {
      const int64_t h = static_cast<int64_t>(i / kWide) * rows_.dilation;
      const int64_t w = static_cast<int64_t>(i % kWide) * columns_.dilation;
      taps[i] = h * task_.x.strides[2] + w;
      places[i] = h * columns_.extent + w;
    }
    const T* x = static_cast<const T*>(task_.x_data) + plane_at(task_.x, plane) +
                 rows_.begin(oh) * task_.x.strides[2];
    auto* y =
        static_cast<int64_t*>(task_.y_data) + plane_at(task_.y, plane) + oh * task_.y.strides[2];
    int64_t first = rows_.begin(oh) * columns_.extent;
    for (int64_t ow = 0; ow < columns_.result; ++ow) {
      size_t found = first_largest_of(x, taps);
      if (may_have_nan(x, taps)) {
        found = 0;
        for (size_t i = 1; i < taps.size(); ++i) {
          const T value = x[taps[i]], most = x[taps[found]];
          if (value > most || (value != value && most == most)) found = i;
        }
      }
      *y = counted_place(task_, plane, first + places[found]);
      x += columns_.stride;
      first += columns_.stride;
      y += task_.y.strides[3];
    }
  }

  void run_row(int64_t plane, int64_t oh, T* most, Index* places) const {
    if (whole_ && rows_.window == 2 && columns_.window == 2) return run_small<2, 2>(plane, oh);
    if (whole_ && rows_.window == 3 && columns_.window == 3) return run_small<3, 3>(plane, oh);
    T* const values = most + columns_.result;
    std::fill_n(most, columns_.result, -std::numeric_limits<T>::infinity());
    std::fill_n(places, columns_.result, none_);
    const PoolAxis::Taps taps = rows_.inside(oh);
    for (int64_t k = taps.first; k < taps.last; ++k) {
      const int64_t h = rows_.begin(oh) + k * rows_.dilation;
      const T* const x =
          row_of(task_.dtype, task_.x_data, plane_at(task_.x, plane) + h * task_.x.strides[2],
                 columns_.extent, task_.x.strides[3], values);
      for (int64_t tap = 0; tap < columns_.window; ++tap) {
        take(x, tap, h * columns_.extent, most, places);
      }
    }
    auto* const y =
        static_cast<int64_t*>(task_.y_data) + plane_at(task_.y, plane) + oh * task_.y.strides[2];
    for (int64_t ow = 0; ow < columns_.result; ++ow) {
      y[ow * task_.y.strides[3]] = counted_place(task_, plane, places[ow]);
    }
  }

  // One tap of all windows of a row. Without branches, which would be taken by chance.
  void take(const T* x, int64_t tap, int64_t row, T* most, Index* places) const {
    const int64_t begin = tap * columns_.dilation - columns_.before;  // in window 0
    const int64_t first = begin >= 0 ? 0 : (-begin + columns_.stride - 1) / columns_.stride;
    if (begin >= columns_.extent) return;
    const int64_t last =
        std::min(columns_.result, (columns_.extent - 1 - begin) / columns_.stride + 1);
    const Index none = none_;
    for (int64_t ow = first; ow < last; ++ow) {
      const int64_t w = begin + ow * columns_.stride;
      const T value = x[w];
      const T old = most[ow];
      const bool better = (value > old) | ((value != value) & (old == old));
      const bool taken = better | (places[ow] == none);
      most[ow] = taken ? value : old;
      places[ow] = taken ? static_cast<Index>(row + w) : places[ow];
    }
  }

  const PoolTask& task_;
  ThreadPool& threads_;
  const PoolAxis& rows_;
  const PoolAxis& columns_;
  const Index none_;
  const bool whole_;  // every tap of every window is an element of a row of T
};

// The same of integers, window by window.
template <class Element>
void places_of_integers(const PoolTask& task, int64_t first, int64_t last) {
  const auto* const x = static_cast<const typename Element::Storage*>(task.x_data);
  auto* const y = static_cast<int64_t*>(task.y_data);
  const PoolAxis& rows = task.vertical;
  const PoolAxis& columns = task.horizontal;
  for (int64_t at = first; at < last; ++at) {
    const int64_t ow = at % columns.result;
    const int64_t oh = at / columns.result % rows.result;
    const int64_t plane = at / columns.result / rows.result;
    const auto value = [&](int64_t place) {
      return x[plane_at(task.x, plane) + place / columns.extent * task.x.strides[2] +
               place % columns.extent * task.x.strides[3]];
    };
    const int64_t none = rows.extent * columns.extent;
    int64_t found = none;
    const PoolAxis::Taps down = rows.inside(oh), along = columns.inside(ow);
    for (int64_t kh = down.first; kh < down.last; ++kh) {
      const int64_t h = rows.begin(oh) + kh * rows.dilation;
      for (int64_t kw = along.first; kw < along.last; ++kw) {
        const int64_t place = h * columns.extent + columns.begin(ow) + kw * columns.dilation;
        if (found == none || value(place) > value(found)) found = place;
      }
    }
    y[plane_at(task.y, plane) + oh * task.y.strides[2] + ow * task.y.strides[3]] =
        counted_place(task, plane, found);
  }
}

template <class T>
class MaximumSpread {
 public:
  MaximumSpread(const PoolSpreadTask& task, ThreadPool& threads)
      : task_(task), threads_(threads), rows_(task.vertical), columns_(task.horizontal) {}

  // Where no two rows of windows have a row of x in common, each has a band of the plane.
  void run() const {
    const int64_t planes = task_.result.shape[0] * task_.result.shape[1];
    const bool packed = task_.dtype == kRealDtype<T> && task_.result.strides[3] == 1 &&
                        task_.result.strides[2] == columns_.extent;
    const bool apart = rows_.stride > (rows_.window - 1) * rows_.dilation;
    const int64_t bands = packed && apart ? rows_.result : 1;
    const int64_t area = rows_.extent * columns_.extent;
    const int64_t grain = std::max<int64_t>(1, kPoolChunk * bands / std::max<int64_t>(area, 1));
    threads_.parallel_for(planes * bands, grain, [&](int64_t first, int64_t last) {
      const ScratchArray<T> grads(threads_, static_cast<size_t>(columns_.result));
      const ScratchArray<T> kept(threads_, packed ? 0 : static_cast<size_t>(area));
      for (int64_t at = first; at < last; ++at) {
        const int64_t plane = at / bands;
        if (packed) {
          T* const result = static_cast<T*>(task_.result_data) + plane_at(task_.result, plane);
          run_band(plane, bands == 1 ? -1 : at % bands, result, grads.data());
        } else {
          run_band(plane, -1, kept.data(), grads.data());
          store(plane, kept.data());
        }
      }
    });
  }

 private:
  // One row of windows; -1: all of them, with the whole plane.
  void run_band(int64_t plane, int64_t band, T* result, T* grads) const {
    const auto border = [&](int64_t oh) {
      if (oh == 0) return int64_t{0};
      return oh == rows_.result ? rows_.extent
                                : std::clamp<int64_t>(rows_.begin(oh), 0, rows_.extent);
    };
    const int64_t first = band < 0 ? 0 : band;
    const int64_t last = band < 0 ? rows_.result : band + 1;
    std::fill(result + border(first) * columns_.extent, result + border(last) * columns_.extent,
              T(0));
    const int64_t none = rows_.extent * columns_.extent;
    for (int64_t oh = first; oh < last; ++oh) {
      const T* const grad = row_of(task_.dtype, task_.grad_data,
                                   plane_at(task_.grad, plane) + oh * task_.grad.strides[2],
                                   columns_.result, task_.grad.strides[3], grads);
      const int64_t* const places =
          task_.places_data + plane_at(task_.places, plane) + oh * task_.places.strides[2];
      for (int64_t ow = 0; ow < columns_.result; ++ow) {
        const int64_t place = places[ow * task_.places.strides[3]];
        if (place != none) result[place] += grad[ow];
      }
    }
  }

  void store(int64_t plane, const T* values) const {
    const Layout line = stepped(columns_.extent, task_.result.strides[3]);
    for (int64_t h = 0; h < rows_.extent; ++h) {
      scatter(task_.dtype, task_.result_data,
              plane_at(task_.result, plane) + h * task_.result.strides[2], line, 0, columns_.extent,
              values + h * columns_.extent);
    }
  }

  const PoolSpreadTask& task_;
  ThreadPool& threads_;
  const PoolAxis& rows_;
  const PoolAxis& columns_;
};

}  // namespace

void pool2d_places(const PoolTask& task, ThreadPool& threads) {
  if (!is_float(task.dtype)) {
    const int64_t taps = task.vertical.window * task.horizontal.window;
    threads.parallel_for(task.y.element_count(), std::max<int64_t>(1, kPoolChunk / taps),
                         [&](int64_t first, int64_t last) {
                           with_dtype(task.dtype, [&](auto element) {
                             places_of_integers<decltype(element)>(task, first, last);
                           });
                         });
    return;
  }
  const bool narrow =
      task.x.shape[2] * task.x.shape[3] < int64_t{std::numeric_limits<int32_t>::max()};
  with_real(task.dtype, [&](auto real) {
    using T = decltype(real);
    if (narrow) {
      MaximumPlaces<T, int32_t>(task, threads).run();
    } else {
      MaximumPlaces<T, int64_t>(task, threads).run();
    }
  });
}

void pool2d_spread(const PoolSpreadTask& task, ThreadPool& threads) {
  with_real(task.dtype, [&](auto real) { MaximumSpread<decltype(real)>(task, threads).run(); });
}

}  // namespace netcl::cpu
