// The product without SIMD tiles: a loop per result, and loops over blocks.
#include <algorithm>

#include "backend/cpu/element.hpp"
#include "backend/cpu/matmul/gemm_finish.hpp"
#include "backend/cpu/task_memory.hpp"
#include "core/error.hpp"

namespace netcl::cpu::gemm_detail {
namespace {

constexpr int64_t kRows = 32;
constexpr int64_t kColumns = 64;
constexpr int64_t kDepth = 64;
// Results of a row that are finished together.
constexpr int64_t kRun = 64;

template <class E>
const typename E::Storage* at(const GemmOperand& x, int64_t row, int64_t column) {
  return static_cast<const typename E::Storage*>(x.data) + row * x.row_stride +
         column * x.column_stride;
}

// An element less its zero point, which integers alone have.
template <class T, class E>
T value_at(const GemmOperand& x, int64_t row, int64_t column) {
  const T value = static_cast<T>(E::load(at<E>(x, row, column)));
  if constexpr (std::is_same_v<T, int32_t>) {
    if (x.zero == nullptr) return value;
    return value - byte_at(x.dtype, x.zero, row * x.zero_row + column * x.zero_column);
  } else {
    return value;
  }
}

template <class T>
T add_product(T x, T y, T sum) {
  if constexpr (std::is_same_v<T, int32_t>) {
    return wrapped_add(sum, x * y);
  } else {
    return sum + x * y;
  }
}

template <class T, class A, class B>
T dot(const GemmOperand& a, const GemmOperand& b, int64_t row, int64_t column, int64_t k) {
  // With k = 0 the operands have no memory, so no address is formed outside the loop.
  T sum = 0;
  for (int64_t p = 0; p < k; ++p) {
    sum = add_product(value_at<T, A>(a, row, p), value_at<T, B>(b, p, column), sum);
  }
  return sum;
}

// Calls function(A(), B()) with the element types of a and b, which are the same of floats.
template <class T, class Function>
void with_factors(netcl_dtype a, netcl_dtype b, Function&& function) {
  if constexpr (std::is_same_v<T, int32_t>) {
    const auto with_a = [&](auto element_a) {
      if (b == NETCL_I8) return function(element_a, I8());
      return function(element_a, U8());
    };
    if (a == NETCL_I8) return with_a(I8());
    return with_a(U8());
  } else {
    with_float(a, [&](auto element) { function(element, element); });
  }
}

template <class T>
struct Blocks {
  T a[kRows * kDepth];
  T b[kDepth * kColumns];
  T sums[kRows * kColumns];
};

// One block of the result, seen from its first row and column on.
template <class T, class A, class B>
void add_block(const GemmOperand& a, const GemmOperand& b, int64_t rows, int64_t columns,
               int64_t depth, Blocks<T>* blocks) {
  T* const block_a = blocks->a;
  T* const block_b = blocks->b;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t p = 0; p < depth; ++p) {
      block_a[i * kDepth + p] = value_at<T, A>(a, i, p);
    }
  }
  for (int64_t p = 0; p < depth; ++p) {
    for (int64_t j = 0; j < kColumns; ++j) {
      block_b[p * kColumns + j] = j < columns ? value_at<T, B>(b, p, j) : T{0};
    }
  }
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t p = 0; p < depth; ++p) {
      const T x = block_a[i * kDepth + p];
      const T* __restrict const y = block_b + p * kColumns;
      T* __restrict const s = blocks->sums + i * kColumns;
      for (int64_t j = 0; j < kColumns; ++j) s[j] = add_product(x, y[j], s[j]);
    }
  }
}

}  // namespace

template <class T>
void run_plain(GemmVariant variant, int64_t m, int64_t n, int64_t k, T alpha, const GemmOperand& a,
               const GemmOperand& b, T beta, const GemmOperand& c, const GemmFinish<T>& finish,
               ThreadPool& pool) {
  const auto naive = [&](int64_t first, int64_t last, auto element_a, auto element_b) {
    using A = decltype(element_a);
    using B = decltype(element_b);
    T sums[kRun];
    for (int64_t i = first; i < last; ++i) {
      for (int64_t j = 0; j < n; j += kRun) {
        const int64_t columns = std::min(kRun, n - j);
        for (int64_t e = 0; e < columns; ++e) sums[e] = dot<T, A, B>(a, b, i, j + e, k);
        finish.store(sums, kRun, 1, columns, alpha, beta, shifted(c, i, j), i, j);
      }
    }
  };
  const auto tiled = [&](int64_t first, int64_t last, auto element_a, auto element_b,
                         Blocks<T>& blocks) {
    using A = decltype(element_a);
    using B = decltype(element_b);
    for (int64_t block = first; block < last; ++block) {
      const int64_t i = block * kRows;
      const int64_t rows = std::min(kRows, m - i);
      for (int64_t j = 0; j < n; j += kColumns) {
        const int64_t columns = std::min(kColumns, n - j);
        std::fill_n(blocks.sums, kRows * kColumns, T(0));
        for (int64_t p = 0; p < k; p += kDepth) {
          add_block<T, A, B>(shifted(a, i, p), shifted(b, p, j), rows, columns,
                             std::min(kDepth, k - p), &blocks);
        }
        finish.store(blocks.sums, kColumns, rows, columns, alpha, beta, shifted(c, i, j), i, j);
      }
    }
  };
  with_factors<T>(a.dtype, b.dtype, [&](auto element_a, auto element_b) {
    if (variant == GemmVariant::naive) {
      const int64_t grain = 1 + 100000 / (n * k + 1);
      pool.parallel_for(m, grain, [&](int64_t first, int64_t last) {
        naive(first, last, element_a, element_b);
      });
    } else {
      parallel_for_tasks<Blocks<T>>(pool, (m + kRows - 1) / kRows, 1,
                                    [&](int64_t first, int64_t last, Blocks<T>& blocks) {
                                      tiled(first, last, element_a, element_b, blocks);
                                    });
    }
  });
}

template void run_plain<float>(GemmVariant, int64_t, int64_t, int64_t, float, const GemmOperand&,
                               const GemmOperand&, float, const GemmOperand&,
                               const GemmFinish<float>&, ThreadPool&);
template void run_plain<int32_t>(GemmVariant, int64_t, int64_t, int64_t, int32_t,
                                 const GemmOperand&, const GemmOperand&, int32_t,
                                 const GemmOperand&, const GemmFinish<int32_t>&, ThreadPool&);
template void run_plain<double>(GemmVariant, int64_t, int64_t, int64_t, double, const GemmOperand&,
                                const GemmOperand&, double, const GemmOperand&,
                                const GemmFinish<double>&, ThreadPool&);

}  // namespace netcl::cpu::gemm_detail
