// Register tiles of the matrix product. Included once for each instruction set.
#if defined(NETCL_GEMM_TILE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_GEMM_TILE_INL_HPP
#undef NETCL_GEMM_TILE_INL_HPP
#else
#define NETCL_GEMM_TILE_INL_HPP
#endif

#include "backend/cpu/matmul/gemm_integers-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::gemm_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// 32 registers hold 12 x 2 sums, 16 registers 6 x 2.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
    (HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64)
inline constexpr int64_t kRows = 12;
#else
inline constexpr int64_t kRows = 6;
#endif

// With 16 registers compilers mix unrolled steps and then keep sums in memory; those of integers
// are kept in order (add_pair_products).
template <class T>
inline constexpr bool kUnrolled =
#ifdef NETCL_SHORT_LOOPS
    false;
#else
    kRows == 12 || std::is_same_v<T, int32_t>;
#endif

// How many steps of the depth b is fetched ahead: about the way to the second cache.
inline constexpr int64_t kAhead = 16;

// The sums are separate variables, not an array: compilers keep an array of them in memory.
#define NETCL_EACH_ROW(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define NETCL_DECLARE(i)         \
  auto sum##i##_0 = hn::Zero(d); \
  auto sum##i##_1 = hn::Zero(d);
#define NETCL_MULTIPLY(i)                                                \
  if constexpr (R > i) {                                                 \
    const auto x = hn::Set(d, a[i]);                                     \
    sum##i##_0 = add_product(d, x, b0, sum##i##_0);                      \
    if constexpr (V > 1) sum##i##_1 = add_product(d, x, b1, sum##i##_1); \
  }
#define NETCL_PREFETCH(i)                                                   \
  if constexpr (R > i) {                                                    \
    __builtin_prefetch(c + i * c_step, 1);                                  \
    if constexpr (kTwoLines) __builtin_prefetch(c + i * c_step + lanes, 1); \
  }
#define NETCL_WRITE(i)                                                        \
  if constexpr (R > i) {                                                      \
    write(d, sum##i##_0, scale, c + i * c_step);                              \
    if constexpr (V > 1) write(d, sum##i##_1, scale, c + i * c_step + lanes); \
  }
#define NETCL_UPDATE(i)                                                              \
  if constexpr (R > i) {                                                             \
    update(d, sum##i##_0, scale, keep, c + i * c_step);                              \
    if constexpr (V > 1) update(d, sum##i##_1, scale, keep, c + i * c_step + lanes); \
  }

// sum + x * y, of a pair of 16-bit integers where the sums are integers.
template <class D, class Vec>
HWY_INLINE Vec add_product(D d, Vec x, Vec y, Vec sum) {
  if constexpr (std::is_same_v<hn::TFromD<D>, int32_t>) {
    return add_pair_products(d, x, y, sum);
  } else {
    static_cast<void>(d);
    return hn::MulAdd(x, y, sum);
  }
}

template <class D, class Vec, class T>
HWY_INLINE void write(D d, Vec sum, Vec scale, T* c) {
  hn::StoreU(hn::Mul(sum, scale), d, c);
}

template <class D, class Vec, class T>
HWY_INLINE void update(D d, Vec sum, Vec scale, Vec keep, T* c) {
  const auto kept = hn::Mul(keep, hn::LoadU(d, c));
  if constexpr (std::is_same_v<T, int32_t>) {
    hn::StoreU(hn::Add(hn::Mul(sum, scale), kept), d, c);
  } else {
    hn::StoreU(hn::MulAdd(sum, scale, kept), d, c);
  }
}

// R rows by V vectors of sums. Only the first R of the kRows packed rows are used.
template <class T, int R, int V>
HWY_NOINLINE void run_tile(int64_t depth, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
                           int64_t b_step, T alpha, T beta, T* HWY_RESTRICT c, int64_t c_step) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  // Two shorter vectors share a line of the cache, and asking for it twice costs a load.
  constexpr bool kTwoLines = V > 1 && hn::MaxLanes(d) * sizeof(T) >= 64;
  NETCL_EACH_ROW(NETCL_DECLARE)
  // The rows of c, which else would be waited for after the sums.
  NETCL_EACH_ROW(NETCL_PREFETCH)
#define NETCL_STEP                                                            \
  {                                                                           \
    const auto b0 = hn::LoadU(d, b);                                          \
    const auto b1 = V > 1 ? hn::LoadU(d, b + lanes) : b0;                     \
    NETCL_EACH_ROW(NETCL_MULTIPLY)                                            \
    static_cast<void>(b1);                                                    \
    __builtin_prefetch(b + kAhead * b_step);                                  \
    if constexpr (kTwoLines) __builtin_prefetch(b + kAhead * b_step + lanes); \
    a += kRows;                                                               \
    b += b_step;                                                              \
  }
  int64_t p = 0;
  if constexpr (kUnrolled<T>) {
    for (; p + 4 <= depth; p += 4) {
      NETCL_STEP NETCL_STEP NETCL_STEP NETCL_STEP
    }
  }
  for (; p < depth; ++p) NETCL_STEP
#undef NETCL_STEP
  const auto scale = hn::Set(d, alpha);
  if (beta == T{0}) {
    NETCL_EACH_ROW(NETCL_WRITE)
  } else {
    const auto keep = hn::Set(d, beta);
    NETCL_EACH_ROW(NETCL_UPDATE)
  }
}

inline int64_t tile_rows(int64_t count) {
  if (count <= 2) return count;
  if (count <= 4) return 4;
  if (kRows == 6) return 6;
  return count <= 8 ? 8 : 12;
}

template <class T, int V>
void choose_rows(int64_t count, int64_t depth, const T* a, const T* b, int64_t b_step, T alpha,
                 T beta, T* c, int64_t c_step) {
  switch (tile_rows(count)) {
    case 1:
      return run_tile<T, 1, V>(depth, a, b, b_step, alpha, beta, c, c_step);
    case 2:
      return run_tile<T, 2, V>(depth, a, b, b_step, alpha, beta, c, c_step);
    case 4:
      return run_tile<T, 4, V>(depth, a, b, b_step, alpha, beta, c, c_step);
    case 8:
      if constexpr (kRows == 12) {
        return run_tile<T, 8, V>(depth, a, b, b_step, alpha, beta, c, c_step);
      }
      [[fallthrough]];
    default:
      return run_tile<T, kRows, V>(depth, a, b, b_step, alpha, beta, c, c_step);
  }
}

template <class T>
void tile(int64_t count, int64_t used_columns, int64_t depth, const T* a, const T* b,
          int64_t b_step, T alpha, T beta, T* c, int64_t c_step) {
  const hn::ScalableTag<T> d;
  if (used_columns > static_cast<int64_t>(hn::Lanes(d))) {
    choose_rows<T, 2>(count, depth, a, b, b_step, alpha, beta, c, c_step);
  } else {
    choose_rows<T, 1>(count, depth, a, b, b_step, alpha, beta, c, c_step);
  }
}

template <class T>
inline constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));

#undef NETCL_EACH_ROW
#undef NETCL_DECLARE
#undef NETCL_MULTIPLY
#undef NETCL_PREFETCH
#undef NETCL_WRITE
#undef NETCL_UPDATE

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::gemm_detail
HWY_AFTER_NAMESPACE();

#endif
