// How plan_matmul works inside: shared by its files.
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
  switch (dtype) {
    case NETCL_F16:
      return 1;
    case NETCL_BF16:
      return 2;
    case NETCL_I8:
      return 3;
    case NETCL_U8:
      return 4;
    default:
      return 0;
  }
}

class MatmulPlanner {
 public:
  using Kind = MatmulArgumentKind;
  using PerRole = std::array<int64_t, kRoleCount>;

  // Where a launch begins, in elements per operand, and the batch that goes with it: `extent`
  // matrices, whose steps are `batch`, and with an `inner` count `outer` from one such to the next.
  struct Piece {
    PerRole offset{};
    PerRole batch{};
    PerRole outer{};
    int64_t inner = 0;  // 0: the batch has one dimension
    int64_t extent = 1;
  };

  MatmulPlanner(const MatmulProblem& problem, const VariantTarget& target,
                const VariantConfig& config)
      : p_(problem), config_(config), caps_(target.capabilities) {}

  MatmulPlan run();

 private:
  void outer_batches(uint32_t dimension, const PerRole& offset);
  void batches(uint32_t dimension, const PerRole& offset, int64_t inner);
  PerRole strides_of(uint32_t dimension) const;
  void emit(const Piece& piece);
  // The piece from a row of c on.
  Piece rows_from(const Piece& piece, int64_t row) const;

  void plan_naive(const Piece& piece);
  void plan_thin(const Piece& piece);
  void plan_tiled(const Piece& piece);
  bool whole_quads(const Piece& piece) const;
  void plan_registers(const Piece& piece);
  WgmmaKernel units_kernel(const Piece& piece) const;
  void plan_units(const Piece& piece);
  void units_sums(const Piece& piece, int64_t rows);
  void units_launch(const Piece& piece, int64_t rows);
  void line_sums(const Piece& piece, MatmulRole role, int64_t lines, int64_t first);
  // What the temporary memory of matrix units has: sums of products, in front; from these elements
  // on sums of the lines of a and b, where the other side has zero points; and behind this many
  // bytes the tensor maps.
  struct UnitsTemporary {
    int64_t a_sums = 0, b_sums = 0, scratch_bytes = 0;
  };
  UnitsTemporary units_temporary(const Piece& piece, int64_t rows) const;
  void plan_quantized(const Piece& piece);
  void plan_join(const Piece& piece, int64_t rows, int64_t pitch, int64_t slab, int64_t pieces);
  // How the tile kernels cut the depth.
  int64_t split_depth() const;
  int64_t split_pieces() const;
  MatmulLaunch& launch(const char* source, const char* kernel, std::string flags);
  void temporary_memory() { plan_.launches.back().arguments.push_back({Kind::temporary}); }
  void operand(MatmulRole role) {
    plan_.launches.back().arguments.push_back({Kind::operand, role});
  }
  // The memory of a or b. Without a depth neither is read, and they may have no memory at all.
  void factor(MatmulRole memory) { operand(p_.k == 0 ? kRoleC : memory); }
  void longs(std::initializer_list<int64_t> values);
  void words(std::initializer_list<int64_t> values);  // 32-bit ones
  // Where an operand begins, its strides and the steps of its batch.
  void place(const Piece& piece, MatmulRole role);
  void batch_steps(const Piece& piece, int64_t batch, int64_t outer);
  void inner_count(const Piece& piece);
  void real(double value) {
    const Kind kind = is_double_ ? Kind::float64 : is_bytes_ ? Kind::uint32 : Kind::float32;
    plan_.launches.back().arguments.push_back({kind, kRoleA, 0, value});
  }
  void factor_arguments(const Piece& piece);
  void zero_arguments(const Piece& piece, MatmulRole role);  // nothing where there are none
  // What NETCL_PRODUCT_PARAMS and NETCL_EPILOGUE_PARAMS of matmul_formats.cl declare.
  void product_arguments(const Piece& piece, int64_t rows);
  void epilogue_arguments(const Piece& piece);
  std::string type_flags() const;
  std::string format_flags(const Piece& piece) const;
  // NETCL_A, NETCL_B and so on say how an operand lies in memory. `wide_sums`: c is a temporary
  // whose rows begin at multiples of four.
  std::string access_flags(const Piece& piece, bool wide_sums) const;
  int64_t element() const { return is_double_ ? 8 : 4; }
  void need_temporary(int64_t elements);
  const MatmulOperand& a() const { return p_.operands[kRoleA]; }
  const MatmulOperand& b() const { return p_.operands[kRoleB]; }
  const MatmulOperand& c() const { return p_.operands[kRoleC]; }

  const MatmulProblem& p_;
  const VariantConfig& config_;
  const netcl_device_capabilities& caps_;
  bool is_double_ = false;
  bool is_bytes_ = false;
  MatmulPlan plan_;
};

}  // namespace netcl::ops
