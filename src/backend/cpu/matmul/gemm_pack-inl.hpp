// Packing of operands, writing of results, and the matrix-vector loops. Included once for each
// instruction set.
#if defined(NETCL_GEMM_PACK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_GEMM_PACK_INL_HPP
#undef NETCL_GEMM_PACK_INL_HPP
#else
#define NETCL_GEMM_PACK_INL_HPP
#endif

#include "backend/cpu/matmul/gemm_vector-inl.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::gemm_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Calls fn with a pointer of the type that `dtype` stands for. f64 comes with sums of f64 only.
template <class T, class Pointer, class Function>
HWY_INLINE void with_type(netcl_dtype dtype, Pointer* data, Function fn) {
  constexpr bool kConst = std::is_const_v<Pointer>;
  const auto typed = [&](auto tag) {
    using S = decltype(tag);
    fn(static_cast<std::conditional_t<kConst, const S, S>*>(data));
  };
  switch (dtype) {
    case NETCL_F16:
      return typed(Half{});
    case NETCL_BF16:
      return typed(Brain{});
    case NETCL_F64:
      if constexpr (std::is_same_v<T, double>) typed(double{});
      return;
    default:
      return typed(float{});
  }
}

// `count` elements of a run of memory.
template <class T, class S>
HWY_INLINE void pack_run(const S* source, int64_t count, T* target) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const hn::CappedTag<T, 4> d_few;
  const int64_t few = static_cast<int64_t>(hn::Lanes(d_few));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) hn::StoreU(load_as(d, source + i), d, target + i);
  for (; i + few <= count; i += few) hn::StoreU(load_as(d_few, source + i), d_few, target + i);
  for (; i < count; ++i) target[i] = load_one(source + i);
}

// Lines lie side by side: each step along the depth is one run of memory. Whole panels are copied
// several at a time, because longer runs are read faster, and the runs ahead are fetched, because
// the processor does not see those coming that are far apart. Returns how many lines that were.
template <class T, class S, class Copy>
HWY_INLINE int64_t pack_panels(const S* source, int64_t depth_stride, int64_t lines, int64_t width,
                               int64_t depth, T* target, Copy copy) {
  constexpr int64_t kPanels = 4;
  constexpr int64_t kLine = 64 / sizeof(S);
  int64_t line = 0;
  while (line + width <= lines) {
    const int64_t whole = (lines - line) / width;
    const int64_t panels = whole < kPanels ? whole : kPanels;
    const S* run = source + line;
    T* place = target + line * depth;
    for (int64_t p = 0; p < depth; ++p, run += depth_stride, place += width) {
      for (int64_t i = 0; i < panels * width; i += kLine) {
        __builtin_prefetch(run + 8 * depth_stride + i);
      }
      for (int64_t panel = 0; panel < panels; ++panel) {
        copy(run + panel * width, place + panel * width * depth);
      }
    }
    line += panels * width;
  }
  return line;
}

template <class T, class S>
void pack_runs(const S* source, int64_t depth_stride, int64_t lines, int64_t width, int64_t depth,
               T* target) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t line = 0;
  if (width == 2 * lanes) {
    line = pack_panels(source, depth_stride, lines, width, depth, target,
                       [&](const S* from, T* to) HWY_ATTR {
                         hn::StoreU(load_as(d, from), d, to);
                         hn::StoreU(load_as(d, from + lanes), d, to + lanes);
                       });
  } else {
    line =
        pack_panels(source, depth_stride, lines, width, depth, target,
                    [&](const S* from, T* to) HWY_ATTR { pack_run<T>(from, width, to); });
  }
  const int64_t used = lines - line;
  if (used == 0) return;
  const S* run = source + line;
  T* place = target + line * depth;
  for (int64_t p = 0; p < depth; ++p, run += depth_stride, place += width) {
    pack_run<T>(run, used, place);
    for (int64_t i = used; i < width; ++i) place[i] = T{0};
  }
}

// Transposes 4 x 4 elements of f32, or 2 x 2 of f64, through registers.
#if HWY_TARGET != HWY_SCALAR
template <class S>
HWY_INLINE void pack_square(const S* source, int64_t line_stride, int64_t width, float* target) {
  const hn::Full128<float> d;
  const hn::Full128<uint64_t> d_pair;
  const auto v0 = load_as(d, source);
  const auto v1 = load_as(d, source + line_stride);
  const auto v2 = load_as(d, source + 2 * line_stride);
  const auto v3 = load_as(d, source + 3 * line_stride);
  const auto low01 = hn::BitCast(d_pair, hn::InterleaveLower(d, v0, v1));
  const auto low23 = hn::BitCast(d_pair, hn::InterleaveLower(d, v2, v3));
  const auto high01 = hn::BitCast(d_pair, hn::InterleaveUpper(d, v0, v1));
  const auto high23 = hn::BitCast(d_pair, hn::InterleaveUpper(d, v2, v3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d_pair, low01, low23)), d, target);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d_pair, low01, low23)), d, target + width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d_pair, high01, high23)), d, target + 2 * width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d_pair, high01, high23)), d, target + 3 * width);
}
template <class S>
HWY_INLINE void pack_square(const S* source, int64_t line_stride, int64_t width, double* target) {
  const hn::Full128<double> d;
  const auto v0 = load_as(d, source);
  const auto v1 = load_as(d, source + line_stride);
  hn::StoreU(hn::InterleaveLower(d, v0, v1), d, target);
  hn::StoreU(hn::InterleaveUpper(d, v0, v1), d, target + width);
}
#endif

