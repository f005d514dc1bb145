#include "backend/cpu/rows/batchnorm_loops.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/cpu/cache_line.hpp"
#include "backend/cpu/elementwise/activation.hpp"
#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/rows/norm_kernels.hpp"
#include "core/dtype.hpp"

namespace netcl::cpu {

namespace {

constexpr int64_t kPiece = 8192;  // elements of a line that are worked on at once
constexpr int64_t kRowsAtOnce = 32;

// Count, mean and sum of squared distances from it.
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;

  void merge(double more, double center, double spread) {
    if (more == 0) return;
    const double share = more / (count + more);
    const double delta = center - mean;
    mean += delta * share;
    squares += spread + delta * delta * count * share;
    count += more;
  }
};

template <class T>
class Batchnorm {
 public:
  Batchnorm(const BatchnormTask& task, ThreadPool& threads)
      : task_(task),
        threads_(threads),
        kernels_(norm_kernels<T>()),
        x_inner_(stepped(task.length, task.x_step)),
        y_inner_(stepped(task.length, task.y_step)),
        x_plain_(task.dtype == kRealDtype<T> && task.x_step == 1),
        y_plain_(task.dtype == kRealDtype<T> && task.y_step == 1) {}

  void statistics(double* mean, double* variance) {
    const auto total = static_cast<double>(task_.across ? task_.lines : task_.lines * task_.length);
    std::vector<Moments> result(static_cast<size_t>(task_.channels));
    if (task_.across) {
      moments_across(result.data());
    } else {
      moments_of_lines(result.data());
    }
    for (int64_t c = 0; c < task_.channels; ++c) {
      mean[c] = result[static_cast<size_t>(c)].mean;
      variance[c] = result[static_cast<size_t>(c)].squares / total;
    }
  }

  void apply(const double* a, const double* b, const BatchnormActivation& activation) {
    a_.assign(a, a + task_.channels);
    b_.assign(b, b + task_.channels);
    activation_ = activation;
    const int64_t bytes = task_.lines * task_.length * static_cast<int64_t>(sizeof(T)) *
                          (task_.across ? 1 : task_.channels);
    const bool simple = activation.kind == NETCL_ACTIVATION_NONE || !activation.fused ||
                        activation.kind == NETCL_ACTIVATION_RELU;
    stream_ = bytes >= kStreamBytes && simple && y_plain_ && task_.x_data != task_.y_data;
    if (activation.fused || activation.kind == NETCL_ACTIVATION_NONE) return each_piece(kBoth);
    if (sizeof(T) == dtype_size(task_.dtype)) {
      each_piece(kScale);
      return each_piece(kActivate);
    }
    // 16-bit results are rounded once, so what is between the passes keeps its digits.
    between_.resize(static_cast<size_t>(bytes) / sizeof(T));
    each_piece(kScale);
    each_piece(kActivate);
  }

 private:
  enum Pass { kScale, kActivate, kBoth };

  int64_t x_at(int64_t line, int64_t channel) const {
    return element_place(task_.x_lines, line) + channel * task_.x_channel;
  }
  int64_t y_at(int64_t line, int64_t channel) const {
    return element_place(task_.y_lines, line) + channel * task_.y_channel;
  }

  // `count` elements of a line as numbers: in place, or gathered into `values`.
  const T* numbers(int64_t at, int64_t first, int64_t count, T* values) const {
    if (x_plain_) return static_cast<const T*>(task_.x_data) + at + first;
    gather(task_.dtype, task_.x_data, at, x_inner_, first, count, values);
    return values;
  }

  // A chunk is a few pieces of lines of one channel; its moments are kept until all are there.
  void moments_of_lines(Moments* result) {
    const int64_t pieces = (task_.length + kPiece - 1) / kPiece;
    const int64_t units = task_.lines * pieces;
    const int64_t per_chunk = std::max<int64_t>(1, kRowsChunk / std::min(task_.length, kPiece));
    const int64_t chunks = (units + per_chunk - 1) / per_chunk;
    std::vector<Moments> parts(static_cast<size_t>(task_.channels * chunks));
    threads_.parallel_for(task_.channels * chunks, 1, [&](int64_t first, int64_t last) {
      const ScratchArray<T> values(threads_, static_cast<size_t>(x_plain_ ? 0 : kPiece));
      for (int64_t part = first; part < last; ++part) {
        const int64_t begin = part % chunks * per_chunk;
        const int64_t end = std::min(begin + per_chunk, units);
        for (int64_t unit = begin; unit < end; ++unit) {
          const int64_t at = unit % pieces * kPiece;
          const int64_t n = std::min(task_.length - at, kPiece);
          const T* const x = numbers(x_at(unit / pieces, part / chunks), at, n, values.data());
          const double center = static_cast<double>(kernels_.sum(x, n)) / static_cast<double>(n);
          const T spread = kernels_.squares(x, static_cast<T>(center), n);
          parts[static_cast<size_t>(part)].merge(static_cast<double>(n), center,
                                                 static_cast<double>(spread));
        }
      }
    });
    for (int64_t part = 0; part < task_.channels * chunks; ++part) {
      const Moments& more = parts[static_cast<size_t>(part)];
      result[part / chunks].merge(more.count, more.mean, more.squares);
    }
  }

