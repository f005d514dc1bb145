// Transcendental functions of one vector, or of one value by libm. Included once per instruction
// set.
#include <cmath>
#include <cstdint>
#include <limits>

#include "hwy/contrib/math/math-inl.h"

#include "backend/cpu/elementwise/evaluate_math_wide-inl.hpp"

#if defined(NETCL_EVALUATE_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_EVALUATE_MATH_INL
#undef NETCL_EVALUATE_MATH_INL
#else
#define NETCL_EVALUATE_MATH_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The compiler would not vectorise std::sqrt, which may set errno.
struct Sqrt {
  template <class D, class V>
  static HWY_INLINE V call(D, V x) { return hn::Sqrt(x); }
};
struct Rsqrt {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return hn::Div(hn::Set(d, 1), hn::Sqrt(x)); }
};

// y * 2^n for integers n in [-160, 130]: by two factors, because one would leave the exponent's
// range, or by the instruction for it.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
template <class D>
HWY_INLINE hn::Vec512<float> scale_by_power(D, hn::Vec512<float> y, hn::Vec512<float> n) {
  return hn::Vec512<float>{_mm512_scalef_ps(y.raw, n.raw)};
}
#else
template <class D, class V>
HWY_INLINE V scale_by_power(D d, V y, V n) {
  const hn::RebindToSigned<D> di;
  const auto whole = hn::NearestInt(n);
  const auto half = hn::ShiftRight<1>(whole);
  const auto bias = hn::Set(di, 127);
  const auto first = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(half, bias)));
  const auto second =
      hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::Sub(whole, half), bias)));
  return hn::Mul(hn::Mul(y, first), second);
}
#endif

// The nearest integer of a number in [-2^22, 2^22].
template <class D, class V>
HWY_INLINE V nearest(D d, V x) {
  const V magic = hn::Set(d, 12582912.0f);
  return hn::Sub(hn::Add(x, magic), magic);
}

// e^r * 2^n for |r| <= log(2) / 2; the polynomial is within 4e-9 of e^r.
template <class D, class V>
HWY_INLINE V exp_reduced(D d, V r, V n) {
  const V one = hn::Set(d, 1.0f);
  V p = hn::Set(d, 0.00138145406f);
  p = hn::MulAdd(p, r, hn::Set(d, 0.00836874545f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.041668389f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.166665211f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.49999994f));
  p = hn::MulAdd(p, r, one);
  return scale_by_power(d, hn::MulAdd(p, r, one), n);
}

// x less n times log(2): two steps, the first of which is exact.
template <class D, class V>
HWY_INLINE V exp_rest(D d, V x, V n) {
  return hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f),
                       hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x));
}

// e^x for x in [-105, 89].
template <class D, class V>
HWY_INLINE V exp_bounded(D d, V x) {
  const V n = nearest(d, hn::Mul(x, hn::Set(d, 1.44269504f)));
  return exp_reduced(d, exp_rest(d, x, n), n);
}

struct Exp {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V above = hn::Min(x, hn::Set(d, 89.0f));
    return keep_nan(d, x, exp_bounded(d, hn::Max(above, hn::Set(d, -105.0f))));
  }
};

struct Exp2 {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V bounded = hn::Max(hn::Min(x, hn::Set(d, 129.0f)), hn::Set(d, -152.0f));
    const V n = hn::Round(bounded);
    const V r = hn::Mul(hn::Sub(bounded, n), hn::Set(d, 0.693147180559945f));
    return keep_nan(d, x, exp_reduced(d, r, n));
  }
};

struct Expm1 {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V y = hn::Expm1(d, hn::Max(hn::Min(x, hn::Set(d, 89.0f)), hn::Set(d, -105.0f)));
    // The sign of a zero would be lost.
    return hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d, 1e-9f)), x, keep_nan(d, x, y));
  }
};

