/* Convolution as a matrix product of filters by output elements (of all images), whose
 * right side is gathered from x while it is multiplied.
 *
 * More options: NETCL_TILE 32, 64 or 128, the edge of a group's tile of the result; with it
 * NETCL_STEP 8, 16 or 8, the depth of a step, and NETCL_LANES 8, 16 or 16: a group is their square.
 * NETCL_QUAD 1 when four neighbouring columns can be written as one. */
#include "conv2d_common.cl"

/* Where an element of a filter meets x, from the place of the filter's first one. */
typedef struct {
  long offset;
  int down, across;
} Tap;

/* packed[(group * depth + k) * filters + f], zeros for filters and depth beyond what there is, and
 * the taps. Dimension 0: padded filters; dimensions 1 and 2: padded depth and groups, every so
 * manieth. */
__kernel void netcl_conv2d_implicit_gemm_weights(const __global STORAGE(X) *w, Layout w_at,
                                                 Layout x_at, long dilation_h, long dilation_w,
                                                 long group_filters, long groups, long depth,
                                                 __global NETCL_T *packed, __global Tap *taps) {
  const long f = (long)get_global_id(0);
  const long area = w_at.shape[2] * w_at.shape[3];
  for (long k = (long)get_global_id(1); k < depth; k += (long)get_global_size(1)) {
    const long c = k / area;
    const long i = k % area / w_at.shape[3];
    const long j = k % area % w_at.shape[3];
    for (long group = (long)get_global_id(2); group < groups; group += (long)get_global_size(2)) {
      NETCL_T value = 0;
      if (f < group_filters && c < w_at.shape[1]) {
        value = LOAD(X, w, netcl_place(&w_at, group * group_filters + f, c, i, j));
      }
      packed[(group * depth + k) * (long)get_global_size(0) + f] = value;
    }
    if (f == 0 && get_global_id(2) == 0) {
      Tap tap;
      tap.offset = c * x_at.strides[1] + i * dilation_h * x_at.strides[2] +
                   j * dilation_w * x_at.strides[3];
      /* Beyond the depth no row exists. */
      tap.down = c < w_at.shape[1] ? (int)(i * dilation_h) : -0x40000000;
      tap.across = (int)(j * dilation_w);
      taps[k] = tap;
    }
  }
}

#ifdef NETCL_TILE

#define NETCL_T4 NETCL_JOIN(NETCL_T, 4)
#define NETCL_ITEMS (NETCL_LANES * NETCL_LANES)
#define NETCL_SIDE (NETCL_TILE / NETCL_LANES) /* an item's tile is NETCL_SIDE squared, */
#define NETCL_QUADS (NETCL_SIDE / 4)          /* in quads that are NETCL_APART apart */
#define NETCL_APART (4 * NETCL_LANES)

/* Four rows of the step for one column of the tile. */
#define NETCL_GATHER(values, first)                                                             \
  for (int e = 0; e < 4; ++e) {                                                                 \
    const Tap tap = taps[(first) + in_step + e];                                                \
    const int down = top + tap.down;                                                            \
    const int across = left + tap.across;                                                       \
    values[e] = 0;                                                                              \
    if ((uint)down < height && (uint)across < width) values[e] = LOAD(X, image, tap.offset);    \
  }

/* Adds the products of one step. */
inline void netcl_multiply_step(__local const NETCL_T *a, __local const NETCL_T *b, int line,
                                int lane, NETCL_T sums[NETCL_SIDE][NETCL_SIDE]) {
#pragma unroll
  for (int p = 0; p < NETCL_STEP; ++p) {
    NETCL_T u[NETCL_SIDE];
    NETCL_T v[NETCL_SIDE];
#pragma unroll
    for (int i = 0; i < NETCL_QUADS; ++i) {
      const NETCL_T4 r = *(__local const NETCL_T4 *)&a[p * NETCL_TILE + i * NETCL_APART + line * 4];
      const NETCL_T4 s = *(__local const NETCL_T4 *)&b[p * NETCL_TILE + i * NETCL_APART + lane * 4];
      u[4 * i] = r.s0, u[4 * i + 1] = r.s1, u[4 * i + 2] = r.s2, u[4 * i + 3] = r.s3;
      v[4 * i] = s.s0, v[4 * i + 1] = s.s1, v[4 * i + 2] = s.s2, v[4 * i + 3] = s.s3;
    }
#pragma unroll
    for (int i = 0; i < NETCL_SIDE; ++i) {
#pragma unroll
      for (int j = 0; j < NETCL_SIDE; ++j) sums[i][j] = fma(u[i], v[j], sums[i][j]);
    }
  }
}

/* Image, row and column of an output. Numbers of 32 bits divide several times as fast. */
typedef struct {
  long n, row, column;
} Place;

inline Place netcl_place_of(long output, const Layout *y_at) {
  const long area = y_at->shape[2] * y_at->shape[3];
  Place place;
  if (y_at->shape[0] * area <= 0x7fffffff) {
    const uint in_image = (uint)output % (uint)area;
    place.n = (uint)output / (uint)area;
    place.row = in_image / (uint)y_at->shape[3];
    place.column = in_image % (uint)y_at->shape[3];
  } else {
    place.n = output / area;
    place.row = output % area / y_at->shape[3];
    place.column = output % y_at->shape[3];
  }
  return place;
}

