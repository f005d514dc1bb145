/* Direct convolution for few channels and small outputs: a group computes 32 columns by
 * NETCL_LINES rows of the result for NETCL_FILTERS filters from tiles of x in local memory.
 *
 * More options: NETCL_LINES 2, 4 or 8; NETCL_FILTERS 1, 2, 4 or 8; NETCL_CHUNK the channels in
 * local memory at a time; NETCL_KH, NETCL_KW, NETCL_SH, NETCL_SW, NETCL_DH, NETCL_DW the filter's
 * sizes, strides and dilations. */
#include "conv2d_common.cl"

#define NETCL_ITEMS (32 * NETCL_LINES)
#define NETCL_TILE_H ((NETCL_LINES - 1) * NETCL_SH + (NETCL_KH - 1) * NETCL_DH + 1)
#define NETCL_TILE_W (31 * NETCL_SW + (NETCL_KW - 1) * NETCL_DW + 1)
#define NETCL_AREA (NETCL_TILE_H * NETCL_TILE_W)
#define NETCL_TAPS (NETCL_KH * NETCL_KW)

__kernel __attribute__((reqd_work_group_size(NETCL_ITEMS, 1, 1))) void netcl_conv2d_tiled_local(
    NETCL_CONV_PARAMETERS, NETCL_EPILOGUE_PARAMETERS, long group_filters) {
  __local NETCL_T tile[NETCL_CHUNK * NETCL_AREA];
  __local NETCL_T weights[NETCL_CHUNK * NETCL_TAPS * NETCL_FILTERS];
  const int item = (int)get_local_id(0);
  const int in_row = item % 32;
  const int in_column = item / 32;
  const long across = (y_at.shape[3] + 31) / 32;
  const long down = (y_at.shape[2] + NETCL_LINES - 1) / NETCL_LINES;
  const long blocks = (group_filters + NETCL_FILTERS - 1) / NETCL_FILTERS;
  long id = (long)get_group_id(0);
  const long column_first = id % across * 32;
  id /= across;
  const long row_first = id % down * NETCL_LINES;
  id /= down;
  const long filter_first = id % blocks * NETCL_FILTERS;
  id /= blocks;
  const long groups = w_at.shape[0] / group_filters;
  const long group = id % groups;
  const long n = id / groups;
  const long channels = w_at.shape[1];
  const long top = row_first * NETCL_SH - padding_h;
  const long left = column_first * NETCL_SW - padding_w;
  const __global STORAGE(X) *const image =
      x + x_at.offset + n * x_at.strides[0] + group * channels * x_at.strides[1];
  NETCL_T sums[NETCL_FILTERS];
  for (int f = 0; f < NETCL_FILTERS; ++f) sums[f] = 0;

  for (long first = 0; first < channels; first += NETCL_CHUNK) {
    for (int k = item; k < NETCL_CHUNK * NETCL_AREA; k += NETCL_ITEMS) {
      const long c = first + k / NETCL_AREA;
      const long i = top + k % NETCL_AREA / NETCL_TILE_W;
      const long j = left + k % NETCL_AREA % NETCL_TILE_W;
      NETCL_T value = 0;
      if (c < channels && i >= 0 && i < x_at.shape[2] && j >= 0 && j < x_at.shape[3]) {
        value = LOAD(X, image, c * x_at.strides[1] + i * x_at.strides[2] + j * x_at.strides[3]);
      }
      tile[k] = value;
    }
    for (int k = item; k < NETCL_CHUNK * NETCL_TAPS * NETCL_FILTERS; k += NETCL_ITEMS) {
      const long f = filter_first + k % NETCL_FILTERS;
      const long c = first + k / NETCL_FILTERS / NETCL_TAPS;
      const int tap = k / NETCL_FILTERS % NETCL_TAPS;
      NETCL_T value = 0;
      if (f < group_filters && c < channels) {
        value = LOAD(X, w,
                     netcl_place(&w_at, group * group_filters + f, c, tap / NETCL_KW,
                                 tap % NETCL_KW));
      }
      weights[k] = value;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int c = 0; c < NETCL_CHUNK; ++c) {
      __local const NETCL_T *const corner =
          tile + c * NETCL_AREA + in_column * NETCL_SH * NETCL_TILE_W + in_row * NETCL_SW;
      __local const NETCL_T *u = weights + c * NETCL_TAPS * NETCL_FILTERS;
      for (int i = 0; i < NETCL_KH; ++i) {
        for (int j = 0; j < NETCL_KW; ++j, u += NETCL_FILTERS) {
          const NETCL_T v = corner[i * NETCL_DH * NETCL_TILE_W + j * NETCL_DW];
#pragma unroll
          for (int f = 0; f < NETCL_FILTERS; ++f) sums[f] = fma(v, u[f], sums[f]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  const long row = row_first + in_column;
  const long column = column_first + in_row;
  if (row >= y_at.shape[2] || column >= y_at.shape[3]) return;
  for (int k = 0; k < NETCL_FILTERS && filter_first + k < group_filters; ++k) {
    const long f = group * group_filters + filter_first + k;
    netcl_finish(sums[k], netcl_scale_of(scale, scale_offset, f),
                 netcl_shift_of(shift, shift_offset, shift_stride, f), y,
                 netcl_place(&y_at, n, f, row, column), residual,
                 netcl_place(&residual_at, n, f, row, column), alpha, beta);
  }
}
