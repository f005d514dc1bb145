// Which kernels compute a matrix product on an OpenCL device, with which options, sizes and
// arguments. Pure arithmetic: nothing here calls a driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "netcl.h"

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

// c = alpha * a * b + beta * c with a of m x k, b of k x n and c of m x n, for each index of the
// batch. dtype is that of a and b: f32, f64, f16 or bf16; out_dtype is the same, or f32 for 16
// bits.
struct MatmulProblem {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  uint32_t batch_rank = 0;
  int64_t batch[kMatmulBatchRankMax] = {};
  MatmulOperand a;
  MatmulOperand b;
  MatmulOperand c;
  double alpha = 1.0;
  double beta = 0.0;  // 0: c is not read
  netcl_dtype dtype = 0;
  netcl_dtype out_dtype = 0;
};

enum class MatmulArgumentKind : uint8_t {
  buffer_a,
  buffer_b,
  buffer_c,
  temporary_0,
  temporary_1,
  int32,
  int64,
  float32,
  float64
};

struct MatmulArgument {
  MatmulArgumentKind kind;
  int64_t integer = 0;  // of int32 and int64
  double real = 0.0;    // of float32 and float64
};

struct MatmulLaunch {
  const char* source;  // the embedded file: "matmul_cpu.cl"
  const char* kernel;
  std::string flags;  // build options; launches with equal source and flags share a program
  uint32_t rank = 3;
  size_t global[3] = {1, 1, 1};
  size_t local[3] = {1, 1, 1};
  std::vector<MatmulArgument> arguments;
};

// The launches run one after the other: each sees what the ones before it wrote. An empty list
// means that there is nothing to do. With k = 0 or alpha = 0 neither a nor b is an argument.
struct MatmulPlan {
  const char* variant = "none";          // "cpu_tiles", "gpu_tiles", ...
  uint64_t temporary_bytes[2] = {0, 0};  // 0: not used
  std::vector<MatmulLaunch> launches;
};

// Fails with INVALID_ARGUMENT for dtypes that have no kernel.
MatmulPlan plan_matmul(const MatmulProblem& problem, netcl_device_type device_type,
                       const netcl_device_capabilities& capabilities);

}  // namespace netcl::ops
