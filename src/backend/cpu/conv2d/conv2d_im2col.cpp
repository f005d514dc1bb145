// The plain methods: the definition itself, and a column matrix in memory with a matrix product.
#include <algorithm>

#include "backend/cpu/conv2d/conv2d_work.hpp"
#include "backend/cpu/element.hpp"
#include "backend/cpu/matmul/gemm.hpp"

namespace netcl::cpu::conv2d_detail {

namespace {

constexpr int64_t kPieceColumns = 32;
// The column matrix and its sums are made for about so many bytes of columns at a time.
constexpr int64_t kColumnsBytes = int64_t{32} << 20;

// One output: its products are summed in the order of channels, rows and columns.
template <class Element>
typename Element::Compute sum_of(const Conv2dTask& task, int64_t image, int64_t filter, int64_t y,
                                 int64_t x) {
  using Storage = typename Element::Storage;
  typename Element::Compute sum = 0;
  if (task.x.data == nullptr || task.w.data == nullptr) return sum;
  const int64_t group = filter / task.filters;
  const auto* const in = static_cast<const Storage*>(task.x.data) + image * task.x.strides[0] +
                         group * task.channels * task.x.strides[1];
  const auto* const w = static_cast<const Storage*>(task.w.data) + filter * task.w.strides[0];
  const int64_t top = y * task.strides[0] - task.padding[0];
  const int64_t left = x * task.strides[1] - task.padding[1];
  for (int64_t c = 0; c < task.channels; ++c) {
    for (int64_t ky = 0; ky < task.kernel[0]; ++ky) {
      const int64_t iy = top + ky * task.dilations[0];
      if (iy < 0 || iy >= task.size[0]) continue;
      for (int64_t kx = 0; kx < task.kernel[1]; ++kx) {
        const int64_t ix = left + kx * task.dilations[1];
        if (ix < 0 || ix >= task.size[1]) continue;
        sum += Element::load(in + c * task.x.strides[1] + iy * task.x.strides[2] +
                             ix * task.x.strides[3]) *
               Element::load(w + c * task.w.strides[1] + ky * task.w.strides[2] +
                             kx * task.w.strides[3]);
      }
    }
  }
  return sum;
}

class Naive final : public Conv2dWork {
 public:
  explicit Naive(const Conv2dTask& task) : task_(task) {}

  void run(std::byte*, ThreadPool& pool) const override {
    const int64_t filters = task_.groups * task_.filters;
    with_float(task_.x.dtype, [&](auto element) {
      using Element = decltype(element);
      using T = typename Element::Compute;
      const Finish<T> finish = finish_of<T>();
      pool.parallel_for(task_.batch * filters * task_.out[0], 4, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const int64_t y = row % task_.out[0];
          const int64_t filter = row / task_.out[0] % filters;
          const int64_t image = row / task_.out[0] / filters;
          for (int64_t x = 0; x < task_.out[1]; x += kPieceColumns) {
            const int64_t count = std::min(kPieceColumns, task_.out[1] - x);
            T sums[kPieceColumns] = {};
            for (int64_t i = 0; i < count; ++i) {
              sums[i] = sum_of<Element>(task_, image, filter, y, x + i);
            }
            const OutRun run{0, count, place(task_.result, image, y, x),
                             place(task_.residual, image, y, x)};
            conv2d_kernels<T>().finish(finish, sums, kPieceColumns, filter, 1, &run, 1);
          }
        }
      });
    });
  }

 private:
  static int64_t place(const Conv2dArray& array, int64_t image, int64_t y, int64_t x) {
    return image * array.strides[0] + y * array.strides[2] + x * array.strides[3];
  }

  template <class T>
  Finish<T> finish_of() const {
    return {task_.result.dtype,
            task_.result.data,
            task_.result.strides[1],
            task_.result.strides[3],
            task_.residual.data,
            task_.residual.strides[1],
            task_.residual.strides[3],
            static_cast<const T*>(task_.scale),
            static_cast<const T*>(task_.shift),
            task_.activation,
            static_cast<T>(task_.alpha),
            static_cast<T>(task_.beta)};
  }

  Conv2dTask task_;
};

