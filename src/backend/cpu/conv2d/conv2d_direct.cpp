// Convolution straight from a tile of the input: the rows that a band of outputs needs are copied
// with their padding, columns sorted by their remainder modulo the stride, so that every tap of
// neighbouring outputs is a run of memory. It also serves filters over one channel.
#include <algorithm>

#include "backend/cpu/conv2d/conv2d_work.hpp"

namespace netcl::cpu {

namespace {

constexpr int64_t kColumnsMost = 128;  // outputs of a band's row
constexpr int64_t kReach = 64;         // what vectors may touch past the last column

}  // namespace

int64_t conv2d_tile_elements(int64_t channels, const int64_t kernel[2], const int64_t strides[2],
                             const int64_t dilations[2], int64_t out_width) {
  const int64_t rows = (kernel[0] - 1) * dilations[0] + 1;
  const int64_t reach = (kernel[1] - 1) * dilations[1] / strides[1] + 1;
  const int64_t pitch = std::min(out_width, kColumnsMost) + kReach + reach;
  int64_t elements = 0;
  if (__builtin_mul_overflow(channels, rows, &elements) ||
      __builtin_mul_overflow(elements, pitch, &elements) ||
      __builtin_mul_overflow(elements, strides[1], &elements)) {
    return INT64_MAX;
  }
  return elements;
}

namespace conv2d_detail {

namespace {

// A band's tile takes about this many elements: half of a first cache of 32 KiB and its sums, or
// more where one row of outputs needs more.
constexpr int64_t kTileElements = 16384;
constexpr int64_t kDirectColumnsMax = 64;

template <class T>
class Direct final : public PlanarWork<T> {
 public:
  Direct(const Conv2dTask& task, unsigned threads);

 private:
  using Base = PlanarWork<T>;
  using Base::kernels_;
  using Base::places_;
  using Base::task_;

  struct Band {
    int64_t image;
    int64_t group;
    int64_t y;
    int64_t rows;
    int64_t x;
    int64_t columns;
  };

  void prepare(std::byte* memory, ThreadPool& pool) const override;
  void images(const Planes<T>& planes, int64_t first, int64_t count, std::byte* memory,
              ThreadPool& pool) const override;
  void copy_tile(const Planes<T>& planes, const Band& band, T* tile) const;
  void multiply(const Band& band, int64_t first_image, const T* tile,
                const std::byte* memory) const;

