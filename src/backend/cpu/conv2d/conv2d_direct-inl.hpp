// The register tile of the direct method. Included once for each instruction set.
#if defined(NETCL_CONV2D_DIRECT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_CONV2D_DIRECT_INL_HPP
#undef NETCL_CONV2D_DIRECT_INL_HPP
#else
#define NETCL_CONV2D_DIRECT_INL_HPP
#endif

#include "backend/cpu/conv2d/conv2d_kernels.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::conv2d_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// 32 registers hold 6 x 4 sums, 16 registers 6 x 2.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
    (HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64)
inline constexpr int kVectors = 4;
#else
inline constexpr int kVectors = 2;
#endif

// The sums are separate variables, not an array: compilers keep an array of them in memory.
#define NETCL_EACH_FILTER(X) X(0) X(1) X(2) X(3) X(4) X(5)
#define NETCL_DECLARE(f)                                                           \
  auto sum##f##_0 = hn::Zero(d), sum##f##_1 = sum##f##_0, sum##f##_2 = sum##f##_0, \
       sum##f##_3 = sum##f##_0;
#define NETCL_MULTIPLY(f)                                                 \
  if constexpr (R > f) {                                                  \
    const auto weight = hn::Set(d, w[f]);                                 \
    sum##f##_0 = hn::MulAdd(weight, x0, sum##f##_0);                      \
    if constexpr (V > 1) sum##f##_1 = hn::MulAdd(weight, x1, sum##f##_1); \
    if constexpr (V > 2) sum##f##_2 = hn::MulAdd(weight, x2, sum##f##_2); \
    if constexpr (V > 3) sum##f##_3 = hn::MulAdd(weight, x3, sum##f##_3); \
  }
#define NETCL_WRITE(f)                                                           \
  if constexpr (R > f) {                                                         \
    hn::StoreU(sum##f##_0, d, sums + f * step);                                  \
    if constexpr (V > 1) hn::StoreU(sum##f##_1, d, sums + f * step + lanes);     \
    if constexpr (V > 2) hn::StoreU(sum##f##_2, d, sums + f * step + 2 * lanes); \
    if constexpr (V > 3) hn::StoreU(sum##f##_3, d, sums + f * step + 3 * lanes); \
  }

// R filters by V vectors of outputs.
template <class T, int R, int V>
HWY_NOINLINE void direct_tile(const T* HWY_RESTRICT source, int64_t channel, int64_t channels,
                              const int64_t* HWY_RESTRICT taps, int64_t taps_count,
                              const T* HWY_RESTRICT w, T* HWY_RESTRICT sums, int64_t step) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  NETCL_EACH_FILTER(NETCL_DECLARE)
  for (int64_t c = 0; c < channels; ++c, source += channel) {
    for (int64_t t = 0; t < taps_count; ++t, w += kDirectFilters) {
      const T* const x = source + taps[t];
      const auto x0 = hn::LoadU(d, x);
      const auto x1 = V > 1 ? hn::LoadU(d, x + lanes) : x0;
      const auto x2 = V > 2 ? hn::LoadU(d, x + 2 * lanes) : x0;
      const auto x3 = V > 3 ? hn::LoadU(d, x + 3 * lanes) : x0;
      NETCL_EACH_FILTER(NETCL_MULTIPLY)
      static_cast<void>(x1);
      static_cast<void>(x2);
      static_cast<void>(x3);
    }
  }
  NETCL_EACH_FILTER(NETCL_WRITE)
}

template <class T, int V>
void direct_filters(const T* source, int64_t channel, int64_t channels, const int64_t* taps,
                    int64_t taps_count, const T* w, int64_t filters, T* sums, int64_t step) {
  switch (filters) {
    case 1:
      return direct_tile<T, 1, V>(source, channel, channels, taps, taps_count, w, sums, step);
    case 2:
      return direct_tile<T, 2, V>(source, channel, channels, taps, taps_count, w, sums, step);
    case 3:
    case 4:
      return direct_tile<T, 4, V>(source, channel, channels, taps, taps_count, w, sums, step);
    default:
      return direct_tile<T, 6, V>(source, channel, channels, taps, taps_count, w, sums, step);
  }
}

template <class T>
void direct(const T* source, int64_t channel, int64_t channels, const int64_t* taps,
            int64_t taps_count, const T* w, int64_t filters, int64_t columns_count, T* sums,
            int64_t step) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(hn::ScalableTag<T>()));
  if (columns_count <= lanes) {
    direct_filters<T, 1>(source, channel, channels, taps, taps_count, w, filters, sums, step);
  } else if (columns_count <= 2 * lanes || kVectors == 2) {
    direct_filters<T, 2>(source, channel, channels, taps, taps_count, w, filters, sums, step);
  } else if (columns_count <= 3 * lanes) {
    direct_filters<T, kVectors == 2 ? 2 : 3>(source, channel, channels, taps, taps_count, w,
                                             filters, sums, step);
  } else {
    direct_filters<T, kVectors>(source, channel, channels, taps, taps_count, w, filters, sums,
                                step);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::conv2d_detail
HWY_AFTER_NAMESPACE();

#endif
