#include "ops/move/transpose_native.hpp"

#include <algorithm>

#include "backend/cpu/cache_line.hpp"
#include "backend/cpu/elementwise/evaluate_kernels.hpp"
#include "backend/cpu/move/transpose_tile.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

namespace {

template <class T>
inline constexpr int64_t kLine = netcl::cpu::kCacheLine / sizeof(T);

// What is written past the caches takes so many lines of x side by side: as many as a processor
// fetches ahead, and few enough for a cache when they lie a power of two apart.
template <class T>
inline constexpr int64_t kBlock = std::max<int64_t>(32, kLine<T>);
// Two cache lines of each; of bytes one, as the block lies on the stack.
template <class T>
inline constexpr int64_t kAcross = (sizeof(T) == 1 ? 1 : 2) * kLine<T>;
// A piece of work is as wide at most.
constexpr int64_t kPiece = 4096;

constexpr int64_t pieces(int64_t extent, int64_t piece) { return (extent + piece - 1) / piece; }

// Strips of one cache line in x, each of which writes its lines of y from their start to their end.
template <class T>
void transpose_strips(const TransposePlan& plan, const T* x, T* y,
                      netcl::cpu::ThreadPool& threads) {
  const int64_t strips = pieces(plan.p_extent, kLine<T>);
  // Some hundred KiB of the target make a piece of work.
  const int64_t grain = std::max<int64_t>(1, (1 << 15) / (kLine<T> * plan.q_extent));
  threads.parallel_for(strips * plan.batches, grain, [&](int64_t first, int64_t last) {
    for (int64_t strip = first; strip < last; ++strip) {
      const int64_t batch = strip / strips;
      const int64_t p = strip % strips * kLine<T>;
      netcl::cpu::transpose_strip(
          x + element_at(plan.from, batch) + p, y + element_at(plan.to, batch) + p * plan.y_stride,
          std::min(kLine<T>, plan.p_extent - p), plan.q_extent, plan.x_stride, plan.y_stride);
    }
  });
}

// The block at (p, q) of one batch. A line of y takes its elements from
// where a cache line begins on: those before belong to the block before, which reads so many lines
// of x more.
template <class T>
void stream_block(const TransposePlan& plan, const T* x, T* y, int64_t p, int64_t q) {
  constexpr int64_t kWidth = kBlock<T> + kLine<T>;
  alignas(netcl::cpu::kCacheLine) T block[kAcross<T> * kWidth];
  const int64_t height = std::min(kAcross<T>, plan.p_extent - p);
  const int64_t width = std::min(kWidth, plan.q_extent - q);
  for (int64_t i = 0; i < height; i += kLine<T>) {
    netcl::cpu::transpose_strip(x + q * plan.x_stride + p + i, block + i * kWidth,
                                std::min(kLine<T>, height - i), width, plan.x_stride, kWidth);
  }
  for (int64_t i = 0; i < height; ++i) {
    T* const line = y + (p + i) * plan.y_stride + q;
    const T* const from = block + i * kWidth;
    const auto past = reinterpret_cast<uintptr_t>(line) / sizeof(T) % kLine<T>;
    const int64_t begin = std::min((kLine<T> - static_cast<int64_t>(past)) % kLine<T>, width);
    const int64_t end = std::min(kBlock<T> + begin, width);
    if (q == 0) std::copy_n(from, begin, line);
    netcl::cpu::stream_copy(line + begin, from + begin,
                            static_cast<size_t>(end - begin) * sizeof(T), {});
  }
}

// Blocks follow each other along the lines of x.
template <class T>
void stream_blocks(const TransposePlan& plan, const T* x, T* y, netcl::cpu::ThreadPool& threads) {
  const int64_t across = pieces(plan.p_extent, kPiece), down = pieces(plan.q_extent, kBlock<T>);
  threads.parallel_for(across * down * plan.batches, 1, [&](int64_t first, int64_t last) {
    for (int64_t piece = first; piece < last; ++piece) {
      const int64_t batch = piece / (across * down);
      const int64_t q = piece / across % down * kBlock<T>, begin = piece % across * kPiece;
      const int64_t end = std::min(begin + kPiece, plan.p_extent);
      for (int64_t p = begin; p < end; p += kAcross<T>) {
        stream_block(plan, x + element_at(plan.from, batch), y + element_at(plan.to, batch), p, q);
      }
    }
    netcl::cpu::stream_fence();
  });
}

}  // namespace

void transpose_natively(const TransposePlan& plan, netcl::cpu::ThreadPool& threads) {
  with_bits(plan.size, [&](auto zero) {
    using T = decltype(zero);
    const T* const x = static_cast<const T*>(plan.x) + plan.from.offset;
    T* const y = static_cast<T*>(plan.y) + plan.to.offset;
    const int64_t elements = plan.batches * plan.p_extent * plan.q_extent;
    const bool aligned = reinterpret_cast<uintptr_t>(y) % sizeof(T) == 0;
    if (aligned && elements >= netcl::cpu::kStreamBytes / static_cast<int64_t>(sizeof(T))) {
      stream_blocks(plan, x, y, threads);
    } else {
      transpose_strips(plan, x, y, threads);
    }
  });
}

}  // namespace netcl::ops
