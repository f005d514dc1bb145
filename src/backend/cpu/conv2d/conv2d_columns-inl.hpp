// Copies of a convolution's input: columns of the column matrix, and planes with a unit stride.
// Included once for each instruction set.
#if defined(NETCL_CONV2D_COLUMNS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_CONV2D_COLUMNS_INL_HPP
#undef NETCL_CONV2D_COLUMNS_INL_HPP
#else
#define NETCL_CONV2D_COLUMNS_INL_HPP
#endif

#include "backend/cpu/conv2d/conv2d_kernels.hpp"
#include "backend/cpu/matmul/gemm_pack-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::conv2d_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace gd = netcl::cpu::gemm_detail::HWY_NAMESPACE;

// Loads under a mask touch no other memory on these targets only.
#undef NETCL_MASKED_LOADS
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || \
    HWY_TARGET == HWY_SCALAR
#define NETCL_MASKED_LOADS 1
#else
#define NETCL_MASKED_LOADS 0
#endif

inline int64_t clamped(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

template <class D>
using MaskOf = decltype(hn::FirstN(D(), 0));

// The lanes from low to high, which may lie outside the vector.
template <class D>
HWY_INLINE MaskOf<D> lanes_between(D d, int64_t low, int64_t high) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto before = hn::FirstN(d, static_cast<size_t>(clamped(low, 0, lanes)));
  const auto until = hn::FirstN(d, static_cast<size_t>(clamped(high, 0, lanes)));
  return hn::AndNot(before, until);
}

// The lanes from low to high of a vector at p, zeros elsewhere; reads nothing else.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_between(D d, const T* p, int64_t low, int64_t high) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  if (low <= 0 && high >= lanes) return hn::LoadU(d, p);
#if NETCL_MASKED_LOADS
  return hn::MaskedLoad(lanes_between(d, low, high), d, p);
#else
  HWY_ALIGN T part[hn::MaxLanes(d)] = {};
  for (int64_t i = clamped(low, 0, lanes); i < clamped(high, 0, lanes); ++i) part[i] = p[i];
  return hn::Load(d, part);
#endif
}

#if NETCL_MASKED_LOADS

// Stores the first `count` lanes, or all of them. Masked stores of AVX2 take tens of cycles on some
// processors, so there halves, quarters and so on are stored instead.
template <class D, class T>
HWY_INLINE void store_first(D d, hn::Vec<D> v, int64_t count, T* p) {
#if HWY_TARGET == HWY_AVX2
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  if (count >= kLanes) {
    hn::StoreU(v, d, p);
  } else if constexpr (kLanes > 1) {
    const hn::Half<D> half;
    if (count >= kLanes / 2) {
      hn::StoreU(hn::LowerHalf(half, v), half, p);
      store_first(half, hn::UpperHalf(half, v), count - kLanes / 2, p + kLanes / 2);
    } else {
      store_first(half, hn::LowerHalf(half, v), count, p);
    }
  }
#else
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  hn::BlendedStore(v, hn::FirstN(d, static_cast<size_t>(clamped(count, 0, lanes))), d, p);
#endif
}

#endif

// One tap of a run of outputs for several channels: `count` columns, of which those from low to
// high lie inside the plane.
template <class T>
struct Lines {
  const T* source;
  int64_t source_step;
  T* target;
  int64_t target_step;
  int64_t lines;
  int64_t count;
  int64_t low;
  int64_t high;
};

template <class T>
void zero_lines(const Lines<T>& line) {
  T* target = line.target;
  for (int64_t c = 0; c < line.lines; ++c, target += line.target_step) {
    for (int64_t i = 0; i < line.count; ++i) target[i] = T{0};
  }
}

template <class T>
void copy_lines_plainly(const Lines<T>& line, int64_t stride) {
  const T* source = line.source;
  T* target = line.target;
  for (int64_t c = 0; c < line.lines; ++c) {
    for (int64_t i = 0; i < line.low; ++i) target[i] = T{0};
    for (int64_t i = line.low; i < line.high; ++i) target[i] = source[i * stride];
    for (int64_t i = line.high; i < line.count; ++i) target[i] = T{0};
    source += line.source_step;
    target += line.target_step;
  }
}

