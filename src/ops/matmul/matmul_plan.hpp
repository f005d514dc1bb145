// Which kernels compute a matrix product on an OpenCL device, with which options, sizes and
// arguments. Pure arithmetic: nothing here calls a driver.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/cpu/matmul/quantized_form.hpp"
#include "netcl.h"
#include "ops/frame/variant.hpp"
#include "ops/matmul/wgmma_text.hpp"

namespace netcl::ops {

inline constexpr uint32_t kMatmulBatchRankMax = 6;

// One operand inside its buffer. Everything counts elements; strides may have any sign, and 0
// repeats an element.
struct MatmulOperand {
  int64_t offset = 0;
  int64_t row_stride = 0;
  int64_t column_stride = 0;
  int64_t batch_strides[kMatmulBatchRankMax] = {};
};

// The operands of a product, as they are numbered in MatmulProblem and in plans.
enum MatmulRole : uint8_t {
  kRoleA,
  kRoleB,
  kRoleC,
  kRoleBias,
  kRoleResidual,
  kRoleZeroA,
  kRoleZeroB,
  kRoleScale,
  kRoleCount
};

// Those that have the rows of c.
inline constexpr MatmulRole kMatmulRolesWithRows[] = {kRoleA, kRoleC, kRoleBias, kRoleResidual,
                                                      kRoleZeroA};

// c = activation(alpha * a * b + beta * c + bias + residual) with a of m x k, b of k x n and the
// others of m x n, for each index of the batch. dtype is that of a and b: f32, f64, f16 or bf16;
// out_dtype is the same, or f32 for 16 bits; bias and residual have one of the two. Or a and b are
// i8 or u8, each its own, less zero points, which are of m x 1 and 1 x n, and the others are i32.
// Or b is the transpose of `quantized` weights, whose offset counts bytes: kRoleZeroB and
// kRoleScale have their zero points and scales, has_zero_b is not set, and b is not looked at.
struct MatmulProblem {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  uint32_t batch_rank = 0;
  int64_t batch[kMatmulBatchRankMax] = {};
  MatmulOperand operands[kRoleCount];
  // Transposing swaps a and b; their memory is found by these.
  MatmulRole memory_a = kRoleA;
  MatmulRole memory_b = kRoleB;
  MatmulRole memory_zero_a = kRoleZeroA;
  MatmulRole memory_zero_b = kRoleZeroB;
  double alpha = 1.0;
  double beta = 0.0;  // 0: c is not read
  netcl_precision precision = NETCL_PRECISION_STRICT;
  netcl_dtype dtype = 0;  // of a
  netcl_dtype b_dtype = 0;
  netcl_dtype out_dtype = 0;
  netcl_dtype bias_dtype = 0;      // 0: there is none
  netcl_dtype residual_dtype = 0;  // 0: there is none
  bool has_zero_a = false;
  bool has_zero_b = false;
  netcl::cpu::QuantizedForm quantized;
  netcl_activation activation = NETCL_ACTIVATION_NONE;
  double activation_alpha = 0.0;
  double activation_beta = 0.0;

  int64_t batch_count() const;
};

// True where products of f32 are not rounded to fit matrix units.
inline bool is_strict_f32(const MatmulProblem& problem) {
  return problem.dtype == NETCL_F32 && problem.precision == NETCL_PRECISION_STRICT;
}

// True for i8 and u8, whose products are i32.
inline bool is_matmul_byte(netcl_dtype dtype) { return dtype == NETCL_I8 || dtype == NETCL_U8; }

// Brings a problem into the form that kernels take: alpha = 0 becomes k = 0, batches join or become
// rows, and c is written along its rows.
void normalize(MatmulProblem* problem);

// What the selector looks at, of a problem in that form.
MatmulCase matmul_case(const MatmulProblem& problem);
// The same for packed matrices in row-major order.
MatmulCase packed_matmul_case(int64_t m, int64_t n, int64_t k, netcl_dtype dtype,
                              int64_t batch = 1);

enum class MatmulArgumentKind : uint8_t {
  operand,    // the memory of a role
  temporary,  // the sums of pieces of the depth
  int64,
  uint32,  // a whole number modulo 2^32
  float32,
  float64
};

struct MatmulArgument {
  MatmulArgumentKind kind;
  MatmulRole role = kRoleA;  // of operand
  int64_t integer = 0;       // of int64
  double real = 0.0;         // of uint32, float32 and float64
};

struct MatmulLaunch {
  const char* source;  // the embedded file: "matmul.cl"; null where `units` is the program
  WgmmaKernel units;
  std::string kernel;
  std::string flags;  // build options; launches with equal source and flags share a program
  size_t global[3] = {1, 1, 1};
  size_t local[3] = {1, 1, 1};
  std::vector<MatmulArgument> arguments;
};

// The launches run one after the other: each sees what the ones before it wrote. An empty list
// means that there is nothing to do. With k = 0 neither a nor b is an argument.
struct MatmulPlan {
  uint64_t temporary_bytes = 0;  // 0: not used
  std::vector<MatmulLaunch> launches;
};

// Whether the plan of a configuration has kernels in PTX, which take copies of what lies otherwise
// than they take it.
bool is_assembled(const VariantConfig& config);

// The plan of a normalized problem with the variant of `config`.
MatmulPlan plan_matmul(const MatmulProblem& problem, const VariantTarget& target,
                       const VariantConfig& config);

}  // namespace netcl::ops