// What a logarithm is where the vector function has no answer: x is its distance from the pole.
template <class D, class V>
HWY_INLINE V logarithm_ends(D d, V x, V y) {
  const V infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  const V nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  V z = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity), y);
  z = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), nan, z);
  z = hn::IfThenElse(hn::Eq(x, infinity), infinity, z);
  return keep_nan(d, x, z);
}

struct Log {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return logarithm_ends(d, x, hn::Log(d, x)); }
};
struct Log2 {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return logarithm_ends(d, x, hn::Log2(d, x)); }
};
struct Log10 {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return logarithm_ends(d, x, hn::Log10(d, x)); }
};
struct Log1p {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V y = logarithm_ends(d, hn::Add(x, hn::Set(d, 1.0f)), hn::Log1p(d, x));
    return hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d, 1e-9f)), x, y);
  }
};

// Reduction of the argument by a short pi is good up to here.
template <class D, class V>
HWY_INLINE auto reducible(D d, V x) { return hn::Lt(hn::Abs(x), hn::Set(d, 10000.0f)); }

struct Sin {
  template <class D, class V>
  static HWY_INLINE auto valid(D d, V x) { return reducible(d, x); }
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    return hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d, 1e-5f)), x, hn::Sin(d, x));
  }
  static float scalar(float x) { return std::sin(x); }
};
struct Cos {
  template <class D, class V>
  static HWY_INLINE auto valid(D d, V x) { return reducible(d, x); }
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return hn::Cos(d, x); }
  static float scalar(float x) { return std::cos(x); }
};

// NaN outside of [-1, 1].
template <class D, class V>
HWY_INLINE V unit_domain(D d, V x, V y) {
  const V nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  return hn::IfThenElse(hn::Le(hn::Abs(x), hn::Set(d, 1.0f)), y, nan);
}

struct Asin {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return unit_domain(d, x, hn::Asin(d, x)); }
};
struct Acos {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return unit_domain(d, x, hn::Acos(d, x)); }
};
struct Atan {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return keep_nan(d, x, hn::Atan(d, x)); }
};
struct Tanh {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    // Tanh is 1 to the last bit long before the bound.
    const V y = hn::Tanh(d, hn::Max(hn::Min(x, hn::Set(d, 30.0f)), hn::Set(d, -30.0f)));
    return keep_nan(d, x, y);
  }
};

// e^(|x| / 2): its square is in range wherever half of the square is.
template <class D, class V>
HWY_INLINE V root_of_exp(D d, V x) {
  return exp_bounded(d, hn::Min(hn::Mul(hn::Abs(x), hn::Set(d, 0.5f)), hn::Set(d, 60.0f)));
}

struct Sinh {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V root = root_of_exp(d, x);
    const V large = hn::Mul(hn::Mul(root, hn::Set(d, 0.5f)), root);
    const V bounded = hn::Min(hn::Abs(x), hn::Set(d, 20.0f));
    const V small = hn::Sinh(d, bounded);
    const V y = hn::IfThenElse(hn::Gt(hn::Abs(x), hn::Set(d, 15.0f)), large, small);
    return keep_nan(d, x, hn::CopySignToAbs(y, x));
  }
};
struct Cosh {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V half = hn::Set(d, 0.5f);
    const V root = root_of_exp(d, x);
    const V y = hn::Add(hn::Mul(hn::Mul(root, half), root), hn::Div(half, hn::Mul(root, root)));
    return keep_nan(d, x, y);
  }
};

