// Weights are taken out of their codes in registers, where they meet x. Codes of four bits come in
// groups of `half` bytes whose lower halves are one run of columns and whose upper halves another;
// x is packed so that both are vectors there (place_of).
#include "backend/cpu/matmul/quantized_kernels.hpp"

#include <cmath>
#include <utility>

#include "backend/cpu/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/cpu/matmul/quantized_kernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::quantized_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Compilers keep sums in memory unless every index into them is a constant early on.
#define NETCL_UNROLLED HWY_ATTR __attribute__((always_inline))
template <size_t... Index, class Function>
HWY_INLINE void each_of(std::index_sequence<Index...>, Function function) {
  (function(std::integral_constant<size_t, Index>()), ...);
}
template <size_t Count>
inline constexpr std::make_index_sequence<Count> kEach{};

// The codes of a product: bits, whether signed, bytes of a group, and whether the upper halves of
// bytes have scales of their own.
template <int kBits, bool kSigned, int kHalf, bool kPairs = false>
struct Codes {
  static constexpr int bits = kBits;
  static constexpr bool is_signed = kSigned;
  static constexpr bool pairs = kPairs;
  static constexpr int64_t half = kHalf;
  static constexpr int64_t group = kBits == 4 ? 2 * kHalf : kHalf;  // weights of one
  static constexpr int64_t scales = kPairs ? 2 : 1;                 // of a run
  using D = hn::CappedTag<float, kHalf>;
};
using Nibbles = Codes<4, false, 16>;
using PairedNibbles = Codes<4, false, 16, true>;
using ShortNibbles = Codes<4, false, 8>;  // blocks of 16
using Bytes = Codes<8, false, 16>;
using SignedBytes = Codes<8, true, 16>;

// A run of codes with one scale, or with two: for the lower and the upper halves of bytes.
struct Run {
  const uint8_t* bytes;
  QuantizedScale low;
  QuantizedScale high;
};

// Columns of a run.
HWY_INLINE int64_t run_length(const QuantizedForm& form) {
  return form.format == NETCL_QUANTIZATION_Q4_K ? 64 : form.block;
}

// With kFused a weight is code * scale - less in one rounding.
template <bool kFused>
HWY_INLINE Run run_at(const QuantizedMatrix& w, int64_t row, int64_t index) {
  const QuantizedForm& form = w.form;
  const uint8_t* const bytes = w.data + row * form.row_bytes();
  if (form.format == NETCL_QUANTIZATION_Q4_K) {
    const uint8_t* const block = bytes + index / 4 * form.block_bytes;
    const int64_t part = index % 4;
    return {block + 16 + 32 * part, quantized_sixes(block, 2 * part),
            quantized_sixes(block, 2 * part + 1)};
  }
  Run run;
  run.bytes = bytes + index * form.block_bytes;
  if (form.format != NETCL_QUANTIZATION_NBITS) run.bytes += 2;
  run.low = quantized_scale(w, row, index);
  if (kFused) run.low.less *= run.low.scale;
  run.high = run.low;
  return run;
}

template <bool kFused, class D, class V>
HWY_INLINE V weight(D, V code, V scale, V less) {
  if constexpr (kFused) {
    return hn::MulSub(code, scale, less);
  } else {
    return hn::Mul(hn::Sub(code, less), scale);
  }
}

template <class C, class D>
HWY_INLINE hn::Vec<hn::Rebind<int32_t, D>> load_codes(D d, const uint8_t* bytes) {
  const hn::Rebind<int32_t, D> d_code;
  static_cast<void>(d);
  if constexpr (C::is_signed) {
    const hn::Rebind<int8_t, D> d_byte;
    return hn::PromoteTo(d_code, hn::LoadU(d_byte, reinterpret_cast<const int8_t*>(bytes)));
  } else {
    const hn::Rebind<uint8_t, D> d_byte;
    return hn::PromoteTo(d_code, hn::LoadU(d_byte, bytes));
  }
}

template <class D>
HWY_INLINE hn::Vec<D> low_halves(D d, hn::Vec<hn::Rebind<int32_t, D>> codes) {
  const hn::Rebind<int32_t, D> d_code;
  return hn::ConvertTo(d, hn::And(codes, hn::Set(d_code, 15)));
}
template <class D>
HWY_INLINE hn::Vec<D> high_halves(D d, hn::Vec<hn::Rebind<int32_t, D>> codes) {
  return hn::ConvertTo(d, hn::ShiftRight<4>(codes));
}

