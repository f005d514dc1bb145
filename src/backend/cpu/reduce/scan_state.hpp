// How elements, blocks and chunks of a scan are joined, for all its loops.
#pragma once

#include <cstdint>
#include <type_traits>

#include "backend/cpu/reduce/reduce_kernels.hpp"
#include "backend/cpu/reduce/scan_kernels.hpp"

namespace netcl::cpu::scan_detail {

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

struct Sum {
  static constexpr bool compensated = true;
  template <class T>
  static constexpr T neutral = 0;
  template <class T>
  static T join(T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
  }
};
template <class Op, class T>
inline constexpr bool kCompensated = Op::compensated&& kFloat<T>;

template <class Op, class T>
void join_into(T* value, T* extra, T b) {
  if constexpr (kCompensated<Op, T>) {
    const T total = *value + b;
    const T taken = total - *value;
    *extra += (*value - (total - taken)) + (b - taken);
    *value = total;
  } else {
    *value = Op::join(*value, b);
  }
}

template <class Op, class T>
T total_of(ScanState<T> a, T value, T extra) {
  join_into<Op>(&a.value, &a.extra, value);
  if constexpr (kCompensated<Op, T>) return reduce_total(a.value, a.extra + extra);
  return a.value;
}

template <class Op, class T>
void merge(ScanState<T>* a, const ScanState<T>& b) {
  join_into<Op>(&a->value, &a->extra, b.value);
  if constexpr (kCompensated<Op, T>) a->extra += b.extra;
}

// A block is 8 runs of 16 elements, which go side by side: a single chain of additions would wait
// for each of them.
constexpr int64_t kRuns = 8;
constexpr int64_t kRun = kScanBlock / kRuns;

// Sums of whole blocks of x: what run() and, without `out`, total() do for them, the runs of a
// block in the lanes of vectors. Returns how many elements these were.
int64_t sum_blocks(const float* x, float* out, int64_t n, bool exclusive,
                   const ScanState<float>& before, ScanState<float>* state);

}  // namespace netcl::cpu::scan_detail
