// The parts of the product of 8-bit integers. A packed element is a pair: two steps of the depth as
// 16-bit integers, the first in the low half, less their zero points. So each lane adds up two
// products of at most 255 * 255 with one instruction, exactly, and sums wrap. Included once for
// each instruction set.
#if defined(NETCL_GEMM_INTEGERS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_GEMM_INTEGERS_INL_HPP
#undef NETCL_GEMM_INTEGERS_INL_HPP
#else
#define NETCL_GEMM_INTEGERS_INL_HPP
#endif

#include "backend/cpu/matmul/gemm_kernels.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::gemm_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Calls fn with a pointer of the type that `dtype`, i8 or u8, stands for.
template <class Function>
HWY_INLINE void with_byte(netcl_dtype dtype, const void* data, Function fn) {
  if (dtype == NETCL_I8) {
    fn(static_cast<const int8_t*>(data));
  } else {
    fn(static_cast<const uint8_t*>(data));
  }
}

// sum + the product of the low halves + that of the high halves.
template <class D, class V>
HWY_INLINE V add_pair_products(D d, V x, V y, V sum) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  const hn::Repartition<int16_t, D> d_half;
  const auto left = hn::BitCast(d_half, x);
  const auto right = hn::BitCast(d_half, y);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  V unused = hn::Zero(d);
  const V products = hn::ReorderWidenMulAccumulate(d, left, right, hn::Zero(d), unused);
  // The addition as an instruction, in its place: compilers gather the loads of a tile in front of
  // it otherwise, and then keep its sums in memory.
  __asm__ volatile("vpaddd %1, %0, %0" : "+v"(sum.raw) : "v"(products.raw));
  return sum;
#else
  V unused = sum;  // these targets add both products to one sum
  return hn::ReorderWidenMulAccumulate(d, left, right, sum, unused);
#endif
#else
  static_cast<void>(d);
  const auto low = hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(x)),
                           hn::ShiftRight<16>(hn::ShiftLeft<16>(y)));
  const auto high = hn::Mul(hn::ShiftRight<16>(x), hn::ShiftRight<16>(y));
  return hn::Add(sum, hn::Add(low, high));
#endif
}

HWY_INLINE int32_t pair_of(int32_t low, int32_t high) {
  return static_cast<int32_t>((static_cast<uint32_t>(low) & 0xffffu) |
                              (static_cast<uint32_t>(high) << 16));
}

HWY_INLINE int32_t add_one_pair(int32_t x, int32_t y, int32_t sum) {
  const auto low = static_cast<int16_t>(x & 0xffff) * static_cast<int16_t>(y & 0xffff);
  const auto high = (x >> 16) * (y >> 16);
  return wrapped_add(sum, low + high);
}

// Pairs of two runs of bytes, lane by lane, less `zero`.
template <class D, class S>
HWY_INLINE hn::Vec<D> load_pairs(D d, const S* low, const S* high, hn::Vec<D> zero) {
  const hn::Rebind<S, D> d_byte;
  const auto first = hn::Sub(hn::PromoteTo(d, hn::LoadU(d_byte, low)), zero);
  const auto second = hn::Sub(hn::PromoteTo(d, hn::LoadU(d_byte, high)), zero);
  return hn::Or(hn::And(first, hn::Set(d, 0xffff)), hn::ShiftLeft<16>(second));
}

template <class S>
struct ByteLines {
  const S* data;
  int64_t line_stride;
  int64_t depth_stride;
  const S* zero;  // of each line; null: 0
  int64_t zero_stride;

  int32_t zero_of(int64_t line) const {
    return zero == nullptr ? 0 : static_cast<int32_t>(zero[line * zero_stride]);
  }
  ByteLines from(int64_t line) const {
    return {data + line * line_stride, line_stride, depth_stride,
            zero == nullptr ? zero : zero + line * zero_stride, zero_stride};
  }
  // The pair that begins at step p of a line.
  int32_t pair(int64_t line, int64_t p, int64_t depth) const {
    const S* const place = data + line * line_stride + p * depth_stride;
    const int32_t less = zero_of(line);
    return pair_of(place[0] - less, p + 1 < depth ? place[depth_stride] - less : 0);
  }
};