// Any strides. With a unit stride along the depth, squares are transposed in registers.
template <class T, class S>
void pack_lines(const S* source, int64_t line_stride, int64_t depth_stride, int64_t lines,
                int64_t width, int64_t depth, T* target) {
  int64_t done = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr int64_t kSide = 16 / sizeof(T);
  if (depth_stride == 1) {
    // Sixteen squares at a time read whole cache lines of each line of the source.
    const int64_t squares_end = depth - depth % kSide;
    for (int64_t first = 0; first < squares_end; first += 16 * kSide) {
      const int64_t last = squares_end - first < 16 * kSide ? squares_end : first + 16 * kSide;
      for (int64_t i = 0; i + kSide <= lines; i += kSide) {
        for (int64_t p = first; p < last; p += kSide) {
          pack_square(source + i * line_stride + p, line_stride, width, target + p * width + i);
        }
      }
    }
    const int64_t squares_lines = lines - lines % kSide;
    for (int64_t p = squares_end; p < depth; ++p) {
      for (int64_t i = 0; i < squares_lines; ++i) {
        target[p * width + i] = load_one(source + i * line_stride + p);
      }
    }
    done = squares_lines;
  }
#endif
  if (done == width) return;
  for (int64_t p = 0; p < depth; ++p) {
    T* const run = target + p * width;
    for (int64_t i = done; i < lines; ++i) {
      run[i] = load_one(source + i * line_stride + p * depth_stride);
    }
    for (int64_t i = lines; i < width; ++i) run[i] = T{0};
  }
}

template <class T>
void pack(netcl_dtype dtype, const void* source, int64_t line_stride, int64_t depth_stride,
          int64_t lines, int64_t width, int64_t depth, T* target) {
  with_type<T>(dtype, source, [&](auto* typed) HWY_ATTR {
    if (line_stride == 1 && depth_stride != 1) {
      pack_runs<T>(typed, depth_stride, lines, width, depth, target);
      return;
    }
    for (int64_t line = 0; line < lines; line += width) {
      pack_lines(typed + line * line_stride, line_stride, depth_stride,
                 lines - line < width ? lines - line : width, width, depth, target + line * depth);
    }
  });
}

template <class T, class S>
void merge_row(const T* sums, int64_t columns, T alpha, T beta, S* c, int64_t column_stride) {
  int64_t j = 0;
  if constexpr (kStoresVectors<T, S>) {
    const hn::ScalableTag<T> d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const auto scale = hn::Set(d, alpha);
    const auto keep = hn::Set(d, beta);
    for (; column_stride == 1 && j + lanes <= columns; j += lanes) {
      auto value = hn::Mul(hn::LoadU(d, sums + j), scale);
      if (beta != T{0}) value = hn::Add(value, hn::Mul(keep, load_as(d, c + j)));
      store_vector(d, value, c + j);
    }
  }
  for (; j < columns; ++j) {
    S* const place = c + j * column_stride;
    T value = sums[j] * alpha;
    if (beta != T{0}) value += beta * static_cast<T>(load_one(place));
    store_one(value, place);
  }
}

template <class T>
void merge(const T* sums, int64_t sums_step, int64_t rows, int64_t columns, T alpha, T beta,
           netcl_dtype dtype, void* c, int64_t row_stride, int64_t column_stride) {
  with_type<T>(dtype, c, [&](auto* typed) HWY_ATTR {
    for (int64_t i = 0; i < rows; ++i) {
      merge_row(sums + i * sums_step, columns, alpha, beta, typed + i * row_stride, column_stride);
    }
  });
}

template <class T, class S>
void accumulate_row(T* sums, int64_t columns, T alpha, T beta, const S* source,
                    int64_t column_stride) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t j = 0;
  if (column_stride == 1 || column_stride == 0) {
    const auto scale = hn::Set(d, alpha);
    const auto keep = hn::Set(d, beta);
    const auto same = hn::Set(d, static_cast<T>(load_one(source)));
    for (; j + lanes <= columns; j += lanes) {
      const auto value = column_stride == 1 ? load_as(d, source + j) : same;
      hn::StoreU(hn::MulAdd(hn::LoadU(d, sums + j), scale, hn::Mul(keep, value)), d, sums + j);
    }
  }
  for (; j < columns; ++j) {
    sums[j] = alpha * sums[j] + beta * static_cast<T>(load_one(source + j * column_stride));
  }
}

template <class T>
void accumulate(T* sums, int64_t sums_step, int64_t rows, int64_t columns, T alpha, T beta,
                netcl_dtype dtype, const void* source, int64_t row_stride, int64_t column_stride) {
  with_type<T>(dtype, source, [&](auto* typed) HWY_ATTR {
    for (int64_t i = 0; i < rows; ++i) {
      accumulate_row(sums + i * sums_step, columns, alpha, beta, typed + i * row_stride,
                     column_stride);
    }
  });
}

