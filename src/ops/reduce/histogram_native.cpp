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

constexpr int64_t kBlock = netcl::cpu::kReduceBlock;
constexpr int64_t kPart = 1 << 16;
// The counts of all threads together take at most so many bytes.
constexpr int64_t kCountsBytes = int64_t{64} << 20;

struct Block {
  alignas(64) double values[kBlock];
  alignas(64) unsigned char raw[kBlock * 8];
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
  for (int64_t i = begin; i < end; i += kBlock) {
    const int64_t n = std::min(kBlock, end - i);
    netcl::cpu::walk(layout, i, n, [&](int64_t place, int64_t done, int64_t run) {
      netcl::cpu::copy_run(raw + done * size, 1,
                           static_cast<const unsigned char*>(x) + place * size, stride, run,
                           static_cast<size_t>(size));
    });
    use(static_cast<const double*>(converter.values(raw, n, block->values, &block->convert)), n);
  }
}

struct Bins {
  double low;
  double high;
  double width;
  int64_t count;

  // The edges themselves decide, not a quotient near them.
  int64_t of(double value) const {
    if (!(value >= low && value <= high)) return -1;
    const double at = (value - low) / width;
    int64_t bin = at < static_cast<double>(count) ? static_cast<int64_t>(at) : count - 1;
    while (bin > 0 && value < low + static_cast<double>(bin) * width) --bin;
    while (bin < count - 1 && value >= low + static_cast<double>(bin + 1) * width) ++bin;
    return bin;
  }
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
  const auto number = static_cast<double>(bins);
  const double span = high - low;
  const Bins how{low, high, std::isfinite(span) ? span / number : high / number - low / number,
                 bins};
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
