#include "backend/cpu/rows/cross_entropy_loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "backend/cpu/element.hpp"
#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/rows/softmax_kernels.hpp"
#include "core/integer.hpp"

namespace netcl::cpu {

namespace {

// Rows per chunk where a row is a few operations.
constexpr int64_t kShortRows = 4096;

template <class T>
struct Target {
  int64_t label;
  bool counts;  // it is a class, and not ignored
  T weight;
};

template <class T>
T load_at(netcl_dtype dtype, const void* data, int64_t at) {
  return with_float(dtype, [&](auto element) {
    using Element = decltype(element);
    return static_cast<T>(Element::load(static_cast<const typename Element::Storage*>(data) + at));
  });
}

template <class T>
void store_at(netcl_dtype dtype, T value, void* data, int64_t at) {
  with_float(dtype, [&](auto element) {
    using Element = decltype(element);
    Element::store(static_cast<typename Element::Compute>(value),
                   static_cast<typename Element::Storage*>(data) + at);
  });
}

int64_t label_at(const Labels& labels, int64_t row) {
  const int64_t at = element_place(labels.rows, row);
  return labels.dtype == NETCL_I64 ? static_cast<const int64_t*>(labels.data)[at]
                                   : static_cast<const int32_t*>(labels.data)[at];
}

template <class T>
Target<T> target_of(const Labels& labels, int64_t row) {
  const int64_t label = label_at(labels, row);
  if (labels.ignores && label == labels.ignored) return {label, false, T(0)};
  if (label < 0 || label >= labels.classes) {
    return {label, false, std::numeric_limits<T>::quiet_NaN()};
  }
  if (labels.weights_dtype == 0) return {label, true, T(1)};
  return {label, true,
          load_at<T>(labels.weights_dtype, labels.weights,
                     labels.weights_base + label * labels.weights_step)};
}

// A sum that does not lose what single additions round away. What is not finite stays plain.
class Sum {
 public:
  void add(double value) {
    const double addend = value - lost_;
    const double next = sum_ + addend;
    lost_ = std::isfinite(next) ? (next - sum_) - addend : 0.0;
    sum_ = next;
  }
  double value() const { return sum_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};
struct Sums {
  Sum losses;
  Sum weights;
};

// The sums of what each(first, last, &sums) adds for chunks of `total`.
template <class Function>
Sums summed(ThreadPool& threads, int64_t total, int64_t grain, const Function& each) {
  std::vector<Sums> parts(static_cast<size_t>(ceil_div(total, grain)));
  threads.parallel_for(total, grain, [&](int64_t first, int64_t last) {
    Sums own;
    each(first, last, &own);
    parts[static_cast<size_t>(first / grain)] = own;
  });
  Sums all;
  for (const Sums& part : parts) {
    all.losses.add(part.losses.value());
    all.weights.add(part.weights.value());
  }
  return all;
}

// What the rows of x have in common, for either direction.
template <class T>
class RowsOfScores {
 public:
  RowsOfScores(const Rows& rows, netcl_dtype dtype, bool across, const void* x)
      : rows_(rows),
        dtype_(dtype),
        x_data_(x),
        kernels_(softmax_kernels<T>()),
        x_inner_(stepped(rows.length, rows.x_step)),
        x_plain_(dtype == kRealDtype<T> && rows.x_step == 1),
        width_(rows.x.rank > 0 ? rows.x.shape[rows.x.rank - 1] : 1),
        blocks_(ceil_div(width_, kernels_.lanes)),
        columns_(across && dtype == kRealDtype<T> && rows.x.strides[rows.x.rank - 1] == 1 &&
                 rows.y.strides[rows.y.rank - 1] == 1 && width_ >= kernels_.lanes) {}

  const SoftmaxKernels<T>& kernels() const { return kernels_; }
  int64_t length() const { return rows_.length; }
  const T* x_at(int64_t row) const {
    return static_cast<const T*>(x_data_) + element_place(rows_.x, row);
  }
  // The scores of a row one behind the other: where they are, or in `values`.
  const T* scores(int64_t row, T* values) const {
    if (x_plain_) return x_at(row);
    gather(dtype_, x_data_, element_place(rows_.x, row), x_inner_, 0, rows_.length, values);
    return values;
  }

