#include "backend/cpu/rows/softmax_loops.hpp"

#include <algorithm>
#include <vector>

#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/rows/softmax_kernels.hpp"

namespace netcl::cpu {

namespace {

// Rows from here on are worked on by all threads together.
constexpr int64_t kLongRow = 4 * kRowsChunk;

template <class T>
class Softmax {
 public:
  Softmax(const SoftmaxTask& task, ThreadPool& threads)
      : task_(task),
        rows_(task.rows),
        threads_(threads),
        kernels_(softmax_kernels<T>()),
        x_inner_(stepped(rows_.length, rows_.x_step)),
        y_inner_(stepped(rows_.length, rows_.y_step)),
        x_plain_(task.dtype == kRealDtype<T> && rows_.x_step == 1),
        y_plain_(task.dtype == kRealDtype<T> && rows_.y_step == 1) {}

  void run() {
    const int64_t width = rows_.x.rank > 0 ? rows_.x.shape[rows_.x.rank - 1] : 1;
    const bool neighbours = task_.across && task_.dtype == kRealDtype<T> &&
                            rows_.x.strides[rows_.x.rank - 1] == 1 &&
                            rows_.y.strides[rows_.y.rank - 1] == 1 && width >= kernels_.lanes;
    if (neighbours) return run_columns(width);
    if (rows_.length >= kLongRow) {
      for (int64_t row = 0; row < rows_.count; ++row) run_long(row);
      return;
    }
    const int64_t grain = std::max<int64_t>(1, kRowsChunk / rows_.length);
    threads_.parallel_for(rows_.count, grain, [&](int64_t first, int64_t last) {
      const ScratchArray<T> values(threads_,
                                   static_cast<size_t>(x_plain_ && y_plain_ ? 0 : rows_.length));
      for (int64_t row = first; row < last; ++row) run_row(row, values.data());
    });
  }

 private:
  const T* x_at(int64_t row) const {
    return static_cast<const T*>(task_.x_data) + element_place(rows_.x, row);
  }
  T* y_at(int64_t row) const { return static_cast<T*>(task_.y_data) + element_place(rows_.y, row); }
  void load(int64_t row, int64_t first, int64_t count, T* out) const {
    gather(task_.dtype, task_.x_data, element_place(rows_.x, row), x_inner_, first, count, out);
  }
  void store(int64_t row, int64_t first, int64_t count, const T* in) const {
    scatter(task_.dtype, task_.y_data, element_place(rows_.y, row), y_inner_, first, count, in);
  }

  void run_row(int64_t row, T* values) const {
    const int64_t n = rows_.length;
    if (!x_plain_) load(row, 0, n, values);
    const T* const x = x_plain_ ? x_at(row) : values;
    T* const y = y_plain_ ? y_at(row) : values;
    const T m = kernels_.max(x, n);
    if (task_.logarithm) {
      kernels_.shift(x, m, kernels_.logarithm(kernels_.exponential_sum(x, m, n)), y, n);
    } else {
      kernels_.multiply(y, T(1) / kernels_.exponentials(x, m, y, n), y, n);
    }
    if (!y_plain_) store(row, 0, n, y);
  }

  // One row in three rounds over its chunks. The numbers go through scratch memory of the row.
  void run_long(int64_t row) {
    const int64_t n = rows_.length;
    const ScratchArray<T> numbers(threads_, static_cast<size_t>(x_plain_ && y_plain_ ? 0 : n));
    const T* const x = x_plain_ ? x_at(row) : numbers.data();
    T* const y = y_plain_ ? y_at(row) : numbers.data();
    std::vector<T> parts(static_cast<size_t>((n + kRowsChunk - 1) / kRowsChunk));
    threads_.parallel_for(n, kRowsChunk, [&](int64_t first, int64_t last) {
      if (!x_plain_) load(row, first, last - first, numbers.data() + first);
      parts[static_cast<size_t>(first / kRowsChunk)] = kernels_.max(x + first, last - first);
    });
    const T m = kernels_.max(parts.data(), static_cast<int64_t>(parts.size()));
    threads_.parallel_for(n, kRowsChunk, [&](int64_t first, int64_t last) {
      parts[static_cast<size_t>(first / kRowsChunk)] =
          task_.logarithm ? kernels_.exponential_sum(x + first, m, last - first)
                          : kernels_.exponentials(x + first, m, y + first, last - first);
    });
    double sum = 0;
    for (const T part : parts) sum += static_cast<double>(part);
    const T ending =
        task_.logarithm ? kernels_.logarithm(static_cast<T>(sum)) : T(1) / static_cast<T>(sum);
    threads_.parallel_for(n, kRowsChunk, [&](int64_t first, int64_t last) {
      if (task_.logarithm) {
        kernels_.shift(x + first, m, ending, y + first, last - first);
      } else {
        kernels_.multiply(y + first, ending, y + first, last - first);
      }
      if (!y_plain_) store(row, first, last - first, y + first);
    });
  }

  // Blocks of neighbouring rows, a vector wide; what is left of a line goes row by row.
  void run_columns(int64_t width) {
    const int64_t lanes = kernels_.lanes;
    const int64_t blocks = (width + lanes - 1) / lanes;
    const int64_t grain = std::max<int64_t>(1, kRowsChunk / (rows_.length * lanes));
    threads_.parallel_for(rows_.count / width * blocks, grain, [&](int64_t first, int64_t last) {
      const ScratchArray<T> values(threads_, static_cast<size_t>(rows_.length));
      for (int64_t block = first; block < last; ++block) {
        const int64_t column = block % blocks * lanes;
        const int64_t row = block / blocks * width + column;
        if (column + lanes <= width) {
          kernels_.columns(x_at(row), rows_.x_step, y_at(row), rows_.y_step, rows_.length,
                           task_.logarithm);
        } else {
          for (int64_t k = 0; k < width - column; ++k) run_row(row + k, values.data());
        }
      }
    });
  }

  const SoftmaxTask& task_;
  const Rows& rows_;
  ThreadPool& threads_;
  const SoftmaxKernels<T>& kernels_;
  const Layout x_inner_;
  const Layout y_inner_;
  const bool x_plain_;
  const bool y_plain_;
};

}  // namespace

void softmax(const SoftmaxTask& task, ThreadPool& threads) {
  with_real(task.dtype, [&](auto real) { Softmax<decltype(real)>(task, threads).run(); });
}

}  // namespace netcl::cpu
