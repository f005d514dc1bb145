#include "backend/cpu/conv2d/pool2d_loops.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "backend/cpu/conv2d/pool2d_kernels.hpp"
#include "backend/cpu/conv2d/pool2d_window.hpp"
#include "backend/cpu/element.hpp"
#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/rows/norm_kernels.hpp"

namespace netcl::cpu {

namespace {

// Sums of so many taps are kept plain; longer ones go through sums that lose less.
constexpr int64_t kPlainTaps = 32;

template <class T>
class Pool {
 public:
  Pool(const PoolTask& task, ThreadPool& threads)
      : task_(task),
        threads_(threads),
        kernels_(pool_kernels<T>()),
        rows_(task.vertical),
        columns_(task.horizontal),
        neutral_(task.average ? T(0) : -std::numeric_limits<T>::infinity()),
        across_(task.average ? static_cast<size_t>(columns_.result) : 0) {
    for (size_t ow = 0; ow < across_.size(); ++ow) {
      across_[ow] = columns_.counted(static_cast<int64_t>(ow), task.count_padding);
    }
  }

  void run() {
    const bool real = task_.dtype == kRealDtype<T>;
    const int64_t batch = task_.x.shape[0];
    const int64_t channels = task_.x.shape[1];
    if (real && channels > 1 && task_.x.strides[1] == 1 && task_.y.strides[1] == 1) {
      const int64_t work = channels * rows_.window * columns_.window;
      const int64_t grain = std::max<int64_t>(1, kPoolChunk / work);
      threads_.parallel_for(batch * rows_.result * columns_.result, grain,
                            [&](int64_t first, int64_t last) { run_across(first, last); });
      return;
    }
    const bool small = real && !task_.average && task_.x.strides[3] == 1 && rows_.window == 2 &&
                       columns_.window == 2 && rows_.is_whole() && columns_.is_whole();
    const bool large = task_.average && rows_.window + columns_.window > 2 * kPlainTaps;
    const int64_t work =
        (columns_.extent + columns_.result) * (large ? rows_.window : rows_.window + 1);
    const int64_t grain = std::max<int64_t>(1, kPoolChunk / work);
    threads_.parallel_for(batch * channels * rows_.result, grain, [&](int64_t first, int64_t last) {
      const size_t line = line_length();
      const ScratchArray<T> kept(threads_, 3 * line);
      for (int64_t row = first; row < last; ++row) {
        if (small) {
          run_small(row / rows_.result, row % rows_.result);
        } else if (large) {
          sum_row(row, kept.data(), kept.data() + line);
        } else {
          run_row(row, kept.data(), line);
        }
      }
    });
  }

 private:
  // Room for a line of x with its padding, whatever part of it windows reach, or one of results.
  size_t line_length() const {
    const int64_t reach =
        (columns_.result - 1) * columns_.stride + (columns_.window - 1) * columns_.dilation + 1;
    return static_cast<size_t>(
        std::max({reach, columns_.before + columns_.extent, columns_.result}) + kPoolRoom);
  }

  void take(const T* x, int64_t step, T* acc, int64_t n) const {
    if (task_.average) {
      kernels_.add(x, step, acc, n);
    } else {
      kernels_.take_max(x, step, acc, n);
    }
  }

  // Where row h of plane `plane` begins.
  int64_t x_row(int64_t plane, int64_t h) const {
    const int64_t channels = task_.x.shape[1];
    return task_.x.offset + plane / channels * task_.x.strides[0] +
           plane % channels * task_.x.strides[1] + h * task_.x.strides[2];
  }
  int64_t y_row(int64_t plane, int64_t h) const {
    const int64_t channels = task_.y.shape[1];
    return task_.y.offset + plane / channels * task_.y.strides[0] +
           plane % channels * task_.y.strides[1] + h * task_.y.strides[2];
  }
  const T* load_row(int64_t at, T* values) const {
    if (task_.dtype == kRealDtype<T> && task_.x.strides[3] == 1) {
      return static_cast<const T*>(task_.x_data) + at;
    }
    const Layout line = stepped(columns_.extent, task_.x.strides[3]);
    gather(task_.dtype, task_.x_data, at, line, 0, columns_.extent, values);
    return values;
  }
  void store_row(int64_t plane, int64_t oh, const T* values) const {
    scatter(task_.dtype, task_.y_data, y_row(plane, oh),
            stepped(columns_.result, task_.y.strides[3]), 0, columns_.result, values);
  }