  // Calls block(row) for `lanes` neighbouring rows that are to be worked on as columns, and
  // single(row) for the others. Work is counted in steps, `grain` of which are worth a thread.
  int64_t steps() const { return columns_ ? rows_.count / width_ * blocks_ : rows_.count; }
  int64_t grain() const {
    return std::max<int64_t>(1, kRowsChunk / (rows_.length * (columns_ ? kernels_.lanes : 1)));
  }
  template <class Block, class Single>
  void each(int64_t first, int64_t last, const Block& block, const Single& single) const {
    for (int64_t step = first; step < last; ++step) {
      if (!columns_) {
        single(step);
        continue;
      }
      const int64_t column = step % blocks_ * kernels_.lanes;
      const int64_t row = step / blocks_ * width_ + column;
      if (column + kernels_.lanes <= width_) {
        block(row);
      } else {
        for (int64_t k = 0; k < width_ - column; ++k) single(row + k);
      }
    }
  }
  // Numbers of working memory for one thread: a row, or a block of columns.
  size_t room() const {
    return static_cast<size_t>(rows_.length * (columns_ ? kernels_.lanes : 1));
  }

 private:
  const Rows& rows_;
  const netcl_dtype dtype_;
  const void* const x_data_;
  const SoftmaxKernels<T>& kernels_;
  const Layout x_inner_;
  const bool x_plain_;
  const int64_t width_;
  const int64_t blocks_;
  const bool columns_;
};

template <class T>
class CrossEntropy {
 public:
  CrossEntropy(const CrossEntropyTask& task, ThreadPool& threads)
      : task_(task), threads_(threads) {}

  void run() {
    // Without classes no label is one, and there are no scores.
    const Sums sums =
        task_.logarithms || task_.labels.classes == 0 ? take_logarithms() : take_scores();
    if (task_.reduction == NETCL_LOSS_NONE) return;
    const double loss = task_.reduction == NETCL_LOSS_SUM
                            ? sums.losses.value()
                            : sums.losses.value() / sums.weights.value();
    store_at(task_.y_dtype, static_cast<T>(loss), task_.y_data, task_.y.offset);
  }

 private:
  void take(int64_t row, T loss, T weight, Sums* sums) const {
    if (task_.reduction == NETCL_LOSS_NONE) {
      store_at(task_.y_dtype, loss, task_.y_data, element_place(task_.y, row));
    } else {
      sums->losses.add(static_cast<double>(loss));
      sums->weights.add(static_cast<double>(weight));
    }
  }

  Sums take_logarithms() const {
    const Labels& labels = task_.labels;
    return summed(threads_, labels.count, kShortRows, [&](int64_t first, int64_t last, Sums* own) {
      for (int64_t row = first; row < last; ++row) {
        const Target<T> target = target_of<T>(labels, row);
        T loss = target.weight;
        if (target.counts) {
          const int64_t at = element_place(task_.rows.x, row) + target.label * task_.rows.x_step;
          loss = -target.weight * load_at<T>(task_.dtype, task_.x_data, at);
        }
        take(row, loss, target.weight, own);
      }
    });
  }

  Sums take_scores() const {
    const RowsOfScores<T> rows(task_.rows, task_.dtype, task_.across, task_.x_data);
    const SoftmaxKernels<T>& kernels = rows.kernels();
    return summed(
        threads_, rows.steps(), rows.grain(), [&](int64_t first, int64_t last, Sums* own) {
          const ScratchArray<T> values(threads_, rows.room());
          const auto block = [&](int64_t row) {
            kernels.columns(rows.x_at(row), task_.rows.x_step, values.data(), kernels.lanes,
                            rows.length(), true);
            for (int64_t k = 0; k < kernels.lanes; ++k) {
              const Target<T> target = target_of<T>(task_.labels, row + k);
              const T loss = target.counts
                                 ? -target.weight * values.data()[target.label * kernels.lanes + k]
                                 : target.weight;
              take(row + k, loss, target.weight, own);
            }
          };
          const auto single = [&](int64_t row) {
            const Target<T> target = target_of<T>(task_.labels, row);
            T loss = target.weight;
            if (target.counts) {
              const T* const x = rows.scores(row, values.data());
              const T m = kernels.max(x, rows.length());
              const T ending = kernels.logarithm(kernels.exponential_sum(x, m, rows.length()));
              loss = target.weight * (ending - (x[target.label] - m));
            }
            take(row, loss, target.weight, own);
          };
          rows.each(first, last, block, single);
        });
  }

  const CrossEntropyTask& task_;
  ThreadPool& threads_;
};

template <class T>
class CrossEntropyGradient {
 public:
  CrossEntropyGradient(const CrossEntropyGradientTask& task, ThreadPool& threads)
      : task_(task),
        threads_(threads),
        rows_(task.rows, task.dtype, task.across, task.x_data),
        y_inner_(stepped(task.rows.length, task.rows.y_step)),
        y_plain_(task.dtype == kRealDtype<T> && task.rows.y_step == 1) {}

