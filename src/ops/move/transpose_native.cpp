#include "ops/move/transpose_native.hpp"

#include <algorithm>

#include "backend/cpu/move/transpose_tile.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

void transpose_natively(const TransposeJob& job, netcl::cpu::ThreadPool& threads) {
  with_bits(job.size, [&](auto zero) {
    using T = decltype(zero);
    constexpr int64_t kEdge = 64 / sizeof(T);
    const T* const x = static_cast<const T*>(job.x) + job.from.offset;
    T* const y = static_cast<T*>(job.y) + job.to.offset;
    const int64_t strips = (job.p_extent + kEdge - 1) / kEdge;
    // Some hundred KiB of the target make a piece of work.
    const int64_t grain = std::max<int64_t>(1, (1 << 15) / (kEdge * job.q_extent));
    threads.parallel_for(strips * job.batches, grain, [&](int64_t first, int64_t last) {
      for (int64_t strip = first; strip < last; ++strip) {
        const int64_t batch = strip / strips;
        const int64_t p = strip % strips * kEdge;
        netcl::cpu::transpose_strip(
            x + element_at(job.from, batch) + p, y + element_at(job.to, batch) + p * job.y_stride,
            std::min(kEdge, job.p_extent - p), job.q_extent, job.x_stride, job.y_stride);
      }
    });
  });
}

}  // namespace netcl::ops
