#include "backend/cpu/conv2d/pool_kernels.hpp"

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/conv2d/pool_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/simd_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::pool_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct TakeMax {
  template <class D, class V>
  static HWY_INLINE V call(D, V acc, V x) {
    // False for a NaN in acc, which stays, so only that of x is asked for.
    return hn::IfThenElse(hn::Or(hn::Gt(x, acc), hn::IsNaN(x)), x, acc);
  }
  template <class T>
  static HWY_INLINE T call(T acc, T x) {
    return ((x > acc) | (x != x)) != 0 ? x : acc;
  }
};
struct Add {
  template <class D, class V>
  static HWY_INLINE V call(D, V acc, V x) {
    return hn::Add(acc, x);
  }
  template <class T>
  static HWY_INLINE T call(T acc, T x) {
    return acc + x;
  }
};

template <class F, class T>
void take(const T* x, int64_t step, T* acc, int64_t n) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  if (step == 1) {
    for (; i + lanes <= n; i += lanes) {
      hn::StoreU(F::call(d, hn::LoadU(d, acc + i), hn::LoadU(d, x + i)), d, acc + i);
    }
  } else if (step == 2) {
    for (; i + lanes <= n; i += lanes) {
      hn::Vec<decltype(d)> even, odd;
      hn::LoadInterleaved2(d, x + 2 * i, even, odd);
      hn::StoreU(F::call(d, hn::LoadU(d, acc + i), even), d, acc + i);
    }
  }
  for (; i < n; ++i) acc[i] = F::call(acc[i], x[i * step]);
}

template <class T>
inline constexpr PoolKernels<T> kPool = {take<TakeMax, T>, take<Add, T>};

inline const PoolKernels<float>* pool_f32() { return &kPool<float>; }
inline const PoolKernels<double>* pool_f64() { return &kPool<double>; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::pool_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
NETCL_SIMD_TABLES(pool_detail, pool, PoolKernels, pool_kernels)
#endif
