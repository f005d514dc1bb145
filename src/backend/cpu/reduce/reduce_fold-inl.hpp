// What the folds of a reduction do to one element and to two values. Included once per instruction
// set; everything is inside the namespace of the set.
#include <cmath>
#include <limits>
#include <type_traits>

#if defined(NETCL_REDUCE_FOLD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_REDUCE_FOLD_INL
#undef NETCL_REDUCE_FOLD_INL
#else
#define NETCL_REDUCE_FOLD_INL
#endif

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::reduce_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
inline constexpr bool kFloat = std::is_floating_point_v<T>;

// Integers wrap around, which only unsigned ones do.
template <class T>
struct WrapOf {
  using Type = std::make_unsigned_t<T>;
};
template <>
struct WrapOf<float> {
  using Type = float;
};
template <>
struct WrapOf<double> {
  using Type = double;
};
template <class T>
using Wrap = typename WrapOf<T>::Type;

// ---- What happens to an element before it is added ----------------------------------------------

struct Keep {
  static constexpr bool multiplies = false;
  template <class T>
  static HWY_INLINE T of(T x) {
    return x;
  }
  template <class D, class V>
  static HWY_INLINE V of(D, V x) {
    return x;
  }
};

struct Square {
  static constexpr bool multiplies = true;
  template <class T>
  static HWY_INLINE T of(T x) {
    return static_cast<T>(static_cast<Wrap<T>>(x) * static_cast<Wrap<T>>(x));
  }
  template <class D, class V>
  static HWY_INLINE V of(D, V x) {
    return hn::Mul(x, x);
  }
};

struct Absolute {
  static constexpr bool multiplies = false;
  template <class T>
  static HWY_INLINE T of(T x) {
    if constexpr (kFloat<T>) return std::abs(x);
    return x < 0 ? static_cast<T>(Wrap<T>(0) - static_cast<Wrap<T>>(x)) : x;
  }
  template <class D, class V>
  static HWY_INLINE V of(D d, V x) {
    if constexpr (kFloat<hn::TFromD<D>>) return hn::Abs(x);
    const auto zero = hn::Zero(d);
    return hn::IfThenElse(hn::Lt(x, zero), hn::Sub(zero, x), x);
  }
};

// ---- How two values become one ------------------------------------------------------------------

template <class Map>
struct Sum {
  using Each = Map;
  static constexpr bool compensated = true;
  static constexpr bool multiplies = Map::multiplies;
  template <class T>
  static constexpr T neutral() {
    return 0;
  }
  template <class T>
  static HWY_INLINE T join(T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
  }
  template <class D, class V>
  static HWY_INLINE V join(D, V a, V b) {
    return hn::Add(a, b);
  }
};

struct Product {
  using Each = Keep;
  static constexpr bool compensated = false;
  static constexpr bool multiplies = true;
  template <class T>
  static constexpr T neutral() {
    return 1;
  }
  template <class T>
  static HWY_INLINE T join(T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
  }
  template <class D, class V>
  static HWY_INLINE V join(D, V a, V b) {
    return hn::Mul(a, b);
  }
};

// A NaN on either side wins. Highway's Ne is false for NaN on some targets, its Eq on all.
template <bool kLargest>
struct Extreme {
  using Each = Keep;
  static constexpr bool compensated = false;
  static constexpr bool multiplies = false;
  template <class T>
  static constexpr T neutral() {
    using Limits = std::numeric_limits<T>;
    if constexpr (kFloat<T>) return kLargest ? -Limits::infinity() : Limits::infinity();
    return kLargest ? Limits::lowest() : Limits::max();
  }
  template <class T>
  static HWY_INLINE T join(T a, T b) {
    return (kLargest ? b > a : b < a) || b != b ? b : a;
  }
  template <class D, class V>
  static HWY_INLINE V join(D, V a, V b) {
    if constexpr (!kFloat<hn::TFromD<D>>) {
      return kLargest ? hn::Max(a, b) : hn::Min(a, b);
    } else {
      const auto wins = kLargest ? hn::Gt(b, a) : hn::Lt(b, a);
      return hn::IfThenElse(hn::Or(wins, hn::Not(hn::Eq(b, b))), b, a);
    }
  }
};

// Highway has no products of 64-bit integers on every target.
template <class Op, class T>
inline constexpr bool kVectors = !(Op::multiplies && !kFloat<T> && sizeof(T) == 8);
template <class Op, class T>
inline constexpr bool kCompensated = Op::compensated&& kFloat<T>;

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::reduce_detail
HWY_AFTER_NAMESPACE();

#endif
