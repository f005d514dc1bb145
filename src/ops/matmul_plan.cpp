#include "ops/matmul_plan.hpp"

#include <algorithm>
#include <utility>

#include "core/dtype.hpp"
#include "core/error.hpp"

namespace netcl::ops {
namespace {

using Kind = MatmulArgumentKind;

constexpr const char* kCpuSource = "matmul_cpu.cl";
constexpr const char* kGpuSource = "matmul_gpu.cl";

// The second and third dimension of a launch: some drivers take no more groups there.
constexpr int64_t kGroupsMost = 65535;
// Below so many multiplications the time of a second launch is more than the product takes.
constexpr int64_t kSmallWork = 16 * 16 * 16;
// What matmul_cpu.cl fixes.
constexpr int64_t kPanels = 4;
constexpr int64_t kDotRows = 16;
// What matmul_gpu.cl fixes.
constexpr int64_t kDotItems = 64;
constexpr int64_t kTileItems = 256;

constexpr int64_t ceil_div(int64_t value, int64_t by) { return value / by + (value % by != 0); }
constexpr int64_t round_up(int64_t value, int64_t to) { return ceil_div(value, to) * to; }

// True when the product of three extents is at most `limit`, without overflow.
bool work_at_most(int64_t m, int64_t n, int64_t k, int64_t limit) {
  return m <= limit && n <= limit && k <= limit && m * n <= limit && m * n * k <= limit;
}

int format_code(netcl_dtype dtype) { return dtype == NETCL_F16 ? 1 : dtype == NETCL_BF16 ? 2 : 0; }

// One batch dimension of the problem, or none (extent 1).
struct Batch {
  int64_t extent = 1;
  int64_t a = 0;
  int64_t b = 0;
  int64_t c = 0;
};

class Planner {
 public:
  Planner(const MatmulProblem& problem, netcl_device_type type,
          const netcl_device_capabilities& capabilities)
      : p_(problem), is_cpu_(type == NETCL_DEVICE_CPU), caps_(capabilities) {}

  MatmulPlan run();

 private:
  void check_dtypes() const;
  void prepare();
  void coalesce_batch();
  void fold_batch_into_rows();
  void transpose();
  void outer_batches(size_t dimension, int64_t a, int64_t b, int64_t c);
  void emit(int64_t a, int64_t b, int64_t c, const Batch& batch);

  bool gpu_tiles_fit() const;
  void plan_simple(int64_t a, int64_t b, int64_t c, const Batch& batch);
  void plan_gpu(int64_t a, int64_t b, int64_t c, const Batch& batch);
  void plan_cpu_vector(int64_t a, int64_t b, int64_t c, const Batch& batch);
  void plan_cpu_tiles(int64_t a, int64_t b, int64_t c, const Batch& batch);
  void cpu_piece(int64_t row, int64_t rows, int64_t column, int64_t columns, int64_t a, int64_t b,
                 int64_t c, const Batch& batch);

  MatmulLaunch& launch(const char* source, const char* kernel, std::string flags);
  void buffer(Kind kind) { plan_.launches.back().arguments.push_back({kind}); }
  void longs(std::initializer_list<int64_t> values);
  void integer(int64_t value) { plan_.launches.back().arguments.push_back({Kind::int32, value}); }
  void real(double value) {
    const Kind kind = is_double_ ? Kind::float64 : Kind::float32;
    plan_.launches.back().arguments.push_back({kind, 0, value});
  }
  void standard_arguments(int64_t a, int64_t b, int64_t c, const Batch& batch, int64_t m, int64_t n,
                          int64_t k);
  std::string format_flags() const;
  std::string cpu_flags(bool sums) const;
  int64_t cpu_width() const {
    return (caps_.preferred_vector_width_f32 >= 16 ? 16 : 8) / (is_double_ ? 2 : 1);
  }
  int64_t cpu_rows() const { return caps_.preferred_vector_width_f32 >= 16 ? 12 : 6; }
  int64_t element() const { return is_double_ ? 8 : 4; }

