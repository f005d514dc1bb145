/* Winograd's method for 3 x 3 filters with stride 1 (Lavin and Gray, 2015): transforms around a
 * batched matrix product that is an op of its own. Each item transforms a tile of one channel or
 * filter after the other (every so manieth); neighbouring items take neighbouring tiles. */
#include "conv2d_common.cl"

/* The transforms of one dimension, F(2,3) or F(4,3): NETCL_M is 2 or 4, and tiles have NETCL_A =
 * NETCL_M + 2 rows. Elements are `s` and `d` apart. */
#define NETCL_A (NETCL_M + 2)
#define NETCL_E (NETCL_A * NETCL_A)

#if NETCL_M == 4
inline void netcl_weights_1d(const NETCL_T *g, int s, NETCL_T *r, int d) {
  const NETCL_T even = (g[0] + g[2 * s]) * (NETCL_T)(-1.0 / 6);
  const NETCL_T odd = g[s] * (NETCL_T)(-1.0 / 6);
  const NETCL_T high = g[0] * (NETCL_T)(1.0 / 24) + g[2 * s] * (NETCL_T)(1.0 / 6);
  const NETCL_T half_odd = g[s] * (NETCL_T)(1.0 / 12);
  r[0] = g[0] * (NETCL_T)0.25;
  r[d] = even + odd;
  r[2 * d] = even - odd;
  r[3 * d] = high + half_odd;
  r[4 * d] = high - half_odd;
  r[5 * d] = g[2 * s];
}
inline void netcl_input_1d(const NETCL_T *x, int s, NETCL_T *r, int d) {
  const NETCL_T four = (NETCL_T)(4);
  const NETCL_T five = (NETCL_T)(-5);
  const NETCL_T a = fma(-four, x[2 * s], x[4 * s]);
  const NETCL_T b = fma(-four, x[s], x[3 * s]);
  const NETCL_T c = x[4 * s] - x[2 * s];
  const NETCL_T e = (x[3 * s] - x[s]) * (NETCL_T)2;
  r[0] = fma(four, x[0], fma(five, x[2 * s], x[4 * s]));
  r[d] = a + b;
  r[2 * d] = a - b;
  r[3 * d] = c + e;
  r[4 * d] = c - e;
  r[5 * d] = fma(four, x[s], fma(five, x[3 * s], x[5 * s]));
}
inline void netcl_output_1d(const NETCL_T *m, int s, NETCL_T *r, int d) {
  const NETCL_T a = m[s] + m[2 * s];
  const NETCL_T b = m[s] - m[2 * s];
  const NETCL_T c = m[3 * s] + m[4 * s];
  const NETCL_T e = m[3 * s] - m[4 * s];
  r[0] = m[0] + a + c;
  r[d] = fma((NETCL_T)(2), e, b);
  r[2 * d] = fma((NETCL_T)(4), c, a);
  r[3 * d] = fma((NETCL_T)(8), e, b) + m[5 * s];
}
#else
inline void netcl_weights_1d(const NETCL_T *g, int s, NETCL_T *r, int d) {
  const NETCL_T even = (g[0] + g[2 * s]) * (NETCL_T)0.5;
  const NETCL_T odd = g[s] * (NETCL_T)0.5;
  r[0] = g[0];
  r[d] = even + odd;
  r[2 * d] = even - odd;
  r[3 * d] = g[2 * s];
}
inline void netcl_input_1d(const NETCL_T *x, int s, NETCL_T *r, int d) {
  r[0] = x[0] - x[2 * s];
  r[d] = x[s] + x[2 * s];
  r[2 * d] = x[2 * s] - x[s];
  r[3 * d] = x[s] - x[3 * s];
}
inline void netcl_output_1d(const NETCL_T *m, int s, NETCL_T *r, int d) {
  r[0] = m[0] + m[s] + m[2 * s];
  r[d] = m[s] - m[2 * s] - m[3 * s];
}
#endif

/* u[((group * NETCL_E + e) * filters + f) * channels + c], filters and channels of a group.
 * Dimension 0: channels; dimension 1: filters of all groups. */
__kernel void netcl_conv2d_winograd_weights(const __global STORAGE(X) *w, Layout w_at,
                                            long group_filters, __global NETCL_T *u) {
  const long c = (long)get_global_id(0);
  const long channels = w_at.shape[1];
  if (c >= channels) return;
  for (long f = (long)get_global_id(1); f < w_at.shape[0]; f += (long)get_global_size(1)) {
    NETCL_T g[9];
    NETCL_T half_way[3 * NETCL_A];
    NETCL_T r[NETCL_E];
    for (int k = 0; k < 9; ++k) g[k] = LOAD(X, w, netcl_place(&w_at, f, c, k / 3, k % 3));
    for (int k = 0; k < 3; ++k) netcl_weights_1d(g + k, 3, half_way + k, 3);
    for (int k = 0; k < NETCL_A; ++k) netcl_weights_1d(half_way + 3 * k, 1, r + NETCL_A * k, 1);
    const long group = f / group_filters;
    __global NETCL_T *const target =
        u + (group * NETCL_E * group_filters + f % group_filters) * channels + c;
    for (int e = 0; e < NETCL_E; ++e) target[e * group_filters * channels] = r[e];
  }
}

