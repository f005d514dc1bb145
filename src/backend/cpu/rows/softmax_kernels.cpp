#include "backend/cpu/rows/softmax_kernels.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/rows/softmax_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "hwy/contrib/math/math-inl.h"

#include "backend/cpu/rows/exponential-inl.hpp"
#include "backend/cpu/rows/norm_sum-inl.hpp"
#include "backend/cpu/simd_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::norm_detail {
namespace HWY_NAMESPACE {

template <class D, class V>
HWY_INLINE V exponential(D d, V t) {
  return scaled_exp<64>(d, t, hn::TFromD<D>());
}
template <class T>
inline constexpr T kUnscale = std::is_same_v<T, float> ? T(0x1p-64) : T(1);

template <class T>
T max_of(const T* HWY_RESTRICT x, int64_t n) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const T low = -std::numeric_limits<T>::infinity();
  auto m0 = hn::Set(d, low), m1 = m0, m2 = m0, m3 = m0;
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    m0 = hn::Max(hn::LoadU(d, x + i), m0);
    m1 = hn::Max(hn::LoadU(d, x + i + lanes), m1);
    m2 = hn::Max(hn::LoadU(d, x + i + 2 * lanes), m2);
    m3 = hn::Max(hn::LoadU(d, x + i + 3 * lanes), m3);
  }
  for (; i + lanes <= n; i += lanes) m0 = hn::Max(hn::LoadU(d, x + i), m0);
  if (i < n) m1 = hn::Max(load_rest(d, x + i, n - i, low), m1);
  m0 = hn::Max(hn::Max(m0, m1), hn::Max(m2, m3));
  HWY_ALIGN T lane[hn::MaxLanes(hn::ScalableTag<T>())];
  hn::Store(m0, d, lane);
  T most = lane[0];
  for (int64_t k = 1; k < lanes; ++k) most = lane[k] > most ? lane[k] : most;
  return most;
}

// Rows mostly follow each other, so the memory fetches the next one meanwhile.
template <class T, bool kStore>
HWY_INLINE T exponentials_of(const T* x, T m, T* e, int64_t n) {
  const hn::ScalableTag<T> d;
  const auto most = hn::Set(d, m);
  return sum_terms(
      d, n,
      [&](int64_t i) HWY_ATTR {
        __builtin_prefetch(x + n + i);
        const auto v = exponential(d, hn::Sub(hn::LoadU(d, x + i), most));
        if constexpr (kStore) hn::StoreU(v, d, e + i);
        return v;
      },
      [&](int64_t i, int64_t count) HWY_ATTR {
        const auto v = exponential(d, hn::Sub(load_rest(d, x + i, count, m), most));
        if constexpr (kStore) store_rest(d, v, e + i, count);
        const auto valid = hn::FirstN(d, static_cast<size_t>(count));
        return hn::IfThenElseZero(valid, v);
      });
}
template <class T>
T exponentials(const T* x, T m, T* e, int64_t n) {
  return exponentials_of<T, true>(x, m, e, n);
}
template <class T>
T exponential_sum(const T* x, T m, int64_t n) {
  return exponentials_of<T, false>(x, m, nullptr, n);
}

template <class T>
void multiply(const T* x, T factor, T* y, int64_t n) {
  const hn::ScalableTag<T> d;
  const auto f = hn::Set(d, factor);
  each_vector(
      d, n, [&](int64_t i) HWY_ATTR { hn::StoreU(hn::Mul(hn::LoadU(d, x + i), f), d, y + i); },
      [&](int64_t i, int64_t count)
          HWY_ATTR { store_rest(d, hn::Mul(load_rest(d, x + i, count, T(0)), f), y + i, count); });
}

template <class T>
void shift(const T* x, T m, T ending, T* y, int64_t n) {
  const hn::ScalableTag<T> d;
  const auto most = hn::Set(d, m);
  const auto last = hn::Set(d, ending);
  each_vector(
      d, n,
      [&](int64_t i)
          HWY_ATTR { hn::StoreU(hn::Sub(hn::Sub(hn::LoadU(d, x + i), most), last), d, y + i); },
      [&](int64_t i, int64_t count) HWY_ATTR {
        const auto v = load_rest(d, x + i, count, T(0));
        store_rest(d, hn::Sub(hn::Sub(v, most), last), y + i, count);
      });
}

template <class T>
T logarithm(T sum) {
  return std::log(sum * kUnscale<T>);
}

