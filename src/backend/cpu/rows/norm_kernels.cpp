#include "backend/cpu/rows/norm_kernels.hpp"

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/rows/norm_kernels.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "backend/cpu/rows/norm_sum-inl.hpp"
#include "backend/cpu/simd_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::norm_detail {
namespace HWY_NAMESPACE {

template <class T>
T sum_of(const T* x, int64_t n) {
  const hn::ScalableTag<T> d;
  return sum_terms(
      d, n, [&](int64_t i) HWY_ATTR { return hn::LoadU(d, x + i); },
      [&](int64_t i, int64_t count) HWY_ATTR { return load_rest(d, x + i, count, T(0)); });
}

// Rows mostly follow each other. While one is squared and written, which takes it from the first
// cache, the memory would be idle, so the next one is fetched.
template <class T>
T squares_of(const T* x, T mean, int64_t n) {
  const hn::ScalableTag<T> d;
  const auto m = hn::Set(d, mean);
  return sum_terms(
      d, n,
      [&](int64_t i) HWY_ATTR {
        __builtin_prefetch(x + n + i / 2);
        const auto v = hn::Sub(hn::LoadU(d, x + i), m);
        return hn::Mul(v, v);
      },
      [&](int64_t i, int64_t count) HWY_ATTR {
        const auto v = hn::Sub(load_rest(d, x + i, count, mean), m);
        // Beyond the end the distance is 0, unless the mean is no number, and then all is lost.
        return hn::Mul(v, v);
      });
}

template <bool kScale, bool kBias, class T>
HWY_INLINE void normalize_with(const T* x, T mean, T factor, const T* scale, const T* bias,
                               bool stream, T* y, int64_t n) {
  const hn::ScalableTag<T> d;
  const auto m = hn::Set(d, mean);
  const auto f = hn::Set(d, factor);
  const auto value = [&](int64_t i) HWY_ATTR {
    __builtin_prefetch(x + n + (n + i) / 2);
    auto v = hn::Mul(hn::Sub(hn::LoadU(d, x + i), m), f);
    if constexpr (kScale) v = hn::Mul(v, hn::LoadU(d, scale + i));
    if constexpr (kBias) v = hn::Add(v, hn::LoadU(d, bias + i));
    return v;
  };
  const auto rest = [&](int64_t i, int64_t count) HWY_ATTR {
    auto v = hn::Mul(hn::Sub(load_rest(d, x + i, count, mean), m), f);
    if constexpr (kScale) v = hn::Mul(v, load_rest(d, scale + i, count, T(0)));
    if constexpr (kBias) v = hn::Add(v, load_rest(d, bias + i, count, T(0)));
    store_rest(d, v, y + i, count);
  };
  if (streams(d, stream, y)) {
    each_vector(
        d, n, [&](int64_t i) HWY_ATTR { hn::Stream(value(i), d, y + i); }, rest);
  } else {
    each_vector(
        d, n, [&](int64_t i) HWY_ATTR { hn::StoreU(value(i), d, y + i); }, rest);
  }
}

template <class T>
void normalize(const T* x, T mean, T factor, const T* scale, const T* bias, bool stream, T* y,
               int64_t n) {
  if (scale != nullptr && bias != nullptr) {
    normalize_with<true, true>(x, mean, factor, scale, bias, stream, y, n);
  } else if (scale != nullptr) {
    normalize_with<true, false>(x, mean, factor, scale, bias, stream, y, n);
  } else if (bias != nullptr) {
    normalize_with<false, true>(x, mean, factor, scale, bias, stream, y, n);
  } else {
    normalize_with<false, false>(x, mean, factor, scale, bias, stream, y, n);
  }
}

inline void fence() { hwy::FlushStream(); }

// NaN stays NaN.
template <bool kRelu, class D, class V>
HWY_INLINE V activated(D d, V v) {
  if constexpr (kRelu) return hn::IfThenElse(hn::Le(v, hn::Zero(d)), hn::Zero(d), v);
  return v;
}

// Coefficients of one value for all, or of one for each element.
template <class D>
struct Same {
  hn::Vec<D> value;
  HWY_INLINE hn::Vec<D> at(D, int64_t) const { return value; }
  HWY_INLINE hn::Vec<D> rest(D, int64_t, int64_t) const { return value; }
};
template <class D>
struct Each {
  const hn::TFromD<D>* values;
  HWY_INLINE hn::Vec<D> at(D d, int64_t i) const { return hn::LoadU(d, values + i); }
  HWY_INLINE hn::Vec<D> rest(D d, int64_t i, int64_t count) const {
    return load_rest(d, values + i, count, 0);
  }
};

template <bool kRelu, class T, class C>
HWY_INLINE void affine_with(const T* x, C a, C b, bool stream, T* y, int64_t n) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto value = [&](int64_t i) HWY_ATTR {
    return activated<kRelu>(d, hn::MulAdd(hn::LoadU(d, x + i), a.at(d, i), b.at(d, i)));
  };
  const auto part = [&](int64_t i, int64_t count) HWY_ATTR {
    const auto v = load_rest(d, x + i, count, T(0));
    store_rest(d, activated<kRelu>(d, hn::MulAdd(v, a.rest(d, i, count), b.rest(d, i, count))),
               y + i, count);
  };
  int64_t i = 0;
  if (stream) {
    // Stores past the caches are aligned ones.
    const size_t bytes = static_cast<size_t>(lanes) * sizeof(T);
    const size_t off = reinterpret_cast<uintptr_t>(y) % bytes / sizeof(T);
    const int64_t head = off == 0 ? 0 : lanes - static_cast<int64_t>(off);
    if (head > 0 && head <= n) part(0, head);
    i = head <= n ? head : 0;
    for (; head <= n && i + lanes <= n; i += lanes) hn::Stream(value(i), d, y + i);
    hwy::FlushStream();
  }
  for (; i + lanes <= n; i += lanes) hn::StoreU(value(i), d, y + i);
  if (i < n) part(i, n - i);
}

