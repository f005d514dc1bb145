// Transcendental functions of one vector, or of one value by libm. Included once per instruction
// set.
#include <cmath>
#include <cstdint>
#include <limits>

#include "hwy/contrib/math/math-inl.h"

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

// Highway's functions state no result for NaN, infinities and arguments out of their range; the
// wrappers give those what IEEE and C say.
template <class D, class V>
HWY_INLINE V keep_nan(D, V x, V y) {
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}

// The compiler would not vectorise std::sqrt, which may set errno.
struct Sqrt {
  template <class D, class V>
  static HWY_INLINE V call(D, V x) { return hn::Sqrt(x); }
};
struct Rsqrt {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) { return hn::Div(hn::Set(d, 1), hn::Sqrt(x)); }
};

struct Exp {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V y = hn::Exp(d, hn::Max(hn::Min(x, hn::Set(d, 89.0f)), hn::Set(d, -105.0f)));
    return keep_nan(d, x, y);
  }
};

// 2^n for integers n in [-160, 130], by two factors, because one would leave the exponent's range.
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

struct Exp2 {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V bounded = hn::Max(hn::Min(x, hn::Set(d, 129.0f)), hn::Set(d, -152.0f));
    const V n = hn::Round(bounded);
    const V r = hn::Mul(hn::Sub(bounded, n), hn::Set(d, 0.693147180559945f));
    return keep_nan(d, x, scale_by_power(d, hn::Exp(d, r), n));
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
  return hn::Exp(d, hn::Min(hn::Mul(hn::Abs(x), hn::Set(d, 0.5f)), hn::Set(d, 60.0f)));
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
    const V e = hn::Exp(d, hn::Max(hn::Neg(hn::Abs(x)), hn::Set(d, -105.0f)));
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
    const V e = hn::Exp(d, hn::Max(hn::Neg(hn::Abs(x)), hn::Set(d, -105.0f)));
    const V y = hn::Add(hn::Max(x, hn::Zero(d)), Log1p::call(d, e));
    return keep_nan(d, x, y);
  }
};
struct Elu {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x, V a) {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(a, Expm1::call(d, x)));
  }
};

// The functions below work in f64.

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
struct Gelu {
  template <class D, class V>
  static HWY_INLINE V call(D d, V x) {
    const V c = Erfc::call(d, hn::Mul(x, hn::Set(d, -0.70710678118654752440)));
    return hn::Mul(hn::Mul(hn::Set(d, 0.5), x), c);
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
struct LibmElu {
  template <class T>
  static HWY_INLINE T call(T x, T a) { return x > 0 ? x : a * std::expm1(x); }
};

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#endif