// Lines lie side by side: each step along the depth is one run of memory. Several panels at a time,
// because longer runs are read faster.
inline constexpr int64_t kPanelsAtOnce = 4;

template <class D, class S>
HWY_INLINE int64_t pack_pair_run(D d, const S* low, const S* high, const int32_t* zeros,
                                 int64_t first, int64_t count, int32_t* target) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (; first + lanes <= count; first += lanes) {
    hn::StoreU(load_pairs(d, low + first, high + first, hn::LoadU(d, zeros + first)), d,
               target + first);
  }
  return first;
}

template <class S>
void pack_byte_runs(const ByteLines<S>& x, int64_t lines, int64_t width, int64_t depth,
                    int32_t* target) {
  const hn::ScalableTag<int32_t> d;
  const hn::CappedTag<int32_t, 4> d_few;
  int32_t zeros[kPanelsAtOnce * kTileColumnsMax];
  const int64_t pairs = (depth + 1) / 2;
  const int64_t all = lines < kPanelsAtOnce * width ? lines : kPanelsAtOnce * width;
  for (int64_t i = 0; i < all; ++i) zeros[i] = x.zero_of(i);
  for (int64_t q = 0; q < pairs; ++q) {
    const S* const low = x.data + 2 * q * x.depth_stride;
    const bool whole = 2 * q + 1 < depth;
    for (int64_t line = 0; line < all; line += width) {
      const int64_t count = all - line < width ? all - line : width;
      int32_t* const run = target + line * pairs + q * width;
      int64_t i = 0;
      if (whole) {
        __builtin_prefetch(low + line + 16 * x.depth_stride);
        const S* const high = low + x.depth_stride;
        i = pack_pair_run(d, low + line, high + line, zeros + line, i, count, run);
        i = pack_pair_run(d_few, low + line, high + line, zeros + line, i, count, run);
      }
      for (; i < count; ++i) run[i] = x.pair(line + i, 2 * q, depth);
      for (; i < width; ++i) run[i] = 0;
    }
  }
}

#if HWY_TARGET != HWY_SCALAR
// Eight steps of four lines: squares of pairs are transposed in registers.
template <class S>
HWY_INLINE void pack_byte_square(const ByteLines<S>& x, int64_t line, int64_t p, int64_t width,
                                 int32_t* target) {
  const hn::Full128<int32_t> d;
  const hn::Full128<int16_t> d_half;
  const hn::Full128<uint64_t> d_two;
  const hn::Rebind<S, decltype(d_half)> d_byte;
  const auto load = [&](int64_t i) HWY_ATTR {
    const auto wide = hn::PromoteTo(
        d_half, hn::LoadU(d_byte, x.data + (line + i) * x.line_stride + p));
    const auto zero = hn::Set(d_half, static_cast<int16_t>(x.zero_of(line + i)));
    return hn::BitCast(d, hn::Sub(wide, zero));
  };
  const auto v0 = load(0), v1 = load(1), v2 = load(2), v3 = load(3);
  const auto low01 = hn::BitCast(d_two, hn::InterleaveLower(d, v0, v1));
  const auto low23 = hn::BitCast(d_two, hn::InterleaveLower(d, v2, v3));
  const auto high01 = hn::BitCast(d_two, hn::InterleaveUpper(d, v0, v1));
  const auto high23 = hn::BitCast(d_two, hn::InterleaveUpper(d, v2, v3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d_two, low01, low23)), d, target);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d_two, low01, low23)), d, target + width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d_two, high01, high23)), d, target + 2 * width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d_two, high01, high23)), d, target + 3 * width);
}
#endif