template <class T>
void affine(const T* x, T a, T b, bool relu, bool stream, T* y, int64_t n) {
  using D = hn::ScalableTag<T>;
  const Same<D> first{hn::Set(D(), a)};
  const Same<D> second{hn::Set(D(), b)};
  if (relu) {
    affine_with<true>(x, first, second, stream, y, n);
  } else {
    affine_with<false>(x, first, second, stream, y, n);
  }
}

template <class T>
void affine_each(const T* x, const T* a, const T* b, bool relu, bool stream, T* y, int64_t n) {
  using D = hn::ScalableTag<T>;
  if (relu) {
    affine_with<true>(x, Each<D>{a}, Each<D>{b}, stream, y, n);
  } else {
    affine_with<false>(x, Each<D>{a}, Each<D>{b}, stream, y, n);
  }
}

template <class T>
void add_rows(const T* x, int64_t step, int64_t rows, int64_t width, T* sums) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= width; i += lanes) {
    auto sum = hn::LoadU(d, sums + i);
    for (int64_t r = 0; r < rows; ++r) sum = hn::Add(sum, hn::LoadU(d, x + r * step + i));
    hn::StoreU(sum, d, sums + i);
  }
  for (; i < width; ++i) {
    for (int64_t r = 0; r < rows; ++r) sums[i] += x[r * step + i];
  }
}

template <class T>
void add_squares(const T* x, int64_t step, int64_t rows, int64_t width, const T* mean, T* sums) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= width; i += lanes) {
    auto sum = hn::LoadU(d, sums + i);
    const auto m = hn::LoadU(d, mean + i);
    for (int64_t r = 0; r < rows; ++r) {
      const auto v = hn::Sub(hn::LoadU(d, x + r * step + i), m);
      sum = hn::MulAdd(v, v, sum);
    }
    hn::StoreU(sum, d, sums + i);
  }
  for (; i < width; ++i) {
    for (int64_t r = 0; r < rows; ++r) {
      const T v = x[r * step + i] - mean[i];
      sums[i] += v * v;
    }
  }
}

template <class T>
inline constexpr NormKernels<T> kNorm = {sum_of<T>, squares_of<T>,  normalize<T>, fence,
                                         affine<T>, affine_each<T>, add_rows<T>,  add_squares<T>};

inline const NormKernels<float>* norm_f32() { return &kNorm<float>; }
inline const NormKernels<double>* norm_f64() { return &kNorm<double>; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::norm_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
NETCL_SIMD_TABLES(norm_detail, norm, NormKernels, norm_kernels)
#endif
