/*
 * A number, before it is known of which dtype.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_SCALAR_HPP
#define NETCL_SCALAR_HPP

#include <netcl/base.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace netcl {
inline namespace NETCL_HPP_MODE {
/** A number of any type, which becomes an element of the dtype that a call works on. */
class scalar {
 public:
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  scalar(T value) noexcept {
    static_assert(sizeof(T) <= 8 || std::is_floating_point_v<T>, "no dtype has such elements");
    if constexpr (std::is_floating_point_v<T>) {
      kind_ = kind::real;
      real_ = static_cast<double>(value);
      if constexpr (sizeof(T) > 8) keep_whole(value);
    } else if constexpr (std::is_signed_v<T>) {
      kind_ = kind::whole;
      whole_ = value;
    } else {
      kind_ = kind::natural;
      natural_ = value;
    }
  }
  /** An element as it lies in memory, of the dtype that the call works on. */
  static scalar at(const void* element) noexcept {
    scalar made(0);
    made.kind_ = kind::memory;
    made.memory_ = element;
    return made;
  }

  const void* memory() const noexcept { return kind_ == kind::memory ? memory_ : nullptr; }
  double real() const noexcept {
    return kind_ == kind::real    ? real_
           : kind_ == kind::whole ? static_cast<double>(whole_)
                                  : static_cast<double>(natural_);
  }
  /** The number as a T; false where T does not have it. */
  template <class T>
  bool get(T& into) const noexcept {
    if (kind_ == kind::whole) return fits(whole_, into);
    if (kind_ == kind::natural) return fits(natural_, into);
    /* Twice the half of the largest value, which is a power of two, as all doubles near it are. */
    const double end = 2 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1);
    if (!(real_ >= (std::is_signed_v<T> ? -end : 0) && real_ < end)) return false;
    into = static_cast<T>(real_);
    return std::trunc(real_) == real_;
  }

 private:
  enum class kind { real, whole, natural, memory };

  /** Whole numbers that i64 and u64 have and a double has not. */
  void keep_whole(long double value) noexcept {
    if (real_ == value || std::trunc(value) != value) return;
    if (value >= -0x1p63L && value < 0x1p63L) {
      kind_ = kind::whole;
      whole_ = static_cast<int64_t>(value);
    } else if (value > 0 && value < 0x1p64L) {
      kind_ = kind::natural;
      natural_ = static_cast<uint64_t>(value);
    }
  }

  template <class T, class V>
  static bool fits(V value, T& into) noexcept {
    into = static_cast<T>(value);
    return static_cast<V>(into) == value && (into < T{}) == (value < V{});
  }

  kind kind_;
  union {
    double real_;
    int64_t whole_;
    uint64_t natural_;
    const void* memory_;
  };
};

}  // namespace NETCL_HPP_MODE
}  // namespace netcl

#endif /* NETCL_SCALAR_HPP */
