// What happens to the sums of a product before they are stored, while they are in the cache; and
// the variants of the product that do without SIMD tiles.
#pragma once

#include <cstddef>
#include <type_traits>

#include "backend/cpu/elementwise/activation.hpp"
#include "backend/cpu/matmul/gemm.hpp"
#include "backend/cpu/matmul/gemm_kernels.hpp"
#include "core/dtype.hpp"

namespace netcl::cpu::gemm_detail {

template <class T>
inline constexpr netcl_dtype kDtypeOf = std::is_same_v<T, double>    ? NETCL_F64
                                        : std::is_same_v<T, int32_t> ? NETCL_I32
                                                                     : NETCL_F32;

inline size_t element_size(netcl_dtype dtype) {
  return dtype_facts(dtype).size;
}

// The operand as seen from element (row, column) on.
inline GemmOperand shifted(const GemmOperand& x, int64_t row, int64_t column) {
  const int64_t elements = row * x.row_stride + column * x.column_stride;
  GemmOperand result = x;
  result.data = static_cast<char*>(x.data) + elements * static_cast<int64_t>(element_size(x.dtype));
  if (x.zero != nullptr) {
    result.zero = static_cast<const char*>(x.zero) + row * x.zero_row + column * x.zero_column;
  }
  return result;
}

inline GemmOperand transposed(const GemmOperand& x) {
  return {x.data, x.column_stride, x.row_stride, x.dtype, x.zero, x.zero_column, x.zero_row};
}

// The type of a factor; integers modulo 2^32.
template <class T>
T factor_of(double value) {
  if constexpr (std::is_same_v<T, int32_t>) {
    return static_cast<int32_t>(static_cast<uint32_t>(static_cast<int64_t>(value)));
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
T multiplied(T x, T y) {
  if constexpr (std::is_same_v<T, int32_t>) {
    return wrapped_multiply(x, y);
  } else {
    return x * y;
  }
}

// relu is all that sums of integers end with.
inline void activate(netcl_activation, int32_t, int32_t, int32_t* x, size_t n) {
  for (size_t i = 0; i < n; ++i) x[i] = x[i] < 0 ? 0 : x[i];
}
using netcl::cpu::activate;

// Rounds sums into c, after the epilogue.
template <class T>
class GemmFinish {
 public:
  GemmFinish(const KernelSet<T>& set, const GemmEpilogue& epilogue)
      : set_(set), epilogue_(epilogue), any_(epilogue.any()) {}

  bool any() const { return any_; }
  const KernelSet<T>& set() const { return set_; }

  // c = epilogue(alpha * sums + beta * c), with c seen from element (row, column) of the result on.
  // The sums are used up.
  void store(T* sums, int64_t sums_step, int64_t rows, int64_t columns, T alpha, T beta,
             const GemmOperand& c, int64_t row, int64_t column) const {
    if (any_) {
      apply(sums, sums_step, rows, columns, alpha, beta, c, addend(epilogue_.bias, row, column),
            addend(epilogue_.residual, row, column));
      alpha = T{1};
      beta = T{0};
    }
    set_.merge(sums, sums_step, rows, columns, alpha, beta, c.dtype, c.data, c.row_stride,
               c.column_stride);
  }

  // The same for sums that lie along a column, which is a row of the transpose.
  void store_column(T* sums, int64_t rows, T alpha, T beta, const GemmOperand& c, int64_t row,
                    int64_t column) const {
    const GemmOperand turned = transposed(c);
    if (any_) {
      apply(sums, rows, 1, rows, alpha, beta, turned,
            transposed(addend(epilogue_.bias, row, column)),
            transposed(addend(epilogue_.residual, row, column)));
      alpha = T{1};
      beta = T{0};
    }
    set_.merge(sums, rows, 1, rows, alpha, beta, turned.dtype, turned.data, turned.row_stride,
               turned.column_stride);
  }

 private:
  static GemmOperand addend(const GemmOperand& x, int64_t row, int64_t column) {
    return x.data == nullptr ? x : shifted(x, row, column);
  }

  void add(T* sums, int64_t sums_step, int64_t rows, int64_t columns, T alpha, T beta,
           const GemmOperand& x) const {
    set_.accumulate(sums, sums_step, rows, columns, alpha, beta, x.dtype, x.data, x.row_stride,
                    x.column_stride);
  }

  void apply(T* sums, int64_t sums_step, int64_t rows, int64_t columns, T alpha, T beta,
             const GemmOperand& c, const GemmOperand& bias, const GemmOperand& residual) const {
    if (beta != T{0}) {
      add(sums, sums_step, rows, columns, alpha, beta, c);
    } else if (alpha != T{1}) {
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
          sums[i * sums_step + j] = multiplied(sums[i * sums_step + j], alpha);
        }
      }
    }
    if (bias.data != nullptr) add(sums, sums_step, rows, columns, T{1}, T{1}, bias);
    if (residual.data != nullptr) add(sums, sums_step, rows, columns, T{1}, T{1}, residual);
    if (epilogue_.activation == NETCL_ACTIVATION_NONE) return;
    // relu, all that integers take, has no parameters.
    constexpr bool kParameters = std::is_floating_point_v<T>;
    const T activation_alpha = kParameters ? static_cast<T>(epilogue_.alpha) : T{};
    const T activation_beta = kParameters ? static_cast<T>(epilogue_.beta) : T{};
    if (columns == sums_step) {
      activate(epilogue_.activation, activation_alpha, activation_beta, sums,
               static_cast<size_t>(rows * columns));
      return;
    }
    for (int64_t i = 0; i < rows; ++i) {
      activate(epilogue_.activation, activation_alpha, activation_beta, sums + i * sums_step,
               static_cast<size_t>(columns));
    }
  }

  const KernelSet<T>& set_;
  const GemmEpilogue& epilogue_;
  const bool any_;
};

// The naive and the tiled variant; k = 0 leaves a and b alone.
template <class T>
void run_plain(GemmVariant variant, int64_t m, int64_t n, int64_t k, T alpha, const GemmOperand& a,
               const GemmOperand& b, T beta, const GemmOperand& c, const GemmFinish<T>& finish,
               ThreadPool& pool);

}  // namespace netcl::cpu::gemm_detail
