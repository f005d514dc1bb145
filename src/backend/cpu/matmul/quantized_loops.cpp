#include "backend/cpu/matmul/quantized_loops.hpp"

#include <algorithm>

#include "backend/cpu/matmul/quantized_kernels.hpp"
#include "backend/cpu/task_memory.hpp"
#include "core/integer.hpp"

namespace netcl::cpu {
namespace {

using gemm_detail::shifted;
using quantized_detail::kDotRows;
using quantized_detail::kSpan;

// Rows of weights whose sums a thread has at a time.
constexpr int64_t kTileWeights = 32;
// Bytes of x that stay in the first cache while rows of weights pass by.
constexpr int64_t kSpanBytes = 16384;
// Columns of weights that are made at a time on the way to a packed panel.
constexpr int64_t kWeightColumns = 64;
// Fewer multiplications than this are not worth a second thread.
constexpr int64_t kThreadWork = int64_t{1} << 18;

int64_t tiles_of_thread(int64_t m, int64_t k) {
  return std::max<int64_t>(kThreadWork / (kTileWeights * std::max<int64_t>(m * k, 1)), 1);
}

// x as f32, its columns where the codes want them; rows that are there to fill up are 0.
void pack_rows(const GemmOperand& a, const QuantizedForm& form, int64_t m, int64_t x_step,
               float* line, float* x) {
  const auto& set = gemm_detail::kernels<float>();
  std::fill_n(x, round_up(m, kDotRows) * x_step, 0.0f);
  for (int64_t i = 0; i < m; ++i) {
    const GemmOperand from = shifted(a, i, 0);
    set.pack(from.dtype, from.data, 0, from.column_stride, 1, 1, form.k, line);
    float* const to = x + i * x_step;
    for (int64_t k = 0; k < form.k; ++k) to[quantized_detail::place_of(form, k)] = line[k];
  }
}

}  // namespace

void quantized_product(int64_t m, const GemmOperand& a, const QuantizedMatrix& w, float beta,
                       const GemmOperand& c, const gemm_detail::GemmFinish<float>& finish,
                       ThreadPool& pool) {
  const QuantizedForm& form = w.form;
  const auto& set = quantized_detail::kernels();
  const int64_t x_step = round_up(form.k, kSpan);
  const int64_t rows = std::min(m, kDotRows);
  const int64_t span =
      std::max(kSpanBytes / static_cast<int64_t>(sizeof(float)) / rows / kSpan * kSpan, kSpan);
  const ScratchArray<float> memory(pool, static_cast<size_t>((round_up(m, kDotRows) + 1) * x_step));
  float* const x = memory.data() + x_step;
  pack_rows(a, form, m, x_step, memory.data(), x);
  const int64_t tiles = ceil_div(form.n, kTileWeights);
  pool.parallel_for(tiles, tiles_of_thread(m, form.k), [&](int64_t begin, int64_t end) {
    alignas(64) float sums[kDotRows * kTileWeights];
    for (int64_t tile = begin; tile < end; ++tile) {
      const int64_t row = tile * kTileWeights;
      const int64_t count = std::min(kTileWeights, form.n - row);
      for (int64_t i = 0; i < m; i += kDotRows) {
        const int64_t taken = std::min(kDotRows, m - i);
        std::fill_n(sums, kDotRows * kTileWeights, 0.0f);
        for (int64_t k = 0; k < form.k; k += span) {
          set.dot(w, row, count, k, std::min(k + span, form.k), x + i * x_step, x_step, taken, sums,
                  kTileWeights);
        }
        finish.store(sums, kTileWeights, taken, count, 1.0f, beta, shifted(c, i, row), i, row);
      }
    }
  });
}

void pack_quantized(const QuantizedMatrix& w, int64_t row, int64_t lines, int64_t width,
                    int64_t first, int64_t depth, float* target) {
  alignas(64) float piece[gemm_detail::kTileColumnsMax * kWeightColumns];
  const auto& set = gemm_detail::kernels<float>();
  const auto& own = quantized_detail::kernels();
  for (int64_t line = 0; line < lines; line += width) {
    const int64_t count = std::min(width, lines - line);
    for (int64_t p = 0; p < depth; p += kWeightColumns) {
      const int64_t columns = std::min(kWeightColumns, depth - p);
      for (int64_t i = 0; i < count; ++i) {
        own.dequantize(w, row + line + i, first + p, columns, piece + i * kWeightColumns);
      }
      set.pack(NETCL_F32, piece, kWeightColumns, 1, count, width, columns,
               target + line * depth + p * width);
    }
  }
}

void dequantize_weights(const QuantizedMatrix& w, const GemmOperand& out, ThreadPool& pool) {
  const auto& set = gemm_detail::kernels<float>();
  const auto& own = quantized_detail::kernels();
  const int64_t k = w.form.k;
  const int64_t grain = std::max<int64_t>(kThreadWork / 4 / std::max<int64_t>(k, 1), 1);
  pool.parallel_for(w.form.n, grain, [&](int64_t begin, int64_t end) {
    constexpr int64_t kColumns = 1024;
    alignas(64) float line[kColumns];
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t first = 0; first < k; first += kColumns) {
        const int64_t count = std::min(kColumns, k - first);
        own.dequantize(w, row, first, count, line);
        const GemmOperand to = shifted(out, row, first);
        set.merge(line, count, 1, count, 1.0f, 0.0f, to.dtype, to.data, to.row_stride,
                  to.column_stride);
      }
    }
  });
}

}  // namespace netcl::cpu