struct Sigmoid {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V one = hn::Set(d, 1.0f);
    const V e = exp_bounded(d, hn::Max(hn::Neg(hn::Abs(x)), hn::Set(d, -105.0f)));
    const V y = hn::Div(hn::IfThenElse(hn::Ge(x, hn::Zero(d)), one, e), hn::Add(one, e));
    return keep_nan(d, x, y);
  }
};
struct Silu {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return hn::Mul(x, Sigmoid::call(d, x)); }
};
struct GeluTanh {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    // 2 sqrt(2 / pi) (x + 0.044715 x^3)
    const V cubic = hn::Mul(hn::Mul(hn::Mul(hn::Set(d, 0.044715f), x), x), x);
    const V u = hn::Mul(hn::Set(d, 1.5957691216057308f), hn::Add(x, cubic));
    return hn::Mul(x, Sigmoid::call(d, u));
  }
};
struct Softplus {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V e = exp_bounded(d, hn::Max(hn::Neg(hn::Abs(x)), hn::Set(d, -105.0f)));
    const V y = hn::Add(hn::Max(x, hn::Zero(d)), Log1p::call(d, e));
    return keep_nan(d, x, y);
  }
};
// tanh(softplus(x)) is a quotient of polynomials in e^-|x|, so nothing cancels or overflows.
struct Mish {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V one = hn::Set(d, 1.0f);
    const V two = hn::Set(d, 2.0f);
    const V e = exp_bounded(d, hn::Max(hn::Neg(hn::Abs(x)), hn::Set(d, -105.0f)));
    const V mixed = hn::Mul(e, hn::Add(e, two));
    const auto positive = hn::Ge(x, hn::Zero(d));
    const V up = hn::IfThenElse(positive, hn::Add(hn::Mul(two, e), one), mixed);
    const V down = hn::IfThenElse(
        positive, hn::Add(hn::Mul(hn::Mul(two, e), hn::Add(e, one)), one), hn::Add(mixed, two));
    return keep_nan(d, x, hn::Mul(x, hn::Div(up, down)));
  }
};
struct Elu {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x, V a) {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(a, Expm1::call(d, x)));
  }
};

// e^(x + low) for x in [-110, 0] and a low part that is small beside it: what a rounding of the
// argument would lose matters where the result is multiplied by it.
template <class D, class V>
HWY_INLINE V exp_of_sum(D d, V x, V low) {
  const V n = nearest(d, hn::Mul(x, hn::Set(d, 1.44269504f)));
  return exp_reduced(d, hn::Add(exp_rest(d, x, n), low), n);
}

// 1 / (1 + x) for x >= 0. The step of Newton's takes 1 + x as it is, which the first value rounds.
template <class D, class V>
HWY_INLINE V reciprocal_of_sum(D d, V x) {
  const V one = hn::Set(d, 1.0f);
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  const V y = hn::ApproximateReciprocal(hn::Add(x, one));  // 14 bits
#else
  const V y = hn::Div(one, hn::Add(x, one));
#endif
  return hn::MulAdd(hn::NegMulAdd(x, y, hn::Sub(one, y)), y, y);
}

// x times the normal distribution's share below x. The share beyond |x| is e^(-x^2 / 2) times a
// polynomial in 1 / (1 + 0.3 |x|), within 5e-9 of it; the square is taken apart so that its
// rounding does not show in the tail.
struct Gelu {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const hn::RebindToUnsigned<D> du;
    const V a = hn::Min(hn::Abs(x), hn::Set(d, 14.5f));
    const V head = hn::BitCast(d, hn::And(hn::BitCast(du, a), hn::Set(du, 0xfffff000u)));
    const V half = hn::Set(d, -0.5f);
    const V square = hn::Mul(hn::Mul(half, head), head);
    const V rest = hn::Mul(hn::Mul(half, hn::Sub(a, head)), hn::Add(a, head));
    const V e = exp_of_sum(d, square, rest);
    const V t = reciprocal_of_sum(d, hn::Mul(hn::Set(d, 0.3f), a));
    const V q = hn::Sub(t, hn::Set(d, 0.59375f));
    // Sums of pairs keep the chain of dependent steps short.
    const V z = hn::Mul(q, q);
    const auto pair = [&](float high, float low) HWY_ATTR {
      return hn::MulAdd(hn::Set(d, high), q, hn::Set(d, low));
    };
    const V high = hn::MulAdd(pair(-0.0209560245f, 0.002273686f), z,
                              pair(0.0442370772f, -0.00950030889f));
    const V middle = hn::MulAdd(pair(-0.0907412916f, -0.0109780943f), z,
                                pair(0.225666478f, 0.409516335f));
    const V p = hn::MulAdd(hn::MulAdd(high, hn::Mul(z, z), middle), z,
                           pair(0.399991363f, 0.256056696f));
    // x times 1 less the share beyond it, or times the share itself when x is negative: that is 0
    // from -14.5 on, and the product of -infinity and 0 has no value.
    const V beyond = hn::Mul(hn::Mul(hn::Max(a, hn::Neg(x)), t), p);
    return keep_nan(d, x, hn::NegMulAdd(e, beyond, hn::Max(hn::Zero(d), x)));
  }
};

