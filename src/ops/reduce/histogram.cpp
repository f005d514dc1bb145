#include "ops/reduce/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/integer.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/frame/work.hpp"
#include "ops/move/move.hpp"

namespace netcl::ops {
namespace {

constexpr int64_t kLocalBins = 4096;  // 16 KiB of local memory
constexpr int64_t kPartElements = 16384;
// Counters have 32 bits.
constexpr int64_t kPartMost = int64_t{1} << 31;
constexpr int64_t kCountsMost = int64_t{1} << 24;

class HistogramLauncher {
 public:
  HistogramLauncher(const Tensor& x, const Layout& layout, int64_t bins, double low, double high,
                    const Tensor& result, const Run& run)
      : x_(x),
        layout_(layout),
        count_(layout.element_count()),
        bins_(bins),
        low_(low),
        high_(high),
        result_(result),
        run_(run),
        f64_(run.device().capabilities().fp64 != 0),
        units_(std::max<int64_t>(run.device().capabilities().compute_units, 1)) {}

  void launch() {
    const bool found = low_ == 0.0 && high_ == 0.0;
    if (found) find_range();
    count(found);
  }

 private:
  std::string flags(int64_t shared) const {
    return format("-DX=%s -DWIDE=%s -DSHARED=%lld", dtype_facts(x_.dtype()).name,
                  f64_ ? "double" : "float", static_cast<long long>(shared));
  }
  // An end of the range. Floats do not reach all doubles: one beyond them is the largest float, and
  // no number where that leaves nothing inside.
  void range_end(Arguments* arguments, double value, bool upper) const {
    constexpr double kMost = std::numeric_limits<float>::max();
    if (f64_) {
      arguments->scalar(value);
    } else if (upper ? value < -kMost : value > kMost) {
      arguments->scalar(std::numeric_limits<float>::quiet_NaN());
    } else {
      arguments->scalar(static_cast<float>(std::clamp(value, -kMost, kMost)));
    }
  }
  int64_t items() const {
    const uint64_t most = run_.device().capabilities().max_work_group_size;
    return std::min<int64_t>(kGroupItems, static_cast<int64_t>(std::bit_floor(most)));
  }
  void find_range();
  void count(bool found);

