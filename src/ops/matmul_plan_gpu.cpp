// The launches of matmul_gpu.cl and matmul_gpu_tiles.cl: GPUs, and one item per result anywhere.
#include <algorithm>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "ops/matmul_planner.hpp"

namespace netcl::ops {
namespace {

constexpr const char* kGpuSource = "matmul_gpu.cl";
constexpr const char* kTilesSource = "matmul_gpu_tiles.cl";

// The items of a group that works on a tile.
constexpr int64_t kTileItems = 256;

// How the tile kernels read an operand: 0 any strides, 1 unit columns, 2 unit rows; and whether
// four elements may be read as one.
std::pair<int, int> access_of(const MatmulOperand& x, int64_t offset, int64_t batch_stride) {
  const int unit = x.column_stride == 1 ? 1 : x.row_stride == 1 ? 2 : 0;
  const int64_t other = unit == 1 ? x.row_stride : x.column_stride;
  const bool wide = unit != 0 && offset % 4 == 0 && other % 4 == 0 && batch_stride % 4 == 0;
  return {unit, wide ? 1 : 0};
}

}  // namespace

// One item per element of c.
void MatmulPlanner::plan_naive(const Piece& piece) {
  // Neighbouring items take neighbouring columns, so these have to be many.
  const int64_t across = std::max<int64_t>(config_.local_size_2d[0], 1);
  const int64_t down = std::max<int64_t>(config_.local_size_2d[1], 1);
  for (int64_t row = 0; row < p_.m; row += kMatmulGroupsMost * down) {
    const int64_t rows = std::min(kMatmulGroupsMost * down, p_.m - row);
    MatmulLaunch& next = launch(kGpuSource, config_.kernel, format_flags(true));
    next.global[0] = static_cast<size_t>(round_up(p_.n, across));
    next.global[1] = static_cast<size_t>(round_up(rows, down));
    next.global[2] = static_cast<size_t>(piece.extent);
    next.local[0] = static_cast<size_t>(across);
    next.local[1] = static_cast<size_t>(down);
    product_arguments(shifted(piece, row, 0), rows);
  }
}

void MatmulPlanner::plan_gpu_dot(const Piece& piece) {
  const int64_t items = config_.local_size_1d;
  for (int64_t row = 0; row < p_.m; row += kMatmulGroupsMost) {
    const int64_t rows = std::min(kMatmulGroupsMost, p_.m - row);
    MatmulLaunch& next = launch(
        kGpuSource, config_.kernel,
        format("%s -DNETCL_DOT_ITEMS=%d", format_flags(true).c_str(), static_cast<int>(items)));
    next.global[0] = static_cast<size_t>(p_.n * items);
    next.global[1] = static_cast<size_t>(rows);
    next.global[2] = static_cast<size_t>(piece.extent);
    next.local[0] = static_cast<size_t>(items);
    product_arguments(shifted(piece, row, 0), rows);
  }
}

std::string MatmulPlanner::access_flags(const Piece& piece) const {
  const auto [unit_a, wide_a] = access_of(a(), piece.offset[kRoleA], piece.batch[kRoleA]);
  const auto [unit_b, wide_b] = access_of(b(), piece.offset[kRoleB], piece.batch[kRoleB]);
  const auto [unit_c, wide_c] = access_of(c(), piece.offset[kRoleC], piece.batch[kRoleC]);
  return format("-DNETCL_A=%d -DNETCL_B=%d -DNETCL_A_WIDE=%d -DNETCL_B_WIDE=%d -DNETCL_C_WIDE=%d",
                unit_a, unit_b, wide_a, wide_b, unit_c == 1 ? wide_c : 0);
}

// Whether the tile kernels read nothing but whole quads, and the same number of them each time.
bool MatmulPlanner::whole_quads(const Piece& piece) const {
  const auto [unit_a, wide_a] = access_of(a(), piece.offset[kRoleA], piece.batch[kRoleA]);
  const auto [unit_b, wide_b] = access_of(b(), piece.offset[kRoleB], piece.batch[kRoleB]);
  return wide_a != 0 && wide_b != 0 && p_.k % config_.tile_k == 0 &&
         (unit_a == 1 || p_.m % 4 == 0) && (unit_b == 2 || p_.n % 4 == 0);
}

void MatmulPlanner::plan_gpu_tiled(const Piece& piece) {
  const int64_t tile = config_.tile_m;
  MatmulLaunch& next = launch(kGpuSource, config_.kernel,
                              format("%s %s -DNETCL_TILE=%d", format_flags(true).c_str(),
                                     access_flags(piece).c_str(), static_cast<int>(tile)));
  next.global[0] = static_cast<size_t>(ceil_div(p_.m, tile) * ceil_div(p_.n, tile) * 16);
  next.global[1] = 16;
  next.global[2] = static_cast<size_t>(piece.extent);
  next.local[0] = 16;
  next.local[1] = 16;
  product_arguments(piece, p_.m);
}

void MatmulPlanner::plan_gpu_registers(const Piece& piece) {
  const int64_t tile = config_.tile_m;
  const bool vectorized = std::string_view(config_.kernel) == "netcl_matmul_vectorized";
  MatmulLaunch& next =
      launch(kTilesSource, config_.kernel,
             format("%s %s -DNETCL_TILE=%d -DNETCL_STEP=%u -DNETCL_PAD=%d%s%s",
                    format_flags(true).c_str(), access_flags(piece).c_str(), static_cast<int>(tile),
                    config_.tile_k, is_double_ ? 0 : 4, vectorized ? " -DNETCL_VECTORIZED" : "",
                    vectorized && whole_quads(piece) ? " -DNETCL_WHOLE=1" : ""));
  next.global[0] = static_cast<size_t>(ceil_div(p_.m, tile) * ceil_div(p_.n, tile) * kTileItems);
  next.global[2] = static_cast<size_t>(piece.extent);
  next.local[0] = static_cast<size_t>(kTileItems);
  product_arguments(piece, p_.m);
}

}  // namespace netcl::ops
