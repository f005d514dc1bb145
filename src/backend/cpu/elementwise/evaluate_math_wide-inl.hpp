// Transcendental functions of f32 that are computed in f64 lanes. Included once per instruction
// set.
#include <cmath>
#include <cstdint>
#include <limits>

#include "hwy/contrib/math/math-inl.h"

#if defined(NETCL_EVALUATE_MATH_WIDE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_EVALUATE_MATH_WIDE_INL
#undef NETCL_EVALUATE_MATH_WIDE_INL
#else
#define NETCL_EVALUATE_MATH_WIDE_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Highway's functions state no result for NaN, infinities and arguments out of their range; the
// wrappers give those what IEEE and C say.
template <class D, class V>
HWY_INLINE V keep_nan(D, V x, V y) {
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}

template <class D, class V>
HWY_INLINE V wide_exp(D d, V x) {
  const V low = hn::Set(d, -700.0);
  return hn::Exp(d, hn::Max(hn::Min(x, hn::Set(d, 700.0)), low));
}

// erfc of x >= 0 with a relative error below 1.2e-7: a Chebyshev fit of the exponent (Press et al.,
// Numerical Recipes, section 6.2).
template <class D, class V>
HWY_INLINE V erfc_positive(D d, V x) {
  const V one = hn::Set(d, 1.0);
  const V t = hn::Div(one, hn::MulAdd(hn::Set(d, 0.5), x, one));
  V p = hn::Set(d, 0.17087277);
  p = hn::MulAdd(p, t, hn::Set(d, -0.82215223));
  p = hn::MulAdd(p, t, hn::Set(d, 1.48851587));
  p = hn::MulAdd(p, t, hn::Set(d, -1.13520398));
  p = hn::MulAdd(p, t, hn::Set(d, 0.27886807));
  p = hn::MulAdd(p, t, hn::Set(d, -0.18628806));
  p = hn::MulAdd(p, t, hn::Set(d, 0.09678418));
  p = hn::MulAdd(p, t, hn::Set(d, 0.37409196));
  p = hn::MulAdd(p, t, hn::Set(d, 1.00002368));
  p = hn::MulAdd(p, t, hn::Set(d, -1.26551223));
  return hn::Mul(t, wide_exp(d, hn::NegMulAdd(x, x, p)));
}

// The power series of erf, for |x| up to 1/2.
template <class D, class V>
HWY_INLINE V erf_small(D d, V x) {
  const V s = hn::Mul(x, x);
  V p = hn::Set(d, 1.0 / (40320.0 * 17.0));
  p = hn::NegMulAdd(p, s, hn::Set(d, 1.0 / (5040.0 * 15.0)));
  p = hn::NegMulAdd(p, s, hn::Set(d, 1.0 / (720.0 * 13.0)));
  p = hn::NegMulAdd(p, s, hn::Set(d, 1.0 / (120.0 * 11.0)));
  p = hn::NegMulAdd(p, s, hn::Set(d, 1.0 / (24.0 * 9.0)));
  p = hn::NegMulAdd(p, s, hn::Set(d, 1.0 / (6.0 * 7.0)));
  p = hn::NegMulAdd(p, s, hn::Set(d, 1.0 / (2.0 * 5.0)));
  p = hn::NegMulAdd(p, s, hn::Set(d, 1.0 / 3.0));
  p = hn::NegMulAdd(p, s, hn::Set(d, 1.0));
  return hn::Mul(hn::Mul(x, hn::Set(d, 1.1283791670955126)), p);
}

struct Erf {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V size = hn::Abs(x);
    // Erf is 1 to the last bit of f32 from 4 on.
    const V tail = hn::Sub(hn::Set(d, 1.0), erfc_positive(d, hn::Min(size, hn::Set(d, 10.0))));
    const V y = hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.5)), erf_small(d, size), tail);
    return keep_nan(d, x, hn::CopySignToAbs(y, x));
  }
};
struct Erfc {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V size = hn::Abs(x);
    // It is 0 in f32 from 11 on; exactly so, because gelu multiplies it by x.
    const V y = hn::IfThenElse(hn::Ge(size, hn::Set(d, 20.0)), hn::Zero(d),
                               erfc_positive(d, hn::Min(size, hn::Set(d, 20.0))));
    const V tail = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(hn::Set(d, 2.0), y), y);
    const V near = hn::Sub(hn::Set(d, 1.0), erf_small(d, x));
    return keep_nan(d, x, hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.5)), near, tail));
  }
};

// Their results are f32, so an error of some 1e-16 at the size of the argument disappears in the
// rounding wherever the argument is not tiny; there they are the argument itself.
template <class D, class V>
HWY_INLINE V wide_log(D d, V x) {
  const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  const V y = hn::IfThenElse(hn::Eq(x, infinity), infinity, hn::Log(d, x));
  return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity), y);
}

struct Asinh {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V size = hn::Abs(x);
    const V one = hn::Set(d, 1.0);
    const V y = wide_log(d, hn::Add(size, hn::Sqrt(hn::MulAdd(size, size, one))));
    // x - x^3 / 6 + 3 x^5 / 40 for small x, where the logarithm would cancel.
    const V s = hn::Mul(size, size);
    const V series = hn::MulAdd(hn::MulAdd(hn::Set(d, 0.075), s, hn::Set(d, -1.0 / 6)), s, one);
    const V z = hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.01)), hn::Mul(size, series), y);
    return keep_nan(d, x, hn::CopySignToAbs(z, x));
  }
};
struct Acosh {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V one = hn::Set(d, 1.0);
    // By the distance from 1, which is exact, and log1p's trick for what it is small against.
    const V t = hn::Sub(x, one);
    const V more = hn::Add(t, hn::Sqrt(hn::Mul(t, hn::Add(x, one))));
    const V sum = hn::Add(one, more);
    const V lost = hn::Sub(more, hn::Sub(sum, one));
    const V y = hn::Add(wide_log(d, sum), hn::Div(lost, sum));
    const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    const V z = hn::IfThenElse(hn::Eq(x, infinity), infinity, y);
    const V nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    return keep_nan(d, x, hn::IfThenElse(hn::Lt(x, one), nan, z));
  }
};
struct Atanh {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V size = hn::Abs(x);
    const V one = hn::Set(d, 1.0);
    const V y = hn::Mul(hn::Set(d, 0.5), wide_log(d, hn::Div(hn::Add(one, size),
                                                             hn::Sub(one, size))));
    const V s = hn::Mul(size, size);
    const V series = hn::MulAdd(hn::MulAdd(hn::Set(d, 0.2), s, hn::Set(d, 1.0 / 3)), s, one);
    const V z = hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.01)), hn::Mul(size, series), y);
    const V nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    const V inside = hn::IfThenElse(hn::Gt(size, one), nan, z);
    return keep_nan(d, x, hn::CopySignToAbs(inside, x));
  }
};

struct Pow {
  template <class D, class V>
  static HWY_INLINE auto valid(D d, V x, V y) {
    const V infinity = hn::Set(d, std::numeric_limits<float>::infinity());
    const auto base = hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, infinity));
    return hn::And(base, hn::Lt(hn::Abs(y), infinity));
  }
  template <class D, class V>
  static HWY_INLINE V call(D d, V x, V y) { return wide_exp(d, hn::Mul(y, hn::Log(d, x))); }
};

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#endif
