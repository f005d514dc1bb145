// Matrix product on the CPU for any strides: of the floating dtypes, and of 8-bit integers.
#pragma once

#include <cstdint>

#include "backend/cpu/thread_pool.hpp"
#include "netcl.h"

namespace netcl::cpu {

struct QuantizedMatrix;

// A matrix in memory: element (i, j) is at data + (i * row_stride + j * column_stride) elements.
// Strides may have any sign and value; 0 repeats an element (not in a result).
struct GemmOperand {
  void* data;
  int64_t row_stride;
  int64_t column_stride;
  // NETCL_F16, NETCL_BF16, NETCL_F32 or NETCL_F64; NETCL_I8 or NETCL_U8 of a and b each, with
  // NETCL_I32 of c, bias and residual
  netcl_dtype dtype;
  // What is taken off an 8-bit element (i, j), of the same dtype, is at zero + (i * zero_row + j *
  // zero_column) elements; one of the two is 0 in a and in b. Null: nothing.
  const void* zero = nullptr;
  int64_t zero_row = 0;
  int64_t zero_column = 0;
  // Of b alone, with neither data nor strides: it is the transpose of these weights, as f32.
  const QuantizedMatrix* quantized = nullptr;
};

// What follows the sums, before they are rounded into c: activation(... + bias + residual). The
// operands are m x n, with strides of 0 where they repeat; null data: there is none.
struct GemmEpilogue {
  GemmOperand bias{};
  GemmOperand residual{};
  netcl_activation activation = NETCL_ACTIVATION_NONE;
  double alpha = 0.0;
  double beta = 0.0;

  bool any() const {
    return bias.data != nullptr || residual.data != nullptr || activation != NETCL_ACTIVATION_NONE;
  }
};

// How the product is computed. naive: a loop per result; tiled: loops over blocks that stay in the
// first cache; register_tiled: packed operands and the SIMD tile, for any strides; vectorized: one
// matrix-vector product per column, a is read in place and has a unit stride.
enum class GemmVariant : uint8_t { naive, tiled, register_tiled, vectorized };

// c = epilogue(alpha * a * b + beta * c) with a of m x k, b of k x n and c of m x n. Sums are kept
// in f64 when an operand is f64, in i32 modulo 2^32 when c is i32 (alpha and beta are integers then
// and the activation is none or relu), in f32 otherwise, and are rounded once into c. With beta = 0
// c is not read, and with alpha = 0 or k = 0 neither a nor b is. c shares no memory with others.
// The bits of the result do not depend on the number of threads. Throws std::bad_alloc when no
// packing memory can be had; c may hold partial sums then. A quantised b has no variants, and alpha
// is 1.
void gemm(GemmVariant variant, int64_t m, int64_t n, int64_t k, double alpha, const GemmOperand& a,
          const GemmOperand& b, double beta, const GemmOperand& c, const GemmEpilogue& epilogue,
          ThreadPool& pool);

// The same without an epilogue, with the variant that is fastest.
void gemm(int64_t m, int64_t n, int64_t k, double alpha, const GemmOperand& a, const GemmOperand& b,
          double beta, const GemmOperand& c, ThreadPool& pool);

}  // namespace netcl::cpu
