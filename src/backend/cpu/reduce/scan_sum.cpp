#include "backend/cpu/reduce/scan_state.hpp"
#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/reduce/scan_sum.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::scan_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
// Without vectors the plain loops do it.
int64_t sum_all(const float*, float*, int64_t, bool, const ScanState<float>&, ScanState<float>*) {
  return 0;
}
#else

// Vectors of 4 or 8 runs: a block is one or two rows of 16 vectors, each of which has one element
// of its runs.
constexpr bool kAllRuns = HWY_MAX_BYTES >= 32;
using Runs = hn::FixedTag<float, kAllRuns ? 8 : 4>;
using Vector = hn::Vec<Runs>;
constexpr int64_t kRows = kAllRuns ? 1 : 2;

// Four vectors become their transpose, within each 16 bytes.
HWY_INLINE void transpose(Vector v[4]) {
  const Runs d;
  const hn::RepartitionToWide<Runs> pairs;
  const auto low_01 = hn::BitCast(pairs, hn::InterleaveLower(d, v[0], v[1]));
  const auto low_23 = hn::BitCast(pairs, hn::InterleaveLower(d, v[2], v[3]));
  const auto high_01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v[0], v[1]));
  const auto high_23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v[2], v[3]));
  v[0] = hn::BitCast(d, hn::InterleaveLower(pairs, low_01, low_23));
  v[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, low_01, low_23));
  v[2] = hn::BitCast(d, hn::InterleaveLower(pairs, high_01, high_23));
  v[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, high_01, high_23));
}

template <class D>
HWY_INLINE Vector load(D d, const float* x) {
  if constexpr (kAllRuns) {
    const hn::Half<D> four;
    return hn::Combine(d, hn::LoadU(four, x + 4 * kRun), hn::LoadU(four, x));
  } else {
    return hn::LoadU(d, x);
  }
}

template <class D>
HWY_INLINE void store(D d, Vector v, float* out) {
  if constexpr (kAllRuns) {
    const hn::Half<D> four;
    hn::StoreU(hn::LowerHalf(four, v), four, out);
    hn::StoreU(hn::UpperHalf(four, v), four, out + 4 * kRun);
  } else {
    hn::StoreU(v, d, out);
  }
}

// Where element `at` of run `run` of a row is.
HWY_INLINE int64_t place(int64_t row, int64_t run, int64_t at) {
  return (4 * row + run) * kRun + at;
}

// The sums of the runs before each, as run_totals() adds them; returns that of the block.
HWY_INLINE float sum_parts(const float t[kRuns], float parts[kRuns]) {
  parts[0] = 0.0f;
  parts[1] = t[0];
  parts[2] = t[0] + t[1];
  parts[3] = parts[2] + t[2];
  parts[4] = parts[2] + (t[2] + t[3]);
  parts[5] = parts[4] + t[4];
  parts[6] = parts[4] + (t[4] + t[5]);
  parts[7] = parts[6] + t[6];
  return parts[6] + (t[6] + t[7]);
}

template <bool kExclusive>
HWY_INLINE void run_row(Vector v[kRun], Vector value, float* out, int64_t row) {
  for (int64_t i = 0; i < kRun; ++i) {
    const Vector next = hn::Add(value, v[i]);
    v[i] = kExclusive ? value : next;
    value = next;
  }
  for (int64_t i = 0; i < kRun; i += 4) {
    transpose(v + i);
    for (int64_t run = 0; run < 4; ++run) store(Runs(), v[i + run], out + place(row, run, i));
  }
}

template <bool kExclusive, bool kWrites>
void sum_block(const float* x, float* out, const ScanState<float>& before,
               ScanState<float>* state) {
  const Runs d;
  Vector v[kRows][kRun];
  alignas(64) float totals[kRuns];
  alignas(64) float parts[kRuns];
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t i = 0; i < kRun; i += 4) {
      for (int64_t run = 0; run < 4; ++run) v[row][i + run] = load(d, x + place(row, run, i));
      transpose(v[row] + i);
    }
    Vector sum = v[row][0];
    for (int64_t i = 1; i < kRun; ++i) sum = hn::Add(sum, v[row][i]);
    hn::StoreU(sum, d, totals + 4 * row);
  }
  const float whole = sum_parts(totals, parts);
  if constexpr (kWrites) {
    const auto start = hn::Set(d, total_of<Sum>(before, state->value, state->extra));
    for (int64_t row = 0; row < kRows; ++row) {
      run_row<kExclusive>(v[row], hn::Add(start, hn::LoadU(d, parts + 4 * row)), out, row);
    }
  }
  join_into<Sum>(&state->value, &state->extra, whole);
}

int64_t sum_all(const float* x, float* out, int64_t n, bool exclusive,
                const ScanState<float>& before, ScanState<float>* state) {
  auto* const block = out == nullptr ? sum_block<false, false>
                      : exclusive    ? sum_block<true, true>
                                     : sum_block<false, true>;
  int64_t i = 0;
  for (; i + kScanBlock <= n; i += kScanBlock) {
    block(x + i, out == nullptr ? nullptr : out + i, before, state);
  }
  return i;
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::scan_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu::scan_detail {
HWY_EXPORT(sum_all);

int64_t sum_blocks(const float* x, float* out, int64_t n, bool exclusive,
                   const ScanState<float>& before, ScanState<float>* state) {
  return HWY_DYNAMIC_DISPATCH(sum_all)(x, out, n, exclusive, before, state);
}

}  // namespace netcl::cpu::scan_detail
#endif
