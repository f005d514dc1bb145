// The SIMD parts of products with quantised weights, one table of functions per instruction set.
#pragma once

#include "backend/cpu/matmul/quantized_form.hpp"

namespace netcl::cpu::quantized_detail {

// Rows of x that `dot` takes at most, and what their number is rounded up to.
inline constexpr int64_t kDotRows = 8;
inline int64_t dot_rows(int64_t m) { return m <= 2 ? m : m <= 4 ? 4 : kDotRows; }
// Spans of columns begin at multiples of this.
inline constexpr int64_t kSpan = 256;

// Where column k lies in a packed row of x: codes of one byte are taken apart into two vectors.
inline int64_t place_of(const QuantizedForm& form, int64_t k) {
  if (form.format == NETCL_QUANTIZATION_Q4_K) {
    return k / 64 * 64 + k % 32 / 16 * 32 + k % 64 / 32 * 16 + k % 16;
  }
  if (form.format != NETCL_QUANTIZATION_NBITS || form.bits != 4) return k;
  const int64_t half = form.block == 16 ? 8 : 16;
  const int64_t at = k % (2 * half);
  return k - at + at % 2 * half + at / 2;
}

struct QuantizedKernels {
  // sums[i * sums_step + j] += the sum over columns from `first` to below `last` of row i of x
  // times row `row + j` of w, for j < rows and i < dot_rows(m). x is packed by place_of, its rows
  // are x_step apart; `first` is a multiple of kSpan.
  void (*dot)(const QuantizedMatrix& w, int64_t row, int64_t rows, int64_t first, int64_t last,
              const float* x, int64_t x_step, int64_t m, float* sums, int64_t sums_step);
  // The weights of a row from column `first` on, a multiple of 64; `count` is one too, or reaches
  // to the end of the row.
  void (*dequantize)(const QuantizedMatrix& w, int64_t row, int64_t first, int64_t count,
                     float* out);
};

// The best set for this machine.
const QuantizedKernels& kernels();

}  // namespace netcl::cpu::quantized_detail
