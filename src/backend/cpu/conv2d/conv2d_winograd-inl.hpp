// Winograd's transforms (Lavin and Gray, 2015) with tiles in the lanes of vectors. Included once
// for each instruction set.
#if defined(NETCL_CONV2D_WINOGRAD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef NETCL_CONV2D_WINOGRAD_INL_HPP
#undef NETCL_CONV2D_WINOGRAD_INL_HPP
#else
#define NETCL_CONV2D_WINOGRAD_INL_HPP
#endif

#include "backend/cpu/conv2d/conv2d_columns-inl.hpp"
#include "backend/cpu/conv2d/conv2d_kernels.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace netcl::cpu::conv2d_detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The one-dimensional transforms of F(kEdge, 3), from arrays to arrays of vectors.
template <int kEdge>
struct Transform;

template <>
struct Transform<2> {
  template <class D, class V>
  static HWY_INLINE void in(D, const V* a, V* t) {
    t[0] = hn::Sub(a[0], a[2]);
    t[1] = hn::Add(a[1], a[2]);
    t[2] = hn::Sub(a[2], a[1]);
    t[3] = hn::Sub(a[1], a[3]);
  }
  template <class D, class V>
  static HWY_INLINE void filter(D d, const V* g, V* t) {
    using T = hn::TFromD<D>;
    const auto half = hn::Set(d, static_cast<T>(0.5));
    const V sum = hn::Add(g[0], g[2]);
    t[0] = g[0];
    t[1] = hn::Mul(half, hn::Add(sum, g[1]));
    t[2] = hn::Mul(half, hn::Sub(sum, g[1]));
    t[3] = g[2];
  }
  template <class D, class V>
  static HWY_INLINE void out(D, const V* m, V* y) {
    y[0] = hn::Add(hn::Add(m[0], m[1]), m[2]);
    y[1] = hn::Sub(hn::Sub(m[1], m[2]), m[3]);
  }
};

template <>
struct Transform<4> {
  template <class D, class V>
  static HWY_INLINE void in(D d, const V* a, V* t) {
    using T = hn::TFromD<D>;
    const auto two = hn::Set(d, static_cast<T>(2));
    const auto four = hn::Set(d, static_cast<T>(4));
    const auto five = hn::Set(d, static_cast<T>(5));
    const V even = hn::NegMulAdd(four, a[2], a[4]);
    const V odd = hn::NegMulAdd(four, a[1], a[3]);
    const V even2 = hn::Sub(a[4], a[2]);
    const V odd2 = hn::Sub(a[3], a[1]);
    t[0] = hn::MulAdd(four, a[0], hn::NegMulAdd(five, a[2], a[4]));
    t[1] = hn::Add(even, odd);
    t[2] = hn::Sub(even, odd);
    t[3] = hn::MulAdd(two, odd2, even2);
    t[4] = hn::NegMulAdd(two, odd2, even2);
    t[5] = hn::MulAdd(four, a[1], hn::NegMulAdd(five, a[3], a[5]));
  }
  template <class D, class V>
  static HWY_INLINE void filter(D d, const V* g, V* t) {
    using T = hn::TFromD<D>;
    const auto quarter = hn::Set(d, static_cast<T>(0.25));
    const auto sixth = hn::Set(d, static_cast<T>(1.0 / 6));
    const auto twelfth = hn::Set(d, static_cast<T>(1.0 / 12));
    const auto small = hn::Set(d, static_cast<T>(1.0 / 24));
    const V sum = hn::Mul(sixth, hn::Add(g[0], g[2]));
    const V mixed = hn::MulAdd(small, g[0], hn::Mul(sixth, g[2]));
    const V one = hn::Mul(sixth, g[1]);
    const V two = hn::Mul(twelfth, g[1]);
    t[0] = hn::Mul(quarter, g[0]);
    t[1] = hn::Neg(hn::Add(sum, one));
    t[2] = hn::Sub(one, sum);
    t[3] = hn::Add(mixed, two);
    t[4] = hn::Sub(mixed, two);
    t[5] = g[2];
  }
  template <class D, class V>
  static HWY_INLINE void out(D d, const V* m, V* y) {
    using T = hn::TFromD<D>;
    const auto two = hn::Set(d, static_cast<T>(2));
    const auto four = hn::Set(d, static_cast<T>(4));
    const auto eight = hn::Set(d, static_cast<T>(8));
    const V sum1 = hn::Add(m[1], m[2]);
    const V difference1 = hn::Sub(m[1], m[2]);
    const V sum2 = hn::Add(m[3], m[4]);
    const V difference2 = hn::Sub(m[3], m[4]);
    y[0] = hn::Add(hn::Add(m[0], sum1), sum2);
    y[1] = hn::MulAdd(two, difference2, difference1);
    y[2] = hn::MulAdd(four, sum2, sum1);
    y[3] = hn::Add(hn::MulAdd(eight, difference2, difference1), m[5]);
  }
};

// v[k] = the elements k, k + kEdge, k + 2 kEdge, ... from p on.
template <int kEdge, class D, class T, class V>
HWY_INLINE void load_spread(D d, const T* p, V* v) {
#if HWY_TARGET == HWY_SCALAR
  for (int k = 0; k < kEdge; ++k) v[k] = hn::LoadU(d, p + k);
#else
  if constexpr (kEdge == 4) {
    hn::LoadInterleaved4(d, p, v[0], v[1], v[2], v[3]);
  } else {
    hn::LoadInterleaved2(d, p, v[0], v[1]);
  }
#endif
}

