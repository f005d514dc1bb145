#include "backend/cpu/rows/softmax_gradient_loops.hpp"

#include <algorithm>

#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/rows/softmax_kernels.hpp"

namespace netcl::cpu {

namespace {

template <class T>
class SoftmaxGradientLoops {
 public:
  SoftmaxGradientLoops(const SoftmaxGradientTask& task, ThreadPool& threads)
      : task_(task),
        threads_(threads),
        kernels_(softmax_kernels<T>()),
        n_(task.rows.length),
        real_(task.dtype == kRealDtype<T>),
        y_plain_(real_ && task.rows.x_step == 1),
        grad_plain_(real_ && task.grads.x_step == 1),
        result_plain_(real_ && task.rows.y_step == 1) {}

  void run() {
    const Layout& rows = task_.rows.x;
    const int64_t width = rows.rank > 0 ? rows.shape[rows.rank - 1] : 1;
    if (task_.across && real_ && width >= kernels_.lanes && lies_across(rows, width) &&
        lies_across(task_.rows.y, width) && lies_across(task_.grads.x, width)) {
      return run_columns(width);
    }
    const bool plain = y_plain_ && grad_plain_ && result_plain_;
    const int64_t grain = std::max<int64_t>(1, kRowsChunk / n_);
    threads_.parallel_for(task_.rows.count, grain, [&](int64_t first, int64_t last) {
      const ScratchArray<T> values(threads_, static_cast<size_t>(plain ? 0 : 2 * n_));
      for (int64_t row = first; row < last; ++row) run_row(row, values.data());
    });
  }

 private:
  // `width` rows begin beside each other at a time.
  static bool lies_across(const Layout& rows, int64_t width) {
    const uint32_t last = rows.rank - 1;
    return rows.rank > 0 && rows.strides[last] == 1 && rows.shape[last] % width == 0;
  }

  // What is not plain goes through `values`, first as it is read and then as it is written.
  void run_row(int64_t row, T* values) const {
    const int64_t y_at = element_place(task_.rows.x, row);
    const int64_t grad_at = element_place(task_.grads.x, row);
    const int64_t result_at = element_place(task_.rows.y, row);
    const T* y = static_cast<const T*>(task_.y_data) + y_at;
    const T* grad = static_cast<const T*>(task_.grad_data) + grad_at;
    T* result = static_cast<T*>(task_.result_data) + result_at;
    if (!y_plain_) {
      gather(task_.dtype, task_.y_data, y_at, stepped(n_, task_.rows.x_step), 0, n_, values);
      y = values;
    }
    if (!grad_plain_) {
      T* const more = values + n_;
      gather(task_.dtype, task_.grad_data, grad_at, stepped(n_, task_.grads.x_step), 0, n_, more);
      grad = more;
    }
    if (!result_plain_) result = values;
    kernels_.gradient(y, grad, task_.logarithm, result, n_);
    if (result_plain_) return;
    scatter(task_.dtype, task_.result_data, result_at, stepped(n_, task_.rows.y_step), 0, n_,
            result);
  }

  // Blocks of neighbouring rows, a vector wide; what is left of a line goes row by row.
  void run_columns(int64_t width) const {
    const int64_t lanes = kernels_.lanes;
    const int64_t blocks = (width + lanes - 1) / lanes;
    const int64_t grain = std::max<int64_t>(1, kRowsChunk / (n_ * lanes));
    const int64_t all = task_.rows.count / width * blocks;
    threads_.parallel_for(all, grain, [&](int64_t first, int64_t last) {
      const ScratchArray<T> values(threads_, static_cast<size_t>(2 * n_));
      for (int64_t block = first; block < last; ++block) {
        const int64_t column = block % blocks * lanes;
        const int64_t row = block / blocks * width + column;
        if (column + lanes > width) {
          for (int64_t k = 0; k < width - column; ++k) run_row(row + k, values.data());
          continue;
        }
        kernels_.gradient_columns(
            static_cast<const T*>(task_.y_data) + element_place(task_.rows.x, row),
            task_.rows.x_step,
            static_cast<const T*>(task_.grad_data) + element_place(task_.grads.x, row),
            task_.grads.x_step, task_.logarithm,
            static_cast<T*>(task_.result_data) + element_place(task_.rows.y, row),
            task_.rows.y_step, n_);
      }
    });
  }

  const SoftmaxGradientTask& task_;
  ThreadPool& threads_;
  const SoftmaxKernels<T>& kernels_;
  const int64_t n_;
  const bool real_;
  const bool y_plain_;
  const bool grad_plain_;
  const bool result_plain_;
};

}  // namespace

void softmax_gradient(const SoftmaxGradientTask& task, ThreadPool& threads) {
  with_real(task.dtype,
            [&](auto real) { SoftmaxGradientLoops<decltype(real)>(task, threads).run(); });
}

}  // namespace netcl::cpu