template <class T>
class Im2col final : public PlanarWork<T> {
 public:
  Im2col(const Conv2dTask& task, unsigned threads) : PlanarWork<T>(task, threads) {
    const int64_t row = this->depth_ * static_cast<int64_t>(sizeof(T));
    columns_ =
        std::clamp<int64_t>(round_up(kColumnsBytes / row, kPieceColumns), kPieceColumns, 1 << 16);
    columns_ = std::min(columns_, round_up(this->images_most_ * this->out_pixels_, kPieceColumns));
    matrix_place_ = this->places_.template take<T>(columns_ * this->depth_);
    sums_place_ = this->places_.template take<T>(columns_ * this->task_.filters);
    this->bytes_ = this->places_.bytes();
  }

 private:
  using Base = PlanarWork<T>;
  using Base::task_;

  void prepare(std::byte*, ThreadPool&) const override {}

  void images(const Planes<T>& planes, int64_t first, int64_t count, std::byte* memory,
              ThreadPool& pool) const override {
    const int64_t columns = count * this->out_pixels_;
    const FilterRows w = this->filter_rows(memory);
    T* const matrix = reinterpret_cast<T*>(memory + matrix_place_);
    T* const sums = reinterpret_cast<T*>(memory + sums_place_);
    for (int64_t group = 0; group < task_.groups; ++group) {
      Planes<T> mine = planes;
      mine.data += group * task_.channels * planes.channel;
      const int64_t filter = group * task_.filters;
      const GemmOperand filters{const_cast<void*>(w.at(filter, 0)), w.row_stride, w.depth_stride,
                                w.dtype};
      for (int64_t at = 0; at < columns; at += columns_) {
        const int64_t used = std::min(columns_, columns - at);
        pieces(used, pool, [&](int64_t column, int64_t piece) {
          PixelRun<T> pixels[kPieceColumns];
          OutRun results[kPieceColumns];
          const auto counts = this->runs(mine, first, at + column, piece, pixels, results);
          for (int64_t i = 0; i < counts.pixels; ++i) {
            for (int64_t from = 0; from < pixels[i].count; from += this->set_.columns) {
              PixelRun<T> part = pixels[i];
              part.column += from;
              part.x += from * task_.strides[1];
              part.count = std::min(this->set_.columns, pixels[i].count - from);
              this->kernels_.columns(&part, 1, this->window(planes), 0, this->depth_, columns_,
                                     matrix + column);
            }
          }
        });
        gemm(task_.filters, used, this->depth_, 1.0, filters, {matrix, columns_, 1, kDtypeOf<T>},
             0.0, {sums, columns_, 1, kDtypeOf<T>}, pool);
        pieces(used, pool, [&](int64_t column, int64_t piece) {
          PixelRun<T> pixels[kPieceColumns];
          OutRun results[kPieceColumns];
          const auto counts = this->runs(mine, first, at + column, piece, pixels, results);
          this->kernels_.finish(this->finish(), sums + column, columns_, filter, task_.filters,
                                results, counts.results);
        });
      }
    }
  }

  template <class Function>
  static void pieces(int64_t columns, ThreadPool& pool, Function function) {
    pool.parallel_for(columns, 8 * kPieceColumns, [&](int64_t begin, int64_t end) {
      for (int64_t column = begin; column < end; column += kPieceColumns) {
        function(column, std::min(kPieceColumns, end - column));
      }
    });
  }

  int64_t columns_ = 0;  // of the matrix
  size_t matrix_place_ = 0;
  size_t sums_place_ = 0;
};

}  // namespace

std::unique_ptr<Conv2dWork> make_naive(const Conv2dTask& task) {
  return std::make_unique<Naive>(task);
}

template <class T>
std::unique_ptr<Conv2dWork> make_im2col(const Conv2dTask& task, unsigned threads) {
  return std::make_unique<Im2col<T>>(task, threads);
}

template std::unique_ptr<Conv2dWork> make_im2col<float>(const Conv2dTask&, unsigned);
template std::unique_ptr<Conv2dWork> make_im2col<double>(const Conv2dTask&, unsigned);

}  // namespace netcl::cpu::conv2d_detail
