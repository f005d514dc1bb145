// The launches of products by matrix units.
#include <algorithm>

#include "core/dtype.hpp"
#include "ops/matmul/matmul_planner.hpp"
#include "ops/matmul/matrix_units.hpp"

namespace netcl::ops {
namespace {

// Sums of so many bytes at most lie in memory at a time, unless one row of tiles has more.
constexpr int64_t kSumsMost = int64_t{256} << 20;
// Copies of 16-bit results begin at multiples of so many elements, and end there.
constexpr int64_t kBoxGrain = 8;
constexpr int64_t kScratchGrain = 128;
// The items of a group of matmul_line_sums.cl.
constexpr int64_t kLineItems = 64;

bool every(const MatmulPlanner::Piece& piece, MatmulRole role, int64_t grain) {
  return piece.offset[role] % grain == 0 && piece.batch[role] % grain == 0 &&
         piece.outer[role] % grain == 0;
}

}  // namespace

// How the kernel leaves the results: as sums wherever it cannot do the epilogue.
WgmmaKernel MatmulPlanner::units_kernel(const Piece& piece) const {
  WgmmaKernel kernel;
  kernel.dtype = p_.dtype;
  kernel.b_dtype = is_bytes_ ? p_.b_dtype : p_.dtype;
  kernel.out_dtype = p_.out_dtype;
  kernel.a_along_m = units_factor(p_, kRoleA).across;
  kernel.b_along_n = units_factor(p_, kRoleB).across;
  kernel.strict = variant_rules::is_fma_kernel(config_);
  kernel.tile_m = config_.tile_m;
  kernel.tile_n = config_.tile_n;
  kernel.batch_rank = piece.extent == 1 ? 0 : piece.inner == 0 ? 1 : 2;
  const MatmulOperand& bias = p_.operands[kRoleBias];
  const bool by_rows = bias.column_stride == 0;
  const bool bias_fits = p_.bias_dtype == 0 || by_rows || bias.row_stride == 0;
  if (split_pieces() > 1 || p_.beta != 0.0 || p_.residual_dtype != 0 || !bias_fits ||
      p_.has_zero_a || p_.has_zero_b || !wgmma_activation(p_.activation, p_.out_dtype) ||
      (c().column_stride != 1 && p_.n != 1)) {
    kernel.store = WgmmaStore::sums;
    return kernel;
  }
  kernel.bias_dtype = p_.bias_dtype;
  kernel.bias_by_rows = p_.bias_dtype != 0 && by_rows;
  kernel.activation = p_.activation;
  const auto fits = [&](int64_t grain) {
    return c().row_stride % grain == 0 && every(piece, kRoleC, grain);
  };
  const bool forward =
      c().row_stride >= p_.n && piece.batch[kRoleC] >= 0 && piece.outer[kRoleC] >= 0;
  const bool halves = p_.out_dtype == p_.dtype && p_.dtype != NETCL_F32;
  if (halves && forward && p_.n % kBoxGrain == 0 && fits(kBoxGrain)) {
    kernel.store = WgmmaStore::boxes;
  } else {
    kernel.store = WgmmaStore::pairs;
    kernel.wide_pairs = !kernel.strict && fits(2);
  }
  return kernel;
}

// Where sums would take too much memory, the matrices of a launch are fewer, or the rows of one.
void MatmulPlanner::plan_units(const Piece& piece) {
  if (p_.k == 0) return units_sums(piece, p_.m);
  if (units_kernel(piece).store != WgmmaStore::sums) return units_launch(piece, p_.m);
  const int64_t row_bytes = round_up(p_.n, 4) * split_pieces() * 4;
  const int64_t most = kSumsMost / row_bytes;
  if (most >= p_.m * piece.extent) return units_sums(piece, p_.m);
  const int64_t inner = piece.inner == 0 ? piece.extent : piece.inner;
  const int64_t matrices = std::clamp<int64_t>(most / p_.m, 1, inner);
  const int64_t tiles = std::max<int64_t>(most / config_.tile_m, 1);
  const int64_t rows = matrices > 1 ? p_.m : std::min(tiles * config_.tile_m, p_.m);
  for (int64_t outer = 0; outer < piece.extent / inner; ++outer) {
    for (int64_t first = 0; first < inner; first += matrices) {
      Piece part = piece;
      part.inner = 0;
      part.outer = {};
      part.extent = std::min(matrices, inner - first);
      for (size_t role = 0; role < kRoleCount; ++role) {
        part.offset[role] += outer * piece.outer[role] + first * piece.batch[role];
      }
      for (int64_t row = 0; row < p_.m; row += rows) {
        units_sums(rows_from(part, row), std::min(rows, p_.m - row));
      }
    }
  }
}

// Without a depth there are no sums to join.
void MatmulPlanner::units_sums(const Piece& piece, int64_t rows) {
  const int64_t pitch = round_up(p_.n, 4);
  if (p_.k == 0) {
    need_temporary(1);
    return plan_join(piece, rows, pitch, rows * pitch, 0);
  }
  units_launch(piece, rows);
  const UnitsTemporary where = units_temporary(piece, rows);
  // Products with a zero point off are those with it, less it times the sums of the other side.
  if (p_.has_zero_b) line_sums(piece, kRoleA, rows, where.a_sums);
  if (p_.has_zero_a) line_sums(piece, kRoleB, p_.n, where.b_sums);
  plan_join(piece, rows, pitch, rows * pitch, split_pieces());
}

MatmulPlanner::UnitsTemporary MatmulPlanner::units_temporary(const Piece& piece,
                                                             int64_t rows) const {
  UnitsTemporary out;
  if (units_kernel(piece).store != WgmmaStore::sums) return out;
  const int64_t sums = piece.extent * split_pieces() * rows * round_up(p_.n, 4);
  out.a_sums = sums;
  out.b_sums = out.a_sums + (p_.has_zero_b ? piece.extent * rows : 0);
  const int64_t end = out.b_sums + (p_.has_zero_a ? piece.extent * p_.n : 0);
  out.scratch_bytes = round_up(end * 4, kScratchGrain);
  return out;
}

// A group adds up a line of a or b, which lie along the depth.
void MatmulPlanner::line_sums(const Piece& piece, MatmulRole role, int64_t lines, int64_t first) {
  const netcl_dtype dtype = role == kRoleA ? p_.dtype : p_.b_dtype;
  MatmulLaunch& next = launch("matmul_line_sums.cl", "netcl_matmul_line_sums",
                              format("%s -DNETCL_LINE=%d", format_flags(piece).c_str(),
                                     format_code(dtype)));
  next.global[0] = static_cast<size_t>(lines * kLineItems);
  next.global[2] = static_cast<size_t>(piece.extent);
  next.local[0] = static_cast<size_t>(kLineItems);
  operand(role == kRoleA ? p_.memory_a : p_.memory_b);
  longs({piece.offset[role], units_factor(p_, role).step});
  batch_steps(piece, piece.batch[role], piece.outer[role]);
  longs({p_.k});
  inner_count(piece);
  temporary_memory();
  longs({first});
}

void MatmulPlanner::units_launch(const Piece& piece, int64_t rows) {
  const int64_t pitch = round_up(p_.n, 4);
  const int64_t slab = rows * pitch;
  const int64_t pieces = split_pieces();
  const WgmmaKernel kernel = units_kernel(piece);
  const bool sums = kernel.store == WgmmaStore::sums;
  const int64_t inner = piece.inner == 0 ? piece.extent : piece.inner;
  const int64_t stacks = piece.extent / inner;
  const int64_t items = wgmma_items(kernel);
  const int64_t groups = std::min<int64_t>(
      std::max<int64_t>(caps_.compute_units, 1),
      ceil_div(rows, kernel.tile_m) * ceil_div(p_.n, kernel.tile_n) * piece.extent * pieces);
  const int64_t scratch = units_temporary(piece, rows).scratch_bytes;
  plan_.temporary_bytes =
      std::max(plan_.temporary_bytes, static_cast<uint64_t>(scratch + groups * kWgmmaScratch));
  MatmulLaunch& next = launch(nullptr, wgmma_name(kernel).c_str(), wgmma_options(kernel));
  next.units = kernel;
  next.global[0] = static_cast<size_t>(groups * items);
  next.local[0] = static_cast<size_t>(items);
  operand(p_.memory_a);
  operand(p_.memory_b);
  temporary_memory();
  if (sums) {
    temporary_memory();
  } else {
    operand(kRoleC);
  }
  if (kernel.bias_dtype != 0) operand(kRoleBias);
  const auto lie = [&](MatmulRole role, int64_t step, netcl_dtype dtype) {
    const auto size = static_cast<int64_t>(dtype_size(dtype));
    longs({piece.offset[role] * size, step * size, piece.batch[role] * size,
           piece.outer[role] * size});
  };
  lie(kRoleA, units_factor(p_, kRoleA).step, p_.dtype);
  lie(kRoleB, units_factor(p_, kRoleB).step, p_.dtype);
  if (sums) {
    longs({0, pitch * 4, pieces * slab * 4, inner * pieces * slab * 4});
  } else {
    lie(kRoleC, c().row_stride, p_.out_dtype);
  }
  if (kernel.bias_dtype != 0) {
    const MatmulOperand& bias = p_.operands[kRoleBias];
    lie(kRoleBias, kernel.bias_by_rows ? bias.row_stride : bias.column_stride, p_.bias_dtype);
  }
  longs({slab * 4, scratch});
  const auto shared = [&](MatmulRole role, const PerRole& step, int64_t extent) {
    return step[role] == 0 ? int64_t{1} : extent;
  };
  words({rows, p_.n, p_.k, inner, stacks, shared(kRoleA, piece.batch, inner),
         shared(kRoleA, piece.outer, stacks), shared(kRoleB, piece.batch, inner),
         shared(kRoleB, piece.outer, stacks), pieces,
         pieces == 1 ? int64_t{INT32_MAX} : split_depth() / config_.tile_k});
  real(sums ? 1.0 : p_.alpha);
  real(p_.activation_alpha);
  real(p_.activation_beta);
}

void MatmulPlanner::words(std::initializer_list<int64_t> values) {
  for (const int64_t value : values) {
    plan_.launches.back().arguments.push_back(
        {Kind::uint32, kRoleA, 0, static_cast<double>(value)});
  }
}

}  // namespace netcl::ops