#if NETCL_MASKED_LOADS && HWY_TARGET != HWY_SCALAR

// kVectors vectors of output columns, whose inputs are side by side.
template <class T, int kVectors>
void copy_lines_masked(const Lines<T>& line) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto in0 = lanes_between(d, line.low, line.high);
  const auto in1 = lanes_between(d, line.low - lanes, line.high - lanes);
  const T* source = line.source;
  T* target = line.target;
  for (int64_t c = 0; c < line.lines; ++c) {
    const auto v0 = hn::MaskedLoad(in0, d, source);
    if constexpr (kVectors > 1) {
      const auto v1 = hn::MaskedLoad(in1, d, source + lanes);
      hn::StoreU(v0, d, target);
      store_first(d, v1, line.count - lanes, target + lanes);
    } else {
      store_first(d, v0, line.count, target);
    }
    source += line.source_step;
    target += line.target_step;
  }
  static_cast<void>(in1);
}

// The same for every second input.
template <class T, int kVectors>
void copy_lines_even(const Lines<T>& line) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t low = 2 * line.low;
  const int64_t high = 2 * line.high - 1;
  const auto in0 = lanes_between(d, low, high);
  const auto in1 = lanes_between(d, low - lanes, high - lanes);
  const auto in2 = lanes_between(d, low - 2 * lanes, high - 2 * lanes);
  const auto in3 = lanes_between(d, low - 3 * lanes, high - 3 * lanes);
  const T* source = line.source;
  T* target = line.target;
  for (int64_t c = 0; c < line.lines; ++c) {
    const auto v0 = hn::MaskedLoad(in0, d, source);
    const auto v1 = hn::MaskedLoad(in1, d, source + lanes);
    store_first(d, hn::ConcatEven(d, v1, v0), line.count, target);
    if constexpr (kVectors > 1) {
      const auto v2 = hn::MaskedLoad(in2, d, source + 2 * lanes);
      const auto v3 = hn::MaskedLoad(in3, d, source + 3 * lanes);
      store_first(d, hn::ConcatEven(d, v3, v2), line.count - lanes, target + lanes);
    }
    source += line.source_step;
    target += line.target_step;
  }
  static_cast<void>(in2);
  static_cast<void>(in3);
}

template <class T>
void copy_lines(const Lines<T>& line, int64_t stride) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const bool one = line.count <= lanes;
  if (stride == 1) {
    if (!one && line.low == 0 && line.high == 2 * lanes) {
      const T* source = line.source;
      T* target = line.target;
      for (int64_t c = 0; c < line.lines; ++c) {
        const auto v0 = hn::LoadU(d, source);
        const auto v1 = hn::LoadU(d, source + lanes);
        hn::StoreU(v0, d, target);
        hn::StoreU(v1, d, target + lanes);
        source += line.source_step;
        target += line.target_step;
      }
      return;
    }
    return one ? copy_lines_masked<T, 1>(line) : copy_lines_masked<T, 2>(line);
  }
  if (stride == 2) return one ? copy_lines_even<T, 1>(line) : copy_lines_even<T, 2>(line);
  copy_lines_plainly(line, stride);
}

#else

template <class T>
void copy_lines(const Lines<T>& line, int64_t stride) {
  copy_lines_plainly(line, stride);
}

#endif

// The first output whose input, at x + i * stride, is not below `bound`.
inline int64_t first_from(int64_t x, int64_t stride, int64_t bound, int64_t count) {
  if (x >= bound) return 0;
  if (x + (count - 1) * stride < bound) return count;
  return (bound - x + stride - 1) / stride;
}

