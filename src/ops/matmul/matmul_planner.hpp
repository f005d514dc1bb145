// How plan_matmul works inside: shared by the files that plan for CPUs and for GPUs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "core/integer.hpp"
#include "ops/matmul/matmul_plan.hpp"

namespace netcl::ops {

// The second and third dimension of a launch: some drivers take no more groups there.
inline constexpr int64_t kMatmulGroupsMost = 65535;

inline int format_code(netcl_dtype dtype) {
  return dtype == NETCL_F16 ? 1 : dtype == NETCL_BF16 ? 2 : 0;
}

class MatmulPlanner {
 public:
  using Kind = MatmulArgumentKind;
  using PerRole = std::array<int64_t, kRoleCount>;

  // Where a launch begins, in elements per operand, and one batch dimension that goes with it.
  struct Piece {
    PerRole offset{};
    PerRole batch{};
    int64_t extent = 1;
  };

  MatmulPlanner(const MatmulProblem& problem, const VariantTarget& target,
                const VariantConfig& config)
      : p_(problem), config_(config), caps_(target.capabilities), is_cpu_(cpu_shaped(target)) {}

  MatmulPlan run();

 private:
  void outer_batches(uint32_t dimension, const PerRole& offset);
  void emit(const Piece& piece);
  // The piece from a row and a column of c on.
  Piece shifted(const Piece& piece, int64_t row, int64_t column) const;

  void plan_naive(const Piece& piece);
  void plan_gpu_dot(const Piece& piece);
  void plan_gpu_tiled(const Piece& piece);
  bool whole_quads(const Piece& piece) const;
  void plan_gpu_registers(const Piece& piece);
  void plan_gpu_join(const Piece& piece, int64_t pitch, int64_t slab, int64_t pieces);
  // How a GPU's tile kernels cut the depth.
  int64_t split_depth() const;
  int64_t split_pieces() const;
  void plan_cpu_vector(const Piece& piece);
  void plan_cpu_tiled(const Piece& piece);
  void plan_cpu_blocks(const Piece& piece, bool direct);
  void cpu_direct(int64_t rows, int64_t columns, const Piece& piece);
  void cpu_packed(int64_t rows, int64_t columns, const Piece& piece);
  void cpu_pack(int64_t columns, int64_t first, int64_t depth, int64_t packed_b,
                const std::string& flags, const Piece& piece);
  void cpu_merge(int64_t rows, int64_t columns, const Piece& piece);

  MatmulLaunch& launch(const char* source, const char* kernel, std::string flags);
  void buffer(Kind kind) { plan_.launches.back().arguments.push_back({kind}); }
  void operand(MatmulRole role) {
    plan_.launches.back().arguments.push_back({Kind::operand, role});
  }
  // The memory of a or b. Without a depth neither is read, and they may have no memory at all.
  void factor(MatmulRole memory) { operand(p_.k == 0 ? kRoleC : memory); }
  void longs(std::initializer_list<int64_t> values);
  void integer(int64_t value) {
    plan_.launches.back().arguments.push_back({Kind::int32, kRoleA, value});
  }
  void real(double value) {
    const Kind kind = is_double_ ? Kind::float64 : Kind::float32;
    plan_.launches.back().arguments.push_back({kind, kRoleA, 0, value});
  }
  void factor_arguments(const Piece& piece);
  // What NETCL_PRODUCT_PARAMS and NETCL_EPILOGUE_PARAMS of matmul_formats.cl declare.
  void product_arguments(const Piece& piece, int64_t rows);
  void epilogue_arguments(const Piece& piece);
  std::string format_flags(bool epilogue) const;
  std::string cpu_flags(bool sums, bool epilogue) const;
  // NETCL_A, NETCL_B and so on say how an operand lies in memory. `wide_sums`: c is a temporary
  // whose rows begin at multiples of four.
  std::string access_flags(const Piece& piece, bool wide_sums) const;
  int64_t cpu_width() const {
    return (caps_.preferred_vector_width_f32 >= 16 ? 16 : 8) / (is_double_ ? 2 : 1);
  }
  int64_t cpu_rows() const { return caps_.preferred_vector_width_f32 >= 16 ? 12 : 6; }
  int64_t element() const { return is_double_ ? 8 : 4; }
  int64_t units() const { return caps_.compute_units > 0 ? caps_.compute_units : 1; }
  void need_temporary(int which, int64_t elements);
  const MatmulOperand& a() const { return p_.operands[kRoleA]; }
  const MatmulOperand& b() const { return p_.operands[kRoleB]; }
  const MatmulOperand& c() const { return p_.operands[kRoleC]; }

  const MatmulProblem& p_;
  const VariantConfig& config_;
  const netcl_device_capabilities& caps_;
  const bool is_cpu_;
  bool is_double_ = false;
  MatmulPlan plan_;
};

}  // namespace netcl::ops
