/* Winograd's method on GPUs: transforms around a batched matrix product that is an op of its own.
 * Each item transforms a tile of one channel or filter after the other (every so manieth);
 * neighbouring items take neighbouring tiles. */
#include "conv2d_common.cl"
#include "conv2d_winograd.cl"

NETCL_WEIGHTS_1D(NETCL_T, netcl_weights_1d)
NETCL_INPUT_1D(NETCL_T, netcl_input_1d)
NETCL_OUTPUT_1D(NETCL_T, netcl_output_1d)

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
