#include "ops/move/transpose_native.hpp"

#include <algorithm>

#include "backend/cpu/move/transpose_tile.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "ops/move/move_rows.hpp"

namespace netcl::ops {

void transpose_natively(const TransposePlan& plan, netcl::cpu::ThreadPool& threads) {
  with_bits(plan.size, [&](auto zero) {
    using T = decltype(zero);
    constexpr int64_t kEdge = 64 / sizeof(T);
    const T* const x = static_cast<const T*>(plan.x) + plan.from.offset;
    T* const y = static_cast<T*>(plan.y) + plan.to.offset;
    const int64_t strips = (plan.p_extent + kEdge - 1) / kEdge;
    // Some hundred KiB of the target make a piece of work.
    const int64_t grain = std::max<int64_t>(1, (1 << 15) / (kEdge * plan.q_extent));
    threads.parallel_for(strips * plan.batches, grain, [&](int64_t first, int64_t last) {
      for (int64_t strip = first; strip < last; ++strip) {
        const int64_t batch = strip / strips;
        const int64_t p = strip % strips * kEdge;
        netcl::cpu::transpose_strip(x + element_at(plan.from, batch) + p,
                                    y + element_at(plan.to, batch) + p * plan.y_stride,
                                    std::min(kEdge, plan.p_extent - p), plan.q_extent,
                                    plan.x_stride, plan.y_stride);
      }
    });
  });
}

}  // namespace netcl::ops
