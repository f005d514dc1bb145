// How plan_matmul works inside: shared by the files that plan for CPUs and for GPUs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "ops/matmul_plan.hpp"

namespace netcl::ops {

// The second and third dimension of a launch: some drivers take no more groups there.
inline constexpr int64_t kMatmulGroupsMost = 65535;

constexpr int64_t ceil_div(int64_t value, int64_t by) { return value / by + (value % by != 0); }
constexpr int64_t round_up(int64_t value, int64_t to) { return ceil_div(value, to) * to; }

inline int format_code(netcl_dtype dtype) {
  return dtype == NETCL_F16 ? 1 : dtype == NETCL_BF16 ? 2 : 0;
}

// One batch dimension of the problem, or none (extent 1).
struct MatmulBatch {
  int64_t extent = 1;
  int64_t a = 0;
  int64_t b = 0;
  int64_t c = 0;
};

class MatmulPlanner {
 public:
  using Kind = MatmulArgumentKind;
  using Batch = MatmulBatch;

  MatmulPlanner(const MatmulProblem& problem, netcl_device_type type,
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
  bool cpu_direct_fits(int64_t rows, int64_t columns) const;
  void cpu_direct(int64_t rows, int64_t columns, int64_t a, int64_t b, int64_t c,
                  const Batch& batch);
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
  void need_temporary(int which, int64_t elements);

  MatmulProblem p_;
  const bool is_cpu_;
  const netcl_device_capabilities& caps_;
  bool is_double_ = false;
  Kind kind_a_ = Kind::buffer_a;
  Kind kind_b_ = Kind::buffer_b;
  MatmulPlan plan_;
};

}  // namespace netcl::ops