  void run() const {
    threads_.parallel_for(rows_.steps(), rows_.grain(), [&](int64_t first, int64_t last) {
      const ScratchArray<T> values(threads_, rows_.room());
      rows_.each(
          first, last, [&](int64_t row) { run_block(row, values.data()); },
          [&](int64_t row) { run_row(row, values.data()); });
    });
  }

 private:
  T* y_at(int64_t row) const {
    return static_cast<T*>(task_.y_data) + element_place(task_.rows.y, row);
  }
  T scale_of(int64_t row) const {
    return static_cast<const T*>(task_.scale_data)[element_place(task_.scale, row)];
  }
  bool is_class(int64_t label) const { return label >= 0 && label < rows_.length(); }

  void run_row(int64_t row, T* values) const {
    const int64_t n = rows_.length();
    const T scale = scale_of(row);
    T* const y = y_plain_ ? y_at(row) : values;
    if (scale == T(0)) {
      std::fill_n(y, n, T(0));
    } else {
      const SoftmaxKernels<T>& kernels = rows_.kernels();
      const T* const x = rows_.scores(row, values);
      const T sum = kernels.exponentials(x, kernels.max(x, n), y, n);
      kernels.multiply(y, scale / sum, y, n);
      const int64_t label = label_at(task_.labels, row);
      if (is_class(label)) y[label] -= scale;
    }
    if (y_plain_) return;
    scatter(task_.dtype, task_.y_data, element_place(task_.rows.y, row), y_inner_, 0, n, y);
  }

  void run_block(int64_t row, T* scales) const {
    const int64_t n = rows_.length(), lanes = rows_.kernels().lanes, step = task_.rows.y_step;
    T* const y = y_at(row);
    rows_.kernels().columns(rows_.x_at(row), task_.rows.x_step, y, step, n, false);
    bool zeros = false;
    for (int64_t k = 0; k < lanes; ++k) {
      scales[k] = scale_of(row + k);
      zeros = zeros || scales[k] == T(0);
    }
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t k = 0; k < lanes; ++k) y[i * step + k] *= scales[k];
    }
    for (int64_t k = 0; k < lanes; ++k) {
      const int64_t label = label_at(task_.labels, row + k);
      if (is_class(label)) y[label * step + k] -= scales[k];
    }
    if (!zeros) return;
    for (int64_t k = 0; k < lanes; ++k) {
      for (int64_t i = 0; scales[k] == T(0) && i < n; ++i) y[i * step + k] = T(0);
    }
  }

  const CrossEntropyGradientTask& task_;
  ThreadPool& threads_;
  const RowsOfScores<T> rows_;
  const Layout y_inner_;
  const bool y_plain_;
};

}  // namespace

void cross_entropy(const CrossEntropyTask& task, ThreadPool& threads) {
  with_real(task.dtype, [&](auto real) { CrossEntropy<decltype(real)>(task, threads).run(); });
}

void label_scale(const LabelScaleTask& task, ThreadPool& threads) {
  const Labels& labels = task.labels;
  with_real(task.grad_dtype, [&](auto real) {
    using T = decltype(real);
    double whole = 1;
    if (task.reduction == NETCL_LOSS_MEAN) {
      whole =
          summed(threads, labels.count, kShortRows, [&](int64_t first, int64_t last, Sums* own) {
            for (int64_t row = first; row < last; ++row) {
              own->weights.add(static_cast<double>(target_of<T>(labels, row).weight));
            }
          }).weights.value();
    }
    const auto total = static_cast<T>(whole);
    const bool single = task.reduction != NETCL_LOSS_NONE;
    threads.parallel_for(labels.count, kShortRows, [&](int64_t first, int64_t last) {
      for (int64_t row = first; row < last; ++row) {
        const int64_t at = single ? task.grad.offset : element_place(task.grad, row);
        const Target<T> target = target_of<T>(labels, row);
        const T weight = target.weight;
        const T grad = load_at<T>(task.grad_dtype, task.grad_data, at);
        // What is ignored has no gradient, even where that of the loss is not finite.
        const bool ignored = !target.counts && weight == T(0);
        static_cast<T*>(task.y_data)[element_place(task.y, row)] =
            ignored ? T(0) : grad * weight / total;
      }
    });
  });
}

void cross_entropy_gradient(const CrossEntropyGradientTask& task, ThreadPool& threads) {
  with_real(task.dtype,
            [&](auto real) { CrossEntropyGradient<decltype(real)>(task, threads).run(); });
}

}  // namespace netcl::cpu