  int64_t band_rows_;
  int64_t band_columns_;
  int64_t pitch_;  // of one remainder of one row of the tile
  int64_t tile_rows_;
  int64_t panels_;
  unsigned slots_;
  size_t taps_place_;
  size_t filters_place_;
  size_t tiles_place_;
  size_t tile_elements_;
};

template <class T>
Direct<T>::Direct(const Conv2dTask& task, unsigned threads) : Base(task, threads) {
  band_columns_ = std::min(task_.out[1], kColumnsMost);
  const int64_t stride = task_.strides[1];
  pitch_ = band_columns_ + kReach + (task_.kernel[1] - 1) * task_.dilations[1] / stride + 1;
  const int64_t reach = (task_.kernel[0] - 1) * task_.dilations[0] + 1;
  const int64_t row = task_.channels * stride * pitch_;
  const int64_t more = (kTileElements / row - reach) / task_.strides[0];
  band_rows_ = std::clamp<int64_t>(more + 1, 1, task_.out[0]);
  tile_rows_ = (band_rows_ - 1) * task_.strides[0] + reach;
  tile_elements_ = static_cast<size_t>(round_up(tile_rows_ * row, 16));
  panels_ = ceil_div(task_.filters, kDirectFilters);
  slots_ = this->threads_;
  taps_place_ = places_.template take<int64_t>(task_.kernel[0] * task_.kernel[1]);
  filters_place_ = places_.template take<T>(task_.groups * panels_ * kDirectFilters * this->depth_);
  tiles_place_ = places_.template take<T>(static_cast<int64_t>(slots_ * tile_elements_));
  this->bytes_ = places_.bytes();
}

template <class T>
void Direct<T>::prepare(std::byte* memory, ThreadPool& pool) const {
  int64_t* taps = reinterpret_cast<int64_t*>(memory + taps_place_);
  const int64_t stride = task_.strides[1];
  for (int64_t ky = 0; ky < task_.kernel[0]; ++ky) {
    for (int64_t kx = 0; kx < task_.kernel[1]; ++kx) {
      const int64_t x = kx * task_.dilations[1];
      *taps++ = (ky * task_.dilations[0] * stride + x % stride) * pitch_ + x / stride;
    }
  }
  const FilterRows w = this->filter_rows(memory);
  T* const packed = reinterpret_cast<T*>(memory + filters_place_);
  pool.parallel_for(task_.groups * panels_, 32, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item) {
      const int64_t row = item % panels_ * kDirectFilters;
      this->set_.pack(w.dtype, w.at(item / panels_ * task_.filters + row, 0), w.row_stride,
                      w.depth_stride, std::min(kDirectFilters, task_.filters - row), kDirectFilters,
                      this->depth_, packed + item * kDirectFilters * this->depth_);
    }
  });
}

template <class T>
void Direct<T>::images(const Planes<T>& planes, int64_t first, int64_t count, std::byte* memory,
                       ThreadPool& pool) const {
  const int64_t down = ceil_div(task_.out[0], band_rows_);
  const int64_t across = ceil_div(task_.out[1], band_columns_);
  for_each_item(
      pool, count * task_.groups * down * across, slots_, [&](int64_t item, unsigned slot) {
        Band band;
        band.x = item % across * band_columns_;
        band.columns = std::min(band_columns_, task_.out[1] - band.x);
        item /= across;
        band.y = item % down * band_rows_;
        band.rows = std::min(band_rows_, task_.out[0] - band.y);
        item /= down;
        band.group = item % task_.groups;
        band.image = item / task_.groups;
        T* const tile = reinterpret_cast<T*>(memory + tiles_place_) + slot * tile_elements_;
        copy_tile(planes, band, tile);
        multiply(band, first, tile, memory);
      });
}

// Row r of the tile is row y * stride - padding + r of the input; in it the columns with remainder
// m are at m * pitch.
template <class T>
void Direct<T>::copy_tile(const Planes<T>& planes, const Band& band, T* tile) const {
  const int64_t stride = task_.strides[1];
  const int64_t rows =
      (band.rows - 1) * task_.strides[0] + (task_.kernel[0] - 1) * task_.dilations[0] + 1;
  const int64_t wanted =
      band.columns + (task_.kernel[1] - 1) * task_.dilations[1] / stride;  // per remainder
  const int64_t top = band.y * task_.strides[0] - task_.padding[0];
  const int64_t left = band.x * stride - task_.padding[1];
  for (int64_t c = 0; c < task_.channels; ++c) {
    const T* const plane = planes.data + band.image * planes.image +
                           (band.group * task_.channels + c) * planes.channel;
    T* line = tile + c * tile_rows_ * stride * pitch_;
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t y = top + r;
      const bool inside = y >= 0 && y < task_.size[0];
      for (int64_t m = 0; m < stride; ++m, line += pitch_) {
        const int64_t x = left + m;
        int64_t from = x >= 0 ? 0 : std::min(wanted, ceil_div(-x, stride));
        int64_t until =
            x >= task_.size[1] ? 0 : std::min(wanted, ceil_div(task_.size[1] - x, stride));
        if (!inside || from >= until) from = until = 0;
        const T* const source = plane + (from < until ? y * planes.row + x + from * stride : 0);
        std::fill(line, line + from, T{0});
        if (stride == 1) {
          std::copy(source, source + (until - from), line + from);
        } else {
          for (int64_t i = from; i < until; ++i) line[i] = source[(i - from) * stride];
        }
        std::fill(line + until, line + wanted, T{0});
      }
    }
  }
}

template <class T>
void Direct<T>::multiply(const Band& band, int64_t first_image, const T* tile,
                         const std::byte* memory) const {
  alignas(64) T sums[kDirectFilters * kDirectColumnsMax];
  const int64_t stride = task_.strides[1];
  const int64_t* const taps = reinterpret_cast<const int64_t*>(memory + taps_place_);
  const T* const filters = reinterpret_cast<const T*>(memory + filters_place_);
  const Finish<T> finish = this->finish();
  for (int64_t panel = 0; panel < panels_; ++panel) {
    const int64_t filter = panel * kDirectFilters;
    const int64_t used = std::min(kDirectFilters, task_.filters - filter);
    const T* const w = filters + (band.group * panels_ + panel) * kDirectFilters * this->depth_;
    for (int64_t y = 0; y < band.rows; ++y) {
      const T* const row = tile + y * task_.strides[0] * stride * pitch_;
      for (int64_t x = 0; x < band.columns; x += kernels_.direct_columns) {
        const int64_t columns = std::min(kernels_.direct_columns, band.columns - x);
        kernels_.direct(row + x, tile_rows_ * stride * pitch_, task_.channels, taps,
                        task_.kernel[0] * task_.kernel[1], w, used, columns, sums,
                        kDirectColumnsMax);
        const OutRun run =
            this->out_run(first_image + band.image, band.y + y, band.x + x, 0, columns);
        kernels_.finish(finish, sums, kDirectColumnsMax, band.group * task_.filters + filter, used,
                        &run, 1);
      }
    }
  }
}

}  // namespace

template <class T>
std::unique_ptr<Conv2dWork> make_direct(const Conv2dTask& task, unsigned threads) {
  return std::make_unique<Direct<T>>(task, threads);
}

template std::unique_ptr<Conv2dWork> make_direct<float>(const Conv2dTask&, unsigned);
template std::unique_ptr<Conv2dWork> make_direct<double>(const Conv2dTask&, unsigned);

}  // namespace conv2d_detail
}  // namespace netcl::cpu
