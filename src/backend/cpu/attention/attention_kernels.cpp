#include "backend/cpu/attention/attention_kernels.hpp"

#include <limits>

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/attention/attention_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

#include "hwy/contrib/math/math-inl.h"

#include "backend/cpu/rows/exponential-inl.hpp"
#include "backend/cpu/simd_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::attention_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
inline constexpr T kNone = -std::numeric_limits<T>::infinity();

// exp(t) for t <= 0, exactly 0 where it is below what normal numbers hold, -inf included.
template <class D, class V>
HWY_INLINE V weight(D d, V t) {
  using T = hn::TFromD<D>;
  const V low = hn::Set(d, sizeof(T) == 4 ? T(-87) : T(-708));
  const V value = norm_detail::HWY_NAMESPACE::scaled_exp<0>(d, t, T());
  return hn::IfThenZeroElse(hn::Lt(t, low), value);
}

// What scores are compared with: no number less -inf is -inf less -inf.
template <class D, class V>
HWY_INLINE V reference(D d, V most) {
  return hn::IfThenZeroElse(hn::Eq(most, hn::Set(d, kNone<hn::TFromD<D>>)), most);
}

template <class T>
void cap(T* scores, int64_t step, int64_t keys, int64_t width, T cap) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto factor = hn::Set(d, cap);
  for (int64_t key = 0; key < keys; ++key) {
    T* const row = scores + key * step;
    for (int64_t i = 0; i < width; i += lanes) {
      const auto x = hn::LoadU(d, row + i);
      const auto y = hn::Mul(factor, hn::Tanh(d, x));
      hn::StoreU(hn::IfThenElse(hn::IsNaN(x), x, y), d, row + i);
    }
  }
}

template <class T>
void add(const T* bias, int64_t count, T* scores) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::Add(hn::LoadU(d, scores + i), hn::LoadU(d, bias + i)), d, scores + i);
  }
  for (; i < count; ++i) scores[i] += bias[i];
}

// V vectors of queries at once, which is a line of the cache.
template <int V, class T>
HWY_INLINE bool weigh_columns(T* scores, int64_t step, int64_t keys,
                              const SoftmaxState<T>& state, int64_t at) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t next = V > 1 ? lanes : 0;
  const auto old0 = hn::LoadU(d, state.most + at);
  const auto old1 = hn::LoadU(d, state.most + at + next);
  auto most0 = old0, most1 = old1;
  const T* line = scores + at;
  for (int64_t key = 0; key < keys; ++key, line += step) {
    most0 = hn::Max(hn::LoadU(d, line), most0);
    if constexpr (V > 1) most1 = hn::Max(hn::LoadU(d, line + next), most1);
  }
  const auto from0 = reference(d, most0), from1 = reference(d, most1);
  auto sum0 = hn::Zero(d), sum1 = hn::Zero(d);
  T* place = scores + at;
  for (int64_t key = 0; key < keys; ++key, place += step) {
    const auto w0 = weight(d, hn::Sub(hn::LoadU(d, place), from0));
    hn::StoreU(w0, d, place);
    sum0 = hn::Add(sum0, w0);
    if constexpr (V > 1) {
      const auto w1 = weight(d, hn::Sub(hn::LoadU(d, place + next), from1));
      hn::StoreU(w1, d, place + next);
      sum1 = hn::Add(sum1, w1);
    }
  }
  const auto finish = [&](auto old, auto most, auto from, auto sum, int64_t i) HWY_ATTR {
    const auto factor = weight(d, hn::Sub(old, from));
    hn::StoreU(factor, d, state.factor + i);
    hn::StoreU(most, d, state.most + i);
    hn::StoreU(hn::MulAdd(hn::LoadU(d, state.sum + i), factor, sum), d, state.sum + i);
    return hn::AllTrue(d, hn::Eq(factor, hn::Set(d, T(1))));
  };
  bool same = finish(old0, most0, from0, sum0, at);
  if constexpr (V > 1) same = finish(old1, most1, from1, sum1, at + next) && same;
  return !same;
}

template <class T>
bool weigh(T* scores, int64_t step, int64_t keys, int64_t width, const SoftmaxState<T>& state) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  bool changed = false;
  int64_t i = 0;
  for (; i + 2 * lanes <= width; i += 2 * lanes) {
    changed = weigh_columns<2>(scores, step, keys, state, i) || changed;
  }
  for (; i < width; i += lanes) {
    changed = weigh_columns<1>(scores, step, keys, state, i) || changed;
  }
  return changed;
}

template <class T>
void rescale(T* sums, int64_t step, int64_t rows, int64_t width, const T* factor) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t row = 0; row < rows; ++row) {
    T* const line = sums + row * step;
    for (int64_t i = 0; i < width; i += lanes) {
      hn::StoreU(hn::Mul(hn::LoadU(d, line + i), hn::LoadU(d, factor + i)), d, line + i);
    }
  }
}

template <class T>
T weigh_row(T* scores, int64_t count, T* most, T* sum) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto old = hn::Set(d, *most);
  auto all = old;
  for (int64_t i = 0; i < count; i += lanes) all = hn::Max(hn::LoadU(d, scores + i), all);
  HWY_ALIGN T lane[hn::MaxLanes(hn::ScalableTag<T>())];
  hn::Store(all, d, lane);
  T highest = lane[0];
  for (int64_t i = 1; i < lanes; ++i) highest = lane[i] > highest ? lane[i] : highest;
  const auto from = reference(d, hn::Set(d, highest));
  auto total = hn::Zero(d);
  for (int64_t i = 0; i < count; i += lanes) {
    const auto w = weight(d, hn::Sub(hn::LoadU(d, scores + i), from));
    hn::StoreU(w, d, scores + i);
    total = hn::Add(total, w);
  }
  const T factor = hn::GetLane(weight(d, hn::Sub(old, from)));
  *most = highest;
  *sum = *sum * factor + hn::GetLane(hn::SumOfLanes(d, total));
  return factor;
}

template <class T>
bool finite(const T* numbers, int64_t count) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  // What is not finite makes a NaN of the sum.
  auto sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    sum = hn::MulAdd(hn::LoadU(d, numbers + i), hn::Zero(d), sum);
  }
  T rest = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < count; ++i) rest += numbers[i] * T(0);
  return rest == T(0);
}

template <class T>
inline constexpr AttentionKernels<T> kAttention = {hn::MaxLanes(hn::ScalableTag<T>()),
                                                   cap<T>,
                                                   add<T>,
                                                   weigh<T>,
                                                   rescale<T>,
                                                   weigh_row<T>,
                                                   finite<T>};

inline const AttentionKernels<float>* attention_f32() { return &kAttention<float>; }
inline const AttentionKernels<double>* attention_f64() { return &kAttention<double>; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::attention_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
NETCL_SIMD_TABLES(attention_detail, attention, AttentionKernels, attention_kernels)
#endif
