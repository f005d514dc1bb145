#include "ops/matmul_plan.hpp"

#include <algorithm>
#include <utility>

#include "core/dtype.hpp"
#include "core/error.hpp"
#include "ops/matmul_planner.hpp"

namespace netcl::ops {
namespace {

// Below so many multiplications the time of a second launch is more than the product takes.
constexpr int64_t kSmallWork = 16 * 16 * 16;

// True when the product of three extents is at most `limit`, without overflow.
bool work_at_most(int64_t m, int64_t n, int64_t k, int64_t limit) {
  return m <= limit && n <= limit && k <= limit && m * n <= limit && m * n * k <= limit;
}

}  // namespace

void MatmulPlanner::check_dtypes() const {
  const DtypeFacts* in = dtype_facts_or_null(p_.dtype);
  const bool known = in != nullptr && in->kind == DtypeClass::floating;
  const bool sixteen = p_.dtype == NETCL_F16 || p_.dtype == NETCL_BF16;
  if (known && (p_.out_dtype == p_.dtype || (sixteen && p_.out_dtype == NETCL_F32))) return;
  const DtypeFacts* out = dtype_facts_or_null(p_.out_dtype);
  fail(NETCL_ERROR_INVALID_ARGUMENT, "matmul of %s into %s is not possible",
       in != nullptr ? in->name : "no dtype", out != nullptr ? out->name : "no dtype");
}

MatmulPlan MatmulPlanner::run() {
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

void MatmulPlanner::prepare() {
  if (p_.alpha == 0.0) p_.k = 0;
  coalesce_batch();
  fold_batch_into_rows();
  // Kernels write along the rows of c; a single row is a column of the transposed product.
  if (p_.n != 1 && (p_.m == 1 || (p_.c.column_stride != 1 && p_.c.row_stride == 1))) transpose();
}

void MatmulPlanner::transpose() {
  std::swap(p_.m, p_.n);
  std::swap(p_.a, p_.b);
  std::swap(kind_a_, kind_b_);
  for (MatmulOperand* x : {&p_.a, &p_.b, &p_.c}) std::swap(x->row_stride, x->column_stride);
}

// Drops dimensions of extent 1 and joins neighbours that continue each other in all operands.
void MatmulPlanner::coalesce_batch() {
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
void MatmulPlanner::fold_batch_into_rows() {
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
void MatmulPlanner::outer_batches(size_t dimension, int64_t a, int64_t b, int64_t c) {
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
  for (int64_t first = 0; first < extent; first += kMatmulGroupsMost) {
    const Batch batch{std::min(kMatmulGroupsMost, extent - first), step_a, step_b, step_c};
    emit(a + first * step_a, b + first * step_b, c + first * step_c, batch);
  }
}

void MatmulPlanner::emit(int64_t a, int64_t b, int64_t c, const Batch& batch) {
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

MatmulLaunch& MatmulPlanner::launch(const char* source, const char* kernel, std::string flags) {
  MatmulLaunch next;
  next.source = source;
  next.kernel = kernel;
  next.flags = std::move(flags);
  plan_.launches.push_back(std::move(next));
  return plan_.launches.back();
}

void MatmulPlanner::longs(std::initializer_list<int64_t> values) {
  for (const int64_t value : values) {
    plan_.launches.back().arguments.push_back({Kind::int64, value});
  }
}

std::string MatmulPlanner::format_flags() const {
  return format("-DNETCL_T=%s -DNETCL_DOUBLE=%d -DNETCL_IN=%d -DNETCL_OUT=%d",
                is_double_ ? "double" : "float", is_double_ ? 1 : 0, format_code(p_.dtype),
                format_code(p_.out_dtype));
}

std::string MatmulPlanner::cpu_flags(bool sums) const {
  return format("%s -DNETCL_W=%d -DNETCL_ROWS=%d -DNETCL_SUMS=%d", format_flags().c_str(),
                static_cast<int>(cpu_width()), static_cast<int>(cpu_rows()), sums ? 1 : 0);
}

MatmulPlan plan_matmul(const MatmulProblem& problem, netcl_device_type device_type,
                       const netcl_device_capabilities& capabilities) {
  return MatmulPlanner(problem, device_type, capabilities).run();
}

}  // namespace netcl::ops
