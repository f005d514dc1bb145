// The launches of matmul.cl, matmul_thin.cl, matmul_tiles.cl and matmul_join.cl.
#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "ops/matmul/matmul_planner.hpp"
#include "ops/matmul/variant_matmul.hpp"

namespace netcl::ops {
namespace {

constexpr const char* kSource = "matmul.cl";
constexpr const char* kTilesSource = "matmul_tiles.cl";
constexpr const char* kThinSource = "matmul_thin.cl";
constexpr const char* kJoinSource = "matmul_join.cl";

// The items of a group that joins pieces.
constexpr int64_t kJoinItems = 256;

// How the tile kernels read an operand: 0 any strides, 1 unit columns, 2 unit rows; and whether
// four elements may be read as one.
std::pair<int, int> access_of(const MatmulOperand& x, const MatmulPlanner::Piece& piece,
                              MatmulRole role) {
  const int unit = x.column_stride == 1 ? 1 : x.row_stride == 1 ? 2 : 0;
  const int64_t other = unit == 1 ? x.row_stride : x.column_stride;
  const bool wide = unit != 0 && piece.offset[role] % 4 == 0 && other % 4 == 0 &&
                    piece.batch[role] % 4 == 0 && piece.outer[role] % 4 == 0;
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
    MatmulLaunch& next = launch(kSource, config_.kernel, format_flags(piece));
    next.global[0] = static_cast<size_t>(round_up(p_.n, across));
    next.global[1] = static_cast<size_t>(round_up(rows, down));
    next.global[2] = static_cast<size_t>(piece.extent);
    next.local[0] = static_cast<size_t>(across);
    next.local[1] = static_cast<size_t>(down);
    product_arguments(rows_from(piece, row), rows);
  }
}

// Few rows of a; b has unit stride along the depth or across it.
void MatmulPlanner::plan_thin(const Piece& piece) {
  const int64_t vector = 16 / static_cast<int64_t>(dtype_size(p_.dtype));
  // Whether 16 bytes at a time may be read of an operand that runs along `extent`.
  const auto wide = [&](MatmulRole role, int64_t stride, int64_t other, int64_t extent) {
    return stride == 1 && extent % vector == 0 && other % vector == 0 &&
           piece.offset[role] % vector == 0 && piece.batch[role] % vector == 0 &&
           piece.outer[role] % vector == 0;
  };
  const bool deep = b().row_stride == 1 && (b().column_stride != 1 || p_.n == 1);
  const bool wide_b = deep ? wide(kRoleB, b().row_stride, b().column_stride, p_.k)
                           : wide(kRoleB, b().column_stride, b().row_stride, p_.n);
  const bool wide_a = deep && wide_b && wide(kRoleA, a().column_stride, a().row_stride, p_.k);
  const int64_t lines = config_.tile_m, columns = config_.tile_n;
  const int64_t each = deep ? config_.work_per_thread_n : wide_b ? vector : 1;
  const int64_t items = config_.local_size_1d;
  // Rows whose sums are in local memory at a time: a power of two, as the lines are.
  const int64_t row_bytes = each * (items + columns / each) * element();
  const int64_t fit = static_cast<int64_t>(variant_rules::kThinBytes) / row_bytes;
  const auto round = static_cast<int64_t>(
      std::bit_floor(static_cast<uint64_t>(std::clamp<int64_t>(fit, 1, lines))));
  MatmulLaunch& next =
      launch(kThinSource, config_.kernel,
             format("%s -DNETCL_LINES=%d -DNETCL_DEEP=%d -DNETCL_WIDE=%d -DNETCL_ITEMS=%d "
                    "-DNETCL_SHARERS=%d -DNETCL_EACH=%d -DNETCL_A_WIDE=%d -DNETCL_ROUND=%d",
                    format_flags(piece).c_str(), static_cast<int>(lines), deep ? 1 : 0,
                    static_cast<int>(wide_b ? vector : 1), static_cast<int>(items),
                    static_cast<int>(items * each / columns), static_cast<int>(each),
                    wide_a ? 1 : 0, static_cast<int>(round)));
  next.global[0] = static_cast<size_t>(ceil_div(p_.n, columns) * items);
  next.global[2] = static_cast<size_t>(piece.extent);
  next.local[0] = static_cast<size_t>(items);
  product_arguments(piece, p_.m);
}

std::string MatmulPlanner::access_flags(const Piece& piece, bool wide_sums) const {
  const int unit_a = access_of(a(), piece, kRoleA).first;
  const int unit_b = access_of(b(), piece, kRoleB).first;
  const auto [unit_c, wide_c] = access_of(c(), piece, kRoleC);
  return format("-DNETCL_A=%d -DNETCL_B=%d -DNETCL_C_WIDE=%d", unit_a, unit_b,
                wide_sums     ? 1
                : unit_c == 1 ? wide_c
                              : 0);
}

// Whether the tile kernels read nothing but whole quads, and the same number of them each time.
bool MatmulPlanner::whole_quads(const Piece& piece) const {
  const auto [unit_a, wide_a] = access_of(a(), piece, kRoleA);
  const auto [unit_b, wide_b] = access_of(b(), piece, kRoleB);
  return wide_a != 0 && wide_b != 0 && p_.k % config_.tile_k == 0 &&
         (unit_a == 1 || p_.m % 4 == 0) && (unit_b == 2 || p_.n % 4 == 0);
}

void MatmulPlanner::plan_tiled(const Piece& piece) {
  const int64_t tile = config_.tile_m;
  MatmulLaunch& next = launch(kSource, config_.kernel,
                              format("%s %s -DNETCL_TILE=%d", format_flags(piece).c_str(),
                                     access_flags(piece, false).c_str(), static_cast<int>(tile)));
  next.global[0] = static_cast<size_t>(ceil_div(p_.m, tile) * ceil_div(p_.n, tile) * 16);
  next.global[1] = 16;
  next.global[2] = static_cast<size_t>(piece.extent);
  next.local[0] = 16;
  next.local[1] = 16;
  product_arguments(piece, p_.m);
}

// The depth of all pieces but the last, which a step divides.
int64_t MatmulPlanner::split_depth() const {
  const int64_t pieces = std::max<int64_t>(config_.split_k, 1);
  return round_up(std::max<int64_t>(ceil_div(p_.k, pieces), 1), config_.tile_k);
}

int64_t MatmulPlanner::split_pieces() const {
  if (config_.split_k <= 1 || p_.k == 0) return 1;
  return ceil_div(p_.k, split_depth());
}

void MatmulPlanner::plan_registers(const Piece& piece) {
  const int64_t tile_m = config_.tile_m, tile_n = config_.tile_n;
  const int64_t side_m = config_.work_per_thread_m, side_n = config_.work_per_thread_n;
  const bool vectorized = std::string_view(config_.kernel) == "netcl_matmul_vectorized";
  // Thin tiles have no vectorized variant.
  const bool whole = (vectorized || tile_m != tile_n) && whole_quads(piece);
  const int64_t pieces = split_pieces();
  const bool split = pieces > 1;
  const std::string formats =
      split ? type_flags() + " -DNETCL_OUT=0 -DNETCL_SPLIT" : format_flags(piece);
  std::string flags = format(
      "%s %s -DNETCL_TILE_M=%d -DNETCL_TILE_N=%d -DNETCL_SIDE_M=%d -DNETCL_SIDE_N=%d "
      "-DNETCL_STEP=%u -DNETCL_PAD=%d",
      formats.c_str(), access_flags(piece, split).c_str(), static_cast<int>(tile_m),
      static_cast<int>(tile_n), static_cast<int>(side_m), static_cast<int>(side_n), config_.tile_k,
      is_double_ ? 0 : 4);
  if (vectorized) flags += " -DNETCL_VECTORIZED";
  if (whole) flags += " -DNETCL_WHOLE";
  MatmulLaunch& next = launch(kTilesSource, config_.kernel, std::move(flags));
  const int64_t items = tile_m * tile_n / (side_m * side_n);
  next.global[0] = static_cast<size_t>(ceil_div(p_.m, tile_m) * ceil_div(p_.n, tile_n) * items);
  next.global[2] = static_cast<size_t>(piece.extent * pieces);
  next.local[0] = static_cast<size_t>(items);
  if (!split) return product_arguments(piece, p_.m);
  // Rows of sums begin at multiples of four, so that they can be stored as quads.
  const int64_t pitch = round_up(p_.n, 4);
  const int64_t slab = p_.m * pitch;
  need_temporary(piece.extent * pieces * slab);
  factor_arguments(piece);
  temporary_memory();
  longs({0, pitch, 1, slab, p_.m, p_.n, p_.k});
  real(1.0);
  real(0.0);
  longs({pieces, split_depth()});
  plan_join(piece, p_.m, pitch, slab, pieces);
}

void MatmulPlanner::plan_join(const Piece& piece, int64_t rows, int64_t pitch, int64_t slab,
                              int64_t pieces) {
  const int64_t items = std::min<int64_t>(
      kJoinItems, static_cast<int64_t>(std::bit_floor(caps_.max_work_group_size)));
  const bool lines = pieces > 0 && (p_.has_zero_a || p_.has_zero_b) &&
                     config_.variant == NETCL_VARIANT_MATMUL_MATRIX_UNITS;
  MatmulLaunch& next = launch(kJoinSource, "netcl_matmul_join",
                              format_flags(piece) + (lines ? " -DNETCL_LINE_SUMS" : ""));
  next.global[0] = static_cast<size_t>(round_up(rows * p_.n, items));
  next.global[2] = static_cast<size_t>(piece.extent);
  next.local[0] = static_cast<size_t>(items);
  temporary_memory();
  longs({pitch, slab, pieces});
  if (lines) {
    const UnitsTemporary where = units_temporary(piece, rows);
    longs({where.a_sums, where.b_sums, p_.k});
    zero_arguments(piece, kRoleZeroA);
    zero_arguments(piece, kRoleZeroB);
  }
  operand(kRoleC);
  place(piece, kRoleC);
  longs({rows, p_.n});
  inner_count(piece);
  real(p_.alpha);
  real(p_.beta);
  epilogue_arguments(piece);
}

}  // namespace netcl::ops
