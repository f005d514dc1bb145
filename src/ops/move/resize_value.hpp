// How what resizing weighs becomes an element.
#pragma once

#include <cmath>
#include <limits>

#include "backend/cpu/element.hpp"

namespace netcl::ops {

// What elements of a dtype are weighed in.
template <class E>
using Weighed = std::conditional_t<std::is_same_v<typename E::Compute, double>, double, float>;

// Rounded to nearest even, and bounded by what integers hold.
template <class E, class V>
void store_weighed(V value, typename E::Storage* place) {
  using Storage = typename E::Storage;
  if constexpr (std::is_floating_point_v<typename E::Compute>) {
    E::store(static_cast<typename E::Compute>(value), place);
  } else {
    constexpr bool kTruth = E::dtype == NETCL_BOOL;
    constexpr Storage kLeast = kTruth ? Storage{0} : std::numeric_limits<Storage>::min();
    constexpr Storage kMost = kTruth ? Storage{1} : std::numeric_limits<Storage>::max();
    const V whole = std::nearbyint(value);
    if (whole >= static_cast<V>(kMost)) {
      *place = kMost;
    } else {
      // NaN is the least.
      *place = whole > static_cast<V>(kLeast) ? static_cast<Storage>(whole) : kLeast;
    }
  }
}

}  // namespace netcl::ops
