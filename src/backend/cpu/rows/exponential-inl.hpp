// Exponentials of numbers that are not positive. Included once per instruction set.
#if defined(NETCL_EXPONENTIAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_EXPONENTIAL_INL
#undef NETCL_EXPONENTIAL_INL
#else
#define NETCL_EXPONENTIAL_INL
#endif

#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::norm_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The larger of the two; NaN in the second argument stays.
template <class D, class V>
HWY_INLINE V at_least(D d, hn::TFromD<D> low, V t) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  return hn::Max(hn::Set(d, low), t);  // x86 returns the second argument of a NaN
#else
  return hn::IfThenElse(hn::Lt(t, hn::Set(d, low)), hn::Set(d, low), t);
#endif
}

// exp(t) * 2^Power for t <= 0, in f64 without the power. NaN stays NaN. From -120, without a power
// from -87, downwards it stays the same.
template <int Power, class D, class V>
HWY_INLINE V scaled_exp(D d, V t, float) {
  static_assert(Power == 0 || Power == 64);
  const hn::RebindToSigned<D> di;
  const V x = at_least(d, Power == 64 ? -120.0f : -87.0f, t);
  // The last bits of this sum are the integer nearest to x / ln 2.
  const V magic = hn::Set(d, 12582912.0f);
  const V shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  const V n = hn::Sub(shifted, magic);
  // One constant will do: as a float ln 2 is good to 31 bits.
  const V r = hn::NegMulAdd(n, hn::Set(d, 0.69314718f), x);
  V p = hn::MulAdd(r, hn::Set(d, 0.00138145173f), hn::Set(d, 0.00836875569f));
  p = hn::MulAdd(r, p, hn::Set(d, 0.0416683927f));
  p = hn::MulAdd(r, p, hn::Set(d, 0.166665196f));
  p = hn::MulAdd(r, p, hn::Set(d, 0.49999994f));
  p = hn::MulAdd(hn::Mul(r, r), p, r);
  const auto bias = hn::Set(di, (Power + 127) << 23);
  const V power = hn::BitCast(d, hn::Add(hn::ShiftLeft<23>(hn::BitCast(di, shifted)), bias));
  return hn::MulAdd(power, p, power);
}
template <int Power, class D, class V>
HWY_INLINE V scaled_exp(D d, V t, double) {
  const V y = hn::Exp(d, at_least(d, -800.0, t));
  return hn::IfThenElse(hn::IsNaN(t), t, y);
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::norm_detail
HWY_AFTER_NAMESPACE();

#endif
