#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include "backend/cpu/reduce/reduce_source.hpp"
#include "backend/cpu/task_memory.hpp"
#include "ops/reduce/histogram.hpp"

namespace netcl::ops {
namespace {

using netcl::cpu::ReduceConverter;

constexpr int64_t kHistogramBlock = netcl::cpu::kReduceBlock;
constexpr int64_t kPart = 1 << 16;
// The counts of all threads together take at most so many bytes.
constexpr int64_t kCountsBytes = int64_t{64} << 20;

struct Block {
  alignas(64) double values[kHistogramBlock];
  alignas(64) unsigned char raw[kHistogramBlock * 8];
  ReduceConverter::Buffers convert;
};

// Calls use(values, n) for blocks of the elements [begin, end) as doubles.
template <class Use>
void each_block(const void* x, netcl_dtype dtype, const Layout& layout, int64_t begin, int64_t end,
                Block* block, const Use& use) {
  const ReduceConverter converter(dtype, NETCL_F64);
  const auto size = static_cast<int64_t>(dtype_size(dtype));
  const int64_t stride = layout.strides[layout.rank - 1];
  unsigned char* const raw = block->raw;
  for (int64_t i = begin; i < end; i += kHistogramBlock) {
    const int64_t n = std::min(kHistogramBlock, end - i);
    netcl::cpu::walk(layout, i, n, [&](int64_t place, int64_t done, int64_t run) {
      netcl::cpu::copy_run(raw + done * size, 1,
                           static_cast<const unsigned char*>(x) + place * size, stride, run,
                           static_cast<size_t>(size));
    });
    use(static_cast<const double*>(converter.values(raw, n, block->values, &block->convert)), n);
  }
}

// The bins of a range. Its length may be beyond the largest double and the width of a bin below the
// least one, so edges are computed from ends that are divided by 2 or multiplied, which rounds
// nothing.
class Bins {
 public:
  Bins(double low, double high, int64_t count)
      : low_(low), high_(high), last_(count - 1), scale_(scale_of(high - low)) {
    // Values are multiplied for a comparison, or edges are: what is not small stays as it is.
    if (scale_ > 1.0) value_scale_ = scale_;
    if (scale_ < 1.0) edge_scale_ = 1.0 / scale_;
    scaled_low_ = low * scale_;
    width_ = (high * scale_ - scaled_low_) / static_cast<double>(count);
    per_width_ = 1.0 / width_;
  }

  // The last bin whose lower edge is not above the value; -1 for a value outside. The edges
  // themselves decide, not a quotient near them.
  int64_t of(double value) const {
    if (!(value >= low_ && value <= high_)) return -1;
    if (value == high_) return last_;
    const double at = (value * scale_ - scaled_low_) * per_width_;
    int64_t bin = at < static_cast<double>(last_) ? static_cast<int64_t>(at) : last_;
    const double place = value * value_scale_;
    if (place >= edge(bin) && (bin == last_ || place < edge(bin + 1))) return bin;
    int64_t first = 0, last = last_;
    // The quotient is off by one bin at most, but where edges are closer than doubles.
    for (bool begun = false; first < last; begun = true) {
      const bool below = value * value_scale_ < edge(bin);
      (below ? last : first) = below ? bin - 1 : bin;
      bin = begun ? first + (last - first + 1) / 2 : below ? bin - 1 : bin + 1;
    }
    return first;
  }

 private:
  static double scale_of(double span) {
    return span < 0x1p-900 ? 0x1p600 : std::isfinite(span) ? 1.0 : 0.5;
  }
  double edge(int64_t bin) const {
    return (scaled_low_ + static_cast<double>(bin) * width_) * edge_scale_;
  }

  double low_;
  double high_;
  int64_t last_;
  double scale_;
  double scaled_low_ = 0.0;
  double width_ = 0.0;
  double per_width_ = 0.0;
  double value_scale_ = 1.0;
  double edge_scale_ = 1.0;
};

}  // namespace

void histogram_on_host(const void* x, netcl_dtype dtype, const Layout& layout, int64_t bins,
                       double low, double high, int64_t* counts, int64_t counts_stride,
                       netcl::cpu::ThreadPool& threads) {
  const int64_t total = layout.element_count();
  std::mutex mutex;
  if (low == 0.0 && high == 0.0) {
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    const auto find = [&](int64_t begin, int64_t end, Block& block) {
      double least = std::numeric_limits<double>::infinity(), most = -least;
      each_block(x, dtype, layout, begin, end, &block, [&](const double* values, int64_t n) {
        for (int64_t i = 0; i < n; ++i) {
          if (!std::isfinite(values[i])) continue;
          least = std::min(least, values[i]);
          most = std::max(most, values[i]);
        }
      });
      const std::lock_guard<std::mutex> lock(mutex);
      lowest = std::min(lowest, least);
      highest = std::max(highest, most);
    };
    netcl::cpu::parallel_for_tasks<Block>(threads, total, kPart, find);
    const bool one = lowest == highest;
    low = lowest - (one ? 0.5 : 0.0);
    high = highest + (one ? 0.5 : 0.0);
  }
  const Bins how(low, high, bins);
  for (int64_t b = 0; b < bins; ++b) counts[b * counts_stride] = 0;
  // Integers add up to the same in any order, so threads may take what they get.
  const int64_t most = std::max<int64_t>(1, kCountsBytes / (bins * 8));
  const int64_t parts =
      std::clamp<int64_t>(total / kPart, 1, std::min<int64_t>(most, 2 * threads.thread_count()));
  const int64_t part = (total + parts - 1) / parts;
  const auto count = [&](int64_t begin, int64_t end, Block& block) {
    std::vector<int64_t> own(static_cast<size_t>(bins));
    each_block(x, dtype, layout, begin, end, &block, [&](const double* values, int64_t n) {
      for (int64_t i = 0; i < n; ++i) {
        const int64_t bin = how.of(values[i]);
        if (bin >= 0) ++own[static_cast<size_t>(bin)];
      }
    });
    const std::lock_guard<std::mutex> lock(mutex);
    for (int64_t b = 0; b < bins; ++b) counts[b * counts_stride] += own[static_cast<size_t>(b)];
  };
  netcl::cpu::parallel_for_tasks<Block>(threads, total, part, count);
}

}  // namespace netcl::ops
