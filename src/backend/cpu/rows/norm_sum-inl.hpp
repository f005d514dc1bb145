// Sums of vectors whose error does not grow with their length. Included once per instruction set.
#include <cstdint>
#include <cstring>

#if defined(NETCL_NORM_SUM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_NORM_SUM_INL
#undef NETCL_NORM_SUM_INL
#else
#define NETCL_NORM_SUM_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::norm_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Adds what the last addition lost with the next one. What is not finite stays plain.
template <class D>
struct Compensated {
  using V = hn::Vec<D>;
  V sum;
  V lost;
  explicit HWY_INLINE Compensated(D d) : sum(hn::Zero(d)), lost(hn::Zero(d)) {}
  HWY_INLINE void add(V value) {
    const V addend = hn::Sub(value, lost);
    const V next = hn::Add(sum, addend);
    const V rest = hn::Sub(hn::Sub(next, sum), addend);
    lost = hn::IfThenElseZero(hn::IsFinite(next), rest);
    sum = next;
  }
};

template <class D, class V>
HWY_INLINE hn::TFromD<D> add_lanes(D d, V v) {
  return hn::GetLane(hn::SumOfLanes(d, v));
}

// The last elements of a run, in a whole vector; `fill` where there are none.
template <class D>
HWY_INLINE hn::Vec<D> load_rest(D d, const hn::TFromD<D>* p, int64_t count, hn::TFromD<D> fill) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T lane[hn::MaxLanes(D())];
  hn::Store(hn::Set(d, fill), d, lane);
  std::memcpy(lane, p, static_cast<size_t>(count) * sizeof(T));
  return hn::Load(d, lane);
}
template <class D, class V>
HWY_INLINE void store_rest(D d, V v, hn::TFromD<D>* p, int64_t count) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T lane[hn::MaxLanes(D())];
  hn::Store(v, d, lane);
  std::memcpy(p, lane, static_cast<size_t>(count) * sizeof(T));
}

// The sum over i < n of the terms that full(i) and rest(i, count) give as vectors, the second with
// zeros beyond `count`. Short chains of additions, then compensated ones.
template <class D, class Full, class Rest>
HWY_INLINE hn::TFromD<D> sum_terms(D d, int64_t n, Full full, Rest rest) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  Compensated<D> total(d);
  int64_t i = 0;
  while (i < n) {
    const int64_t end = n - i < 32 * lanes ? n : i + 32 * lanes;
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
    for (; i + 4 * lanes <= end; i += 4 * lanes) {
      s0 = hn::Add(s0, full(i));
      s1 = hn::Add(s1, full(i + lanes));
      s2 = hn::Add(s2, full(i + 2 * lanes));
      s3 = hn::Add(s3, full(i + 3 * lanes));
    }
    for (; i + lanes <= end; i += lanes) s0 = hn::Add(s0, full(i));
    if (i < end) {
      s1 = hn::Add(s1, rest(i, end - i));
      i = end;
    }
    total.add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)));
  }
  return add_lanes(d, total.sum);
}

// Whether a run of vectors can be written past the caches.
template <class D>
HWY_INLINE bool streams(D d, bool wanted, const hn::TFromD<D>* y) {
  return wanted && reinterpret_cast<uintptr_t>(y) % (hn::Lanes(d) * sizeof(*y)) == 0;
}

// Calls full(i) for whole vectors and rest(i, count) for the last elements.
template <class D, class Full, class Rest>
HWY_INLINE void each_vector(D d, int64_t n, Full full, Rest rest) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) full(i);
  if (i < n) rest(i, n - i);
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::norm_detail
HWY_AFTER_NAMESPACE();

#endif
