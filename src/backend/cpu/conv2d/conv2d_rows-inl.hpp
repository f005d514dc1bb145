// The register tile of a matrix product whose left operand is read in place, row by row. Included
// once for each instruction set.
#if defined(NETCL_CONV2D_ROWS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_CONV2D_ROWS_INL_HPP
#undef NETCL_CONV2D_ROWS_INL_HPP
#else
#define NETCL_CONV2D_ROWS_INL_HPP
#endif

#include "backend/cpu/conv2d/conv2d_kernels.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::conv2d_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// 32 registers hold 12 x 2 sums, 16 registers 6 x 2.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
    (HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64)
inline constexpr int kTileRows = 12;
#else
inline constexpr int kTileRows = 6;
#endif

// The sums are separate variables, not an array: compilers keep an array of them in memory. Four
// pointers and one step address twelve rows.
#define NETCL_ROWS(X)                                                                             \
  X(0, a0, 0)                                                                                     \
  X(1, a0, 1) X(2, a0, 2) X(3, a3, 0) X(4, a3, 1) X(5, a3, 2) X(6, a6, 0) X(7, a6, 1) X(8, a6, 2) \
      X(9, a9, 0) X(10, a9, 1) X(11, a9, 2)
#define NETCL_ROW_DECLARE(i, base, place) \
  auto row##i##_0 = hn::Zero(d);          \
  auto row##i##_1 = hn::Zero(d);
#define NETCL_ROW_MULTIPLY(i, base, place)                           \
  if constexpr (R > i) {                                             \
    const auto x = hn::Set(d, base[place * a_step + at]);            \
    row##i##_0 = hn::MulAdd(x, b0, row##i##_0);                      \
    if constexpr (V > 1) row##i##_1 = hn::MulAdd(x, b1, row##i##_1); \
  }
#define NETCL_ROW_WRITE(i, base, place)                                                \
  if constexpr (R > i) {                                                               \
    T* const to = c + i * c_step;                                                      \
    hn::StoreU(adds ? hn::Add(row##i##_0, hn::LoadU(d, to)) : row##i##_0, d, to);      \
    if constexpr (V > 1) {                                                             \
      hn::StoreU(adds ? hn::Add(row##i##_1, hn::LoadU(d, to + lanes)) : row##i##_1, d, \
                 to + lanes);                                                          \
    }                                                                                  \
  }

template <class T, int R, int V>
HWY_NOINLINE void run_rows(int64_t depth, const T* HWY_RESTRICT a, int64_t a_step,
                           const T* HWY_RESTRICT b, int64_t b_step, bool adds, T* HWY_RESTRICT c,
                           int64_t c_step) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const T* a0 = a;
  const T* a3 = a + (R > 3 ? 3 * a_step : 0);
  const T* a6 = a + (R > 6 ? 6 * a_step : 0);
  const T* a9 = a + (R > 9 ? 9 * a_step : 0);
  // Two shorter vectors share a line of the cache, and asking for it twice costs a load.
  constexpr bool kTwoLines = V > 1 && hn::MaxLanes(d) * sizeof(T) >= 64;
  NETCL_ROWS(NETCL_ROW_DECLARE)
#define NETCL_ROW_STEP(place_of_step)                                 \
  {                                                                   \
    constexpr int64_t at = place_of_step;                             \
    const auto b0 = hn::LoadU(d, b);                                  \
    const auto b1 = V > 1 ? hn::LoadU(d, b + lanes) : b0;             \
    NETCL_ROWS(NETCL_ROW_MULTIPLY)                                    \
    static_cast<void>(b1);                                            \
    __builtin_prefetch(b + 16 * b_step);                              \
    if constexpr (kTwoLines) __builtin_prefetch(b + 16 * b_step + lanes); \
    b += b_step;                                                      \
  }
#define NETCL_ROW_ADVANCE(count) \
  a0 += count;                   \
  a3 += count;                   \
  a6 += count;                   \
  a9 += count;
  int64_t p = 0;
  // With 16 registers compilers mix the steps and then keep sums in memory.
  if constexpr (kTileRows == 12) {
    for (; p + 4 <= depth; p += 4) {
      NETCL_ROW_STEP(0) NETCL_ROW_STEP(1) NETCL_ROW_STEP(2) NETCL_ROW_STEP(3) NETCL_ROW_ADVANCE(4)
    }
  }
  for (; p < depth; ++p) {
    NETCL_ROW_STEP(0)
    NETCL_ROW_ADVANCE(1)
  }
  NETCL_ROWS(NETCL_ROW_WRITE)
}

// Exactly `count` rows, as there may be no memory behind them.
template <class T, int V>
void rows_of(int64_t count, int64_t depth, const T* a, int64_t a_step, const T* b, int64_t b_step,
             bool adds, T* c, int64_t c_step) {
  while (count > 0) {
    int64_t done = 1;
    if (count >= kTileRows) {
      done = kTileRows;
      run_rows<T, kTileRows, V>(depth, a, a_step, b, b_step, adds, c, c_step);
    } else if (kTileRows > 8 && count >= 8) {
      done = 8;
      run_rows < T, kTileRows<8 ? kTileRows : 8, V>(depth, a, a_step, b, b_step, adds, c, c_step);
    } else if (count >= 4) {
      done = 4;
      run_rows<T, 4, V>(depth, a, a_step, b, b_step, adds, c, c_step);
    } else if (count >= 2) {
      done = 2;
      run_rows<T, 2, V>(depth, a, a_step, b, b_step, adds, c, c_step);
    } else {
      run_rows<T, 1, V>(depth, a, a_step, b, b_step, adds, c, c_step);
    }
    count -= done;
    a += done * a_step;
    c += done * c_step;
  }
}

template <class T>
void rows(int64_t count, int64_t used_columns, int64_t depth, const T* a, int64_t a_step,
          const T* b, int64_t b_step, bool adds, T* c, int64_t c_step) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<T>()));
  if (used_columns > lanes) {
    rows_of<T, 2>(count, depth, a, a_step, b, b_step, adds, c, c_step);
  } else {
    rows_of<T, 1>(count, depth, a, a_step, b, b_step, adds, c, c_step);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::conv2d_detail
HWY_AFTER_NAMESPACE();

#endif
