// The scalar meaning of the simple ops, and the loops around it. Included once per instruction set;
// everything is inside the namespace of the set, so no version can be linked in place of another.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#if defined(NETCL_EVALUATE_FUNCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_EVALUATE_FUNCTIONS_INL
#undef NETCL_EVALUATE_FUNCTIONS_INL
#else
#define NETCL_EVALUATE_FUNCTIONS_INL
#endif

// Iterations are independent: an output is either elsewhere or at the same index as the input.
#undef NETCL_EACH
#if defined(__clang__)
// Builds without optimisation, and loops that call libm, cannot follow the hint; that is no fault.
#pragma clang diagnostic ignored "-Wpass-failed"
#define NETCL_EACH(i, n) _Pragma("clang loop vectorize(assume_safety)") \
  for (size_t i = 0; i < (n); ++i)
#else
#define NETCL_EACH(i, n) _Pragma("GCC ivdep") for (size_t i = 0; i < (n); ++i)
#endif

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::evaluate_detail {
namespace HWY_NAMESPACE {

template <class T>
inline constexpr bool kFloat = std::is_floating_point_v<T>;

// Integers are computed in an unsigned type of at least 32 bits: nothing overflows, and the
// conversion back keeps the low bits.
template <class T>
struct WideOf {
  using Type = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;
};
template <>
struct WideOf<float> {
  using Type = float;
};
template <>
struct WideOf<double> {
  using Type = double;
};
template <class T>
using Wide = typename WideOf<T>::Type;

#define NETCL_FUNCTION1(name, expression)                    \
  struct name {                                              \
    template <class T>                                       \
    static HWY_INLINE T call(T a) { return (expression); }   \
  };
#define NETCL_FUNCTION2(name, expression)                          \
  struct name {                                                    \
    template <class T>                                             \
    static HWY_INLINE T call(T a, T b) { return (expression); }    \
  };

NETCL_FUNCTION2(Add, static_cast<T>(static_cast<Wide<T>>(a) + static_cast<Wide<T>>(b)))
NETCL_FUNCTION2(Sub, static_cast<T>(static_cast<Wide<T>>(a) - static_cast<Wide<T>>(b)))
NETCL_FUNCTION2(Mul, static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)))
NETCL_FUNCTION2(SubFrom, Sub::call(b, a))
NETCL_FUNCTION2(BitAnd, static_cast<T>(a & b))
NETCL_FUNCTION2(BitOr, static_cast<T>(a | b))
NETCL_FUNCTION2(BitXor, static_cast<T>(a ^ b))
NETCL_FUNCTION1(BitNot, static_cast<T>(~a))
NETCL_FUNCTION1(LogicalNot, static_cast<T>(a ^ 1))
// NaN in either argument gives NaN.
NETCL_FUNCTION2(Min, ((a < b) | (a != a)) ? a : b)
NETCL_FUNCTION2(Max, ((a > b) | (a != a)) ? a : b)
NETCL_FUNCTION1(Relu, ((a > T(0)) | (a != a)) ? a : T(0))
NETCL_FUNCTION1(Square, Mul::call(a, a))
NETCL_FUNCTION1(Reciprocal, T(1) / a)
NETCL_FUNCTION2(LeakyRelu, a > T(0) ? a : b * a)

// Counts beyond the width, which negative ones are too as unsigned numbers, shift everything out.
struct ShiftLeft {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    constexpr Wide<T> bits = sizeof(T) * 8;
    const Wide<T> count = static_cast<std::make_unsigned_t<T>>(b);
    return count < bits ? static_cast<T>(static_cast<Wide<T>>(a) << (count & (bits - 1))) : T(0);
  }
};

struct ShiftRight {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    constexpr Wide<T> bits = sizeof(T) * 8;
    const Wide<T> count = static_cast<std::make_unsigned_t<T>>(b);
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (count < bits ? count : bits - 1));
    } else {
      return count < bits ? static_cast<T>(a >> (count & (bits - 1))) : T(0);
    }
  }
};

struct Neg {
  template <class T>
  static HWY_INLINE T call(T a) {
    if constexpr (kFloat<T>) {
      return -a;
    } else {
      return Sub::call(T(0), a);
    }
  }
};

struct Abs {
  template <class T>
  static HWY_INLINE T call(T a) {
    if constexpr (std::is_same_v<T, float>) {
      return __builtin_fabsf(a);
    } else if constexpr (std::is_same_v<T, double>) {
      return __builtin_fabs(a);
    } else {
      return a < T(0) ? Neg::call(a) : a;
    }
  }
};

NETCL_FUNCTION1(SoftSign, a / (T(1) + Abs::call(a)))

struct Sign {
  template <class T>
  static HWY_INLINE T call(T a) {
    if constexpr (kFloat<T>) {
      return a > T(0) ? T(1) : a < T(0) ? T(-1) : a;
    } else {
      return static_cast<T>((a > T(0)) - (a < T(0)));
    }
  }
};

// Neither a zero divisor nor the quotient that overflows reaches the hardware: both trap on x86.
struct Div {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    if constexpr (kFloat<T>) {
      return a / b;
    } else {
      if (b == 0) return 0;
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Neg::call(a);
      return static_cast<T>(a / b);
    }
  }
};

struct Mod {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    if constexpr (std::is_same_v<T, float>) {
      return __builtin_fmodf(a, b);
    } else if constexpr (std::is_same_v<T, double>) {
      return __builtin_fmod(a, b);
    } else {
      if (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1))) return 0;
      return static_cast<T>(a % b);
    }
  }
};