// The weight of the code `at` of a run, for what is left of a row.
template <class C, bool kFused>
HWY_INLINE float weight_at(const uint8_t* bytes, int64_t at, QuantizedScale scale) {
  int code = bytes[at];
  if constexpr (C::bits == 4) {
    // Rows end inside a group of NBITS alone, whose codes follow each other.
    code = bytes[at / 2] >> at % 2 * 4 & 15;
  } else if constexpr (C::is_signed) {
    code = static_cast<int8_t>(bytes[at]);
  }
  const float number = static_cast<float>(code);
  return kFused ? std::fma(number, scale.scale, -scale.less) : (number - scale.less) * scale.scale;
}

// Scales of `count` runs of a row, `step` numbers from one to the next, made before they are
// needed: in between they would cost more than the codes.
template <class C, bool kFused>
void make_scales(const QuantizedMatrix& w, int64_t row, int64_t first, int64_t count, float* scales,
                 float* less, int64_t step) {
  for (int64_t i = 0; i < count; ++i, scales += step, less += step) {
    const Run run = run_at<kFused>(w, row, first + i);
    scales[0] = run.low.scale;
    less[0] = run.low.less;
    if constexpr (C::pairs) {
      scales[1] = run.high.scale;
      less[1] = run.high.less;
    }
  }
}

// Where the codes of a run begin in a row of bytes.
template <class C>
HWY_INLINE uint64_t run_offset(const QuantizedForm& form, uint64_t index) {
  const auto bytes = static_cast<uint64_t>(form.block_bytes);
  if constexpr (C::pairs) return index / 4 * bytes + 16 + index % 4 * 32;
  return index * bytes + (form.format == NETCL_QUANTIZATION_NBITS ? 0 : 2);
}

// Runs whose scales are made at a time.
inline constexpr int64_t kRunsMost = 64;

// Adds a group of columns, of R rows whose bytes and scales these are.
template <class C, bool kFused, int R, int M, size_t kTwice, class D, class V>
HWY_INLINE void add_group(D d, const uint8_t* const* bytes, const float (*scales)[C::scales],
                          const float (*less)[C::scales], const float* x, int64_t x_step,
                          V* parts) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t v = 0; v < C::half; v += lanes) {
    each_of(kEach<R>, [&](auto r) NETCL_UNROLLED {
      const auto codes = load_codes<C>(d, bytes[r] + v);
      const V scale = hn::Set(d, scales[r][0]), off = hn::Set(d, less[r][0]);
      if constexpr (C::bits == 4) {
        const V low = weight<kFused>(d, low_halves(d, codes), scale, off);
        const V high =
            weight<kFused>(d, high_halves(d, codes), hn::Set(d, scales[r][C::scales - 1]),
                           hn::Set(d, less[r][C::scales - 1]));
        each_of(kEach<M>, [&](auto m) NETCL_UNROLLED {
          const float* const from = x + static_cast<int64_t>(m) * x_step + v;
          constexpr size_t kSum = (r * M + m) * kTwice;
          parts[kSum] = hn::MulAdd(low, hn::LoadU(d, from), parts[kSum]);
          parts[kSum + kTwice - 1] =
              hn::MulAdd(high, hn::LoadU(d, from + C::half), parts[kSum + kTwice - 1]);
        });
      } else {
        const V all = weight<kFused>(d, hn::ConvertTo(d, codes), scale, off);
        each_of(kEach<M>, [&](auto m) NETCL_UNROLLED {
          const float* const from = x + static_cast<int64_t>(m) * x_step + v;
          parts[r * M + m] = hn::MulAdd(all, hn::LoadU(d, from), parts[r * M + m]);
        });
      }
    });
  }
}

