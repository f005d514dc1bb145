// Matrix product on the CPU for any strides and the floating dtypes.
#pragma once

#include <cstdint>

#include "backend/cpu/thread_pool.hpp"
#include "netcl.h"

namespace netcl::cpu {

// A matrix in memory: element (i, j) is at data + (i * row_stride + j * column_stride) elements.
// Strides may have any sign and value; 0 repeats an element (not in a result).
struct GemmOperand {
  void* data;
  int64_t row_stride;
  int64_t column_stride;
  netcl_dtype dtype;  // NETCL_F16, NETCL_BF16, NETCL_F32 or NETCL_F64
};

// c = alpha * a * b + beta * c with a of m x k, b of k x n and c of m x n. Sums are kept in f64
// when an operand is f64, in f32 otherwise, and are rounded once into c. With beta = 0 c is not
// read, and with alpha = 0 or k = 0 neither a nor b is. c shares no memory with a and b. The bits
// of the result do not depend on the number of threads. Throws std::bad_alloc when no packing
// memory can be had; c may hold partial sums then.
void gemm(int64_t m, int64_t n, int64_t k, double alpha, const GemmOperand& a, const GemmOperand& b,
          double beta, const GemmOperand& c, ThreadPool& pool);

}  // namespace netcl::cpu
