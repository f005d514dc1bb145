// The maximum of one small window. Compilers make no branch of any of this, which would be taken by
// chance, but for NaN.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace netcl::cpu {

// Where the taps of a window lie, from its first one on; the first of equal ones is taken.
template <size_t kTaps>
using WindowTaps = std::array<int64_t, kTaps>;

// Whether one may be a NaN; sums of infinities are, too.
template <size_t kTaps, class T>
bool may_have_nan(const T* x, const WindowTaps<kTaps>& taps) {
  T sum = x[taps[0]];
  for (size_t i = 1; i < kTaps; ++i) sum += x[taps[i]];
  return sum != sum;
}

// The maximum of numbers.
template <size_t kTaps, class T>
T largest_of(const T* x, const WindowTaps<kTaps>& taps) {
  T most = x[taps[0]];
  for (size_t i = 1; i < kTaps; ++i) most = x[taps[i]] > most ? x[taps[i]] : most;
  return most;
}

// Which tap that is.
template <size_t kTaps, class T>
size_t first_largest_of(const T* x, const WindowTaps<kTaps>& taps) {
  const T most = largest_of(x, taps);
  size_t smaller = 1;  // so far all were
  size_t place = 0;
  for (size_t i = 0; i + 1 < kTaps; ++i) {
    smaller &= static_cast<size_t>(x[taps[i]] < most);
    place += smaller;
  }
  return place;
}

}  // namespace netcl::cpu