#define NETCL_LIBM1(name, function)                           \
  struct name {                                               \
    template <class T>                                        \
    static HWY_INLINE T call(T x) { return function(x); }     \
  };
#define NETCL_LIBM2(name, function)                               \
  struct name {                                                   \
    template <class T>                                            \
    static HWY_INLINE T call(T x, T y) { return function(x, y); } \
  };
NETCL_LIBM1(LibmExp, std::exp)
NETCL_LIBM1(LibmExp2, std::exp2)
NETCL_LIBM1(LibmExpm1, std::expm1)
NETCL_LIBM1(LibmLog, std::log)
NETCL_LIBM1(LibmLog2, std::log2)
NETCL_LIBM1(LibmLog10, std::log10)
NETCL_LIBM1(LibmLog1p, std::log1p)
NETCL_LIBM2(LibmPow, std::pow)
NETCL_LIBM1(LibmSin, std::sin)
NETCL_LIBM1(LibmCos, std::cos)
NETCL_LIBM1(LibmTan, std::tan)
NETCL_LIBM1(LibmAsin, std::asin)
NETCL_LIBM1(LibmAcos, std::acos)
NETCL_LIBM1(LibmAtan, std::atan)
NETCL_LIBM2(LibmAtan2, std::atan2)
NETCL_LIBM1(LibmSinh, std::sinh)
NETCL_LIBM1(LibmCosh, std::cosh)
NETCL_LIBM1(LibmTanh, std::tanh)
NETCL_LIBM1(LibmAsinh, std::asinh)
NETCL_LIBM1(LibmAcosh, std::acosh)
NETCL_LIBM1(LibmAtanh, std::atanh)
NETCL_LIBM1(LibmErf, std::erf)
NETCL_LIBM1(LibmErfc, std::erfc)

struct LibmSigmoid {
  template <class T>
  static HWY_INLINE T call(T x) {
    const T e = std::exp(-std::fabs(x));
    return (x >= 0 ? T(1) : e) / (T(1) + e);
  }
};
struct LibmSilu {
  template <class T>
  static HWY_INLINE T call(T x) { return x * LibmSigmoid::call(x); }
};
struct LibmGelu {
  template <class T>
  static HWY_INLINE T call(T x) {
    // In the tail erfc multiplies a rounding error of its argument, which f64 keeps below f32.
    const double wide = static_cast<double>(x);
    return static_cast<T>(0.5 * wide * std::erfc(wide * -0.70710678118654752440));
  }
};
struct LibmGeluTanh {
  template <class T>
  static HWY_INLINE T call(T x) {
    const T u = T(1.5957691216057308) * (x + T(0.044715) * x * x * x);
    return x * LibmSigmoid::call(u);
  }
};
struct LibmSoftplus {
  template <class T>
  static HWY_INLINE T call(T x) {
    return (x > 0 || x != x ? x : T(0)) + std::log1p(std::exp(-std::fabs(x)));
  }
};
struct LibmMish {
  template <class T>
  static HWY_INLINE T call(T x) {
    const T e = std::exp(-std::fabs(x));
    const T mixed = e * (e + 2);
    return x * (x >= 0 ? (2 * e + 1) / (2 * e * (e + 1) + 1) : mixed / (mixed + 2));
  }
};
struct LibmElu {
  template <class T>
  static HWY_INLINE T call(T x, T a) { return x > 0 ? x : a * std::expm1(x); }
};

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#endif