/* Writes an item's part of a tile; `f_first` is the first filter of the group of channels. */
inline void netcl_write_part(NETCL_T sums[NETCL_SIDE][NETCL_SIDE], int line, int lane,
                             long filter_first, long group_filters, long f_first,
                             long column_first, __global STORAGE(X) *y, Layout y_at,
                             NETCL_EPILOGUE_PARAMETERS) {
  const long columns = y_at.shape[0] * y_at.shape[2] * y_at.shape[3];
#pragma unroll
  for (int j = 0; j < NETCL_SIDE; j += NETCL_QUAD ? 4 : 1) {
    const long to = column_first + j / 4 * NETCL_APART + lane * 4 + j % 4;
    if (to >= columns) continue;
    const Place at = netcl_place_of(to, &y_at);
    const long place = netcl_place(&y_at, at.n, 0, at.row, at.column);
    const long other = netcl_place(&residual_at, at.n, 0, at.row, at.column);
#pragma unroll
    for (int i = 0; i < NETCL_SIDE; ++i) {
      const long in_group = filter_first + i / 4 * NETCL_APART + line * 4 + i % 4;
      if (in_group >= group_filters) continue;
      const long f = f_first + in_group;
      const NETCL_T factor = netcl_scale_of(scale, scale_offset, f);
      const NETCL_T summand = netcl_shift_of(shift, shift_offset, shift_stride, f);
      const long beside = other + f * residual_at.strides[1];
#if NETCL_QUAD
      NETCL_T v[4];
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        v[e] = netcl_finished(sums[i][j + e], factor, summand, residual, beside + e, alpha, beta);
      }
      *(__global NETCL_T4 *)(y + place + f * y_at.strides[1]) =
          (NETCL_T4)(v[0], v[1], v[2], v[3]);
#else
      netcl_finish(sums[i][j], factor, summand, y, place + f * y_at.strides[1], residual, beside,
                   alpha, beta);
#endif
    }
  }
}

/* Groups that share a tile of x follow each other: dimension 0 has one group for each tile of
 * filters, within that of output elements, within that of groups of channels. While a step is
 * multiplied the next one is on its way from global memory. */
__kernel __attribute__((reqd_work_group_size(NETCL_ITEMS, 1, 1))) void netcl_conv2d_implicit_gemm(
    NETCL_CONV_PARAMETERS, NETCL_EPILOGUE_PARAMETERS, long group_filters,
    const __global NETCL_T *packed, long packed_filters, int depth, const __global Tap *taps) {
  __local NETCL_T store_a[2][NETCL_STEP * NETCL_TILE] __attribute__((aligned(32)));
  __local NETCL_T store_b[2][NETCL_STEP * NETCL_TILE] __attribute__((aligned(32)));
  const int item = (int)get_local_id(0);
  const int lane = item % NETCL_LANES;
  const int line = item / NETCL_LANES;
  const long tiles_f = packed_filters / NETCL_TILE;
  const long columns = y_at.shape[0] * y_at.shape[2] * y_at.shape[3];
  const long tiles_c = (columns + NETCL_TILE - 1) / NETCL_TILE;
  const long id = (long)get_group_id(0);
  const long filter_first = id % tiles_f * NETCL_TILE;
  const long column_first = id / tiles_f % tiles_c * NETCL_TILE;
  const long group = id / (tiles_f * tiles_c);
  const uint height = (uint)x_at.shape[2];
  const uint width = (uint)x_at.shape[3];

  /* The column of x that this item gathers. */
  const int in_step = item / NETCL_TILE * 4;
  const Place from =
      netcl_place_of(min(column_first + item % NETCL_TILE, columns - 1), &y_at);
  const int top = (int)(from.row * stride_h - padding_h);
  const int left = (int)(from.column * stride_w - padding_w);
  const __global STORAGE(X) *const image = x + x_at.offset + from.n * x_at.strides[0] +
                                           group * w_at.shape[1] * x_at.strides[1] +
                                           top * x_at.strides[2] + left * x_at.strides[3];
  const __global NETCL_T *a = packed + group * depth * packed_filters + filter_first +
                              item / (NETCL_TILE / 4) * packed_filters +
                              item % (NETCL_TILE / 4) * 4;
  NETCL_T sums[NETCL_SIDE][NETCL_SIDE];
  NETCL_T4 next_a = *(const __global NETCL_T4 *)a;
  NETCL_T next_b[4];
  int now = 0;
  for (int i = 0; i < NETCL_SIDE; ++i) {
    for (int j = 0; j < NETCL_SIDE; ++j) sums[i][j] = 0;
  }
  NETCL_GATHER(next_b, 0)
  *(__local NETCL_T4 *)&store_a[0][item * 4] = next_a;
  for (int e = 0; e < 4; ++e) {
    store_b[0][(in_step + e) * NETCL_TILE + item % NETCL_TILE] = next_b[e];
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int first = 0; first < depth; first += NETCL_STEP) {
    const int following = first + NETCL_STEP;
    if (following < depth) {
      a += NETCL_STEP * packed_filters;
      next_a = *(const __global NETCL_T4 *)a;
      NETCL_GATHER(next_b, following)
    }
    netcl_multiply_step(store_a[now], store_b[now], line, lane, sums);
    if (following < depth) {
      *(__local NETCL_T4 *)&store_a[1 - now][item * 4] = next_a;
      for (int e = 0; e < 4; ++e) {
        store_b[1 - now][(in_step + e) * NETCL_TILE + item % NETCL_TILE] = next_b[e];
      }
    }
    now = 1 - now;
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  netcl_write_part(sums, line, lane, filter_first, group_filters, group * group_filters,
                   column_first, y, y_at, scale, scale_offset, shift, shift_offset, shift_stride,
                   residual, residual_at, alpha, beta);
}

#endif