  const Tensor& x_;
  const Layout& layout_;
  const int64_t count_;
  const int64_t bins_;
  const double low_;
  const double high_;
  const Tensor& result_;
  const Run& run_;
  const bool f64_;
  const int64_t units_;
  BufferRef extremes_;
};

void HistogramLauncher::find_range() {
  const int64_t local = items();
  const int64_t parts = local * std::clamp<int64_t>(count_ / (4 * local), 1, units_ * 8);
  extremes_ = new_memory(static_cast<uint64_t>(parts * 16), run_);
  KernelCall call{"histogram.cl", "netcl_histogram_range", flags(0)};
  call.local[0] = static_cast<uint64_t>(local);
  call.global[0] = static_cast<uint64_t>(parts);
  Arguments arguments;
  arguments.memory(reading(x_));
  arguments.layout(layout_);
  arguments.scalar(count_);
  arguments.scalar(parts);
  arguments.memory(writing(*extremes_));
  enqueue_kernel(call, arguments, run_.without_event());
  KernelCall join{"histogram.cl", "netcl_histogram_join", flags(0)};
  join.local[0] = 1;
  Arguments more;
  more.memory(writing(*extremes_));
  more.scalar(parts);
  enqueue_kernel(join, more, run_.without_event());
}

void HistogramLauncher::count(bool found) {
  const bool shared = bins_ <= kLocalBins;
  // With atomics in the device's memory there is one row of counters, else one for each part.
  const bool one_row = !shared;
  const int64_t most = one_row ? 8 * units_ : std::max<int64_t>(1, kCountsMost / bins_);
  const int64_t wanted = std::min(most, 8 * units_);
  const int64_t parts = std::clamp<int64_t>(count_ / kPartElements, 1, wanted);
  // So many elements at a time that no counter can overflow.
  const int64_t pass = one_row ? kPartMost : parts * kPartMost;
  const int64_t rows = one_row ? 1 : parts;
  const int64_t row_shape[] = {rows, bins_};
  const TensorRef counts = new_tensor(NETCL_U32, 2, row_shape, run_);
  const int64_t passes = ceil_div(count_, pass);
  for (int64_t p = 0; p < passes; ++p) {
    // A pass takes the elements from its begin on: the last ones of the whole range by its end.
    const int64_t begin = p * pass;
    const int64_t end = std::min(count_, begin + pass);
    if (one_row) {
      const uint32_t zero = 0;
      fill(*counts, &zero, run_.without_event());
    }
    const int64_t part = ceil_div(end - begin, parts);
    const int64_t local = items();
    KernelCall call{"histogram.cl", "netcl_histogram_count", flags(shared ? kLocalBins : 1)};
    call.local[0] = static_cast<uint64_t>(local);
    call.global[0] = static_cast<uint64_t>(parts * local);
    Arguments arguments;
    arguments.memory(reading(x_));
    arguments.layout(layout_);
    arguments.scalar(begin);
    arguments.scalar(end);
    arguments.scalar(bins_);
    range_end(&arguments, low_, false);
    range_end(&arguments, high_, true);
    arguments.memory(extremes_ == nullptr ? nullptr : extremes_->memory(), false);
    arguments.scalar(static_cast<int32_t>(found ? 1 : 0));
    arguments.scalar(part);
    arguments.memory(writing(*counts));
    enqueue_kernel(call, arguments, run_.without_event());
    KernelCall sum{"histogram.cl", "netcl_histogram_sum", flags(0)};
    const int64_t sum_items = std::min<int64_t>(local, 64);
    sum.local[0] = static_cast<uint64_t>(sum_items);
    sum.global[0] = static_cast<uint64_t>(ceil_div(bins_, sum_items) * sum_items);
    Arguments more;
    more.memory(reading(*counts));
    more.scalar(rows);
    more.scalar(bins_);
    more.scalar(static_cast<int32_t>(p == 0 ? 1 : 0));
    more.memory(writing(result_));
    more.layout(result_.layout());
    enqueue_kernel(sum, more, p + 1 == passes ? run_ : run_.without_event());
  }
}

// The elements in the order of memory, which counts do not depend on.
Layout arranged(Layout layout) {
  for (uint32_t i = 1; i < layout.rank; ++i) {
    for (uint32_t k = i; k > 0 && std::abs(layout.strides[k]) > std::abs(layout.strides[k - 1]);
         --k) {
      std::swap(layout.shape[k], layout.shape[k - 1]);
      std::swap(layout.strides[k], layout.strides[k - 1]);
    }
  }
  coalesce(&layout, 1);
  if (layout.rank == 0) {
    layout.rank = 1;
    layout.shape[0] = 1;
    layout.strides[0] = 1;
  }
  return layout;
}

}  // namespace

TensorRef histogram(const Tensor& x, int64_t bins, double low, double high, const TensorRef& into,
                    const Run& run) {
  require_device(x, run, "x");
  if (bins < 1) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "bins is %lld; a histogram has at least 1",
         static_cast<long long>(bins));
  }
  const bool found = low == 0.0 && high == 0.0;
  if (!found && !(std::isfinite(low) && std::isfinite(high) && low < high)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "options->low is %g and options->high is %g; they are finite and low is below high", low,
         high);
  }
  require_f64(run, x.dtype(), "x");
  refuse_sharing(into, x, "x");
  const TensorRef result = result_tensor(into, 1, &bins, NETCL_I64, run);
  if (x.empty()) {
    const int64_t zero = 0;
    fill(*result, &zero, run);
    return result;
  }
  const Layout layout = arranged(x.layout());
  // The place of an element in the range, and its count.
  const Run declared = with_work(run, [&] {
    return work_of("histogram", x.dtype(), 3.0 * static_cast<double>(x.element_count()), {&x},
                   {result.get()});
  });
  if (!runs_native(run.device())) {
    HistogramLauncher(x, layout, bins, low, high, *result, declared).launch();
    return result;
  }
  enqueue_native({writing(*result), reading(x)}, declared,
                 [=, dtype = x.dtype(), to = result->layout()](const NativeCall& call) {
                   histogram_on_host(call.at<void>(1), dtype, layout, bins, low, high,
                                     call.at<int64_t>(0) + to.offset, to.strides[0], call.threads);
                 });
  return result;
}

}  // namespace netcl::ops