template <class T>
void columns(const T* x, int64_t x_step, T* y, int64_t y_step, int64_t n, bool log) {
  const hn::ScalableTag<T> d;
  auto most = hn::LoadU(d, x);
  for (int64_t i = 1; i < n; ++i) most = hn::Max(hn::LoadU(d, x + i * x_step), most);
  Compensated<decltype(d)> sum(d);
  for (int64_t i = 0; i < n; ++i) {
    const auto e = exponential(d, hn::Sub(hn::LoadU(d, x + i * x_step), most));
    if (!log) hn::StoreU(e, d, y + i * y_step);
    sum.add(e);
  }
  if (!log) {
    const auto factor = hn::Div(hn::Set(d, T(1)), sum.sum);
    for (int64_t i = 0; i < n; ++i) {
      hn::StoreU(hn::Mul(hn::LoadU(d, y + i * y_step), factor), d, y + i * y_step);
    }
    return;
  }
  HWY_ALIGN T lane[hn::MaxLanes(hn::ScalableTag<T>())];
  hn::Store(sum.sum, d, lane);
  for (size_t k = 0; k < hn::Lanes(d); ++k) lane[k] = logarithm(lane[k]);
  const auto ending = hn::Load(d, lane);
  for (int64_t i = 0; i < n; ++i) {
    const auto t = hn::Sub(hn::LoadU(d, x + i * x_step), most);
    hn::StoreU(hn::Sub(t, ending), d, y + i * y_step);
  }
}

template <bool kLog, class D, class V>
HWY_INLINE V gradient_of(D d, V y, V grad, V sum) {
  using T = hn::TFromD<D>;
  if constexpr (!kLog) return hn::Mul(y, hn::Sub(grad, sum));
  const auto e = hn::Mul(exponential(d, y), hn::Set(d, kUnscale<T>));
  return hn::NegMulAdd(e, sum, grad);
}

template <bool kLog, class T>
HWY_INLINE void gradient_with(const T* y, const T* grad, T* result, int64_t n) {
  const hn::ScalableTag<T> d;
  const T total = sum_terms(
      d, n,
      [&](int64_t i) HWY_ATTR {
        const auto g = hn::LoadU(d, grad + i);
        if constexpr (kLog) return g;
        return hn::Mul(g, hn::LoadU(d, y + i));
      },
      [&](int64_t i, int64_t count) HWY_ATTR {
        const auto g = load_rest(d, grad + i, count, T(0));
        if constexpr (kLog) return g;
        return hn::Mul(g, load_rest(d, y + i, count, T(0)));
      });
  const auto sum = hn::Set(d, total);
  each_vector(
      d, n,
      [&](int64_t i) HWY_ATTR {
        const auto v =
            gradient_of<kLog>(d, hn::LoadU(d, y + i), hn::LoadU(d, grad + i), sum);
        hn::StoreU(v, d, result + i);
      },
      [&](int64_t i, int64_t count) HWY_ATTR {
        const auto v = gradient_of<kLog>(d, load_rest(d, y + i, count, T(0)),
                                         load_rest(d, grad + i, count, T(0)), sum);
        store_rest(d, v, result + i, count);
      });
}
template <class T>
void gradient(const T* y, const T* grad, bool log, T* result, int64_t n) {
  if (log) {
    gradient_with<true>(y, grad, result, n);
  } else {
    gradient_with<false>(y, grad, result, n);
  }
}

template <bool kLog, class T>
HWY_INLINE void gradient_columns_with(const T* y, int64_t y_step, const T* grad, int64_t grad_step,
                                      T* result, int64_t result_step, int64_t n) {
  const hn::ScalableTag<T> d;
  Compensated<decltype(d)> sum(d);
  for (int64_t i = 0; i < n; ++i) {
    auto term = hn::LoadU(d, grad + i * grad_step);
    if constexpr (!kLog) term = hn::Mul(term, hn::LoadU(d, y + i * y_step));
    sum.add(term);
  }
  for (int64_t i = 0; i < n; ++i) {
    const auto v = gradient_of<kLog>(d, hn::LoadU(d, y + i * y_step),
                                     hn::LoadU(d, grad + i * grad_step), sum.sum);
    hn::StoreU(v, d, result + i * result_step);
  }
}
template <class T>
void gradient_columns(const T* y, int64_t y_step, const T* grad, int64_t grad_step, bool log,
                      T* result, int64_t result_step, int64_t n) {
  if (log) {
    gradient_columns_with<true>(y, y_step, grad, grad_step, result, result_step, n);
  } else {
    gradient_columns_with<false>(y, y_step, grad, grad_step, result, result_step, n);
  }
}

template <class T>
inline constexpr SoftmaxKernels<T> kSoftmax = {max_of<T>,
                                               exponentials<T>,
                                               exponential_sum<T>,
                                               multiply<T>,
                                               shift<T>,
                                               logarithm<T>,
                                               columns<T>,
                                               hn::MaxLanes(hn::ScalableTag<T>()),
                                               gradient<T>,
                                               gradient_columns<T>};

inline const SoftmaxKernels<float>* softmax_f32() { return &kSoftmax<float>; }
inline const SoftmaxKernels<double>* softmax_f64() { return &kSoftmax<double>; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::norm_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
NETCL_SIMD_TABLES(norm_detail, softmax, SoftmaxKernels, softmax_kernels)
#endif