template <int kEdge, class D, class T, class V>
HWY_INLINE void store_spread(D d, const V* v, T* p) {
#if HWY_TARGET == HWY_SCALAR
  for (int k = 0; k < kEdge; ++k) hn::StoreU(v[k], d, p + k);
#else
  if constexpr (kEdge == 4) {
    hn::StoreInterleaved4(v[0], v[1], v[2], v[3], d, p);
  } else {
    hn::StoreInterleaved2(v[0], v[1], d, p);
  }
#endif
}

// Transforms the columns of a row of tiles, a vector of columns at a time. `plain` receives column
// q of a run at first * kEdge + q, and `ahead` column q + kEdge there: the first elements of a
// tile's right neighbour, which the tile needs too, are elsewhere when the neighbour starts a run.
template <int kEdge, class T>
void transform_columns(const TileRun<T>& run, const T* plane, const Window& window, int64_t pitch,
                       T* plain, T* ahead) {
  constexpr int kSize = kEdge + 2;
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const T* rows[kSize];
  for (int r = 0; r < kSize; ++r) {
    const int64_t y = run.y + r;
    rows[r] = y >= 0 && y < window.size[0] ? plane + y * window.row : nullptr;
  }
  const int64_t base = run.first * kEdge;
  for (int64_t q = 0; q < run.count * kEdge + 2; q += lanes) {
    const int64_t x = run.x + q;
    const int64_t low = -x;
    const int64_t high = window.size[1] - x;
    V a[kSize], t[kSize];
    for (int r = 0; r < kSize; ++r) {
      a[r] = rows[r] == nullptr || high <= 0 || low >= lanes
                 ? hn::Zero(d)
                 : load_between(d, rows[r] + x, low, high);
    }
    Transform<kEdge>::in(d, a, t);
    for (int r = 0; r < kSize; ++r) hn::StoreU(t[r], d, plain + r * pitch + base + q);
    if (q >= kEdge) {
      for (int r = 0; r < kSize; ++r) hn::StoreU(t[r], d, ahead + r * pitch + base + q - kEdge);
    } else if (lanes > kEdge) {
      const auto mask = hn::Not(hn::FirstN(d, kEdge));
      for (int r = 0; r < kSize; ++r) {
        hn::BlendedStore(t[r], mask, d, ahead + r * pitch + base - kEdge);
      }
    }
  }
}

template <int kEdge, class T>
void tiles_in(const TileRun<T>* runs, int64_t count, const Window& window, int64_t channels,
              int64_t tiles, int64_t width, int64_t xi_step, int64_t panel_step, T* scratch,
              T* target) {
  constexpr int kSize = kEdge + 2;
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const int64_t pitch = tiles * kEdge + 4 * kSlack;
  T* const plain = scratch;
  // The masked store in front of the first run touches memory that is not its own.
  T* const ahead = scratch + kSize * pitch;
  for (int64_t c = 0; c < channels; ++c, target += width) {
    for (int64_t r = 0; r < count; ++r) {
      const T* const plane =
          runs[r].plane == nullptr ? nullptr : runs[r].plane + c * window.channel;
      transform_columns<kEdge>(runs[r], plane, window, pitch, plain, ahead);
    }
    for (int64_t tile = 0; tile < tiles; tile += lanes) {
      T* const place = target + tile / width * panel_step + tile % width;
      for (int i = 0; i < kSize; ++i) {
        V a[2 * kEdge], t[kSize];
        load_spread<kEdge>(d, plain + i * pitch + tile * kEdge, a);
        load_spread<kEdge>(d, ahead + i * pitch + tile * kEdge, a + kEdge);
        Transform<kEdge>::in(d, a, t);
        for (int j = 0; j < kSize; ++j) hn::StoreU(t[j], d, place + (i * kSize + j) * xi_step);
      }
    }
  }
}

template <int kEdge, class T>
void filters_in(const T* w, int64_t channels, int64_t rows, int64_t xi_step, T* target) {
  constexpr int kSize = kEdge + 2;
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t c = 0; c < channels; ++c, w += 9 * rows, target += rows) {
    // What is written past the last row is written again by the next channel.
    for (int64_t row = 0; row < rows; row += lanes) {
      V columns_of[3][kSize];
      for (int kx = 0; kx < 3; ++kx) {
        V g[3];
        for (int ky = 0; ky < 3; ++ky) g[ky] = hn::LoadU(d, w + (ky * 3 + kx) * rows + row);
        Transform<kEdge>::filter(d, g, columns_of[kx]);
      }
      for (int i = 0; i < kSize; ++i) {
        const V g[3] = {columns_of[0][i], columns_of[1][i], columns_of[2][i]};
        V t[kSize];
        Transform<kEdge>::filter(d, g, t);
        for (int j = 0; j < kSize; ++j) {
          hn::StoreU(t[j], d, target + (i * kSize + j) * xi_step + row);
        }
      }
    }
  }
}

template <int kEdge, class T>
void tiles_out(const T* m, int64_t width, int64_t tiles, int64_t row_step, T* target) {
  constexpr int kSize = kEdge + 2;
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t tile = 0; tile < tiles; tile += lanes) {
    V columns_of[kSize][kEdge];
    for (int j = 0; j < kSize; ++j) {
      V a[kSize];
      for (int i = 0; i < kSize; ++i) a[i] = hn::LoadU(d, m + (i * kSize + j) * width + tile);
      Transform<kEdge>::out(d, a, columns_of[j]);
    }
    for (int y = 0; y < kEdge; ++y) {
      V a[kSize], out[kEdge];
      for (int j = 0; j < kSize; ++j) a[j] = columns_of[j][y];
      Transform<kEdge>::out(d, a, out);
      store_spread<kEdge>(d, out, target + y * row_step + tile * kEdge);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace netcl::cpu::conv2d_detail
HWY_AFTER_NAMESPACE();

#endif