// Wraps around as products do; below an exponent of 0 only 1 and -1 have whole powers.
struct IntegerPower {
  template <class T>
  static HWY_INLINE T call(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      if (b < 0) {
        if (a == T(1)) return a;
        return a == T(-1) ? ((b & 1) != 0 ? a : T(1)) : T(0);
      }
    }
    T power = 1;
    for (auto n = static_cast<std::make_unsigned_t<T>>(b); n != 0; n >>= 1) {
      if ((n & 1) != 0) power = Mul::call(power, a);
      a = Mul::call(a, a);
    }
    return power;
  }
};

#define NETCL_FLOAT_FUNCTION1(name, single, dbl, otherwise)  \
  struct name {                                              \
    template <class T>                                       \
    static HWY_INLINE T call(T a) {                          \
      if constexpr (std::is_same_v<T, float>) {              \
        return single(a);                                    \
      } else if constexpr (std::is_same_v<T, double>) {      \
        return dbl(a);                                       \
      } else {                                               \
        return otherwise;                                    \
      }                                                      \
    }                                                        \
  };

NETCL_FLOAT_FUNCTION1(Floor, __builtin_floorf, __builtin_floor, a)
NETCL_FLOAT_FUNCTION1(Ceil, __builtin_ceilf, __builtin_ceil, a)
NETCL_FLOAT_FUNCTION1(Round, __builtin_rintf, __builtin_rint, a)
NETCL_FLOAT_FUNCTION1(Trunc, __builtin_truncf, __builtin_trunc, a)

struct Clamp {
  template <class T>
  static HWY_INLINE T call(T a, T low, T high) { return Min::call(Max::call(a, low), high); }
};

struct Fma {
  template <class T>
  static HWY_INLINE T call(T a, T b, T c) {
    if constexpr (std::is_same_v<T, float>) {
      return __builtin_fmaf(a, b, c);
    } else if constexpr (std::is_same_v<T, double>) {
      return __builtin_fma(a, b, c);
    } else {
      return Add::call(Mul::call(a, b), c);
    }
  }
};

#define NETCL_TRUTH2(name, expression)                              \
  struct name {                                                     \
    template <class T>                                              \
    static HWY_INLINE bool call(T a, T b) { return (expression); }  \
  };
NETCL_TRUTH2(Eq, a == b)
NETCL_TRUTH2(Ne, a != b)
NETCL_TRUTH2(Lt, a < b)
NETCL_TRUTH2(Le, a <= b)
NETCL_TRUTH2(Gt, a > b)
NETCL_TRUTH2(Ge, a >= b)

struct IsNan {
  template <class T>
  static HWY_INLINE bool call(T a) { return a != a; }
};
struct IsInf {
  template <class T>
  static HWY_INLINE bool call(T a) {
    if constexpr (!kFloat<T>) return false;
    return Abs::call(a) == std::numeric_limits<T>::infinity();
  }
};
struct IsFinite {
  template <class T>
  static HWY_INLINE bool call(T a) {
    if constexpr (!kFloat<T>) return true;
    return Abs::call(a) < std::numeric_limits<T>::infinity();
  }
};

template <class F, class T>
void unary(void* out, const void* const* in, size_t n) {
  T* const o = static_cast<T*>(out);
  const T* const a = static_cast<const T*>(in[0]);
  NETCL_EACH(i, n) o[i] = F::call(a[i]);
}

template <class F, class T>
void binary(void* out, const void* const* in, size_t n) {
  T* const o = static_cast<T*>(out);
  const T* const a = static_cast<const T*>(in[0]);
  const T* const b = static_cast<const T*>(in[1]);
  NETCL_EACH(i, n) o[i] = F::call(a[i], b[i]);
}

template <class F, class T>
void ternary(void* out, const void* const* in, size_t n) {
  T* const o = static_cast<T*>(out);
  const T* const a = static_cast<const T*>(in[0]);
  const T* const b = static_cast<const T*>(in[1]);
  const T* const c = static_cast<const T*>(in[2]);
  NETCL_EACH(i, n) o[i] = F::call(a[i], b[i], c[i]);
}

template <class F, class T>
void compare(void* out, const void* const* in, size_t n) {
  uint8_t* const o = static_cast<uint8_t*>(out);
  const T* const a = static_cast<const T*>(in[0]);
  const T* const b = static_cast<const T*>(in[1]);
  NETCL_EACH(i, n) o[i] = F::call(a[i], b[i]) ? 1 : 0;
}

template <class F, class T>
void classify(void* out, const void* const* in, size_t n) {
  uint8_t* const o = static_cast<uint8_t*>(out);
  const T* const a = static_cast<const T*>(in[0]);
  NETCL_EACH(i, n) o[i] = F::call(a[i]) ? 1 : 0;
}

template <class T>
void choose(void* out, const void* const* in, size_t n) {
  T* const o = static_cast<T*>(out);
  const uint8_t* const c = static_cast<const uint8_t*>(in[0]);
  const T* const a = static_cast<const T*>(in[1]);
  const T* const b = static_cast<const T*>(in[2]);
  NETCL_EACH(i, n) o[i] = c[i] != 0 ? a[i] : b[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::evaluate_detail
HWY_AFTER_NAMESPACE();

#endif