/* v[((group * NETCL_E + e) * channels + c) * count + t] for the tiles from `first` on. Dimension 0:
 * tiles; dimension 1: channels of all groups. */
__kernel void netcl_conv2d_winograd_input(const __global STORAGE(X) *x, Layout x_at,
                                          long group_channels, long padding_h, long padding_w,
                                          long tile_rows, long tile_columns, long first,
                                          long count, __global NETCL_T *v) {
  const long t = (long)get_global_id(0);
  if (t >= count) return;
  const long tile = first + t;
  const long n = tile / (tile_rows * tile_columns);
  const long top = tile / tile_columns % tile_rows * NETCL_M - padding_h;
  const long left = tile % tile_columns * NETCL_M - padding_w;
  for (long c = (long)get_global_id(1); c < x_at.shape[1]; c += (long)get_global_size(1)) {
    const __global STORAGE(X) *const image =
        x + x_at.offset + n * x_at.strides[0] + c * x_at.strides[1];
    NETCL_T half_way[NETCL_E];
#pragma unroll
    for (int i = 0; i < NETCL_A; ++i) {
      NETCL_T d[NETCL_A];
      const long down = top + i;
#pragma unroll
      for (int j = 0; j < NETCL_A; ++j) {
        const long across = left + j;
        d[j] = 0;
        if (down >= 0 && down < x_at.shape[2] && across >= 0 && across < x_at.shape[3]) {
          d[j] = LOAD(X, image, down * x_at.strides[2] + across * x_at.strides[3]);
        }
      }
      netcl_input_1d(d, 1, half_way + i * NETCL_A, 1);
    }
    __global NETCL_T *const target =
        v + (c / group_channels * NETCL_E * group_channels + c % group_channels) * count + t;
#pragma unroll
    for (int j = 0; j < NETCL_A; ++j) {
      NETCL_T r[NETCL_A];
      netcl_input_1d(half_way + j, NETCL_A, r, 1);
#pragma unroll
      for (int i = 0; i < NETCL_A; ++i) {
        target[(i * NETCL_A + j) * group_channels * count] = r[i];
      }
    }
  }
}

/* The other way: m[((group * NETCL_E + e) * filters + f) * count + t] becomes the tiles of y.
 * Dimension 0: tiles; dimension 1: filters of all groups. */
__kernel void netcl_conv2d_winograd_output(const __global NETCL_T *m, __global STORAGE(X) *y,
                                           Layout y_at, NETCL_EPILOGUE_PARAMETERS,
                                           long group_filters, long tile_rows, long tile_columns,
                                           long first, long count) {
  const long t = (long)get_global_id(0);
  if (t >= count) return;
  const long tile = first + t;
  const long n = tile / (tile_rows * tile_columns);
  const long top = tile / tile_columns % tile_rows * NETCL_M;
  const long left = tile % tile_columns * NETCL_M;
  for (long f = (long)get_global_id(1); f < y_at.shape[1]; f += (long)get_global_size(1)) {
    const NETCL_T factor = netcl_scale_of(scale, scale_offset, f);
    const NETCL_T summand = netcl_shift_of(shift, shift_offset, shift_stride, f);
    const __global NETCL_T *const source =
        m + (f / group_filters * NETCL_E * group_filters + f % group_filters) * count + t;
    NETCL_T half_way[NETCL_M * NETCL_A];
#pragma unroll
    for (int j = 0; j < NETCL_A; ++j) {
      NETCL_T d[NETCL_A];
#pragma unroll
      for (int i = 0; i < NETCL_A; ++i) {
        d[i] = source[(i * NETCL_A + j) * group_filters * count];
      }
      netcl_output_1d(d, 1, half_way + j, NETCL_A);
    }
#pragma unroll
    for (int i = 0; i < NETCL_M; ++i) {
      NETCL_T r[NETCL_M];
      netcl_output_1d(half_way + i * NETCL_A, 1, r, 1);
      if (top + i >= y_at.shape[2]) continue;
#pragma unroll
      for (int j = 0; j < NETCL_M; ++j) {
        if (left + j < y_at.shape[3]) {
          netcl_finish(r[j], factor, summand, y, netcl_place(&y_at, n, f, top + i, left + j),
                       residual, netcl_place(&residual_at, n, f, top + i, left + j), alpha, beta);
        }
      }
    }
  }
}