  MatmulProblem p_;
  const bool is_cpu_;
  const netcl_device_capabilities& caps_;
  bool is_double_ = false;
  Kind kind_a_ = Kind::buffer_a;
  Kind kind_b_ = Kind::buffer_b;
  MatmulPlan plan_;
};

void Planner::check_dtypes() const {
  const DtypeFacts* in = dtype_facts_or_null(p_.dtype);
  const bool known = in != nullptr && in->kind == DtypeClass::floating;
  const bool sixteen = p_.dtype == NETCL_F16 || p_.dtype == NETCL_BF16;
  if (known && (p_.out_dtype == p_.dtype || (sixteen && p_.out_dtype == NETCL_F32))) return;
  const DtypeFacts* out = dtype_facts_or_null(p_.out_dtype);
  fail(NETCL_ERROR_INVALID_ARGUMENT, "matmul of %s into %s is not possible",
       in != nullptr ? in->name : "no dtype", out != nullptr ? out->name : "no dtype");
}

MatmulPlan Planner::run() {
  check_dtypes();
  is_double_ = p_.dtype == NETCL_F64;
  if (p_.m <= 0 || p_.n <= 0) return std::move(plan_);
  for (uint32_t i = 0; i < p_.batch_rank; ++i) {
    if (p_.batch[i] <= 0) return std::move(plan_);
  }
  prepare();
  if (p_.batch_rank == 0) {
    emit(p_.a.offset, p_.b.offset, p_.c.offset, Batch{});
  } else {
    outer_batches(0, p_.a.offset, p_.b.offset, p_.c.offset);
  }
  return std::move(plan_);
}

void Planner::prepare() {
  if (p_.alpha == 0.0) p_.k = 0;
  coalesce_batch();
  fold_batch_into_rows();
  // Kernels write along the rows of c; a single row is a column of the transposed product.
  if (p_.n != 1 && (p_.m == 1 || (p_.c.column_stride != 1 && p_.c.row_stride == 1))) transpose();
}

void Planner::transpose() {
  std::swap(p_.m, p_.n);
  std::swap(p_.a, p_.b);
  std::swap(kind_a_, kind_b_);
  for (MatmulOperand* x : {&p_.a, &p_.b, &p_.c}) std::swap(x->row_stride, x->column_stride);
}

// Drops dimensions of extent 1 and joins neighbours that continue each other in all operands.
void Planner::coalesce_batch() {
  uint32_t rank = 0;
  MatmulOperand* const operands[3] = {&p_.a, &p_.b, &p_.c};
  for (uint32_t i = 0; i < p_.batch_rank; ++i) {
    if (p_.batch[i] == 1) continue;
    bool joins = rank > 0;
    for (const MatmulOperand* x : operands) {
      joins = joins && x->batch_strides[rank - 1] == x->batch_strides[i] * p_.batch[i];
    }
    const uint32_t place = joins ? rank - 1 : rank;
    p_.batch[place] = joins ? p_.batch[place] * p_.batch[i] : p_.batch[i];
    for (MatmulOperand* x : operands) x->batch_strides[place] = x->batch_strides[i];
    if (!joins) ++rank;
  }
  p_.batch_rank = rank;
}

// A batch that shares b is one product with more rows when its matrices lie behind each other.
void Planner::fold_batch_into_rows() {
  if (p_.batch_rank == 0) return;
  const uint32_t last = p_.batch_rank - 1;
  const int64_t step_a = p_.a.batch_strides[last];
  const int64_t step_c = p_.c.batch_strides[last];
  const bool follows =
      p_.m == 1 || (step_a == p_.m * p_.a.row_stride && step_c == p_.m * p_.c.row_stride);
  if (p_.b.batch_strides[last] != 0 || !follows) return;
  if (p_.m == 1) {
    p_.a.row_stride = step_a;
    p_.c.row_stride = step_c;
  }
  p_.m *= p_.batch[last];
  p_.batch_rank = last;
}

// The innermost batch dimension is part of the launches; the ones outside it repeat them.
void Planner::outer_batches(size_t dimension, int64_t a, int64_t b, int64_t c) {
  const int64_t extent = p_.batch[dimension];
  const int64_t step_a = p_.a.batch_strides[dimension];
  const int64_t step_b = p_.b.batch_strides[dimension];
  const int64_t step_c = p_.c.batch_strides[dimension];
  if (dimension + 1 < p_.batch_rank) {
    for (int64_t i = 0; i < extent; ++i) {
      outer_batches(dimension + 1, a + i * step_a, b + i * step_b, c + i * step_c);
    }
    return;
  }
  for (int64_t first = 0; first < extent; first += kGroupsMost) {
    const Batch batch{std::min(kGroupsMost, extent - first), step_a, step_b, step_c};
    emit(a + first * step_a, b + first * step_b, c + first * step_c, batch);
  }
}

void Planner::emit(int64_t a, int64_t b, int64_t c, const Batch& batch) {
  if (p_.k == 0 || work_at_most(p_.m, p_.n, p_.k, kSmallWork)) {
    plan_simple(a, b, c, batch);
  } else if (!is_cpu_) {
    plan_gpu(a, b, c, batch);
  } else if (p_.n == 1 &&
             (p_.a.row_stride == 1 || (p_.a.column_stride == 1 && p_.b.row_stride == 1))) {
    plan_cpu_vector(a, b, c, batch);
  } else {
    plan_cpu_tiles(a, b, c, batch);
  }
}

MatmulLaunch& Planner::launch(const char* source, const char* kernel, std::string flags) {
  MatmulLaunch next;
  next.source = source;
  next.kernel = kernel;
  next.flags = std::move(flags);
  plan_.launches.push_back(std::move(next));
  return plan_.launches.back();
}

void Planner::longs(std::initializer_list<int64_t> values) {
  for (const int64_t value : values) {
    plan_.launches.back().arguments.push_back({Kind::int64, value});
  }
}

std::string Planner::format_flags() const {
  return format("-DNETCL_T=%s -DNETCL_DOUBLE=%d -DNETCL_IN=%d -DNETCL_OUT=%d",
                is_double_ ? "double" : "float", is_double_ ? 1 : 0, format_code(p_.dtype),
                format_code(p_.out_dtype));
}

std::string Planner::cpu_flags(bool sums) const {
  return format("%s -DNETCL_W=%d -DNETCL_ROWS=%d -DNETCL_SUMS=%d", format_flags().c_str(),
                static_cast<int>(cpu_width()), static_cast<int>(cpu_rows()), sums ? 1 : 0);
}

// The arguments that all kernels of matmul_gpu.cl take.
void Planner::standard_arguments(int64_t a, int64_t b, int64_t c, const Batch& batch, int64_t m,
                                 int64_t n, int64_t k) {
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
void Planner::plan_simple(int64_t a, int64_t b, int64_t c, const Batch& batch) {
  plan_.variant = "simple";
  const bool wide = caps_.max_work_group_size >= 64;
  const int64_t across = wide ? 16 : 1;
  const int64_t down = wide ? 4 : 1;
  for (int64_t row = 0; row < p_.m; row += kGroupsMost * down) {
    const int64_t rows = std::min(kGroupsMost * down, p_.m - row);
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

bool Planner::gpu_tiles_fit() const {
  const uint64_t local_bytes = is_double_ ? 32768 : 17408;
  return caps_.local_memory_bytes >= local_bytes && caps_.max_work_group_size >= kTileItems &&
         caps_.max_work_item_sizes[0] >= kTileItems;
}

// How the tile kernel reads an operand: 0 any strides, 1 unit columns, 2 unit rows; and whether
// four elements may be read as one.
std::pair<int, int> access_of(const MatmulOperand& x, int64_t offset, int64_t batch_stride) {
  const int unit = x.column_stride == 1 ? 1 : x.row_stride == 1 ? 2 : 0;
  const int64_t other = unit == 1 ? x.row_stride : x.column_stride;
  const bool wide = unit != 0 && offset % 4 == 0 && other % 4 == 0 && batch_stride % 4 == 0;
  return {unit, wide ? 1 : 0};
}

void Planner::plan_gpu(int64_t a, int64_t b, int64_t c, const Batch& batch) {
  const bool deep_units = p_.a.column_stride == 1 && p_.b.row_stride == 1;
  if (std::min(p_.m, p_.n) <= 4 && (p_.k >= 4 * kDotItems) && deep_units &&
      caps_.max_work_group_size >= kDotItems) {
    plan_.variant = "gpu_dot";
    for (int64_t row = 0; row < p_.m; row += kGroupsMost) {
      const int64_t rows = std::min(kGroupsMost, p_.m - row);
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

// A column of b: the rows of a stream through once and are not packed.
void Planner::plan_cpu_vector(int64_t a, int64_t b, int64_t c, const Batch& batch) {
  plan_.variant = "cpu_vector";
  const bool dots = p_.a.column_stride == 1 && p_.b.row_stride == 1;
  const int64_t rows = dots ? kDotRows : 8 * cpu_width();
  MatmulLaunch& next =
      launch(kCpuSource, dots ? "matmul_cpu_dot" : "matmul_cpu_add", cpu_flags(false));
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
void Planner::plan_cpu_tiles(int64_t a, int64_t b, int64_t c, const Batch& batch) {
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

// For each block of the depth: both operands are packed, then multiplied.
void Planner::cpu_piece(int64_t row, int64_t rows, int64_t column, int64_t columns, int64_t a,
                        int64_t b, int64_t c, const Batch& batch) {
  const int64_t depth_step = std::min(p_.k, 2048 / element());
  const bool sums = format_code(p_.out_dtype) != 0 && p_.k > depth_step;
  const std::string flags = cpu_flags(sums);
  const int64_t tile_rows = cpu_rows();
  const int64_t tile_columns = 2 * cpu_width();
  const int64_t packed_a = round_up(rows, tile_rows) * depth_step;
  const int64_t packed_b = round_up(columns, tile_columns) * depth_step;
  const int64_t all_a = packed_a * batch.extent;
  a += row * p_.a.row_stride;
  b += column * p_.b.column_stride;
  c += row * p_.c.row_stride + column * p_.c.column_stride;

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
  const auto need = [&](int which, int64_t elements) {
    const uint64_t bytes = static_cast<uint64_t>(elements * element());
    plan_.temporary_bytes[which] = std::max(plan_.temporary_bytes[which], bytes);
  };
  need(0, (packed_a + packed_b) * batch.extent);
  if (!sums) return;
  need(1, rows * columns * batch.extent);
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

}  // namespace

MatmulPlan plan_matmul(const MatmulProblem& problem, netcl_device_type device_type,
                       const netcl_device_capabilities& capabilities) {
  return Planner(problem, device_type, capabilities).run();
}

}  // namespace netcl::ops