  // A row of maxima of 2 x 2 elements, all of which are there, taken in the order of run_row(),
  // which would take longer to go over its lines than over these.
  void run_small(int64_t plane, int64_t oh) const {
    const T* x = static_cast<const T*>(task_.x_data) + x_row(plane, rows_.begin(oh));
    T* y = static_cast<T*>(task_.y_data) + y_row(plane, oh);
    const int64_t down = rows_.dilation * task_.x.strides[2];
    const WindowTaps<4> taps = {0, down, columns_.dilation, down + columns_.dilation};
    for (int64_t ow = 0; ow < columns_.result; ++ow) {
      T most = largest_of(x, taps);
      if (may_have_nan(x, taps)) {
        most = *x;
        for (const int64_t tap : taps) most = x[tap] > most || x[tap] != x[tap] ? x[tap] : most;
      }
      *y = most;
      x += columns_.stride;
      y += task_.y.strides[3];
    }
  }

  // One row of results: first over the rows of x that it covers, then along what came out.
  void run_row(int64_t row, T* kept, size_t line) const {
    const int64_t plane = row / rows_.result;
    const int64_t oh = row % rows_.result;
    T* const joined = kept;
    T* const values = kept + line;
    T* const results = kept + 2 * line;
    std::fill_n(joined, line, neutral_);
    const PoolAxis::Taps taps = rows_.inside(oh);
    for (int64_t k = taps.first; k < taps.last; ++k) {
      const T* const x = load_row(x_row(plane, rows_.begin(oh) + k * rows_.dilation), values);
      take(x, 1, joined + columns_.before, columns_.extent);
    }
    std::fill_n(results, columns_.result, neutral_);
    for (int64_t k = 0; k < columns_.window; ++k) {
      take(joined + k * columns_.dilation, columns_.stride, results, columns_.result);
    }
    if (task_.average) {
      const int64_t high = rows_.counted(oh, task_.count_padding);
      for (int64_t ow = 0; ow < columns_.result; ++ow) {
        results[ow] /= static_cast<T>(high * across_[static_cast<size_t>(ow)]);
      }
    }
    store_row(plane, oh, results);
  }

  // The same for averages of large windows, one by one.
  void sum_row(int64_t row, T* values, T* results) const {
    const NormKernels<T>& sums = norm_kernels<T>();
    const int64_t plane = row / rows_.result;
    const int64_t oh = row % rows_.result;
    const PoolAxis::Taps taps = rows_.inside(oh);
    std::vector<T> parts(static_cast<size_t>(taps.count()));
    std::vector<T> some(static_cast<size_t>(columns_.window));
    for (int64_t ow = 0; ow < columns_.result; ++ow) {
      const PoolAxis::Taps across = columns_.inside(ow);
      for (int64_t k = taps.first; k < taps.last; ++k) {
        const T* x = load_row(x_row(plane, rows_.begin(oh) + k * rows_.dilation), values) +
                     columns_.begin(ow);
        if (columns_.dilation != 1) {
          for (int64_t i = across.first; i < across.last; ++i) {
            some[static_cast<size_t>(i)] = x[i * columns_.dilation];
          }
          x = some.data();
        }
        parts[static_cast<size_t>(k - taps.first)] = sums.sum(x + across.first, across.count());
      }
      const T sum = sums.sum(parts.data(), taps.count());
      results[ow] = sum / static_cast<T>(rows_.counted(oh, task_.count_padding) *
                                         across_[static_cast<size_t>(ow)]);
    }
    store_row(plane, oh, results);
  }

