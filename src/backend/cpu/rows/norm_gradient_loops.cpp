#include "backend/cpu/rows/norm_gradient_loops.hpp"

#include <algorithm>
#include <cmath>

#include "backend/cpu/rows/norm_gradient_kernels.hpp"
#include "backend/cpu/rows/norm_kernels.hpp"

namespace netcl::cpu {

namespace {

template <class T>
class NormGradientLoops {
 public:
  NormGradientLoops(const NormGradientTask& task, ThreadPool& threads)
      : task_(task),
        threads_(threads),
        n_(task.rows.length),
        x_plain_(is_plain(task.dtype, task.rows, task.rows.x_step)),
        grad_plain_(is_plain(task.dtype, task.grads, task.grads.x_step)),
        result_plain_(is_plain(task.dtype, task.rows, task.rows.y_step)),
        product_plain_(is_plain(kRealDtype<T>, task.grads, task.grads.y_step)) {}

  void run() {
    const auto length = static_cast<size_t>(n_);
    const ScratchArray<T> kept(threads_, length);
    scale_ = packed_numbers(task_.scale, task_.scale_data, n_, kept.data());
    const bool plain = x_plain_ && grad_plain_ && result_plain_ && product_plain_;
    const int64_t grain = std::max<int64_t>(1, kRowsChunk / 2 / n_);
    threads_.parallel_for(task_.rows.count, grain, [&](int64_t first, int64_t last) {
      const ScratchArray<T> values(threads_, plain ? 0 : 2 * length);
      for (int64_t row = first; row < last; ++row) run_row(row, values.data());
    });
  }

 private:
  static bool is_plain(netcl_dtype dtype, const Rows& rows, int64_t step) {
    return dtype == kRealDtype<T> && rows.stepped() && step == 1;
  }

  // What is not plain goes through `values`, first as it is read and then as it is written.
  void run_row(int64_t row, T* values) const {
    const int64_t x_at = element_place(task_.rows.x, row);
    const int64_t grad_at = element_place(task_.grads.x, row);
    T* const more = values + (x_plain_ && grad_plain_ && result_plain_ && product_plain_ ? 0 : n_);
    const T* x = static_cast<const T*>(task_.x_data) + x_at;
    const T* grad = static_cast<const T*>(task_.grad_data) + grad_at;
    if (!x_plain_) {
      gather(task_.dtype, task_.x_data, x_at, task_.rows.x_inner, 0, n_, values);
      x = values;
    }
    if (!grad_plain_) {
      gather(task_.dtype, task_.grad_data, grad_at, task_.grads.x_inner, 0, n_, more);
      grad = more;
    }
    T* result = nullptr;
    T* product = nullptr;
    const int64_t result_at = element_place(task_.rows.y, row);
    const int64_t product_at = element_place(task_.grads.y, row);
    if (task_.result_data != nullptr) {
      result = result_plain_ ? static_cast<T*>(task_.result_data) + result_at : values;
    }
    if (task_.product_data != nullptr) {
      product = product_plain_ ? static_cast<T*>(task_.product_data) + product_at : more;
    }
    compute(x, grad, result, product);
    if (result == values && result != nullptr) {
      scatter(task_.dtype, task_.result_data, result_at, task_.rows.y_inner, 0, n_, result);
    }
    if (product == more && product != nullptr) {
      scatter(kRealDtype<T>, task_.product_data, product_at, task_.grads.y_inner, 0, n_, product);
    }
  }

  void compute(const T* x, const T* grad, T* result, T* product) const {
    const auto& statistics = norm_kernels<T>();
    const auto& kernels = norm_gradient_kernels<T>();
    const T count = static_cast<T>(n_);
    const T mean = task_.centred ? statistics.sum(x, n_) / count : T(0);
    NormSums<T> sums = {0, 0, 0};
    if (result != nullptr) {
      sums = kernels.sums(x, mean, grad, scale_, n_);
    } else {
      sums.squares = statistics.squares(x, mean, n_);
    }
    const T factor = T(1) / std::sqrt(sums.squares / count + static_cast<T>(task_.epsilon));
    const T shift = task_.centred ? sums.sum / count : T(0);
    const T along = sums.along * factor / count;
    kernels.write(x, mean, factor, grad, scale_, shift, along, result, product, n_);
  }

  const NormGradientTask& task_;
  ThreadPool& threads_;
  const int64_t n_;
  const bool x_plain_;
  const bool grad_plain_;
  const bool result_plain_;
  const bool product_plain_;
  const T* scale_ = nullptr;
};

}  // namespace

void norm_gradient(const NormGradientTask& task, ThreadPool& threads) {
  with_real(task.dtype, [&](auto real) { NormGradientLoops<decltype(real)>(task, threads).run(); });
}

}  // namespace netcl::cpu