template <class T>
void columns_of_run(const PixelRun<T>& run, const Window& window, int64_t first, int64_t last,
                    int64_t width, T* target) {
  const int64_t taps = window.kernel[0] * window.kernel[1];
  int64_t tap = 0;
  for (int64_t ky = 0; ky < window.kernel[0]; ++ky) {
    const int64_t y = run.y + ky * window.dilations[0];
    const bool inside = run.plane != nullptr && y >= 0 && y < window.size[0];
    for (int64_t kx = 0; kx < window.kernel[1]; ++kx, ++tap) {
      const int64_t c_first = tap >= first ? 0 : (first - tap + taps - 1) / taps;
      const int64_t c_last = tap >= last ? 0 : (last - tap + taps - 1) / taps;
      if (c_first >= c_last) continue;
      const int64_t x = run.x + kx * window.dilations[1];
      Lines<T> line;
      line.target = target + (c_first * taps + tap - first) * width + run.column;
      line.target_step = taps * width;
      line.lines = c_last - c_first;
      line.count = run.count;
      line.low = inside ? first_from(x, window.stride, 0, run.count) : run.count;
      line.high = inside ? first_from(x, window.stride, window.size[1], run.count) : 0;
      if (line.low >= line.high) {
        zero_lines(line);
        continue;
      }
      line.source = run.plane + c_first * window.channel + y * window.row + x;
      line.source_step = window.channel;
      copy_lines(line, window.stride);
    }
  }
}

template <class T>
void columns(const PixelRun<T>* runs, int64_t count, const Window& window, int64_t first,
             int64_t last, int64_t width, T* target) {
  for (int64_t i = 0; i < count; ++i) {
    columns_of_run(runs[i], window, first, last, width, target);
  }
}

template <class T, class S>
void stage_rows(const S* source, int64_t channel_stride, int64_t channels, int64_t columns_count,
                T* target, int64_t target_step) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t c = 0; c < channels; ++c, source += channel_stride, target += target_step) {
    int64_t i = 0;
    for (; i + lanes <= columns_count; i += lanes) {
      hn::StoreU(gd::load_as(d, source + i), d, target + i);
    }
    for (; i < columns_count; ++i) target[i] = gd::load_one(source + i);
  }
}

// Channels innermost: squares are transposed in registers, 16 channels at a time so that whole
// cache lines are read.
template <class T, class S>
void stage_transposed(const S* source, int64_t column_stride, int64_t channels,
                      int64_t columns_count, T* target, int64_t target_step) {
#if HWY_TARGET == HWY_SCALAR
  constexpr int64_t kSide = 1;
#else
  constexpr int64_t kSide = 16 / sizeof(T);
#endif
  constexpr int64_t kBlock = 16;
  for (int64_t block = 0; block < channels; block += kBlock) {
    const int64_t end = channels - block < kBlock ? channels : block + kBlock;
    const int64_t whole = block + (end - block) / kSide * kSide;
    int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    for (; i + kSide <= columns_count; i += kSide) {
      for (int64_t c = block; c < whole; c += kSide) {
        gd::pack_square(source + i * column_stride + c, column_stride, target_step,
                        target + c * target_step + i);
      }
    }
#endif
    for (int64_t c = block; c < end; ++c) {
      for (int64_t k = c < whole ? i : 0; k < columns_count; ++k) {
        target[c * target_step + k] = gd::load_one(source + k * column_stride + c);
      }
    }
  }
}

template <class T>
void stage(netcl_dtype dtype, const void* source, int64_t channel_stride, int64_t column_stride,
           int64_t channels, int64_t columns_count, T* target, int64_t target_step) {
  gd::with_type<T>(dtype, source, [&](auto* typed) HWY_ATTR {
    if (column_stride == 1) {
      stage_rows(typed, channel_stride, channels, columns_count, target, target_step);
    } else if (channel_stride == 1) {
      stage_transposed(typed, column_stride, channels, columns_count, target, target_step);
    } else {
      for (int64_t c = 0; c < channels; ++c) {
        for (int64_t i = 0; i < columns_count; ++i) {
          target[c * target_step + i] =
              gd::load_one(typed + c * channel_stride + i * column_stride);
        }
      }
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::conv2d_detail
HWY_AFTER_NAMESPACE();

#endif
