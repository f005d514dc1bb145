#include "backend/cpu/conv2d/pool_loops.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "backend/cpu/conv2d/pool_kernels.hpp"
#include "backend/cpu/conv2d/pool_window.hpp"
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
        take_(task.adds ? pool_kernels<T>().add : pool_kernels<T>().take_max),
        packed_(task.dtype == kRealDtype<T> && task.x.strides[4] == 1
                    ? static_cast<const T*>(task.x_data)
                    : nullptr),
        slices_(task.depth),
        rows_(task.vertical),
        columns_(task.horizontal),
        flat_(slices_.is_flat()),
        neutral_(task.adds ? T(0) : -std::numeric_limits<T>::infinity()),
        across_(task.adds ? static_cast<size_t>(columns_.result) : 0) {
    for (size_t ow = 0; ow < across_.size(); ++ow) {
      across_[ow] =
          task.average ? columns_.counted(static_cast<int64_t>(ow), task.count_padding) : 1;
    }
  }

  void run() {
    const bool real = task_.dtype == kRealDtype<T>;
    const int64_t batch = task_.x.shape[0];
    const int64_t channels = task_.x.shape[1];
    if (real && channels > 1 && task_.x.strides[1] == 1 && task_.y.strides[1] == 1) {
      const int64_t work = channels * slices_.window * rows_.window * columns_.window;
      const int64_t grain = std::max<int64_t>(1, kPoolChunk / work);
      threads_.parallel_for(batch * slices_.result * rows_.result * columns_.result, grain,
                            [&](int64_t first, int64_t last) { run_across(first, last); });
      return;
    }
    const bool small = real && !task_.adds && task_.x.strides[4] == 1 && flat_ &&
                       rows_.window == 2 && columns_.window == 2 && rows_.is_whole() &&
                       columns_.is_whole();
    const int64_t lines = slices_.window * rows_.window;
    const bool large = task_.adds && lines + columns_.window > 2 * kPlainTaps;
    const int64_t work = (columns_.extent + columns_.result) * (large ? lines : lines + 1);
    const int64_t grain = std::max<int64_t>(1, kPoolChunk / work);
    const int64_t rows = batch * channels * slices_.result * rows_.result;
    threads_.parallel_for(rows, grain, [&](int64_t first, int64_t last) {
      const size_t line = line_length();
      const ScratchArray<T> kept(threads_, 3 * line);
      Row row = row_at(first);
      for (int64_t at = first; at < last; ++at) {
        if (small) {
          run_small(row);
        } else if (large) {
          sum_row(row, kept.data(), kept.data() + line);
        } else {
          run_row(row, kept.data(), line);
        }
        step(&row);
      }
    });
  }

 private:
  // A row of results: whose it is, and where its channel begins in x and its slice in y. There are
  // many of them, which may be short: from one to the next there is no division.
  struct Row {
    int64_t image;
    int64_t channel;
    int64_t slice;
    int64_t row;
    int64_t x;
    int64_t y;
  };
  Row row_at(int64_t at) const {
    const int64_t slice = at / rows_.result, plane = slice / slices_.result;
    const int64_t channels = task_.x.shape[1];
    Row row = {plane / channels, plane % channels, slice % slices_.result, at % rows_.result, 0, 0};
    locate(&row);
    return row;
  }
  void step(Row* row) const {
    if (++row->row < rows_.result) return;
    row->row = 0;
    if (++row->slice == slices_.result) {
      row->slice = 0;
      if (++row->channel == task_.x.shape[1]) {
        row->channel = 0;
        ++row->image;
      }
    }
    locate(row);
  }
  void locate(Row* row) const {
    const auto &x = task_.x.strides, &y = task_.y.strides;
    row->x = task_.x.offset + row->image * x[0] + row->channel * x[1];
    row->y = task_.y.offset + row->image * y[0] + row->channel * y[1] + row->slice * y[2];
  }

  // Room for a line of x with its padding, whatever part of it windows reach, or one of results.
  size_t line_length() const {
    const int64_t reach =
        (columns_.result - 1) * columns_.stride + (columns_.window - 1) * columns_.dilation + 1;
    return static_cast<size_t>(
        std::max({reach, columns_.before + columns_.extent, columns_.result}) + kPoolRoom);
  }

  // Calls take_row(place) with each row of x that the windows of a row of results cover.
  template <class Take>
  void each_row(const Row& row, const Take& take_row) const {
    const PoolAxis::Taps rows = rows_.inside(row.row);
    const int64_t count = rows.count(), step = rows_.dilation * task_.x.strides[3];
    int64_t first = row.x + slices_.begin(row.slice) * task_.x.strides[2] +
                    rows_.begin(row.row) * task_.x.strides[3] + rows.first * step;
    if (flat_) {
      for (int64_t k = 0; k < count; ++k) take_row(first + k * step);
      return;
    }
    const PoolAxis::Taps slices = slices_.inside(row.slice);
    const int64_t deeper = slices_.dilation * task_.x.strides[2];
    first += slices.first * deeper;
    for (int64_t i = 0; i < slices.count(); ++i) {
      for (int64_t k = 0; k < count; ++k) take_row(first + i * deeper + k * step);
    }
  }
  const T* load_row(int64_t at, T* values) const {
    if (packed_ != nullptr) return packed_ + at;
    const Layout line = stepped(columns_.extent, task_.x.strides[4]);
    gather(task_.dtype, task_.x_data, at, line, 0, columns_.extent, values);
    return values;
  }
  void store_row(const Row& row, const T* values) const {
    scatter(task_.dtype, task_.y_data, row.y + row.row * task_.y.strides[3],
            stepped(columns_.result, task_.y.strides[4]), 0, columns_.result, values);
  }

  // A row of maxima of 2 x 2 elements, all of which are there, taken in the order of run_row(),
  // which would take longer to go over its lines than over these.
  void run_small(const Row& row) const {
    const T* x = static_cast<const T*>(task_.x_data) + row.x +
                 slices_.begin(row.slice) * task_.x.strides[2] +
                 rows_.begin(row.row) * task_.x.strides[3];
    T* y = static_cast<T*>(task_.y_data) + row.y + row.row * task_.y.strides[3];
    const int64_t down = rows_.dilation * task_.x.strides[3];
    const WindowTaps<4> taps = {0, down, columns_.dilation, down + columns_.dilation};
    for (int64_t ow = 0; ow < columns_.result; ++ow) {
      T most = largest_of(x, taps);
      if (may_have_nan(x, taps)) {
        most = *x;
        for (const int64_t tap : taps) most = x[tap] > most || x[tap] != x[tap] ? x[tap] : most;
      }
      *y = most;
      x += columns_.stride;
      y += task_.y.strides[4];
    }
  }

  // How many rows an average counts; sums are divided by 1.
  int64_t lines_counted(const Row& row) const {
    if (!task_.average) return 1;
    const int64_t high = rows_.counted(row.row, task_.count_padding);
    return flat_ ? high : high * slices_.counted(row.slice, task_.count_padding);
  }

  // What the only window along a row has, as take_ gives it, whose calls would take longer.
  T over_window(const T* joined) const {
    T acc = neutral_;
    for (int64_t k = 0; k < columns_.window; ++k) {
      const T value = joined[k * columns_.dilation];
      if (task_.adds) {
        acc += value;
      } else {
        acc = value > acc || value != value ? value : acc;
      }
    }
    return acc;
  }

  // One row of results: first over the rows of x that it covers, then along what came out.
  void run_row(const Row& row, T* kept, size_t line) const {
    T* const joined = kept;
    T* const values = kept + line;
    T* const results = kept + 2 * line;
    std::fill_n(joined, line, neutral_);
    each_row(row, [&](int64_t at) {
      take_(load_row(at, values), 1, joined + columns_.before, columns_.extent);
    });
    if (columns_.result == 1) {
      *results = over_window(joined);
    } else {
      std::fill_n(results, columns_.result, neutral_);
      for (int64_t k = 0; k < columns_.window; ++k) {
        take_(joined + k * columns_.dilation, columns_.stride, results, columns_.result);
      }
    }
    if (task_.adds) {
      const int64_t high = lines_counted(row);
      for (int64_t ow = 0; ow < columns_.result; ++ow) {
        results[ow] /= static_cast<T>(high * across_[static_cast<size_t>(ow)]);
      }
    }
    store_row(row, results);
  }

  // The same for averages of large windows, one by one.
  void sum_row(const Row& row, T* values, T* results) const {
    const NormKernels<T>& sums = norm_kernels<T>();
    std::vector<T> parts(
        static_cast<size_t>(slices_.inside(row.slice).count() * rows_.inside(row.row).count()));
    std::vector<T> some(static_cast<size_t>(columns_.window));
    for (int64_t ow = 0; ow < columns_.result; ++ow) {
      const PoolAxis::Taps across = columns_.inside(ow);
      size_t line = 0;
      each_row(row, [&](int64_t at) {
        const T* x = load_row(at, values) + columns_.begin(ow);
        if (columns_.dilation != 1) {
          for (int64_t i = across.first; i < across.last; ++i) {
            some[static_cast<size_t>(i)] = x[i * columns_.dilation];
          }
          x = some.data();
        }
        parts[line++] = sums.sum(x + across.first, across.count());
      });
      const T sum = sums.sum(parts.data(), static_cast<int64_t>(parts.size()));
      results[ow] = sum / static_cast<T>(lines_counted(row) * across_[static_cast<size_t>(ow)]);
    }
    store_row(row, results);
  }

  // Results at one place for all channels, which are neighbours.
  void run_across(int64_t first, int64_t last) const {
    const int64_t channels = task_.x.shape[1];
    const auto* const x = static_cast<const T*>(task_.x_data);
    auto* const y = static_cast<T*>(task_.y_data) + task_.y.offset;
    std::vector<double> total(task_.adds ? static_cast<size_t>(channels) : 0);
    for (int64_t at = first; at < last; ++at) {
      const int64_t ow = at % columns_.result;
      const int64_t oh = at / columns_.result % rows_.result;
      const int64_t slice = at / columns_.result / rows_.result;
      const int64_t n = slice / slices_.result, od = slice % slices_.result;
      T* const acc = y + n * task_.y.strides[0] + od * task_.y.strides[2] +
                     oh * task_.y.strides[3] + ow * task_.y.strides[4];
      std::fill_n(acc, channels, neutral_);
      const PoolAxis::Taps along = columns_.inside(ow);
      const int64_t taps = slices_.inside(od).count() * rows_.inside(oh).count() * along.count();
      const bool plain = taps <= kPlainTaps;
      if (!plain) std::fill(total.begin(), total.end(), 0.0);
      int64_t taken = 0;
      Row row = {n, 0, od, oh, 0, 0};
      locate(&row);
      each_row(row, [&](int64_t place) {
        for (int64_t kw = along.first; kw < along.last; ++kw) {
          const int64_t w = columns_.begin(ow) + kw * columns_.dilation;
          take_(x + place + w * task_.x.strides[4], 1, acc, channels);
          if (task_.adds && !plain && ++taken % kPlainTaps == 0) empty(acc, total.data());
        }
      });
      if (!task_.adds) continue;
      const auto count = static_cast<T>(lines_counted(row) * across_[static_cast<size_t>(ow)]);
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
  void (*const take_)(const T* x, int64_t step, T* acc, int64_t n);
  const T* const packed_;  // x, where its rows are read as they are
  const PoolAxis& slices_;
  const PoolAxis& rows_;
  const PoolAxis& columns_;
  const bool flat_;  // each slice of results has a slice of x
  const T neutral_;
  std::vector<int64_t> across_;  // what an average of each column divides by, along its row
};

// Maxima of integers.
template <class Element>
void max_of_integers(const PoolTask& task, int64_t first, int64_t last) {
  using Storage = typename Element::Storage;
  const auto* const x = static_cast<const Storage*>(task.x_data);
  auto* const y = static_cast<Storage*>(task.y_data);
  const PoolAxis& slices = task.depth;
  const PoolAxis& rows = task.vertical;
  const PoolAxis& columns = task.horizontal;
  const bool flat = slices.is_flat();
  // From one tap to the next.
  const int64_t deeper = slices.dilation * task.x.strides[2];
  const int64_t lower = rows.dilation * task.x.strides[3];
  const int64_t further = columns.dilation * task.x.strides[4];
  const int64_t channels = task.x.shape[1];
  for (int64_t at = first; at < last; ++at) {
    const int64_t ow = at % columns.result, row = at / columns.result;
    const int64_t oh = row % rows.result, slice = row / rows.result;
    const int64_t od = slices.result == 1 ? 0 : slice % slices.result;
    const int64_t plane = slices.result == 1 ? slice : slice / slices.result;
    const int64_t n = plane / channels, c = plane % channels;
    const auto place = [&](const Layout& layout, int64_t d, int64_t h, int64_t w) {
      return layout.offset + n * layout.strides[0] + c * layout.strides[1] + d * layout.strides[2] +
             h * layout.strides[3] + w * layout.strides[4];
    };
    const int64_t begin = place(task.x, slices.begin(od), rows.begin(oh), columns.begin(ow));
    Storage most = std::numeric_limits<Storage>::lowest();
    const PoolAxis::Taps deep = flat ? PoolAxis::Taps{0, 1} : slices.inside(od);
    const PoolAxis::Taps down = rows.inside(oh);
    const PoolAxis::Taps along = columns.inside(ow);
    for (int64_t kd = deep.first; kd < deep.last; ++kd) {
      for (int64_t kh = down.first; kh < down.last; ++kh) {
        const int64_t line = begin + kd * deeper + kh * lower;
        for (int64_t kw = along.first; kw < along.last; ++kw) {
          most = std::max(most, x[line + kw * further]);
        }
      }
    }
    y[place(task.y, od, oh, ow)] = most;
  }
}

}  // namespace

void pool(const PoolTask& task, ThreadPool& threads) {
  if (is_float(task.dtype)) {
    with_real(task.dtype, [&](auto real) { Pool<decltype(real)>(task, threads).run(); });
    return;
  }
  const int64_t taps = task.window();
  threads.parallel_for(task.y.element_count(), std::max<int64_t>(1, kPoolChunk / taps),
                       [&](int64_t first, int64_t last) {
                         with_dtype(task.dtype, [&](auto element) {
                           max_of_integers<decltype(element)>(task, first, last);
                         });
                       });
}

}  // namespace netcl::cpu