// R rows of weights, the last once more where there are not so many, by M rows of x.
template <class C, bool kFused, int R, int M>
void dot_tile(const QuantizedMatrix& w, int64_t row, int64_t rows, int64_t first, int64_t last,
              const float* x, int64_t x_step, float* sums, int64_t sums_step) {
  const typename C::D d;
  using V = hn::Vec<typename C::D>;
  // Two sums of each hide the latency of additions where there are few.
  constexpr size_t kTwice = C::bits == 4 && R * M <= 4 ? 2 : 1;
  V parts[R * M * kTwice];
  each_of(kEach<R * M * kTwice>, [&](auto i) NETCL_UNROLLED { parts[i] = hn::Zero(d); });
  float rest[R * M] = {};
  float scales[kRunsMost][R][C::scales], less[kRunsMost][R][C::scales];
  const uint8_t* row_bytes[R];
  const auto row_of = [&](int64_t r) { return row + HWY_MIN(r, rows - 1); };
  for (int64_t r = 0; r < R; ++r) row_bytes[r] = w.data + row_of(r) * w.form.row_bytes();
  const int64_t length = run_length(w.form), begin = first / length;
  const int64_t end = (last + length - 1) / length;
  for (int64_t from = begin; from < end; from += kRunsMost) {
    const int64_t count = HWY_MIN(kRunsMost, end - from);
    for (int64_t r = 0; r < R; ++r) {
      make_scales<C, kFused>(w, row_of(r), from, count, &scales[0][r][0], &less[0][r][0],
                             R * C::scales);
    }
    for (int64_t i = 0; i < count; ++i) {
      const int64_t k = (from + i) * length;
      const int64_t columns = HWY_MIN(length, last - k);
      const uint64_t offset = run_offset<C>(w.form, static_cast<uint64_t>(from + i));
      const uint8_t* bytes[R];
      each_of(kEach<R>, [&](auto r) NETCL_UNROLLED { bytes[r] = row_bytes[r] + offset; });
      int64_t at = 0;
      for (; at + C::group <= columns; at += C::group) {
        add_group<C, kFused, R, M, kTwice>(d, bytes, scales[i], less[i], x + k + at, x_step, parts);
        each_of(kEach<R>, [&](auto r) NETCL_UNROLLED { bytes[r] += C::half; });
      }
      for (; at < columns; ++at) {
        for (int r = 0; r < R; ++r) {
          const float one =
              weight_at<C, kFused>(row_bytes[r] + offset, at, {scales[i][r][0], less[i][r][0]});
          for (int m = 0; m < M; ++m) {
            rest[r * M + m] += one * x[m * x_step + place_of(w.form, k + at)];
          }
        }
      }
    }
  }
  each_of(kEach<R * M>, [&](auto i) NETCL_UNROLLED {
    if (static_cast<int64_t>(i / M) >= rows) return;
    V part = parts[i * kTwice];
    if constexpr (kTwice == 2) part = hn::Add(part, parts[i * kTwice + 1]);
    float* const sum = sums + static_cast<int64_t>(i % M) * sums_step + i / M;
    *sum += hn::GetLane(hn::SumOfLanes(d, part)) + rest[i];
  });
}

// 32 registers hold 8 x 2 sums.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
    (HWY_TARGET == HWY_NEON && HWY_ARCH_ARM_A64)
inline constexpr int kRowsOfEight = 2;
#else
inline constexpr int kRowsOfEight = 1;
#endif

template <class C, bool kFused, int M>
void dot_rows_of(const QuantizedMatrix& w, int64_t row, int64_t rows, int64_t first, int64_t last,
                 const float* x, int64_t x_step, float* sums, int64_t sums_step) {
  constexpr int R = M == 8 ? kRowsOfEight : 2;
  for (int64_t j = 0; j < rows; j += R) {
    dot_tile<C, kFused, R, M>(w, row + j, rows - j, first, last, x, x_step, sums + j, sums_step);
  }
}

// Calls fn with the codes of a form, and whether code * scale - less is exact but for one rounding:
// then products of scales with zero points are exact.
template <class Function>
HWY_INLINE void with_codes(const QuantizedForm& form, Function fn) {
  const bool power = form.zero_dtype == 0;  // of two: the zero point
  const bool short_scale = form.scale_dtype != NETCL_F32 && form.zero_dtype == NETCL_U8;
  using Fused = std::true_type;
  if (form.format == NETCL_QUANTIZATION_Q8_0) return fn(SignedBytes(), Fused());
  if (form.format == NETCL_QUANTIZATION_Q4_K) return fn(PairedNibbles(), Fused());
  if (form.bits == 4 && form.block == 16) return fn(ShortNibbles(), std::false_type());
  if constexpr (HWY_NATIVE_FMA != 0) {
    if (power || short_scale) return form.bits == 8 ? fn(Bytes(), Fused()) : fn(Nibbles(), Fused());
  }
  if (form.bits == 8) return fn(Bytes(), std::false_type());
  return fn(Nibbles(), std::false_type());
}

