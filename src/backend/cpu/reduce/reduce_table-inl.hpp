// The loops of one way of folding and type of accumulators, and the table of them. Included once
// per instruction set; everything is inside the namespace of the set.
#include <algorithm>

#if defined(NETCL_REDUCE_TABLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_REDUCE_TABLE_INL
#undef NETCL_REDUCE_TABLE_INL
#else
#define NETCL_REDUCE_TABLE_INL
#endif

#include "backend/cpu/reduce/reduce_fold-inl.hpp"
#include "backend/cpu/reduce/reduce_kernels.hpp"
#include "core/error.hpp"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::reduce_detail {
namespace HWY_NAMESPACE {

// ---- Runs ---------------------------------------------------------------------------------------

// So many additions in a row per lane of a block.
inline constexpr int64_t kChain = 32;
inline constexpr int64_t kPlainBlock = 32;

template <class Op, class T>
HWY_INLINE T block_plain(const T* x, int64_t n) {
  T total = Op::Each::of(x[0]);
  for (int64_t i = 1; i < n; ++i) total = Op::join(total, Op::Each::of(x[i]));
  return total;
}

template <class Op, class T>
HWY_INLINE T block_vector(const T* HWY_RESTRICT x, int64_t n) {
  using Each = typename Op::Each;
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto start = hn::Set(d, Op::template neutral<T>());
  auto a0 = start, a1 = start, a2 = start, a3 = start;
  auto a4 = start, a5 = start, a6 = start, a7 = start;
  int64_t i = 0;
  for (; i + 8 * lanes <= n; i += 8 * lanes) {
    a0 = Op::join(d, a0, Each::of(d, hn::LoadU(d, x + i)));
    a1 = Op::join(d, a1, Each::of(d, hn::LoadU(d, x + i + lanes)));
    a2 = Op::join(d, a2, Each::of(d, hn::LoadU(d, x + i + 2 * lanes)));
    a3 = Op::join(d, a3, Each::of(d, hn::LoadU(d, x + i + 3 * lanes)));
    a4 = Op::join(d, a4, Each::of(d, hn::LoadU(d, x + i + 4 * lanes)));
    a5 = Op::join(d, a5, Each::of(d, hn::LoadU(d, x + i + 5 * lanes)));
    a6 = Op::join(d, a6, Each::of(d, hn::LoadU(d, x + i + 6 * lanes)));
    a7 = Op::join(d, a7, Each::of(d, hn::LoadU(d, x + i + 7 * lanes)));
  }
  for (; i + lanes <= n; i += lanes) a0 = Op::join(d, a0, Each::of(d, hn::LoadU(d, x + i)));
  a0 = Op::join(d, Op::join(d, a0, a1), Op::join(d, a2, a3));
  a4 = Op::join(d, Op::join(d, a4, a5), Op::join(d, a6, a7));
  HWY_ALIGN T parts[hn::MaxLanes(hn::ScalableTag<T>())];
  hn::Store(Op::join(d, a0, a4), d, parts);
  for (int64_t width = lanes / 2; width > 0; width /= 2) {
    for (int64_t k = 0; k < width; ++k) parts[k] = Op::join(parts[k], parts[k + width]);
  }
  T rest = Op::template neutral<T>();
  for (; i < n; ++i) rest = Op::join(rest, Each::of(x[i]));
  return Op::join(parts[0], rest);
}

template <class Op, class T>
inline int64_t block_size() {
  return 8 * kChain * static_cast<int64_t>(hn::Lanes(hn::ScalableTag<T>()));
}

// a + b and what its rounding lost (Knuth's two-sum).
template <class Op, class T>
HWY_INLINE void join_into(T* value, T* extra, T b) {
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
void add(ReduceState<T>* state, const T* x, int64_t n, int64_t) {
  if constexpr (kVectors<Op, T>) {
    const int64_t step = block_size<Op, T>();
    for (int64_t i = 0; i < n; i += step) {
      join_into<Op>(&state->value, &state->extra, block_vector<Op>(x + i, std::min(step, n - i)));
    }
  } else {
    for (int64_t i = 0; i < n; ++i) state->value = Op::join(state->value, Op::Each::of(x[i]));
  }
}

template <class Op, class T>
void add_plain(ReduceState<T>* state, const T* x, int64_t n, int64_t) {
  for (int64_t i = 0; i < n; i += kPlainBlock) {
    join_into<Op>(&state->value, &state->extra,
                  block_plain<Op>(x + i, std::min(kPlainBlock, n - i)));
  }
}

// ---- Columns ------------------------------------------------------------------------------------

template <class Op, class T>
void add_rows(const ReduceColumns<T>& columns, const T* const* rows, int64_t count, int64_t width,
              int64_t) {
  using Each = typename Op::Each;
  T* HWY_RESTRICT sums = kCompensated<Op, T> ? columns.pending : columns.value;
  int64_t j = 0;
  if constexpr (kVectors<Op, T>) {
    const hn::ScalableTag<T> d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const auto at = [&](int64_t row) { return Each::of(d, hn::LoadU(d, rows[row] + j)); };
    if (count == 4) {
      for (; j + lanes <= width; j += lanes) {
        const auto four = Op::join(d, Op::join(d, at(0), at(1)), Op::join(d, at(2), at(3)));
        hn::StoreU(Op::join(d, hn::LoadU(d, sums + j), four), d, sums + j);
      }
    } else {
      for (; j + lanes <= width; j += lanes) {
        auto sum = hn::LoadU(d, sums + j);
        for (int64_t row = 0; row < count; ++row) sum = Op::join(d, sum, at(row));
        hn::StoreU(sum, d, sums + j);
      }
    }
  }
  for (; j < width; ++j) {
    for (int64_t row = 0; row < count; ++row) {
      sums[j] = Op::join(sums[j], Each::of(rows[row][j]));
    }
  }
}

template <class Op, class T>
void settle(const ReduceColumns<T>& columns, int64_t width) {
  if constexpr (kCompensated<Op, T>) {
    T* HWY_RESTRICT value = columns.value;
    T* HWY_RESTRICT extra = columns.extra;
    T* HWY_RESTRICT pending = columns.pending;
    for (int64_t j = 0; j < width; ++j) {
      join_into<Op>(value + j, extra + j, pending[j]);
      pending[j] = 0;
    }
  }
}

template <class Op, class T>
void merge(const ReduceColumns<T>& columns, const ReduceColumns<T>& later, int64_t width) {
  for (int64_t j = 0; j < width; ++j) {
    join_into<Op>(columns.value + j, columns.extra + j, later.value[j]);
    if constexpr (kCompensated<Op, T>) columns.extra[j] += later.extra[j];
  }
}

// ---- Places of extremes -------------------------------------------------------------------------

template <bool kLargest, bool kLast, class T>
HWY_INLINE bool better(T candidate, T best) {
  if (candidate != candidate) return kLast || best == best;
  if (kLargest ? candidate > best : candidate < best) return true;
  return kLast && candidate == best;
}

template <bool kLargest, bool kLast, class T>
HWY_INLINE void take(ReduceState<T>* state, T candidate, int64_t index) {
  if (state->index >= 0 && !better<kLargest, kLast>(candidate, state->value)) return;
  state->value = candidate;
  state->index = index;
}

// The extreme of a block is found with vectors; its place is looked for only when it is a new one.
template <bool kLargest, bool kLast, class T>
void add_arg(ReduceState<T>* state, const T* x, int64_t n, int64_t index) {
  using Op = Extreme<kLargest>;
  const int64_t step = block_size<Op, T>();
  for (int64_t i = 0; i < n; i += step) {
    const int64_t count = std::min(step, n - i);
    const T best = block_vector<Op>(x + i, count);
    if (state->index >= 0 && !better<kLargest, kLast>(best, state->value)) continue;
    const auto is_best = [&](T value) { return best != best ? value != value : value == best; };
    int64_t place = kLast ? count - 1 : 0;
    while (!is_best(x[i + place])) place += kLast ? -1 : 1;
    state->value = best;
    state->index = index + i + place;
  }
}

template <bool kLargest, bool kLast, class T>
void add_arg_plain(ReduceState<T>* state, const T* x, int64_t n, int64_t index) {
  for (int64_t i = 0; i < n; ++i) take<kLargest, kLast>(state, x[i], index + i);
}

template <bool kLargest, bool kLast, class T>
void add_arg_rows(const ReduceColumns<T>& columns, const T* const* rows, int64_t count,
                  int64_t width, int64_t row) {
  for (int64_t r = 0; r < count; ++r) {
    const T* const x = rows[r];
    for (int64_t j = 0; j < width; ++j) {
      if (columns.index[j] >= 0 && !better<kLargest, kLast>(x[j], columns.value[j])) continue;
      columns.value[j] = x[j];
      columns.index[j] = row + r;
    }
  }
}

template <bool kLargest, bool kLast, class T>
void merge_arg(const ReduceColumns<T>& columns, const ReduceColumns<T>& later, int64_t width) {
  for (int64_t j = 0; j < width; ++j) {
    if (later.index[j] < 0) continue;
    if (columns.index[j] >= 0 && !better<kLargest, kLast>(later.value[j], columns.value[j])) {
      continue;
    }
    columns.value[j] = later.value[j];
    columns.index[j] = later.index[j];
  }
}

template <class T>
void settle_nothing(const ReduceColumns<T>&, int64_t) {}

// ---- Tables -------------------------------------------------------------------------------------

template <class Op, class T>
inline constexpr ReduceKernels<T> kValues = {
    Op::template neutral<T>(), kCompensated<Op, T>, false,         add<Op, T>,
    add_plain<Op, T>,          add_rows<Op, T>,     settle<Op, T>, merge<Op, T>};

template <bool kLargest, bool kLast, class T>
inline constexpr ReduceKernels<T> kPlaces = {Extreme<kLargest>::template neutral<T>(),
                                             false,
                                             true,
                                             add_arg<kLargest, kLast, T>,
                                             add_arg_plain<kLargest, kLast, T>,
                                             add_arg_rows<kLargest, kLast, T>,
                                             settle_nothing<T>,
                                             merge_arg<kLargest, kLast, T>};

template <class T>
const ReduceKernels<T>* find(ReduceFold fold) {
  switch (fold) {
    case ReduceFold::largest:
      return &kValues<Extreme<true>, T>;
    case ReduceFold::smallest:
      return &kValues<Extreme<false>, T>;
    case ReduceFold::arg_largest:
      return &kPlaces<true, false, T>;
    case ReduceFold::arg_largest_last:
      return &kPlaces<true, true, T>;
    case ReduceFold::arg_smallest:
      return &kPlaces<false, false, T>;
    case ReduceFold::arg_smallest_last:
      return &kPlaces<false, true, T>;
    default:
      break;
  }
  if constexpr (kFloat<T> || std::is_signed_v<T>) {
    switch (fold) {
      case ReduceFold::sum:
        return &kValues<Sum<Keep>, T>;
      case ReduceFold::sum_square:
        return &kValues<Sum<Square>, T>;
      case ReduceFold::sum_absolute:
        return &kValues<Sum<Absolute>, T>;
      case ReduceFold::product:
        return &kValues<Product, T>;
      default:
        break;
    }
  }
  fail(NETCL_ERROR_INTERNAL, "no fold %d of this type", static_cast<int>(fold));
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::reduce_detail
HWY_AFTER_NAMESPACE();

#endif
