// The launches of matmul_gpu.cl: GPUs, and products that are too small for anything else.
#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "ops/matmul_planner.hpp"

namespace netcl::ops {
namespace {

constexpr const char* kGpuSource = "matmul_gpu.cl";

// What matmul_gpu.cl fixes.
constexpr int64_t kDotItems = 64;
constexpr int64_t kTileItems = 256;

// How the tile kernel reads an operand: 0 any strides, 1 unit columns, 2 unit rows; and whether
// four elements may be read as one.
std::pair<int, int> access_of(const MatmulOperand& x, int64_t offset, int64_t batch_stride) {
  const int unit = x.column_stride == 1 ? 1 : x.row_stride == 1 ? 2 : 0;
  const int64_t other = unit == 1 ? x.row_stride : x.column_stride;
  const bool wide = unit != 0 && offset % 4 == 0 && other % 4 == 0 && batch_stride % 4 == 0;
  return {unit, wide ? 1 : 0};
}

}  // namespace

// The arguments that all kernels of matmul_gpu.cl take.
void MatmulPlanner::standard_arguments(int64_t a, int64_t b, int64_t c, const Batch& batch,
                                       int64_t m, int64_t n, int64_t k) {
  // Without a depth neither a nor b is read, and they may have no memory at all.
  buffer(k == 0 ? Kind::buffer_c : kind_a_);
  longs({a, p_.a.row_stride, p_.a.column_stride, batch.a});
  buffer(k == 0 ? Kind::buffer_c : kind_b_);
  longs({b, p_.b.row_stride, p_.b.column_stride, batch.b});
  buffer(Kind::buffer_c);
  longs({c, p_.c.row_stride, p_.c.column_stride, batch.c, m, n, k});
  real(p_.alpha);
  real(p_.beta);
}

// One item per element of c.
void MatmulPlanner::plan_simple(int64_t a, int64_t b, int64_t c, const Batch& batch) {
  plan_.variant = "simple";
  const bool wide = caps_.max_work_group_size >= 64;
  const int64_t across = wide ? 16 : 1;
  const int64_t down = wide ? 4 : 1;
  for (int64_t row = 0; row < p_.m; row += kMatmulGroupsMost * down) {
    const int64_t rows = std::min(kMatmulGroupsMost * down, p_.m - row);
    MatmulLaunch& next = launch(kGpuSource, "matmul_gpu_simple", format_flags());
    next.global[0] = static_cast<size_t>(round_up(p_.n, across));
    next.global[1] = static_cast<size_t>(round_up(rows, down));
    next.global[2] = static_cast<size_t>(batch.extent);
    next.local[0] = static_cast<size_t>(across);
    next.local[1] = static_cast<size_t>(down);
    standard_arguments(a + row * p_.a.row_stride, b, c + row * p_.c.row_stride, batch, rows, p_.n,
                       p_.k);
  }
}

bool MatmulPlanner::gpu_tiles_fit() const {
  const uint64_t local_bytes = is_double_ ? 32768 : 17408;
  return caps_.local_memory_bytes >= local_bytes && caps_.max_work_group_size >= kTileItems &&
         caps_.max_work_item_sizes[0] >= kTileItems;
}

void MatmulPlanner::plan_gpu(int64_t a, int64_t b, int64_t c, const Batch& batch) {
  const bool deep_units = p_.a.column_stride == 1 && p_.b.row_stride == 1;
  if (std::min(p_.m, p_.n) <= 4 && (p_.k >= 4 * kDotItems) && deep_units &&
      caps_.max_work_group_size >= kDotItems) {
    plan_.variant = "gpu_dot";
    for (int64_t row = 0; row < p_.m; row += kMatmulGroupsMost) {
      const int64_t rows = std::min(kMatmulGroupsMost, p_.m - row);
      MatmulLaunch& next = launch(kGpuSource, "matmul_gpu_dot", format_flags());
      next.global[0] = static_cast<size_t>(p_.n * kDotItems);
      next.global[1] = static_cast<size_t>(rows);
      next.global[2] = static_cast<size_t>(batch.extent);
      next.local[0] = static_cast<size_t>(kDotItems);
      standard_arguments(a + row * p_.a.row_stride, b, c + row * p_.c.row_stride, batch, rows, p_.n,
                         p_.k);
    }
    return;
  }
  if (!gpu_tiles_fit() || std::min(p_.m, p_.n) <= 4) {
    // Neighbouring items take neighbouring columns, so the longer side has to be the columns.
    if (p_.n < p_.m) {
      transpose();
      plan_simple(b, a, c, Batch{batch.extent, batch.b, batch.a, batch.c});
      transpose();
    } else {
      plan_simple(a, b, c, batch);
    }
    return;
  }
  plan_.variant = "gpu_tiles";
  // Large tiles need less memory traffic; small ones keep all compute units busy.
  const int64_t large = ceil_div(p_.m, 128) * ceil_div(p_.n, 128) * batch.extent;
  const int64_t tile = !is_double_ && large >= int64_t{caps_.compute_units} ? 128 : 64;
  const auto [unit_a, wide_a] = access_of(p_.a, a, batch.a);
  const auto [unit_b, wide_b] = access_of(p_.b, b, batch.b);
  MatmulLaunch& next = launch(
      kGpuSource, "matmul_gpu_tiles",
      format("%s -DNETCL_TILE=%d -DNETCL_STEP=%d -DNETCL_PAD=%d -DNETCL_A=%d -DNETCL_A_WIDE=%d "
             "-DNETCL_B=%d -DNETCL_B_WIDE=%d",
             format_flags().c_str(), static_cast<int>(tile), static_cast<int>(1024 / tile),
             is_double_ ? 0 : 4, unit_a, wide_a, unit_b, wide_b));
  next.global[0] = static_cast<size_t>(ceil_div(p_.m, tile) * ceil_div(p_.n, tile) * kTileItems);
  next.global[2] = static_cast<size_t>(batch.extent);
  next.local[0] = static_cast<size_t>(kTileItems);
  standard_arguments(a, b, c, batch, p_.m, p_.n, p_.k);
}

}  // namespace netcl::ops
