#include "backend/cpu/conv2d/pool_gradient_loops.hpp"

#include <algorithm>
#include <limits>

#include "backend/cpu/conv2d/pool_window.hpp"
#include "backend/cpu/element.hpp"
#include "backend/cpu/rows/norm_gather.hpp"

namespace netcl::cpu {

namespace {

// The elements of one channel.
int64_t plane_size(const Layout& layout) {
  return layout.shape[2] * layout.shape[3] * layout.shape[4];
}

int64_t plane_at(const Layout& layout, int64_t plane) {
  const int64_t channels = layout.shape[1];
  return layout.offset + plane / channels * layout.strides[0] +
         plane % channels * layout.strides[1];
}

// Where a row of a plane begins.
int64_t row_at(const Layout& layout, int64_t plane, int64_t slice, int64_t row) {
  return plane_at(layout, plane) + slice * layout.strides[2] + row * layout.strides[3];
}

// The place in a plane as task.places has it. By columns the first axis is the fastest.
int64_t counted_place(const PoolTask& task, int64_t plane, int64_t place) {
  if (task.places == PoolPlaces::in_plane) return place;
  const int64_t depth = task.x.shape[2], height = task.x.shape[3], width = task.x.shape[4];
  const int64_t size = plane_size(task.x);
  if (place == size) return -1;
  if (task.places == PoolPlaces::by_columns) {
    const int64_t slice = place / width / height;
    place = (place % width * height + place / width % height) * depth + slice;
  }
  return plane * size + place;
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
        slices_(task.depth),
        rows_(task.vertical),
        columns_(task.horizontal),
        none_(static_cast<Index>(plane_size(task.x))),
        flat_(slices_.is_flat()),
        whole_(task.dtype == kRealDtype<T> && task.x.strides[4] == 1 && rows_.is_whole() &&
               columns_.is_whole() && flat_) {}

  void run() const {
    const int64_t slices = task_.x.shape[0] * task_.x.shape[1] * slices_.result;
    const int64_t work = slices_.window * rows_.window * columns_.window * columns_.result;
    const int64_t grain = std::max<int64_t>(1, kPoolChunk / std::max<int64_t>(work, 1));
    threads_.parallel_for(slices * rows_.result, grain, [&](int64_t first, int64_t last) {
      const auto results = static_cast<size_t>(columns_.result);
      const ScratchArray<T> numbers(threads_, static_cast<size_t>(columns_.extent) + results);
      const ScratchArray<Index> places(threads_, results);
      for (int64_t at = first; at < last; ++at) {
        const int64_t slice = at / rows_.result;
        run_row(slice / slices_.result, slice % slices_.result, at % rows_.result, numbers.data(),
                places.data());
      }
    });
  }

 private:
  // A row of windows of kHigh x kWide elements, all of which are there. These are so small that
  // going over rows of taps would take longer than the taps.
  template <size_t kHigh, size_t kWide>
  void run_small(int64_t plane, int64_t od, int64_t oh) const {
    WindowTaps<kHigh * kWide> taps, places;  // in memory, and in a plane in C order
    for (size_t i = 0; i < taps.size(); ++i) {
      const int64_t h = static_cast<int64_t>(i / kWide) * rows_.dilation;
      const int64_t w = static_cast<int64_t>(i % kWide) * columns_.dilation;
      taps[i] = h * task_.x.strides[3] + w;
      places[i] = h * columns_.extent + w;
    }
    const T* x = static_cast<const T*>(task_.x_data) +
                 row_at(task_.x, plane, slices_.begin(od), rows_.begin(oh));
    const bool by_columns = task_.places == PoolPlaces::by_columns;
    const int64_t before = task_.places == PoolPlaces::by_rows ? plane * plane_size(task_.x) : 0;
    auto* y = static_cast<int64_t*>(task_.y_data) + row_at(task_.y, plane, od, oh);
    int64_t first = (slices_.begin(od) * rows_.extent + rows_.begin(oh)) * columns_.extent;
    for (int64_t ow = 0; ow < columns_.result; ++ow) {
      size_t found = first_largest_of(x, taps);
      if (may_have_nan(x, taps)) {
        found = 0;
        for (size_t i = 1; i < taps.size(); ++i) {
          const T value = x[taps[i]], most = x[taps[found]];
          if (value > most || (value != value && most == most)) found = i;
        }
      }
      const int64_t place = first + places[found];
      *y = by_columns ? counted_place(task_, plane, place) : before + place;
      x += columns_.stride;
      first += columns_.stride;
      y += task_.y.strides[4];
    }
  }

  void run_row(int64_t plane, int64_t od, int64_t oh, T* most, Index* places) const {
    if (whole_ && rows_.window == 2 && columns_.window == 2) return run_small<2, 2>(plane, od, oh);
    if (whole_ && rows_.window == 3 && columns_.window == 3) return run_small<3, 3>(plane, od, oh);
    T* const values = most + columns_.result;
    std::fill_n(most, columns_.result, -std::numeric_limits<T>::infinity());
    std::fill_n(places, columns_.result, none_);
    const int64_t begin = plane_at(task_.x, plane);
    const PoolAxis::Taps slices = flat_ ? PoolAxis::Taps{0, 1} : slices_.inside(od);
    const PoolAxis::Taps rows = rows_.inside(oh);
    for (int64_t i = slices.first; i < slices.last; ++i) {
      const int64_t d = slices_.begin(od) + i * slices_.dilation;
      for (int64_t k = rows.first; k < rows.last; ++k) {
        const int64_t h = rows_.begin(oh) + k * rows_.dilation;
        const int64_t row = begin + d * task_.x.strides[2] + h * task_.x.strides[3];
        const T* const x =
            row_of(task_.dtype, task_.x_data, row, columns_.extent, task_.x.strides[4], values);
        for (int64_t tap = 0; tap < columns_.window; ++tap) {
          take(x, tap, (d * rows_.extent + h) * columns_.extent, most, places);
        }
      }
    }
    auto* const y = static_cast<int64_t*>(task_.y_data) + row_at(task_.y, plane, od, oh);
    for (int64_t ow = 0; ow < columns_.result; ++ow) {
      y[ow * task_.y.strides[4]] = counted_place(task_, plane, places[ow]);
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
  const PoolAxis& slices_;
  const PoolAxis& rows_;
  const PoolAxis& columns_;
  const Index none_;
  const bool flat_;   // each slice of results has a slice of x
  const bool whole_;  // every tap of every window is an element of a row of T
};

// The same of integers, window by window.
template <class Element>
void places_of_integers(const PoolTask& task, int64_t first, int64_t last) {
  using Storage = typename Element::Storage;
  const auto* const x = static_cast<const Storage*>(task.x_data);
  auto* const y = static_cast<int64_t*>(task.y_data);
  const PoolAxis& slices = task.depth;
  const PoolAxis& rows = task.vertical;
  const PoolAxis& columns = task.horizontal;
  const bool flat = slices.is_flat();
  const int64_t none = plane_size(task.x);
  for (int64_t at = first; at < last; ++at) {
    const int64_t ow = at % columns.result, row = at / columns.result;
    const int64_t oh = row % rows.result, slice = row / rows.result;
    const int64_t od = slice % slices.result, plane = slice / slices.result;
    const int64_t begin = plane_at(task.x, plane);
    const PoolAxis::Taps deep = flat ? PoolAxis::Taps{0, 1} : slices.inside(od);
    const PoolAxis::Taps down = rows.inside(oh), along = columns.inside(ow);
    int64_t found = none;
    Storage most{};
    for (int64_t kd = deep.first; kd < deep.last; ++kd) {
      const int64_t d = slices.begin(od) + kd * slices.dilation;
      for (int64_t kh = down.first; kh < down.last; ++kh) {
        const int64_t h = rows.begin(oh) + kh * rows.dilation;
        const int64_t line = begin + d * task.x.strides[2] + h * task.x.strides[3];
        for (int64_t kw = along.first; kw < along.last; ++kw) {
          const int64_t w = columns.begin(ow) + kw * columns.dilation;
          const Storage value = x[line + w * task.x.strides[4]];
          if (found != none && value <= most) continue;
          most = value;
          found = (d * rows.extent + h) * columns.extent + w;
        }
      }
    }
    y[row_at(task.y, plane, od, oh) + ow * task.y.strides[4]] = counted_place(task, plane, found);
  }
}

template <class T>
class MaximumSpread {
 public:
  MaximumSpread(const PoolSpreadTask& task, ThreadPool& threads)
      : task_(task),
        threads_(threads),
        slices_(task.depth),
        rows_(task.vertical),
        columns_(task.horizontal) {}

  // Where no two rows of windows have a row of x in common, each has a band of the plane.
  void run() const {
    const int64_t planes = task_.result.shape[0] * task_.result.shape[1];
    const bool packed = task_.dtype == kRealDtype<T> && task_.result.strides[4] == 1 &&
                        task_.result.strides[3] == columns_.extent &&
                        task_.result.strides[2] == rows_.extent * columns_.extent;
    const bool apart = slices_.extent == 1 && slices_.result == 1 &&
                       rows_.stride > (rows_.window - 1) * rows_.dilation;
    const int64_t bands = packed && apart ? rows_.result : 1;
    const int64_t area = plane_size(task_.result);
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
    const int64_t none = plane_size(task_.result);
    if (band < 0) {
      std::fill_n(result, none, T(0));
    } else {
      std::fill(result + border(first) * columns_.extent, result + border(last) * columns_.extent,
                T(0));
    }
    for (int64_t od = 0; od < slices_.result; ++od) {
      for (int64_t oh = first; oh < last; ++oh) {
        const T* const grad =
            row_of(task_.dtype, task_.grad_data, row_at(task_.grad, plane, od, oh), columns_.result,
                   task_.grad.strides[4], grads);
        const int64_t* const places = task_.places_data + row_at(task_.places, plane, od, oh);
        for (int64_t ow = 0; ow < columns_.result; ++ow) {
          const int64_t place = places[ow * task_.places.strides[4]];
          if (place != none) result[place] += grad[ow];
        }
      }
    }
  }

  void store(int64_t plane, const T* values) const {
    const Layout line = stepped(columns_.extent, task_.result.strides[4]);
    for (int64_t row = 0; row < slices_.extent * rows_.extent; ++row) {
      scatter(task_.dtype, task_.result_data,
              row_at(task_.result, plane, row / rows_.extent, row % rows_.extent), line, 0,
              columns_.extent, values + row * columns_.extent);
    }
  }

  const PoolSpreadTask& task_;
  ThreadPool& threads_;
  const PoolAxis& slices_;
  const PoolAxis& rows_;
  const PoolAxis& columns_;
};

}  // namespace

void pool_places(const PoolTask& task, ThreadPool& threads) {
  if (!is_float(task.dtype)) {
    const int64_t taps = task.window();
    threads.parallel_for(task.y.element_count(), std::max<int64_t>(1, kPoolChunk / taps),
                         [&](int64_t first, int64_t last) {
                           with_dtype(task.dtype, [&](auto element) {
                             places_of_integers<decltype(element)>(task, first, last);
                           });
                         });
    return;
  }
  const bool narrow = plane_size(task.x) < int64_t{std::numeric_limits<int32_t>::max()};
  with_real(task.dtype, [&](auto real) {
    using T = decltype(real);
    if (narrow) {
      MaximumPlaces<T, int32_t>(task, threads).run();
    } else {
      MaximumPlaces<T, int64_t>(task, threads).run();
    }
  });
}

void pool_spread(const PoolSpreadTask& task, ThreadPool& threads) {
  with_real(task.dtype, [&](auto real) { MaximumSpread<decltype(real)>(task, threads).run(); });
}

}  // namespace netcl::cpu