// One panel, any strides.
template <class S>
void pack_byte_lines(const ByteLines<S>& x, int64_t lines, int64_t width, int64_t depth,
                     int32_t* target) {
  int64_t done = 0;  // steps of the depth
#if HWY_TARGET != HWY_SCALAR
  if (x.depth_stride == 1 && lines >= 4) {
    // The last square may begin inside the one before it, whose values it writes again.
    for (; done + 8 <= depth; done += 8) {
      int32_t* const place = target + done / 2 * width;
      for (int64_t i = 0; i + 4 <= lines; i += 4) {
        pack_byte_square(x, i, done, width, place + i);
      }
      if (lines % 4 != 0) pack_byte_square(x, lines - 4, done, width, place + lines - 4);
      for (int64_t q = 0; q < 4; ++q) {
        for (int64_t i = lines; i < width; ++i) place[q * width + i] = 0;
      }
    }
  }
#endif
  for (int64_t p = done; p < depth; p += 2) {
    int32_t* const run = target + p / 2 * width;
    for (int64_t i = 0; i < lines; ++i) run[i] = x.pair(i, p, depth);
    for (int64_t i = lines; i < width; ++i) run[i] = 0;
  }
}

inline void pack_bytes(netcl_dtype dtype, const void* source, int64_t line_stride,
                       int64_t depth_stride, int64_t lines, int64_t width, int64_t depth,
                       const void* zero, int64_t zero_stride, int32_t* target) {
  with_byte(dtype, source, [&](auto* typed) HWY_ATTR {
    using S = std::remove_const_t<std::remove_pointer_t<decltype(typed)>>;
    const ByteLines<S> x{typed, line_stride, depth_stride, static_cast<const S*>(zero),
                         zero_stride};
    const bool side_by_side = line_stride == 1 && depth_stride != 1;
    const int64_t step = side_by_side ? kPanelsAtOnce * width : width;
    const int64_t pairs = (depth + 1) / 2;
    for (int64_t line = 0; line < lines; line += step) {
      if (side_by_side) {
        pack_byte_runs(x.from(line), lines - line, width, depth, target + line * pairs);
      } else {
        pack_byte_lines(x.from(line), lines - line < width ? lines - line : width, width, depth,
                        target + line * pairs);
      }
    }
  });
}

inline void merge_integers(const int32_t* sums, int64_t sums_step, int64_t rows, int64_t columns,
                           int32_t alpha, int32_t beta, netcl_dtype, void* c, int64_t row_stride,
                           int64_t column_stride) {
  for (int64_t i = 0; i < rows; ++i) {
    int32_t* const row = static_cast<int32_t*>(c) + i * row_stride;
    for (int64_t j = 0; j < columns; ++j) {
      int32_t* const place = row + j * column_stride;
      const int32_t value = wrapped_multiply(alpha, sums[i * sums_step + j]);
      *place = beta == 0 ? value : wrapped_add(value, wrapped_multiply(beta, *place));
    }
  }
}

inline void accumulate_integers(int32_t* sums, int64_t sums_step, int64_t rows, int64_t columns,
                                int32_t alpha, int32_t beta, netcl_dtype, const void* source,
                                int64_t row_stride, int64_t column_stride) {
  for (int64_t i = 0; i < rows; ++i) {
    const int32_t* const row = static_cast<const int32_t*>(source) + i * row_stride;
    int32_t* const into = sums + i * sums_step;
    for (int64_t j = 0; j < columns; ++j) {
      into[j] = wrapped_add(wrapped_multiply(alpha, into[j]),
                            wrapped_multiply(beta, row[j * column_stride]));
    }
  }
}

