// The launches of matmul_cpu.cl and matmul_cpu_vector.cl.
#include <algorithm>

#include "ops/matmul/matmul_planner.hpp"

namespace netcl::ops {
namespace {

constexpr const char* kCpuSource = "matmul_cpu.cl";
constexpr const char* kVectorSource = "matmul_cpu_vector.cl";

// What they fix.
constexpr int64_t kPanels = 4;
constexpr int64_t kDotRows = 16;
constexpr int64_t kBlock = 32;

}  // namespace

// A column of b: the rows of a stream through once and are not packed.
void MatmulPlanner::plan_cpu_vector(const Piece& piece) {
  const bool dots = config_.work_per_thread_m == kDotRows;
  const int64_t rows = config_.work_per_thread_m;
  MatmulLaunch& next = launch(kVectorSource, config_.kernel, cpu_flags(false, true));
  next.global[0] = static_cast<size_t>(ceil_div(p_.m, rows));
  next.global[2] = static_cast<size_t>(piece.extent);
  factor(p_.memory_a);
  longs({piece.offset[kRoleA], dots ? a().row_stride : a().column_stride, piece.batch[kRoleA]});
  factor(p_.memory_b);
  if (dots) {
    longs({piece.offset[kRoleB], piece.batch[kRoleB]});
  } else {
    longs({piece.offset[kRoleB], b().row_stride, piece.batch[kRoleB]});
  }
  operand(kRoleC);
  longs({piece.offset[kRoleC], c().row_stride, piece.batch[kRoleC], p_.m, p_.k});
  real(p_.alpha);
  real(p_.beta);
  epilogue_arguments(piece);
}

void MatmulPlanner::plan_cpu_tiled(const Piece& piece) {
  MatmulLaunch& next = launch(kVectorSource, config_.kernel, cpu_flags(false, true));
  next.global[0] = static_cast<size_t>(ceil_div(p_.n, kBlock));
  next.global[1] = static_cast<size_t>(ceil_div(p_.m, kBlock));
  next.global[2] = static_cast<size_t>(piece.extent);
  product_arguments(piece, p_.m);
}

// Pieces of c whose packed operands and sums take a bounded amount of memory.
void MatmulPlanner::plan_cpu_blocks(const Piece& piece, bool direct) {
  const int64_t depth = std::clamp<int64_t>(p_.k, 1, 2048 / element());
  const bool sums = p_.out_dtype != NETCL_F64 && format_code(p_.out_dtype) != 0 && p_.k > depth;
  const int64_t most = sums ? 4096 : 16384;
  constexpr int64_t kTemporaryBytes = int64_t{64} << 20;
  // Equal pieces: a last one of a few rows would waste its packed b.
  const int64_t rows = round_up(ceil_div(p_.m, ceil_div(p_.m, most)), cpu_rows());
  const int64_t columns = std::min(most, p_.n);
  const int64_t bytes = ((rows + columns + 64) * depth + (sums ? rows * columns : 0)) * element();
  const int64_t together = std::clamp(kTemporaryBytes / bytes, int64_t{1}, piece.extent);
  for (int64_t first = 0; first < piece.extent; first += together) {
    Piece part = piece;
    part.extent = std::min(together, piece.extent - first);
    for (size_t role = 0; role < kRoleCount; ++role) {
      part.offset[role] += first * piece.batch[role];
    }
    for (int64_t row = 0; row < p_.m; row += rows) {
      for (int64_t column = 0; column < p_.n; column += columns) {
        const int64_t used_rows = std::min(rows, p_.m - row);
        const int64_t used_columns = std::min(columns, p_.n - column);
        if (direct) {
          cpu_direct(used_rows, used_columns, shifted(part, row, column));
        } else {
          cpu_packed(used_rows, used_columns, shifted(part, row, column));
        }
      }
    }
  }
}

void MatmulPlanner::need_temporary(int which, int64_t elements) {
  const uint64_t bytes = static_cast<uint64_t>(elements * element());
  plan_.temporary_bytes[which] = std::max(plan_.temporary_bytes[which], bytes);
}

// For each block of the depth one launch, whose groups pack their strip of b and multiply. Packing
// a and a second launch cost more than they save unless both sides are long.
void MatmulPlanner::cpu_direct(int64_t rows, int64_t columns, const Piece& piece) {
  const int64_t tile_columns = 2 * cpu_width();
  // A tile of a stays in the innermost cache.
  const int64_t depth = std::max<int64_t>(p_.k, 1);  // 0 is one step that adds nothing
  const int64_t blocks = ceil_div(depth, 3072 / element());
  const int64_t depth_step = std::min(depth, round_up(ceil_div(depth, blocks), 4));

  // A strip of packed b takes half of a 1 MiB cache at most. Narrow strips read a more often and
  // blocks of rows pack b again, so both are only for sharing the work.
  const int64_t panels = ceil_div(columns, tile_columns);
  const int64_t panel_bytes = depth_step * tile_columns * element();
  const int64_t panels_most = std::clamp<int64_t>((512 << 10) / panel_bytes, 4, 8);
  int64_t strips = ceil_div(panels, panels_most);
  if (strips * piece.extent < 4 * units()) {
    strips = std::min(panels, ceil_div(round_up(strips * piece.extent, units()), piece.extent));
  }
  const int64_t strip = ceil_div(panels, strips) * tile_columns;
  strips = ceil_div(columns, strip);
  const int64_t row_blocks =
      std::clamp(units() / (strips * piece.extent), int64_t{1}, std::max<int64_t>(rows / 256, 1));
  const int64_t block_rows = round_up(ceil_div(rows, row_blocks), cpu_rows());
  const int64_t groups_down = ceil_div(rows, block_rows);
  const int64_t packed = panels * tile_columns * depth_step;
  need_temporary(0, packed * groups_down * piece.extent);

  for (int64_t first = 0; first < depth; first += depth_step) {
    const bool last = first + depth_step >= p_.k;
    MatmulLaunch& next = launch(kCpuSource, config_.kernel, cpu_flags(false, last));
    next.global[0] = static_cast<size_t>(strips);
    next.global[1] = static_cast<size_t>(groups_down);
    next.global[2] = static_cast<size_t>(piece.extent);
    factor(p_.memory_a);
    longs({piece.offset[kRoleA] + first, a().row_stride, piece.batch[kRoleA]});
    factor(p_.memory_b);
    longs({piece.offset[kRoleB] + first * b().row_stride, b().row_stride, b().column_stride,
           piece.batch[kRoleB]});
    buffer(Kind::temporary_0);
    longs({packed});
    operand(kRoleC);
    longs({piece.offset[kRoleC], c().row_stride, c().column_stride, piece.batch[kRoleC], rows,
           columns});
    integer(std::min(depth_step, p_.k - first));
    for (const int64_t value : {block_rows, strip}) integer(value);
    real(p_.alpha);
    real(first > 0 ? 1.0 : p_.beta);
    if (last) epilogue_arguments(piece);
  }
}

// Packs b, from step `first` of the depth on.
void MatmulPlanner::cpu_pack(int64_t columns, int64_t first, int64_t depth, int64_t packed_b,
                             const std::string& flags, const Piece& piece) {
  MatmulLaunch& pack = launch(kCpuSource, "netcl_matmul_cpu_pack", flags);
  pack.global[0] = static_cast<size_t>(ceil_div(columns, kPanels * 2 * cpu_width()));
  pack.global[2] = static_cast<size_t>(piece.extent);
  factor(p_.memory_b);
  longs({piece.offset[kRoleB] + first * b().row_stride, b().row_stride, b().column_stride,
         piece.batch[kRoleB], columns});
  integer(depth);
  buffer(Kind::temporary_0);
  longs({packed_b});
}

// Rounds sums of their own into c.
void MatmulPlanner::cpu_merge(int64_t rows, int64_t columns, const Piece& piece) {
  MatmulLaunch& merge = launch(kCpuSource, "netcl_matmul_cpu_merge", cpu_flags(true, true));
  merge.global[0] = static_cast<size_t>(rows);
  merge.global[2] = static_cast<size_t>(piece.extent);
  buffer(Kind::temporary_1);
  longs({0, columns, rows * columns});
  operand(kRoleC);
  longs({piece.offset[kRoleC], c().row_stride, c().column_stride, piece.batch[kRoleC], columns});
  real(p_.alpha);
  real(p_.beta);
  epilogue_arguments(piece);
}

// For each block of the depth a launch that packs b, and one whose groups pack their blocks of a
// and multiply. Groups that do whole products pack b too, which saves a launch and leaves it near.
void MatmulPlanner::cpu_packed(int64_t rows, int64_t columns, const Piece& piece) {
  const int64_t total = std::max<int64_t>(p_.k, 1);  // 0 is one step that adds nothing
  const int64_t depth_step = std::min(total, 2048 / element());
  const bool sums = format_code(p_.out_dtype) != 0 && p_.k > depth_step;
  const int64_t tile_rows = cpu_rows();
  const int64_t tile_columns = 2 * cpu_width();
  const int64_t packed_b = round_up(columns, tile_columns) * depth_step;
  const int64_t all_b = packed_b * piece.extent;

  // A strip of packed b takes half of a second cache, of 1 MiB with vectors of 64 bytes and of
  // 512 KiB with shorter ones. Blocks of a are lower than 512 KiB, and columns in parts, only to
  // share the work: each part packs its block again.
  const bool whole = units() == 1 || piece.extent >= 4 * units();
  const int64_t strip = 8 * tile_columns;
  const int64_t strips = ceil_div(columns, strip);
  const int64_t wanted = whole ? 1 : ceil_div(units(), piece.extent);
  const int64_t rows_most = (512 << 10) / (depth_step * element());
  const int64_t row_blocks = std::max(ceil_div(rows, rows_most),
                                      std::min(ceil_div(wanted, strips), rows / (8 * tile_rows)));
  const int64_t block_rows = round_up(ceil_div(rows, row_blocks), tile_rows);
  const int64_t group_rows = whole ? rows : block_rows;
  const int64_t blocks = ceil_div(rows, group_rows);
  const int64_t part = ceil_div(strips, ceil_div(wanted, blocks)) * strip;
  const int64_t parts = ceil_div(columns, part);

  for (int64_t first = 0; first < total; first += depth_step) {
    const int64_t depth = std::min(depth_step, p_.k - first);
    const bool last = first + depth_step >= p_.k;
    // With sums of their own the epilogue is the merge's, and all launches share its program.
    const std::string flags = cpu_flags(sums, last || sums);
    if (!whole) cpu_pack(columns, first, depth, packed_b, flags, piece);
    MatmulLaunch& tiles = launch(kCpuSource, config_.kernel, flags);
    tiles.global[0] = static_cast<size_t>(parts);
    tiles.global[1] = static_cast<size_t>(blocks);
    tiles.global[2] = static_cast<size_t>(piece.extent);
    factor(p_.memory_a);
    longs({piece.offset[kRoleA] + first * a().column_stride, a().row_stride, a().column_stride,
           piece.batch[kRoleA]});
    factor(p_.memory_b);
    longs({piece.offset[kRoleB] + first * b().row_stride, b().row_stride, b().column_stride,
           piece.batch[kRoleB]});
    integer(whole ? 1 : 0);
    buffer(Kind::temporary_0);
    longs({packed_b, all_b});
    if (sums) {
      buffer(Kind::temporary_1);
      longs({0, columns, 1, rows * columns, rows, columns});
    } else {
      operand(kRoleC);
      longs({piece.offset[kRoleC], c().row_stride, c().column_stride, piece.batch[kRoleC], rows,
             columns});
    }
    integer(depth);
    longs({group_rows});
    integer(block_rows);
    longs({part});
    integer(strip);
    real(sums ? 1.0 : p_.alpha);
    real(first > 0 ? 1.0 : sums ? 0.0 : p_.beta);
    if (last && !sums) epilogue_arguments(piece);
  }
  need_temporary(0, all_b + parts * blocks * block_rows * depth_step * piece.extent);
  if (!sums) return;
  need_temporary(1, rows * columns * piece.extent);
  cpu_merge(rows, columns, piece);
}

}  // namespace netcl::ops
