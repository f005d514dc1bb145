// Loads and stores of the floating dtypes as vectors of the type that sums are kept in. Included
// once for each instruction set.
#if defined(NETCL_GEMM_VECTOR_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_GEMM_VECTOR_INL_HPP
#undef NETCL_GEMM_VECTOR_INL_HPP
#else
#define NETCL_GEMM_VECTOR_INL_HPP
#endif

#include "core/dtype.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::gemm_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The conversions in Highway use instructions on these targets; elsewhere netcl's own are used,
// so that every target gives the same bits.
#undef NETCL_NATIVE_F16
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define NETCL_NATIVE_F16 1
#else
#define NETCL_NATIVE_F16 0
#endif

// The 16-bit formats in memory, as types of their own so that overloads tell them apart.
struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};

template <class T>
HWY_INLINE T load_one(const T* p) {
  return *p;
}
HWY_INLINE float load_one(const Half* p) { return f32_from_f16(p->bits); }
HWY_INLINE float load_one(const Brain* p) { return f32_from_bf16(p->bits); }

template <class D, class T>
HWY_INLINE auto load_vector(D d, const T* p) -> decltype(hn::LoadU(d, p)) {
  return hn::LoadU(d, p);
}

template <class D>
HWY_INLINE hn::Vec<D> load_vector(D d, const Half* p) {
#if NETCL_NATIVE_F16
  const hn::Rebind<hwy::float16_t, D> d_half;
  return hn::PromoteTo(d, hn::LoadU(d_half, reinterpret_cast<const hwy::float16_t*>(p)));
#else
  HWY_ALIGN float wide[HWY_MAX_BYTES / sizeof(float)];
  for (size_t i = 0; i < hn::Lanes(d); ++i) wide[i] = f32_from_f16(p[i].bits);
  return hn::Load(d, wide);
#endif
}

template <class D>
HWY_INLINE hn::Vec<D> load_vector(D d, const Brain* p) {
  const hn::Rebind<uint16_t, D> d_half;
  const hn::Rebind<uint32_t, D> d_word;
  const auto bits = hn::LoadU(d_half, reinterpret_cast<const uint16_t*>(p));
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d_word, bits)));
}

// f64 sums with 16-bit or f32 operands do not come up often enough to be vectorised.
template <class D, class S, hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr>
HWY_INLINE hn::Vec<D> load_widened(D d, const S* p) {
  HWY_ALIGN double wide[HWY_MAX_BYTES / sizeof(double)];
  for (size_t i = 0; i < hn::Lanes(d); ++i) wide[i] = load_one(p + i);
  return hn::Load(d, wide);
}

template <class D, class S>
HWY_INLINE hn::Vec<D> load_as(D d, const S* p) {
  if constexpr (std::is_same_v<hn::TFromD<D>, S> || sizeof(hn::TFromD<D>) == 4) {
    return load_vector(d, p);
  } else {
    return load_widened(d, p);
  }
}

HWY_INLINE void store_one(float value, float* p) { *p = value; }
HWY_INLINE void store_one(double value, double* p) { *p = value; }
HWY_INLINE void store_one(float value, Half* p) { p->bits = f16_from_f32(value); }
HWY_INLINE void store_one(float value, Brain* p) { p->bits = bf16_from_f32(value); }
HWY_INLINE void store_one(double value, float* p) { *p = static_cast<float>(value); }
HWY_INLINE void store_one(double value, Half* p) { p->bits = f16_from_f64(value); }
HWY_INLINE void store_one(double value, Brain* p) { p->bits = bf16_from_f64(value); }

// Whether store_vector exists for sums of T and results of S.
template <class T, class S>
inline constexpr bool kStoresVectors = std::is_same_v<T, S> ||
                                       (std::is_same_v<T, float> &&
                                        (std::is_same_v<S, Brain> ||
                                         (NETCL_NATIVE_F16 && std::is_same_v<S, Half>)));

template <class D, class V, class T>
HWY_INLINE void store_vector(D d, V value, T* p) {
  hn::StoreU(value, d, p);
}

#if NETCL_NATIVE_F16
template <class D, class V>
HWY_INLINE void store_vector(D, V value, Half* p) {
  const hn::Rebind<hwy::float16_t, D> d_half;
  hn::StoreU(hn::DemoteTo(d_half, value), d_half, reinterpret_cast<hwy::float16_t*>(p));
}
#endif

template <class D, class V>
HWY_INLINE void store_vector(D d, V value, Brain* p) {
  const hn::Rebind<uint32_t, D> d_word;
  const hn::Rebind<int32_t, D> d_signed;
  const hn::Rebind<uint16_t, D> d_half;
  const auto bits = hn::BitCast(d_word, value);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d_word, 1u));
  const auto rounded = hn::ShiftRight<16>(hn::Add(hn::Add(bits, hn::Set(d_word, 0x7fffu)), odd));
  const auto quiet = hn::Or(hn::ShiftRight<16>(bits), hn::Set(d_word, 0x40u));
  // NaN compares unequal to itself; rounding its bits could carry into infinity.
  const auto number = hn::RebindMask(d_word, hn::Eq(value, value));
  const auto result = hn::IfThenElse(number, rounded, quiet);
  static_cast<void>(d);
  hn::StoreU(hn::DemoteTo(d_half, hn::BitCast(d_signed, result)), d_half,
             reinterpret_cast<uint16_t*>(p));
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::gemm_detail
HWY_AFTER_NAMESPACE();

#endif
