#include "backend/cpu/rows/norm_gradient_kernels.hpp"

#include <algorithm>

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/rows/norm_gradient_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/rows/norm_sum-inl.hpp"
#include "backend/cpu/simd_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::norm_detail {
namespace HWY_NAMESPACE {

// Whole vectors of a row, or the last elements in one: zeros beyond the end, where x is `fill`.
template <class D>
struct WholeVectors {
  HWY_INLINE hn::Vec<D> load(D d, const hn::TFromD<D>* p, hn::TFromD<D>) const {
    return hn::LoadU(d, p);
  }
  HWY_INLINE void store(D d, hn::Vec<D> v, hn::TFromD<D>* p) const { hn::StoreU(v, d, p); }
};
template <class D>
struct LastVector {
  int64_t count;
  HWY_INLINE hn::Vec<D> load(D d, const hn::TFromD<D>* p, hn::TFromD<D> fill) const {
    return load_rest(d, p, count, fill);
  }
  HWY_INLINE void store(D d, hn::Vec<D> v, hn::TFromD<D>* p) const { store_rest(d, v, p, count); }
};

// Short chains of additions, two for each sum, then compensated ones: as sum_terms.
template <bool kScale, class T>
HWY_INLINE NormSums<T> sums_with(const T* x, T mean, const T* grad, const T* scale, int64_t n) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto m = hn::Set(d, mean);
  Compensated<D> squares(d), sum(d), along(d);
  int64_t i = 0;
  while (i < n) {
    const int64_t end = std::min(n, i + 32 * lanes);
    auto q0 = hn::Zero(d), q1 = q0, s0 = q0, s1 = q0, a0 = q0, a1 = q0;
    const auto add = [&](auto part, int64_t at, auto& q, auto& s, auto& a) HWY_ATTR {
      // Beyond the end the distance is 0, unless the mean is no number, and then all is lost.
      const auto distance = hn::Sub(part.load(d, x + at, mean), m);
      auto scaled = part.load(d, grad + at, T(0));
      if constexpr (kScale) scaled = hn::Mul(scaled, part.load(d, scale + at, T(0)));
      q = hn::MulAdd(distance, distance, q);
      s = hn::Add(s, scaled);
      a = hn::MulAdd(scaled, distance, a);
    };
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
      add(WholeVectors<D>{}, i, q0, s0, a0);
      add(WholeVectors<D>{}, i + lanes, q1, s1, a1);
    }
    for (; i + lanes <= end; i += lanes) add(WholeVectors<D>{}, i, q0, s0, a0);
    if (i < end) {
      add(LastVector<D>{end - i}, i, q1, s1, a1);
      i = end;
    }
    squares.add(hn::Add(q0, q1));
    sum.add(hn::Add(s0, s1));
    along.add(hn::Add(a0, a1));
  }
  return {add_lanes(d, squares.sum), add_lanes(d, sum.sum), add_lanes(d, along.sum)};
}

template <class T>
NormSums<T> gradient_sums(const T* x, T mean, const T* grad, const T* scale, int64_t n) {
  if (scale != nullptr) return sums_with<true>(x, mean, grad, scale, n);
  return sums_with<false>(x, mean, grad, scale, n);
}

template <bool kScale, class T>
HWY_INLINE void write_with(const T* x, T mean, T factor, const T* grad, const T* scale, T shift,
                           T along, T* result, T* product, int64_t n) {
  const hn::ScalableTag<T> d;
  using D = hn::ScalableTag<T>;
  const auto m = hn::Set(d, mean);
  const auto f = hn::Set(d, factor);
  const auto less = hn::Set(d, shift);
  const auto share = hn::Set(d, along);
  const auto write = [&](auto part, int64_t i) HWY_ATTR {
    const auto normal = hn::Mul(hn::Sub(part.load(d, x + i, mean), m), f);
    const auto g = part.load(d, grad + i, T(0));
    auto scaled = g;
    if constexpr (kScale) scaled = hn::Mul(g, part.load(d, scale + i, T(0)));
    if (result != nullptr) {
      const auto rest = hn::NegMulAdd(normal, share, hn::Sub(scaled, less));
      part.store(d, hn::Mul(f, rest), result + i);
    }
    if (product != nullptr) part.store(d, hn::Mul(g, normal), product + i);
  };
  each_vector(
      d, n, [&](int64_t i) HWY_ATTR { write(WholeVectors<D>{}, i); },
      [&](int64_t i, int64_t count) HWY_ATTR { write(LastVector<D>{count}, i); });
}

template <class T>
void gradient_write(const T* x, T mean, T factor, const T* grad, const T* scale, T shift, T along,
                    T* result, T* product, int64_t n) {
  if (scale != nullptr) {
    write_with<true>(x, mean, factor, grad, scale, shift, along, result, product, n);
  } else {
    write_with<false>(x, mean, factor, grad, scale, shift, along, result, product, n);
  }
}

template <class T>
inline constexpr NormGradientKernels<T> kNormGradient = {gradient_sums<T>, gradient_write<T>};

inline const NormGradientKernels<float>* norm_gradient_f32() { return &kNormGradient<float>; }
inline const NormGradientKernels<double>* norm_gradient_f64() { return &kNormGradient<double>; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::norm_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
NETCL_SIMD_TABLES(norm_detail, norm_gradient, NormGradientKernels, norm_gradient_kernels)
#endif