// R rows share the loads of x; two sums per row hide the latency of the additions.
template <int R, class T, class S>
void dot_group(const S* a, int64_t row_stride, int64_t depth, const T* x, T* sums) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const S* const a1 = a + (R > 1 ? row_stride : 0);
  const S* const a2 = a + (R > 2 ? 2 * row_stride : 0);
  const S* const a3 = a + (R > 3 ? 3 * row_stride : 0);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  auto t0 = s0, t1 = s0, t2 = s0, t3 = s0;
  int64_t p = 0;
  for (; p + 2 * lanes <= depth; p += 2 * lanes) {
    const auto x0 = hn::LoadU(d, x + p);
    const auto x1 = hn::LoadU(d, x + p + lanes);
    s0 = hn::MulAdd(load_as(d, a + p), x0, s0);
    t0 = hn::MulAdd(load_as(d, a + p + lanes), x1, t0);
    if constexpr (R > 1) {
      s1 = hn::MulAdd(load_as(d, a1 + p), x0, s1);
      t1 = hn::MulAdd(load_as(d, a1 + p + lanes), x1, t1);
      s2 = hn::MulAdd(load_as(d, a2 + p), x0, s2);
      t2 = hn::MulAdd(load_as(d, a2 + p + lanes), x1, t2);
      s3 = hn::MulAdd(load_as(d, a3 + p), x0, s3);
      t3 = hn::MulAdd(load_as(d, a3 + p + lanes), x1, t3);
    }
  }
  sums[0] = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, t0)));
  if constexpr (R > 1) {
    sums[1] = hn::GetLane(hn::SumOfLanes(d, hn::Add(s1, t1)));
    sums[2] = hn::GetLane(hn::SumOfLanes(d, hn::Add(s2, t2)));
    sums[3] = hn::GetLane(hn::SumOfLanes(d, hn::Add(s3, t3)));
  }
  for (; p < depth; ++p) {
    sums[0] += static_cast<T>(load_one(a + p)) * x[p];
    if constexpr (R > 1) {
      sums[1] += static_cast<T>(load_one(a1 + p)) * x[p];
      sums[2] += static_cast<T>(load_one(a2 + p)) * x[p];
      sums[3] += static_cast<T>(load_one(a3 + p)) * x[p];
    }
  }
}

template <class T>
void dot_rows(netcl_dtype dtype, const void* a, int64_t row_stride, int64_t rows, int64_t depth,
              const T* x, T* sums) {
  with_type<T>(dtype, a, [&](auto* typed) HWY_ATTR {
    int64_t i = 0;
    for (; i + 4 <= rows; i += 4) {
      dot_group<4>(typed + i * row_stride, row_stride, depth, x, sums + i);
    }
    for (; i < rows; ++i) dot_group<1>(typed + i * row_stride, row_stride, depth, x, sums + i);
  });
}

// Four columns at a time, so that each sum is loaded and stored once for four products.
template <class T, class S>
void add_four(const S* a, int64_t depth_stride, int64_t rows, const T* x, T* sums) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const S* const a1 = a + depth_stride;
  const S* const a2 = a1 + depth_stride;
  const S* const a3 = a2 + depth_stride;
  const auto x0 = hn::Set(d, x[0]), x1 = hn::Set(d, x[1]);
  const auto x2 = hn::Set(d, x[2]), x3 = hn::Set(d, x[3]);
  int64_t i = 0;
  for (; i + lanes <= rows; i += lanes) {
    auto sum = hn::MulAdd(load_as(d, a + i), x0, hn::LoadU(d, sums + i));
    sum = hn::MulAdd(load_as(d, a1 + i), x1, sum);
    sum = hn::MulAdd(load_as(d, a2 + i), x2, sum);
    sum = hn::MulAdd(load_as(d, a3 + i), x3, sum);
    hn::StoreU(sum, d, sums + i);
  }
  for (; i < rows; ++i) {
    T sum = sums[i] + static_cast<T>(load_one(a + i)) * x[0];
    sum += static_cast<T>(load_one(a1 + i)) * x[1];
    sum += static_cast<T>(load_one(a2 + i)) * x[2];
    sums[i] = sum + static_cast<T>(load_one(a3 + i)) * x[3];
  }
}

template <class T>
void add_columns(netcl_dtype dtype, const void* a, int64_t depth_stride, int64_t rows,
                 int64_t depth, const T* x, T* sums) {
  with_type<T>(dtype, a, [&](auto* typed) HWY_ATTR {
    int64_t p = 0;
    for (; p + 4 <= depth; p += 4) {
      add_four(typed + p * depth_stride, depth_stride, rows, x + p, sums);
    }
    for (; p < depth; ++p) {
      const auto* const column = typed + p * depth_stride;
      for (int64_t i = 0; i < rows; ++i) {
        sums[i] += static_cast<T>(load_one(column + i)) * x[p];
      }
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::gemm_detail
HWY_AFTER_NAMESPACE();

#endif
