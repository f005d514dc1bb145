/* Direct convolution on CPUs for few channels per group (depthwise ones above all): the tile of x
 * is packed once into a piece of global memory that stays in the cache, and each filter reads it
 * from there, four filters or one at a time. The filters are read where they are. */
#include "conv2d_cpu.cl"
#include "conv2d_cpu_positions.cl"

#define NETCL_ONE_COLUMNS (8 * NETCL_W)

#define NETCL_FOUR_KEEP(i)                      \
  NETCL_VSTORE(s##i, 0, sums + (i) * pitch);    \
  NETCL_VSTORE(t##i, 0, sums + (i) * pitch + NETCL_W);

/* Four filters, by two vectors of positions. */
inline void netcl_direct_4(const __global STORAGE(X) *w, const Layout *w_at,
                           const __global NETCL_T *b, long channel_pitch,
                           const __global int *taps, __global NETCL_T *sums, long pitch) {
  NETCL_V s0 = 0, s1 = 0, s2 = 0, s3 = 0, t0 = 0, t1 = 0, t2 = 0, t3 = 0;
  const long step = w_at->strides[0];
  for (long c = 0; c < w_at->shape[1]; ++c, b += channel_pitch) {
    const __global int *tap = taps;
    for (long i = 0; i < w_at->shape[2]; ++i) {
      const __global STORAGE(X) *a = w + c * w_at->strides[1] + i * w_at->strides[2];
      for (long j = 0; j < w_at->shape[3]; ++j, a += w_at->strides[3], ++tap) {
        const NETCL_V b0 = NETCL_VLOAD(0, b + *tap);
        const NETCL_V b1 = NETCL_VLOAD(0, b + *tap + NETCL_W);
        const NETCL_V u0 = (NETCL_V)(LOAD(X, a, 0));
        const NETCL_V u1 = (NETCL_V)(LOAD(X, a, step));
        const NETCL_V u2 = (NETCL_V)(LOAD(X, a, 2 * step));
        const NETCL_V u3 = (NETCL_V)(LOAD(X, a, 3 * step));
        s0 = fma(u0, b0, s0), t0 = fma(u0, b1, t0);
        s1 = fma(u1, b0, s1), t1 = fma(u1, b1, t1);
        s2 = fma(u2, b0, s2), t2 = fma(u2, b1, t2);
        s3 = fma(u3, b0, s3), t3 = fma(u3, b1, t3);
      }
    }
  }
  NETCL_FOUR_KEEP(0) NETCL_FOUR_KEEP(1) NETCL_FOUR_KEEP(2) NETCL_FOUR_KEEP(3)
}

#define NETCL_EACH_VECTOR(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define NETCL_ONE_DECLARE(k) NETCL_V s##k = 0;
#define NETCL_ONE_MULTIPLY(k) s##k = fma(u, NETCL_VLOAD(0, at + (k) * NETCL_W), s##k);
#define NETCL_ONE_KEEP(k) NETCL_VSTORE(s##k, 0, sums + (k) * NETCL_W);

/* One filter by eight vectors of positions. */
inline void netcl_direct_1(const __global STORAGE(X) *w, const Layout *w_at,
                           const __global NETCL_T *b, long channel_pitch,
                           const __global int *taps, __global NETCL_T *sums) {
  NETCL_EACH_VECTOR(NETCL_ONE_DECLARE)
  for (long c = 0; c < w_at->shape[1]; ++c, b += channel_pitch) {
    const __global int *tap = taps;
    for (long i = 0; i < w_at->shape[2]; ++i) {
      const __global STORAGE(X) *a = w + c * w_at->strides[1] + i * w_at->strides[2];
      for (long j = 0; j < w_at->shape[3]; ++j, a += w_at->strides[3], ++tap) {
        const __global NETCL_T *const at = b + *tap;
        const NETCL_V u = (NETCL_V)(LOAD(X, a, 0));
        NETCL_EACH_VECTOR(NETCL_ONE_MULTIPLY)
      }
    }
  }
  NETCL_EACH_VECTOR(NETCL_ONE_KEEP)
}

/* Dimension 0: workers along the blocks of positions; dimension 1: parts of the filters of a group;
 * dimension 2: groups. A worker's scratch holds the taps, the tile and the sums of four filters. */
__kernel void netcl_conv2d_tiled_local(NETCL_CONV_PARAMETERS, NETCL_EPILOGUE_PARAMETERS,
                                       long groups, __global NETCL_T *scratch, long scratch_size,
                                       long positions, int block_size, int reach, int width,
                                       int height, int planes_h, int planes_w, int pitch,
                                       int part_filters) {
  const long channels = w_at.shape[1];
  const int taps_count = (int)(w_at.shape[2] * w_at.shape[3]);
  const long group_filters = w_at.shape[0] / groups;
  const long worker =
      ((long)get_global_id(2) * (long)get_global_size(1) + (long)get_global_id(1)) *
          (long)get_global_size(0) +
      (long)get_global_id(0);
  const long first_filter = (long)get_global_id(1) * part_filters;
  const long last_filter = min(first_filter + part_filters, group_filters);
  __global int *const taps = (__global int *)(scratch + worker * scratch_size);
  __global NETCL_T *const tile =
      scratch + worker * scratch_size + (taps_count + NETCL_W - 1) / NETCL_W * NETCL_W;
  const long channel_pitch = (long)planes_h * planes_w * pitch;
  __global NETCL_T *const sums = tile + channels * channel_pitch;
  Block block = {0, 0, 0, width, height, planes_h, planes_w, pitch};
  netcl_place_taps(&w_at, &block, stride_h, stride_w, dilation_h, dilation_w, taps);
  for (long group = (long)get_global_id(2); group < groups; group += (long)get_global_size(2)) {
    const __global STORAGE(X) *const image =
        x + x_at.offset + group * channels * x_at.strides[1];
    for (long b = (long)get_global_id(0); b * block_size < positions;
         b += (long)get_global_size(0)) {
      block.first = b * block_size;
      block.count = (int)min((long)block_size, positions - block.first);
      block.length =
          (block.count + NETCL_ONE_COLUMNS - 1) / NETCL_ONE_COLUMNS * NETCL_ONE_COLUMNS + reach;
      netcl_pack_block(image, &x_at, &block, channels, stride_h, stride_w, padding_h, padding_w,
                       tile);
      for (long filter = first_filter; filter < last_filter;) {
        const long f = group * group_filters + filter;
        const __global STORAGE(X) *const weights = w + w_at.offset + f * w_at.strides[0];
        const int together = filter + 4 <= last_filter ? 4 : 1;
        if (together == 4) {
          for (int j = 0; j < block.count; j += 2 * NETCL_W) {
            netcl_direct_4(weights, &w_at, tile + j, channel_pitch, taps, sums + j, block_size);
          }
        } else {
          for (int j = 0; j < block.count; j += NETCL_ONE_COLUMNS) {
            netcl_direct_1(weights, &w_at, tile + j, channel_pitch, taps, sums + j);
          }
        }
        netcl_finish_block(sums, block_size, &block, together, f, y, &y_at, scale, scale_offset,
                           shift, shift_offset, shift_stride, residual, &residual_at, alpha, beta);
        filter += together;
      }
    }
  }
}
