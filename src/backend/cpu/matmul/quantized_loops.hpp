// Quantised weights on the CPU: products of few rows, weights made whole, and quantising.
#pragma once

#include "backend/cpu/matmul/gemm_finish.hpp"
#include "backend/cpu/matmul/quantized_form.hpp"

namespace netcl::cpu {

// Rows of x that read the weights where they lie; more are products with packed panels of them.
inline constexpr int64_t kQuantizedRowsMost = 24;

// A product of up to kQuantizedRowsMost rows: c = epilogue(a * w^T + beta * c), as gemm is. The
// bits do not depend on the number of threads.
void quantized_product(int64_t m, const GemmOperand& a, const QuantizedMatrix& w, float beta,
                       const GemmOperand& c, const gemm_detail::GemmFinish<float>& finish,
                       ThreadPool& pool);

// Packs `depth` columns of w from `first` on, a multiple of 64, for `lines` of its rows from `row`
// on: panels of `width` rows, as KernelSet::pack does.
void pack_quantized(const QuantizedMatrix& w, int64_t row, int64_t lines, int64_t width,
                    int64_t first, int64_t depth, float* target);

// Writes the weights to `out`, n x k.
void dequantize_weights(const QuantizedMatrix& w, const GemmOperand& out, ThreadPool& pool);

// Where quantised weights go: packed, in C order. `zeros` may be null.
struct QuantizedTarget {
  QuantizedForm form;
  uint8_t* data = nullptr;
  void* scales = nullptr;
  uint8_t* zeros = nullptr;
};
// Quantises a matrix of form.n x form.k.
void quantize_weights(const GemmOperand& w, const QuantizedTarget& target, ThreadPool& pool);

}  // namespace netcl::cpu
