#include "ops/matmul/matmul_plan.hpp"

#include <algorithm>
#include <utility>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "ops/matmul/matmul_planner.hpp"
#include "ops/matmul/matrix_units.hpp"

namespace netcl::ops {
namespace {

void transpose(MatmulProblem* p) {
  std::swap(p->m, p->n);
  std::swap(p->operands[kRoleA], p->operands[kRoleB]);
  std::swap(p->memory_a, p->memory_b);
  std::swap(p->dtype, p->b_dtype);
  std::swap(p->operands[kRoleZeroA], p->operands[kRoleZeroB]);
  std::swap(p->memory_zero_a, p->memory_zero_b);
  std::swap(p->has_zero_a, p->has_zero_b);
  for (MatmulOperand& x : p->operands) std::swap(x.row_stride, x.column_stride);
}

// Drops dimensions of extent 1 and joins neighbours that continue each other in all operands.
void join_batches(MatmulProblem* p) {
  uint32_t rank = 0;
  for (uint32_t i = 0; i < p->batch_rank; ++i) {
    if (p->batch[i] == 1) continue;
    bool joins = rank > 0;
    for (const MatmulOperand& x : p->operands) {
      joins = joins && x.batch_strides[rank - 1] == x.batch_strides[i] * p->batch[i];
    }
    const uint32_t place = joins ? rank - 1 : rank;
    p->batch[place] = joins ? p->batch[place] * p->batch[i] : p->batch[i];
    for (MatmulOperand& x : p->operands) x.batch_strides[place] = x.batch_strides[i];
    if (!joins) ++rank;
  }
  p->batch_rank = rank;
}

// A batch that shares b is one product with more rows when its matrices lie behind each other.
void batch_to_rows(MatmulProblem* p) {
  if (p->batch_rank == 0) return;
  const uint32_t last = p->batch_rank - 1;
  for (const MatmulRole role : {kRoleB, kRoleZeroB}) {
    if (p->operands[role].batch_strides[last] != 0) return;
  }
  for (const MatmulRole role : kMatmulRolesWithRows) {
    const MatmulOperand& x = p->operands[role];
    if (p->m != 1 && x.batch_strides[last] != p->m * x.row_stride) return;
  }
  if (p->m == 1) {
    for (const MatmulRole role : kMatmulRolesWithRows) {
      p->operands[role].row_stride = p->operands[role].batch_strides[last];
    }
  }
  p->m *= p->batch[last];
  p->batch_rank = last;
}

UnitStride unit_stride(const MatmulOperand& x, int64_t columns) {
  // A single column has no stride of its own.
  if (x.row_stride == 1 && (columns == 1 || x.column_stride != 1)) return UnitStride::rows;
  return x.column_stride == 1 ? UnitStride::columns : UnitStride::none;
}

}  // namespace

int64_t MatmulProblem::batch_count() const {
  int64_t count = 1;
  for (uint32_t d = 0; d < batch_rank; ++d) count *= batch[d];
  return count;
}

void normalize(MatmulProblem* p) {
  if (p->alpha == 0.0) p->k = 0;
  join_batches(p);
  batch_to_rows(p);
  if (p->quantized.format != 0) return;
  const MatmulOperand& c = p->operands[kRoleC];
  // Kernels write along the rows of c; a single row is a column of the transposed product.
  if (p->n != 1 && (p->m == 1 || (c.column_stride != 1 && c.row_stride == 1))) transpose(p);
}

MatmulCase matmul_case(const MatmulProblem& p) {
  MatmulCase what;
  what.m = p.m;
  what.n = p.n;
  what.k = p.k;
  what.batch = p.batch_count();
  what.a = unit_stride(p.operands[kRoleA], p.k);
  what.b = unit_stride(p.operands[kRoleB], p.n);
  what.dtype = p.dtype;
  what.out_dtype = p.out_dtype;
  what.precision = p.precision;
  what.in_place = p.precision != NETCL_PRECISION_SPLIT && units_factor(p, kRoleA).fits &&
                  units_factor(p, kRoleB).fits;
  return what;
}

MatmulCase packed_matmul_case(int64_t m, int64_t n, int64_t k, netcl_dtype dtype, int64_t batch) {
  MatmulProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  p.operands[kRoleA].row_stride = k;
  p.operands[kRoleB].row_stride = n;
  p.operands[kRoleC].row_stride = n;
  for (MatmulOperand& x : p.operands) x.column_stride = 1;
  p.dtype = p.b_dtype = dtype;
  p.out_dtype = is_matmul_byte(dtype) ? NETCL_I32 : dtype;
  normalize(&p);
  MatmulCase what = matmul_case(p);
  what.batch = batch;
  return what;
}

MatmulPlan MatmulPlanner::run() {
  is_double_ = p_.dtype == NETCL_F64;
  is_bytes_ = is_matmul_byte(p_.dtype);
  PerRole offset;
  for (size_t role = 0; role < kRoleCount; ++role) offset[role] = p_.operands[role].offset;
  if (p_.m <= 0 || p_.n <= 0 || p_.batch_count() <= 0) return std::move(plan_);
  if (p_.batch_rank == 0) {
    Piece piece;
    piece.offset = offset;
    emit(piece);
  } else {
    outer_batches(0, offset);
  }
  return std::move(plan_);
}

MatmulPlanner::PerRole MatmulPlanner::strides_of(uint32_t dimension) const {
  PerRole out;
  for (size_t role = 0; role < kRoleCount; ++role) {
    out[role] = p_.operands[role].batch_strides[dimension];
  }
  return out;
}

// The two innermost batch dimensions are part of the launches where a launch can have so many
// groups, else the innermost alone; the ones outside repeat them. So it is with a depth that is
// split too, whose sums take memory for each matrix of a launch. Matrix units see to that
// themselves.
void MatmulPlanner::outer_batches(uint32_t dimension, const PerRole& offset) {
  const uint32_t left = p_.batch_rank - dimension;
  if (left == 1) return batches(dimension, offset, 0);
  const int64_t inner = p_.batch[dimension + 1];
  const bool units = is_assembled(config_);
  if (left == 2 && inner <= kMatmulGroupsMost && (split_pieces() == 1 || units)) {
    return batches(dimension, offset, inner);
  }
  const PerRole step = strides_of(dimension);
  for (int64_t i = 0; i < p_.batch[dimension]; ++i) {
    PerRole moved = offset;
    for (size_t role = 0; role < kRoleCount; ++role) moved[role] += i * step[role];
    outer_batches(dimension + 1, moved);
  }
}

// The launches of a batch dimension, of which each element is a matrix, or `inner` of the next.
void MatmulPlanner::batches(uint32_t dimension, const PerRole& offset, int64_t inner) {
  const int64_t extent = p_.batch[dimension];
  const int64_t each = std::max<int64_t>(inner, 1);
  const int64_t most = std::max<int64_t>(kMatmulGroupsMost / split_pieces() / each, 1);
  const PerRole step = strides_of(dimension);
  for (int64_t first = 0; first < extent; first += most) {
    Piece piece;
    piece.offset = offset;
    for (size_t role = 0; role < kRoleCount; ++role) piece.offset[role] += first * step[role];
    piece.batch = inner == 0 ? step : strides_of(dimension + 1);
    if (inner != 0) piece.outer = step;
    piece.inner = inner;
    piece.extent = std::min(most, extent - first) * each;
    emit(piece);
  }
}

void MatmulPlanner::emit(const Piece& piece) {
  if (p_.quantized.format != 0) return plan_quantized(piece);
  switch (config_.variant) {
    case NETCL_VARIANT_MATMUL_NAIVE:
      return plan_naive(piece);
    case NETCL_VARIANT_MATMUL_TILED:
      return plan_tiled(piece);
    case NETCL_VARIANT_MATMUL_REGISTER_TILED:
      return plan_registers(piece);
    case NETCL_VARIANT_MATMUL_MATRIX_UNITS:
      return plan_units(piece);
    default:
      if (variant_rules::is_fma_kernel(config_)) return plan_units(piece);
      return variant_rules::is_thin_kernel(config_) ? plan_thin(piece) : plan_registers(piece);
  }
}

MatmulPlanner::Piece MatmulPlanner::rows_from(const Piece& piece, int64_t row) const {
  Piece out = piece;
  for (const MatmulRole role : kMatmulRolesWithRows) {
    out.offset[role] += row * p_.operands[role].row_stride;
  }
  return out;
}

MatmulLaunch& MatmulPlanner::launch(const char* source, const char* kernel, std::string flags) {
  MatmulLaunch next{};
  next.source = source;
  next.kernel = kernel;
  next.flags = std::move(flags);
  plan_.launches.push_back(std::move(next));
  return plan_.launches.back();
}

void MatmulPlanner::longs(std::initializer_list<int64_t> values) {
  for (const int64_t value : values) {
    plan_.launches.back().arguments.push_back({Kind::int64, kRoleA, value});
  }
}

void MatmulPlanner::batch_steps(const Piece& piece, int64_t batch, int64_t outer) {
  longs({batch});
  if (piece.inner != 0) longs({outer});
}

void MatmulPlanner::inner_count(const Piece& piece) {
  if (piece.inner != 0) longs({piece.inner});
}

void MatmulPlanner::place(const Piece& piece, MatmulRole role) {
  const MatmulOperand& x = p_.operands[role];
  longs({piece.offset[role], x.row_stride, x.column_stride});
  batch_steps(piece, piece.batch[role], piece.outer[role]);
}

void MatmulPlanner::factor_arguments(const Piece& piece) {
  factor(p_.memory_a);
  place(piece, kRoleA);
  zero_arguments(piece, kRoleZeroA);
  factor(p_.memory_b);
  place(piece, kRoleB);
  zero_arguments(piece, kRoleZeroB);
}

void MatmulPlanner::zero_arguments(const Piece& piece, MatmulRole role) {
  const bool of_a = role == kRoleZeroA;
  if (!(of_a ? p_.has_zero_a : p_.has_zero_b)) return;
  operand(of_a ? p_.memory_zero_a : p_.memory_zero_b);
  place(piece, role);
}

void MatmulPlanner::product_arguments(const Piece& piece, int64_t rows) {
  factor_arguments(piece);
  operand(kRoleC);
  place(piece, kRoleC);
  longs({rows, p_.n, p_.k});
  inner_count(piece);
  real(p_.alpha);
  real(p_.beta);
  epilogue_arguments(piece);
}

void MatmulPlanner::epilogue_arguments(const Piece& piece) {
  for (const MatmulRole role : {kRoleBias, kRoleResidual}) {
    if ((role == kRoleBias ? p_.bias_dtype : p_.residual_dtype) == 0) continue;
    operand(role);
    place(piece, role);
  }
  if (p_.activation != NETCL_ACTIVATION_NONE) {
    // That of integers has no parameters.
    real(is_bytes_ ? 0.0 : p_.activation_alpha);
    real(is_bytes_ ? 0.0 : p_.activation_beta);
  }
}

// The types of the sums and of a and b.
std::string MatmulPlanner::type_flags() const {
  std::string flags = format("-DNETCL_T=%s -DNETCL_IN=%d",
                             is_double_  ? "double"
                             : is_bytes_ ? "uint"
                                         : "float",
                             format_code(p_.dtype));
  if (is_bytes_) flags += format(" -DNETCL_IN_B=%d", format_code(p_.b_dtype));
  if (p_.has_zero_a) flags += " -DNETCL_A_ZERO";
  if (p_.has_zero_b) flags += " -DNETCL_B_ZERO";
  return flags;
}

std::string MatmulPlanner::format_flags(const Piece& piece) const {
  std::string flags =
      format("%s -DNETCL_OUT=%d", type_flags().c_str(), format_code(p_.out_dtype));
  if (p_.bias_dtype != 0) flags += format(" -DNETCL_BIAS=%d", format_code(p_.bias_dtype));
  if (p_.residual_dtype != 0) {
    flags += format(" -DNETCL_RESIDUAL=%d", format_code(p_.residual_dtype));
  }
  if (p_.activation != 0) flags += format(" -DNETCL_ACTIVATION=%d", p_.activation);
  if (piece.inner != 0) flags += " -DNETCL_PLANES";
  return flags;
}

void MatmulPlanner::need_temporary(int64_t elements) {
  const uint64_t bytes = static_cast<uint64_t>(elements * element());
  plan_.temporary_bytes = std::max(plan_.temporary_bytes, bytes);
}

bool is_assembled(const VariantConfig& config) {
  return config.variant == NETCL_VARIANT_MATMUL_MATRIX_UNITS ||
         variant_rules::is_fma_kernel(config);
}

MatmulPlan plan_matmul(const MatmulProblem& problem, const VariantTarget& target,
                       const VariantConfig& config) {
  // Thin tiles have few rows: one with few columns is that of the transposed product.
  const bool turns =
      variant_rules::is_thin_kernel(config) ? problem.n < problem.m : config.tile_m > config.tile_n;
  if (!turns || is_assembled(config)) {
    return MatmulPlanner(problem, target, config).run();
  }
  MatmulProblem turned = problem;
  VariantConfig how = config;
  transpose(&turned);
  std::swap(how.tile_m, how.tile_n);
  std::swap(how.work_per_thread_m, how.work_per_thread_n);
  return MatmulPlanner(turned, target, how).run();
}

}  // namespace netcl::ops
