// The launches of matmul_cpu.cl and matmul_cpu_vector.cl.
#include <algorithm>

#include "ops/matmul_planner.hpp"

namespace netcl::ops {
namespace {

constexpr const char* kCpuSource = "matmul_cpu.cl";
constexpr const char* kVectorSource = "matmul_cpu_vector.cl";

// What they fix.
constexpr int64_t kPanels = 4;
constexpr int64_t kDotRows = 16;

// Up to so many rows or columns a is not packed.
constexpr int64_t kDirectSide = 1280;

}  // namespace

// A column of b: the rows of a stream through once and are not packed.
void MatmulPlanner::plan_cpu_vector(int64_t a, int64_t b, int64_t c, const Batch& batch) {
  plan_.variant = "cpu_vector";
  const bool dots = p_.a.column_stride == 1 && p_.b.row_stride == 1;
  const int64_t rows = dots ? kDotRows : 8 * cpu_width();
  MatmulLaunch& next =
      launch(kVectorSource, dots ? "matmul_cpu_dot" : "matmul_cpu_add", cpu_flags(false));
  next.global[0] = static_cast<size_t>(ceil_div(p_.m, rows));
  next.global[2] = static_cast<size_t>(batch.extent);
  buffer(kind_a_);
  longs({a, dots ? p_.a.row_stride : p_.a.column_stride, batch.a});
  buffer(kind_b_);
  if (dots) {
    longs({b, batch.b});
  } else {
    longs({b, p_.b.row_stride, batch.b});
  }
  buffer(Kind::buffer_c);
  longs({c, p_.c.row_stride, batch.c, p_.m, p_.k});
  real(p_.alpha);
  real(p_.beta);
}

// Pieces of c whose packed operands and sums take a bounded amount of memory.
void MatmulPlanner::plan_cpu_tiles(int64_t a, int64_t b, int64_t c, const Batch& batch) {
  plan_.variant = "cpu_tiles";
  const int64_t depth = std::min(p_.k, 2048 / element());
  const bool sums = p_.out_dtype != NETCL_F64 && format_code(p_.out_dtype) != 0 && p_.k > depth;
  const int64_t side = sums ? 4096 : 16384;
  constexpr int64_t kTemporaryBytes = int64_t{64} << 20;
  const int64_t rows = std::min(side, p_.m);
  const int64_t columns = std::min(side, p_.n);
  const int64_t bytes = ((rows + columns + 64) * depth + (sums ? rows * columns : 0)) * element();
  const int64_t together = std::clamp(kTemporaryBytes / bytes, int64_t{1}, batch.extent);
  for (int64_t first = 0; first < batch.extent; first += together) {
    Batch part = batch;
    part.extent = std::min(together, batch.extent - first);
    for (int64_t row = 0; row < p_.m; row += side) {
      for (int64_t column = 0; column < p_.n; column += side) {
        cpu_piece(row, std::min(side, p_.m - row), column, std::min(side, p_.n - column),
                  a + first * batch.a, b + first * batch.b, c + first * batch.c, part);
      }
    }
  }
}

void MatmulPlanner::need_temporary(int which, int64_t elements) {
  const uint64_t bytes = static_cast<uint64_t>(elements * element());
  plan_.temporary_bytes[which] = std::max(plan_.temporary_bytes[which], bytes);
}

// Packing a and a second launch cost more than they save unless both sides are long. Rows of a far
// apart are then in each other's way in the cache.
bool MatmulPlanner::cpu_direct_fits(int64_t rows, int64_t columns) const {
  return format_code(p_.dtype) == 0 && p_.a.column_stride == 1 && rows >= cpu_rows() &&
         std::min(rows, columns) <= kDirectSide;
}

// For each block of the depth one launch, whose groups pack their strip of b and multiply.
void MatmulPlanner::cpu_direct(int64_t rows, int64_t columns, int64_t a, int64_t b, int64_t c,
                               const Batch& batch) {
  plan_.variant = "cpu_direct";
  const int64_t tile_columns = 2 * cpu_width();
  // A tile of a stays in the innermost cache.
  const int64_t blocks = ceil_div(p_.k, 3072 / element());
  const int64_t depth_step = std::min(p_.k, round_up(ceil_div(p_.k, blocks), 4));

  // A strip of packed b takes half of a 1 MiB cache at most. Narrow strips read a more often and
  // blocks of rows pack b again, so both are only for sharing the work.
  const int64_t panels = ceil_div(columns, tile_columns);
  const int64_t panel_bytes = depth_step * tile_columns * element();
  const int64_t panels_most = std::clamp<int64_t>((512 << 10) / panel_bytes, 4, 8);
  const int64_t units = std::max<int64_t>(caps_.compute_units, 1);
  int64_t strips = ceil_div(panels, panels_most);
  if (strips * batch.extent < 4 * units) {
    strips = std::min(panels, ceil_div(round_up(strips * batch.extent, units), batch.extent));
  }
  const int64_t strip = ceil_div(panels, strips) * tile_columns;
  strips = ceil_div(columns, strip);
  const int64_t row_blocks =
      std::clamp(units / (strips * batch.extent), int64_t{1}, std::max<int64_t>(rows / 256, 1));
  const int64_t block_rows = round_up(ceil_div(rows, row_blocks), cpu_rows());
  const int64_t groups_down = ceil_div(rows, block_rows);
  const int64_t packed = panels * tile_columns * depth_step;
  need_temporary(0, packed * groups_down * batch.extent);

  for (int64_t first = 0; first < p_.k; first += depth_step) {
    MatmulLaunch& next = launch(kCpuSource, "matmul_cpu_direct", cpu_flags(false));
    next.global[0] = static_cast<size_t>(strips);
    next.global[1] = static_cast<size_t>(groups_down);
    next.global[2] = static_cast<size_t>(batch.extent);
    buffer(kind_a_);
    longs({a + first, p_.a.row_stride, batch.a});
    buffer(kind_b_);
    longs({b + first * p_.b.row_stride, p_.b.row_stride, p_.b.column_stride, batch.b});
    buffer(Kind::temporary_0);
    longs({packed});
    buffer(Kind::buffer_c);
    longs({c, p_.c.row_stride, p_.c.column_stride, batch.c, rows, columns});
    integer(std::min(depth_step, p_.k - first));
    for (const int64_t value : {block_rows, strip}) integer(value);
    real(p_.alpha);
    real(first > 0 ? 1.0 : p_.beta);
  }
}

// For each block of the depth: both operands are packed, then multiplied.
void MatmulPlanner::cpu_piece(int64_t row, int64_t rows, int64_t column, int64_t columns, int64_t a,
                              int64_t b, int64_t c, const Batch& batch) {
  a += row * p_.a.row_stride;
  b += column * p_.b.column_stride;
  c += row * p_.c.row_stride + column * p_.c.column_stride;
  if (cpu_direct_fits(rows, columns)) {
    cpu_direct(rows, columns, a, b, c, batch);
    return;
  }
  const int64_t depth_step = std::min(p_.k, 2048 / element());
  const bool sums = format_code(p_.out_dtype) != 0 && p_.k > depth_step;
  const std::string flags = cpu_flags(sums);
  const int64_t tile_rows = cpu_rows();
  const int64_t tile_columns = 2 * cpu_width();
  const int64_t packed_a = round_up(rows, tile_rows) * depth_step;
  const int64_t packed_b = round_up(columns, tile_columns) * depth_step;
  const int64_t all_a = packed_a * batch.extent;

  // A strip of packed b takes half of a 1 MiB cache; four blocks per compute unit share the work.
  const int64_t strip = round_up(1024 / element(), tile_columns);
  const int64_t strips = ceil_div(columns, strip) * batch.extent;
  const int64_t wanted = ceil_div(4 * std::max<int64_t>(caps_.compute_units, 1), strips);
  const int64_t block_rows =
      round_up(std::clamp(ceil_div(rows, wanted), 8 * tile_rows, 40 * tile_rows), tile_rows);

  for (int64_t first = 0; first < p_.k; first += depth_step) {
    const int64_t depth = std::min(depth_step, p_.k - first);
    MatmulLaunch& pack = launch(kCpuSource, "matmul_cpu_pack", flags);
    pack.global[0] = static_cast<size_t>(ceil_div(rows, kPanels * tile_rows) +
                                         ceil_div(columns, kPanels * tile_columns));
    pack.global[2] = static_cast<size_t>(batch.extent);
    buffer(kind_a_);
    longs({a + first * p_.a.column_stride, p_.a.row_stride, p_.a.column_stride, batch.a});
    buffer(kind_b_);
    longs(
        {b + first * p_.b.row_stride, p_.b.row_stride, p_.b.column_stride, batch.b, rows, columns});
    integer(depth);
    buffer(Kind::temporary_0);
    longs({packed_a, all_a, packed_b});

    MatmulLaunch& tiles = launch(kCpuSource, "matmul_cpu_tiles", flags);
    tiles.global[0] = static_cast<size_t>(ceil_div(columns, strip));
    tiles.global[1] = static_cast<size_t>(ceil_div(rows, block_rows));
    tiles.global[2] = static_cast<size_t>(batch.extent);
    buffer(Kind::temporary_0);
    longs({packed_a, all_a, packed_b});
    buffer(sums ? Kind::temporary_1 : Kind::buffer_c);
    if (sums) {
      longs({0, columns, 1, rows * columns, rows, columns});
    } else {
      longs({c, p_.c.row_stride, p_.c.column_stride, batch.c, rows, columns});
    }
    for (const int64_t value : {depth, block_rows, strip}) integer(value);
    real(sums ? 1.0 : p_.alpha);
    real(first > 0 ? 1.0 : sums ? 0.0 : p_.beta);
  }
  need_temporary(0, (packed_a + packed_b) * batch.extent);
  if (!sums) return;
  need_temporary(1, rows * columns * batch.extent);
  MatmulLaunch& merge = launch(kCpuSource, "matmul_cpu_merge", flags);
  merge.global[0] = static_cast<size_t>(rows);
  merge.global[2] = static_cast<size_t>(batch.extent);
  buffer(Kind::temporary_1);
  longs({0, columns, rows * columns});
  buffer(Kind::buffer_c);
  longs({c, p_.c.row_stride, p_.c.column_stride, batch.c, columns});
  real(p_.alpha);
  real(p_.beta);
}

}  // namespace netcl::ops