  // Results at one place for all channels, which are neighbours.
  void run_across(int64_t first, int64_t last) const {
    const int64_t channels = task_.x.shape[1];
    const auto* const x = static_cast<const T*>(task_.x_data) + task_.x.offset;
    auto* const y = static_cast<T*>(task_.y_data) + task_.y.offset;
    std::vector<double> total(task_.average ? static_cast<size_t>(channels) : 0);
    for (int64_t at = first; at < last; ++at) {
      const int64_t ow = at % columns_.result;
      const int64_t oh = at / columns_.result % rows_.result;
      const int64_t n = at / columns_.result / rows_.result;
      T* const acc = y + n * task_.y.strides[0] + oh * task_.y.strides[2] + ow * task_.y.strides[3];
      std::fill_n(acc, channels, neutral_);
      const PoolAxis::Taps down = rows_.inside(oh);
      const PoolAxis::Taps along = columns_.inside(ow);
      const bool plain = down.count() * along.count() <= kPlainTaps;
      if (!plain) std::fill(total.begin(), total.end(), 0.0);
      int64_t taken = 0;
      for (int64_t kh = down.first; kh < down.last; ++kh) {
        for (int64_t kw = along.first; kw < along.last; ++kw) {
          const int64_t h = rows_.begin(oh) + kh * rows_.dilation;
          const int64_t w = columns_.begin(ow) + kw * columns_.dilation;
          take(x + n * task_.x.strides[0] + h * task_.x.strides[2] + w * task_.x.strides[3], 1, acc,
               channels);
          if (task_.average && !plain && ++taken % kPlainTaps == 0) empty(acc, total.data());
        }
      }
      if (!task_.average) continue;
      const auto count =
          static_cast<T>(rows_.counted(oh, task_.count_padding) * across_[static_cast<size_t>(ow)]);
      if (!plain) {
        empty(acc, total.data());
        for (int64_t c = 0; c < channels; ++c)
          acc[c] = static_cast<T>(total[static_cast<size_t>(c)]);
      }
      for (int64_t c = 0; c < channels; ++c) acc[c] /= count;
    }
  }
  void empty(T* acc, double* total) const {
    for (int64_t c = 0; c < task_.x.shape[1]; ++c) {
      total[c] += static_cast<double>(acc[c]);
      acc[c] = T(0);
    }
  }

  const PoolTask& task_;
  ThreadPool& threads_;
  const PoolKernels<T>& kernels_;
  const PoolAxis& rows_;
  const PoolAxis& columns_;
  const T neutral_;
  std::vector<int64_t> across_;  // what an average of each column divides by, along its row
};

// Maxima of integers.
template <class Element>
void max_of_integers(const PoolTask& task, int64_t first, int64_t last) {
  using Storage = typename Element::Storage;
  const auto* const x = static_cast<const Storage*>(task.x_data);
  auto* const y = static_cast<Storage*>(task.y_data);
  const PoolAxis& rows = task.vertical;
  const PoolAxis& columns = task.horizontal;
  for (int64_t at = first; at < last; ++at) {
    const int64_t ow = at % columns.result;
    const int64_t oh = at / columns.result % rows.result;
    const int64_t plane = at / columns.result / rows.result;
    const int64_t channels = task.x.shape[1];
    const auto place = [&](const Layout& layout, int64_t h, int64_t w) {
      return layout.offset + plane / channels * layout.strides[0] +
             plane % channels * layout.strides[1] + h * layout.strides[2] + w * layout.strides[3];
    };
    Storage most = std::numeric_limits<Storage>::lowest();
    const PoolAxis::Taps down = rows.inside(oh);
    const PoolAxis::Taps along = columns.inside(ow);
    for (int64_t kh = down.first; kh < down.last; ++kh) {
      const int64_t h = rows.begin(oh) + kh * rows.dilation;
      for (int64_t kw = along.first; kw < along.last; ++kw) {
        most = std::max(most, x[place(task.x, h, columns.begin(ow) + kw * columns.dilation)]);
      }
    }
    y[place(task.y, oh, ow)] = most;
  }
}

}  // namespace

void pool2d(const PoolTask& task, ThreadPool& threads) {
  if (is_float(task.dtype)) {
    with_real(task.dtype, [&](auto real) { Pool<decltype(real)>(task, threads).run(); });
    return;
  }
  const int64_t taps = task.vertical.window * task.horizontal.window;
  threads.parallel_for(task.y.element_count(), std::max<int64_t>(1, kPoolChunk / taps),
                       [&](int64_t first, int64_t last) {
                         with_dtype(task.dtype, [&](auto element) {
                           max_of_integers<decltype(element)>(task, first, last);
                         });
                       });
}

}  // namespace netcl::cpu
