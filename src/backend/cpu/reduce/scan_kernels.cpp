#include "backend/cpu/reduce/scan_kernels.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "backend/cpu/reduce/scan_state.hpp"
#include "core/error.hpp"

namespace netcl::cpu {
namespace {

using namespace scan_detail;

struct Product {
  static constexpr bool compensated = false;
  template <class T>
  static constexpr T neutral = 1;
  template <class T>
  static T join(T a, T b) {
    return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
  }
};
template <bool kLargest>
struct Extreme {
  static constexpr bool compensated = false;
  using Float = std::numeric_limits<float>;
  template <class T>
  static constexpr T neutral = kFloat<T>  ? static_cast<T>(kLargest ? -Float::infinity()
                                                                    : Float::infinity())
                               : kLargest ? std::numeric_limits<T>::lowest()
                                          : std::numeric_limits<T>::max();
  template <class T>
  static T join(T a, T b) {
    return (kLargest ? b > a : b < a) || b != b ? b : a;
  }
};

// parts[k] = the runs before run k; the last one is that of the block.
template <class Op, class T>
void run_totals(const T* x, T parts[kRuns + 1]) {
  T a = x[0], b = x[kRun], c = x[2 * kRun], d = x[3 * kRun];
  T e = x[4 * kRun], f = x[5 * kRun], g = x[6 * kRun], h = x[7 * kRun];
  for (int64_t i = 1; i < kRun; ++i) {
    a = Op::join(a, x[i]);
    b = Op::join(b, x[kRun + i]);
    c = Op::join(c, x[2 * kRun + i]);
    d = Op::join(d, x[3 * kRun + i]);
    e = Op::join(e, x[4 * kRun + i]);
    f = Op::join(f, x[5 * kRun + i]);
    g = Op::join(g, x[6 * kRun + i]);
    h = Op::join(h, x[7 * kRun + i]);
  }
  parts[0] = Op::template neutral<T>;
  parts[1] = a;
  parts[2] = Op::join(a, b);
  parts[3] = Op::join(parts[2], c);
  parts[4] = Op::join(parts[2], Op::join(c, d));
  parts[5] = Op::join(parts[4], e);
  parts[6] = Op::join(parts[4], Op::join(e, f));
  parts[7] = Op::join(parts[6], g);
  parts[8] = Op::join(parts[6], Op::join(g, h));
}

template <class Op, bool kExclusive, class T>
void run_block(const T* x, T* out, const T* parts, T before) {
  T a = Op::join(before, parts[0]), b = Op::join(before, parts[1]);
  T c = Op::join(before, parts[2]), d = Op::join(before, parts[3]);
  T e = Op::join(before, parts[4]), f = Op::join(before, parts[5]);
  T g = Op::join(before, parts[6]), h = Op::join(before, parts[7]);
#define NETCL_STEP(value, run)                         \
  {                                                    \
    const T next = Op::join(value, x[run * kRun + i]); \
    out[run * kRun + i] = kExclusive ? value : next;   \
    value = next;                                      \
  }
  for (int64_t i = 0; i < kRun; ++i) {
    NETCL_STEP(a, 0)
    NETCL_STEP(b, 1)
    NETCL_STEP(c, 2)
    NETCL_STEP(d, 3)
    NETCL_STEP(e, 4)
    NETCL_STEP(f, 5)
    NETCL_STEP(g, 6)
    NETCL_STEP(h, 7)
  }
#undef NETCL_STEP
}

template <class Op, class T>
inline constexpr bool kSumOfFloats = std::is_same_v<Op, Sum>&& std::is_same_v<T, float>;

template <class Op, class T>
T plain_total(const T* x, int64_t n) {
  T total = x[0];
  for (int64_t i = 1; i < n; ++i) total = Op::join(total, x[i]);
  return total;
}

template <class Op, class T>
void total(const T* x, int64_t n, ScanState<T>* state) {
  int64_t i = 0;
  if constexpr (kSumOfFloats<Op, T>) i = sum_blocks(x, nullptr, n, false, {0}, state);
  for (; i + kScanBlock <= n; i += kScanBlock) {
    T parts[kRuns + 1];
    run_totals<Op>(x + i, parts);
    join_into<Op>(&state->value, &state->extra, parts[kRuns]);
  }
  for (; i < n; i += kRun) {
    join_into<Op>(&state->value, &state->extra, plain_total<Op>(x + i, std::min(kRun, n - i)));
  }
}

template <class Op, bool kExclusive, class T>
void run_all(const T* x, T* out, int64_t n, const ScanState<T>& before, ScanState<T>* state) {
  int64_t i = 0;
  if constexpr (kSumOfFloats<Op, T>) i = sum_blocks(x, out, n, kExclusive, before, state);
  for (; i + kScanBlock <= n; i += kScanBlock) {
    T parts[kRuns + 1];
    run_totals<Op>(x + i, parts);
    run_block<Op, kExclusive>(x + i, out + i, parts,
                              total_of<Op>(before, state->value, state->extra));
    join_into<Op>(&state->value, &state->extra, parts[kRuns]);
  }
  for (; i < n; i += kRun) {
    const int64_t m = std::min(kRun, n - i);
    const T whole = plain_total<Op>(x + i, m);
    T value = total_of<Op>(before, state->value, state->extra);
    for (int64_t k = i; k < i + m; ++k) {
      const T next = Op::join(value, x[k]);
      out[k] = kExclusive ? value : next;
      value = next;
    }
    join_into<Op>(&state->value, &state->extra, whole);
  }
}

template <class Op, class T>
void run(const T* x, T* out, int64_t n, bool exclusive, const ScanState<T>& before,
         ScanState<T>* state) {
  if (exclusive) {
    run_all<Op, true>(x, out, n, before, state);
  } else {
    run_all<Op, false>(x, out, n, before, state);
  }
}

template <class Op, class T>
void run_rows(const T* const* x, T* const* out, int64_t rows, int64_t width, bool exclusive,
              const ScanColumns<T>& before, const ScanColumns<T>& state, T* __restrict scratch) {
  T* __restrict const value = scratch;
  T* __restrict const block = scratch + width;
  for (int64_t j = 0; j < width; ++j) {
    value[j] = total_of<Op>(ScanState<T>{before.value[j], before.extra[j]}, state.value[j],
                            state.extra[j]);
    block[j] = Op::template neutral<T>;
  }
  for (int64_t row = 0; row < rows; ++row) {
    const T* const in = x[row];
    if (out == nullptr) {
      for (int64_t j = 0; j < width; ++j) block[j] = Op::join(block[j], in[j]);
      continue;
    }
    T* const to = out[row];
    for (int64_t j = 0; j < width; ++j) {
      const T element = in[j];
      const T next = Op::join(value[j], element);
      to[j] = exclusive ? value[j] : next;
      value[j] = next;
      block[j] = Op::join(block[j], element);
    }
  }
  for (int64_t j = 0; j < width; ++j) {
    join_into<Op>(state.value + j, state.extra + j, block[j]);
  }
}

template <class Op, class T>
constexpr ScanKernels<T> kTable = {Op::template neutral<T>, total<Op, T>, run<Op, T>,
                                   run_rows<Op, T>, merge<Op, T>};

}  // namespace

template <class T>
const ScanKernels<T>& scan_kernels(int32_t kind) {
  if (kind == NETCL_REDUCTION_MAX) return kTable<Extreme<true>, T>;
  if (kind == NETCL_REDUCTION_MIN) return kTable<Extreme<false>, T>;
  if constexpr (kFloat<T> || std::is_signed_v<T>) {
    if (kind == NETCL_REDUCTION_SUM) return kTable<Sum, T>;
    if (kind == NETCL_REDUCTION_PROD) return kTable<Product, T>;
  }
  fail(NETCL_ERROR_INTERNAL, "no scan %d of this type", kind);
}

template const ScanKernels<float>& scan_kernels<float>(int32_t);
template const ScanKernels<double>& scan_kernels<double>(int32_t);
template const ScanKernels<int32_t>& scan_kernels<int32_t>(int32_t);
template const ScanKernels<int64_t>& scan_kernels<int64_t>(int32_t);
template const ScanKernels<uint32_t>& scan_kernels<uint32_t>(int32_t);
template const ScanKernels<uint64_t>& scan_kernels<uint64_t>(int32_t);

}  // namespace netcl::cpu