  // Lines with an element of each channel: columns of some lines at once.
  void moments_across(Moments* result) {
    const int64_t width = task_.length;
    const int64_t per_chunk = std::max<int64_t>(kRowsAtOnce, kRowsChunk / width);
    const int64_t chunks = (task_.lines + per_chunk - 1) / per_chunk;
    std::vector<Moments> parts(static_cast<size_t>(chunks * width));
    const bool together = x_plain_ && task_.x_lines.rank <= 1;
    const int64_t step = together && task_.x_lines.rank == 1 ? task_.x_lines.strides[0] : width;
    threads_.parallel_for(chunks, 1, [&](int64_t first, int64_t last) {
      const auto some = static_cast<size_t>(width);
      const ScratchArray<T> kept(threads_, some * (2 + (together ? 0 : kRowsAtOnce)));
      T* const sums = kept.data();
      T* const means = sums + width;
      for (int64_t line = first * per_chunk; line < std::min(last * per_chunk, task_.lines);
           line += kRowsAtOnce) {
        const int64_t end = std::min({line + kRowsAtOnce, last * per_chunk, task_.lines});
        const int64_t rows = end - line;
        const T* x = means + width;
        if (together) {
          x = static_cast<const T*>(task_.x_data) + x_at(line, 0);
        } else {
          for (int64_t r = 0; r < rows; ++r) {
            gather(task_.dtype, task_.x_data, x_at(line + r, 0), x_inner_, 0, width,
                   means + width * (1 + r));
          }
        }
        Moments* const own = parts.data() + line / per_chunk * width;
        std::fill_n(sums, width, T(0));
        kernels_.add_rows(x, step, rows, width, sums);
        for (int64_t c = 0; c < width; ++c) means[c] = sums[c] / static_cast<T>(rows);
        std::fill_n(sums, width, T(0));
        kernels_.add_squares(x, step, rows, width, means, sums);
        for (int64_t c = 0; c < width; ++c) {
          own[c].merge(static_cast<double>(rows), static_cast<double>(means[c]),
                       static_cast<double>(sums[c]));
        }
      }
    });
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      for (int64_t c = 0; c < width; ++c) {
        const Moments& more = parts[static_cast<size_t>(chunk * width + c)];
        result[c].merge(more.count, more.mean, more.squares);
      }
    }
  }

  void each_piece(Pass pass) {
    const int64_t pieces = (task_.length + kPiece - 1) / kPiece;
    const int64_t per_line = task_.across ? 1 : task_.channels;
    const int64_t units = task_.lines * per_line * pieces;
    const int64_t grain = std::max<int64_t>(1, kRowsChunk / std::min(task_.length, kPiece));
    threads_.parallel_for(units, grain, [&](int64_t first, int64_t last) {
      const ScratchArray<T> values(threads_,
                                   static_cast<size_t>(x_plain_ && y_plain_ ? 0 : kPiece));
      for (int64_t unit = first; unit < last; ++unit) {
        const int64_t at = unit % pieces * kPiece;
        const int64_t n = std::min(task_.length - at, kPiece);
        run_piece(pass, unit / pieces / per_line, unit / pieces % per_line, at, n, values.data());
      }
    });
  }

  void run_piece(Pass pass, int64_t line, int64_t channel, int64_t at, int64_t n, T* values) {
    const int64_t target = y_at(line, channel);
    T* y = y_plain_ ? static_cast<T*>(task_.y_data) + target + at : values;
    T* const between =
        between_.empty()
            ? nullptr
            : between_.data() +
                  (line * (task_.across ? 1 : task_.channels) + channel) * task_.length + at;
    if (pass == kActivate) {
      if (between != nullptr) {
        y = between;
      } else if (!y_plain_) {
        gather(task_.dtype, task_.y_data, target, y_inner_, at, n, y);
      }
    } else {
      if (between != nullptr) y = between;
      const T* const x = numbers(x_at(line, channel), at, n, values);
      const bool relu = pass == kBoth && activation_.kind == NETCL_ACTIVATION_RELU;
      if (task_.across) {
        kernels_.affine_each(x, a_.data() + at, b_.data() + at, relu, stream_, y, n);
      } else {
        const auto c = static_cast<size_t>(channel);
        kernels_.affine(x, a_[c], b_[c], relu, stream_, y, n);
      }
      if (relu || pass == kScale || activation_.kind == NETCL_ACTIVATION_NONE) {
        if (!y_plain_ && between == nullptr) finish(target, at, n, y);
        return;
      }
    }
    activate(activation_.kind, static_cast<T>(activation_.alpha), static_cast<T>(activation_.beta),
             y, static_cast<size_t>(n));
    if (!y_plain_) finish(target, at, n, y);
  }

  void finish(int64_t target, int64_t at, int64_t n, const T* y) const {
    scatter(task_.dtype, task_.y_data, target, y_inner_, at, n, y);
  }

  const BatchnormTask& task_;
  ThreadPool& threads_;
  const NormKernels<T>& kernels_;
  const Layout x_inner_;
  const Layout y_inner_;
  const bool x_plain_;
  const bool y_plain_;
  std::vector<T> a_;
  std::vector<T> b_;
  BatchnormActivation activation_;
  bool stream_ = false;
  std::vector<T> between_;
};

}  // namespace

void batchnorm_statistics(const BatchnormTask& task, double* mean, double* variance,
                          ThreadPool& threads) {
  with_real(task.dtype, [&](auto real) {
    Batchnorm<decltype(real)>(task, threads).statistics(mean, variance);
  });
}

void batchnorm_apply(const BatchnormTask& task, const double* a, const double* b,
                     const BatchnormActivation& activation, ThreadPool& threads) {
  with_real(task.dtype,
            [&](auto real) { Batchnorm<decltype(real)>(task, threads).apply(a, b, activation); });
}

}  // namespace netcl::cpu