void dot(const QuantizedMatrix& w, int64_t row, int64_t rows, int64_t first, int64_t last,
         const float* x, int64_t x_step, int64_t m, float* sums, int64_t sums_step) {
  with_codes(w.form, [&](auto codes, auto fused) HWY_ATTR {
    using C = decltype(codes);
    constexpr bool kFused = decltype(fused)::value;
    switch (quantized_detail::dot_rows(m)) {
      case 1:
        return dot_rows_of<C, kFused, 1>(w, row, rows, first, last, x, x_step, sums, sums_step);
      case 2:
        return dot_rows_of<C, kFused, 2>(w, row, rows, first, last, x, x_step, sums, sums_step);
      case 4:
        return dot_rows_of<C, kFused, 4>(w, row, rows, first, last, x, x_step, sums, sums_step);
      default:
        return dot_rows_of<C, kFused, 8>(w, row, rows, first, last, x, x_step, sums, sums_step);
    }
  });
}

// One group of weights from column `at` of a run on.
template <class C, bool kFused>
HWY_INLINE void dequantize_group(const QuantizedForm& form, const Run& run, int64_t at,
                                 float* out) {
  const typename C::D d;
  using V = hn::Vec<typename C::D>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const V scale = hn::Set(d, run.low.scale), less = hn::Set(d, run.low.less);
  const uint8_t* const bytes = run.bytes + at / C::group * C::half;
  for (int64_t v = 0; v < C::half; v += lanes) {
    const auto codes = load_codes<C>(d, bytes + v);
    if constexpr (C::bits == 8) {
      hn::StoreU(weight<kFused>(d, hn::ConvertTo(d, codes), scale, less), d, out + at + v);
    } else {
      const V low = weight<kFused>(d, low_halves(d, codes), scale, less);
      const V high = weight<kFused>(d, high_halves(d, codes), hn::Set(d, run.high.scale),
                                    hn::Set(d, run.high.less));
      if (form.format == NETCL_QUANTIZATION_NBITS) {
        hn::StoreInterleaved2(low, high, d, out + at + 2 * v);
      } else {
        const bool wide = form.format == NETCL_QUANTIZATION_Q4_K;
        float* const place = out + (wide ? at / 2 : at) + v;
        hn::StoreU(low, d, place);
        hn::StoreU(high, d, place + (wide ? 32 : 16));
      }
    }
  }
}

void dequantize(const QuantizedMatrix& w, int64_t row, int64_t first, int64_t count, float* out) {
  with_codes(w.form, [&](auto codes, auto fused) HWY_ATTR {
    using C = decltype(codes);
    constexpr bool kFused = decltype(fused)::value;
    const int64_t length = run_length(w.form);
    const int64_t last = first + count;
    int64_t index = first / length;
    for (int64_t k = first; k < last; ++index) {
      const Run run = run_at<kFused>(w, row, index);
      const int64_t begin = index * length;
      const int64_t end = HWY_MIN(begin + length, last) - begin;
      int64_t at = k - begin;
      float* const place = out + (begin - first);
      for (; at + C::group <= end; at += C::group) {
        dequantize_group<C, kFused>(w.form, run, at, place);
      }
      for (; at < end; ++at) {
        place[at] = weight_at<C, kFused>(run.bytes, at, run.low);
      }
      k = begin + end;
    }
  });
}

inline constexpr QuantizedKernels kQuantizedSet = {dot, dequantize};
inline const QuantizedKernels* quantized_set() { return &kQuantizedSet; }

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::quantized_detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace netcl::cpu::quantized_detail {

HWY_EXPORT(quantized_set);

const QuantizedKernels& kernels() { return *HWY_DYNAMIC_DISPATCH(quantized_set)(); }

}  // namespace netcl::cpu::quantized_detail
#endif