#if HWY_TARGET != HWY_SCALAR
// Highway's sum of lanes adds them as int on some targets, where wrapping is undefined.
template <class D, class V>
HWY_INLINE int32_t wrapped_sum(D d, V v) {
  HWY_ALIGN int32_t lanes[HWY_MAX_BYTES / sizeof(int32_t)];
  hn::Store(v, d, lanes);
  int32_t sum = lanes[0];
  for (size_t i = 1; i < hn::Lanes(d); ++i) sum = wrapped_add(sum, lanes[i]);
  return sum;
}
#endif

// R rows share the loads of x.
template <int R, class S>
HWY_INLINE void dot_bytes(const S* a, int64_t row_stride, int64_t depth, const int32_t* x,
                          int32_t* sums) {
  int64_t p = 0;
  for (int r = 0; r < R; ++r) sums[r] = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<int32_t> d;
  const hn::Repartition<int16_t, decltype(d)> d_half;
  const hn::Rebind<S, decltype(d_half)> d_byte;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d_half));
  const auto pairs = [&](const S* from) HWY_ATTR {
    return hn::BitCast(d, hn::PromoteTo(d_half, hn::LoadU(d_byte, from)));
  };
  const S* const a1 = a + (R > 1 ? row_stride : 0);
  const S* const a2 = a + (R > 2 ? 2 * row_stride : 0);
  const S* const a3 = a + (R > 3 ? 3 * row_stride : 0);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (; p + lanes <= depth; p += lanes) {
    const auto factor = hn::LoadU(d, x + p / 2);
    s0 = add_pair_products(d, pairs(a + p), factor, s0);
    if constexpr (R > 1) {
      s1 = add_pair_products(d, pairs(a1 + p), factor, s1);
      s2 = add_pair_products(d, pairs(a2 + p), factor, s2);
      s3 = add_pair_products(d, pairs(a3 + p), factor, s3);
    }
  }
  sums[0] = wrapped_sum(d, s0);
  if constexpr (R > 1) {
    sums[1] = wrapped_sum(d, s1);
    sums[2] = wrapped_sum(d, s2);
    sums[3] = wrapped_sum(d, s3);
  }
#endif
  for (; p < depth; p += 2) {
    for (int r = 0; r < R; ++r) {
      const S* const place = a + r * row_stride + p;
      sums[r] = add_one_pair(pair_of(place[0], p + 1 < depth ? place[1] : 0), x[p / 2], sums[r]);
    }
  }
}

inline void dot_byte_rows(netcl_dtype dtype, const void* a, int64_t row_stride, int64_t rows,
                          int64_t depth, const int32_t* x, int32_t* sums) {
  with_byte(dtype, a, [&](auto* typed) HWY_ATTR {
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
      dot_bytes<4>(typed + i * row_stride, row_stride, depth, x, sums + i);
    }
    for (; i < rows; ++i) dot_bytes<1>(typed + i * row_stride, row_stride, depth, x, sums + i);
  });
}

inline void add_byte_columns(netcl_dtype dtype, const void* a, int64_t depth_stride, int64_t rows,
                             int64_t depth, const int32_t* x, int32_t* sums) {
  const hn::ScalableTag<int32_t> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  with_byte(dtype, a, [&](auto* typed) HWY_ATTR {
    for (int64_t p = 0; p < depth; p += 2) {
      const auto* const low = typed + p * depth_stride;
      const bool whole = p + 1 < depth;
      const auto* const high = whole ? low + depth_stride : low;
      const auto factor = hn::Set(d, x[p / 2]);
      int64_t i = 0;
      // Of a last step without a second one the factor's high half is 0, whatever it meets.
      for (; i + lanes <= rows; i += lanes) {
        const auto pairs = load_pairs(d, low + i, high + i, hn::Zero(d));
        hn::StoreU(add_pair_products(d, pairs, factor, hn::LoadU(d, sums + i)), d, sums + i);
      }
      for (; i < rows; ++i) sums[i] = add_one_pair(pair_of(low[i], high[i]), x[p / 2], sums[i]);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::gemm_detail
HWY_AFTER_NAMESPACE();

#endif
