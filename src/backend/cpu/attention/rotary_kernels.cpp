#include "backend/cpu/attention/rotary_kernels.hpp"

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/attention/rotary_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/simd_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::rotary_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A vector of pairs at a time, and single ones behind them.
template <class T>
void halves(const T* x, const T* cosines, const T* sines, int64_t pairs, T* y) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= pairs; i += lanes) {
    const auto a = hn::LoadU(d, x + i), b = hn::LoadU(d, x + pairs + i);
    const auto c = hn::LoadU(d, cosines + i), s = hn::LoadU(d, sines + i);
    hn::StoreU(hn::Sub(hn::Mul(a, c), hn::Mul(b, s)), d, y + i);
    hn::StoreU(hn::Add(hn::Mul(b, c), hn::Mul(a, s)), d, y + pairs + i);
  }
  for (; i < pairs; ++i) {
    const T a = x[i], b = x[pairs + i];
    y[i] = a * cosines[i] - b * sines[i];
    y[pairs + i] = b * cosines[i] + a * sines[i];
  }
}

template <class T>
void interleaved(const T* x, const T* cosines, const T* sines, int64_t pairs, T* y) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= pairs; i += lanes) {
    auto a = hn::Zero(d), b = hn::Zero(d);
    hn::LoadInterleaved2(d, x + 2 * i, a, b);
    const auto c = hn::LoadU(d, cosines + i), s = hn::LoadU(d, sines + i);
    hn::StoreInterleaved2(hn::Sub(hn::Mul(a, c), hn::Mul(b, s)),
                          hn::Add(hn::Mul(b, c), hn::Mul(a, s)), d, y + 2 * i);
  }
  for (; i < pairs; ++i) {
    const T a = x[2 * i], b = x[2 * i + 1];
    y[2 * i] = a * cosines[i] - b * sines[i];
    y[2 * i + 1] = b * cosines[i] + a * sines[i];
  }
}

template <class T>
inline constexpr RotaryKernels<T> kRotary = {halves<T>, interleaved<T>};

inline const RotaryKernels<float>* rotary_f32() { return &kRotary<float>; }
inline const RotaryKernels<double>* rotary_f64() { return &kRotary<double>; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::rotary_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
NETCL_SIMD_TABLES(rotary_detail, rotary, RotaryKernels, rotary_kernels)
#endif
