#include "backend/cpu/ceilings_kernels.hpp"

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/ceilings_kernels.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::ceiling_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Keeps a pass from being joined with the one before.
inline void end_pass() { __asm__ volatile("" ::: "memory"); }

float read(const float* x, int64_t n, int64_t passes) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (int64_t pass = 0; pass < passes; ++pass) {
    for (int64_t i = 0; i < n; i += 8 * lanes) {
      s0 = hn::Add(s0, hn::Load(d, x + i));
      s1 = hn::Add(s1, hn::Load(d, x + i + lanes));
      s2 = hn::Add(s2, hn::Load(d, x + i + 2 * lanes));
      s3 = hn::Add(s3, hn::Load(d, x + i + 3 * lanes));
      s4 = hn::Add(s4, hn::Load(d, x + i + 4 * lanes));
      s5 = hn::Add(s5, hn::Load(d, x + i + 5 * lanes));
      s6 = hn::Add(s6, hn::Load(d, x + i + 6 * lanes));
      s7 = hn::Add(s7, hn::Load(d, x + i + 7 * lanes));
    }
    end_pass();
  }
  s0 =
      hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  return hn::GetLane(hn::SumOfLanes(d, s0));
}

template <bool kStream>
HWY_INLINE void write_with(float value, float* y, int64_t n, int64_t passes) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto v = hn::Set(d, value);
  for (int64_t pass = 0; pass < passes; ++pass) {
    for (int64_t i = 0; i < n; i += 4 * lanes) {
      for (int64_t k = 0; k < 4; ++k) {
        if constexpr (kStream) {
          hn::Stream(v, d, y + i + k * lanes);
        } else {
          hn::Store(v, d, y + i + k * lanes);
        }
      }
    }
    end_pass();
  }
  if constexpr (kStream) hwy::FlushStream();
}

void write(float value, bool stream, float* y, int64_t n, int64_t passes) {
  if (stream) {
    write_with<true>(value, y, n, passes);
  } else {
    write_with<false>(value, y, n, passes);
  }
}

template <bool kStream>
HWY_INLINE void copy_with(const float* x, float* y, int64_t n, int64_t passes) {
  const hn::ScalableTag<float> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t pass = 0; pass < passes; ++pass) {
    for (int64_t i = 0; i < n; i += 4 * lanes) {
      for (int64_t k = 0; k < 4; ++k) {
        const auto v = hn::Load(d, x + i + k * lanes);
        if constexpr (kStream) {
          hn::Stream(v, d, y + i + k * lanes);
        } else {
          hn::Store(v, d, y + i + k * lanes);
        }
      }
    }
    end_pass();
  }
  if constexpr (kStream) hwy::FlushStream();
}

void copy(const float* x, bool stream, float* y, int64_t n, int64_t passes) {
  if (stream) {
    copy_with<true>(x, y, n, passes);
  } else {
    copy_with<false>(x, y, n, passes);
  }
}

template <class T, class V>
HWY_INLINE V multiply_add(V a, V m, V c) {
  if constexpr (hwy::IsFloat<T>()) {
    return hn::MulAdd(a, m, c);
  } else {
    return hn::Add(hn::Mul(a, m), c);
  }
}

// Ten chains: enough for two units with a latency of five, and few enough for sixteen registers.
template <class T>
double compute(int64_t passes, T* out) {
  constexpr int kRounds = 64;
  const hn::ScalableTag<T> d;
  // A factor near -1 keeps values moving without growing; integers wrap around.
  const auto m = hn::Set(d, hwy::IsFloat<T>() ? static_cast<T>(-0.9995) : static_cast<T>(5));
  const auto c = hn::Set(d, hwy::IsFloat<T>() ? static_cast<T>(0.5) : static_cast<T>(3));
  auto a0 = hn::Set(d, out[0]), a1 = hn::Add(a0, c), a2 = hn::Add(a1, c), a3 = hn::Add(a2, c),
       a4 = hn::Add(a3, c), a5 = hn::Add(a4, c), a6 = hn::Add(a5, c), a7 = hn::Add(a6, c),
       a8 = hn::Add(a7, c), a9 = hn::Add(a8, c);
  for (int64_t i = 0; i < passes * kRounds; ++i) {
    a0 = multiply_add<T>(a0, m, c);
    a1 = multiply_add<T>(a1, m, c);
    a2 = multiply_add<T>(a2, m, c);
    a3 = multiply_add<T>(a3, m, c);
    a4 = multiply_add<T>(a4, m, c);
    a5 = multiply_add<T>(a5, m, c);
    a6 = multiply_add<T>(a6, m, c);
    a7 = multiply_add<T>(a7, m, c);
    a8 = multiply_add<T>(a8, m, c);
    a9 = multiply_add<T>(a9, m, c);
  }
  a0 = hn::Add(hn::Add(hn::Add(a0, a1), hn::Add(a2, a3)),
               hn::Add(hn::Add(a4, a5), hn::Add(hn::Add(a6, a7), hn::Add(a8, a9))));
  // Not the sum, which for integers may leave their range.
  out[0] = hn::GetLane(hn::MaxOfLanes(d, a0));
  return 2.0 * 10.0 * kRounds * static_cast<double>(passes) * static_cast<double>(hn::Lanes(d));
}

inline constexpr CeilingKernels kCeilings = {read,           write,           copy,
                                             compute<float>, compute<double>, compute<int32_t>};

inline const CeilingKernels* table() { return &kCeilings; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::ceiling_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu {
namespace ceiling_detail {
HWY_EXPORT(table);
}  // namespace ceiling_detail

const CeilingKernels& ceiling_kernels() {
  using namespace ceiling_detail;
  return *HWY_DYNAMIC_DISPATCH(table)();
}

}  // namespace netcl::cpu
#endif
