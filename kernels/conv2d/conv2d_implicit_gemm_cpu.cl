/* Convolution on CPUs as a matrix product whose right side is never written out: filters by
 * positions (see conv2d_cpu.cl), where each tap reads the packed positions at its own distance. */
#include "conv2d_cpu.cl"
#include "conv2d_cpu_positions.cl"
#include "conv2d_cpu_tile.cl"

/* packed[((panel * channels + c) * taps + t) * NETCL_ROWS + i] = w[filter i of the panel][c][t].
 * Dimension 0 runs over the panels of all groups, dimension 1 over pieces of the channels. */
__kernel void netcl_conv2d_implicit_gemm_weights(const __global STORAGE(X) *w, Layout w_at,
                                                 long group_filters, long piece,
                                                 __global NETCL_T *packed) {
  const long panels = (group_filters + NETCL_ROWS - 1) / NETCL_ROWS;
  const long panel = (long)get_global_id(0);
  const long taps = w_at.shape[2] * w_at.shape[3];
  const long channels = w_at.shape[1];
  const long group = panel / panels;
  const long first = panel % panels * NETCL_ROWS;
  const int rows = (int)min((long)NETCL_ROWS, group_filters - first);
  const long begin = (long)get_global_id(1) * piece;
  const long end = min(begin + piece, channels);
  const long step = w_at.strides[0];
  __global NETCL_T *target = packed + (panel * channels + begin) * taps * NETCL_ROWS;
  w += w_at.offset + (group * group_filters + first) * step;
  if (w_at.strides[3] == 1 && (w_at.shape[2] == 1 || w_at.strides[2] == w_at.shape[3]) &&
      (channels == 1 || w_at.strides[1] == taps)) {
    /* A filter is one run of memory: four of them at a time are transposed. */
    const long count = (end - begin) * taps;
    w += begin * taps;
    int i = 0;
    for (; i + 4 <= rows; i += 4) {
      const __global STORAGE(X) *r = w + i * step;
      long k = 0;
      for (; k + 4 <= count; k += 4) {
        const NETCL_V4 a = NETCL_READ_4(r + k);
        const NETCL_V4 b = NETCL_READ_4(r + step + k);
        const NETCL_V4 c = NETCL_READ_4(r + 2 * step + k);
        const NETCL_V4 d = NETCL_READ_4(r + 3 * step + k);
        __global NETCL_T *const t = target + k * NETCL_ROWS + i;
        vstore4((NETCL_V4)(a.s0, b.s0, c.s0, d.s0), 0, t);
        vstore4((NETCL_V4)(a.s1, b.s1, c.s1, d.s1), 0, t + NETCL_ROWS);
        vstore4((NETCL_V4)(a.s2, b.s2, c.s2, d.s2), 0, t + 2 * NETCL_ROWS);
        vstore4((NETCL_V4)(a.s3, b.s3, c.s3, d.s3), 0, t + 3 * NETCL_ROWS);
      }
      for (; k < count; ++k) {
        for (int l = 0; l < 4; ++l) target[k * NETCL_ROWS + i + l] = LOAD(X, r, l * step + k);
      }
    }
    for (; i < NETCL_ROWS; ++i) {
      for (long k = 0; k < count; ++k) {
        target[k * NETCL_ROWS + i] = i < rows ? LOAD(X, w, i * step + k) : 0;
      }
    }
    return;
  }
  for (long c = begin; c < end; ++c) {
    for (long t = 0; t < taps; ++t, target += NETCL_ROWS) {
      const long at = c * w_at.strides[1] + t / w_at.shape[3] * w_at.strides[2] +
                      t % w_at.shape[3] * w_at.strides[3];
      for (int i = 0; i < NETCL_ROWS; ++i) target[i] = i < rows ? LOAD(X, w, at + i * step) : 0;
    }
  }
}

/* A worker's part of the filters, and its scratch: the taps, the packed positions, the sums of a
 * panel of filters, and for the second kernel a panel of outputs. */
typedef struct {
  __global int *taps;
  __global NETCL_T *slab, *sums, *panel;
  long channel_pitch;  /* of the slab */
  long depth, group_filters, panels, first_panel, last_panel;
  int taps_count;
} Worker;

inline Worker netcl_worker(const Layout *w_at, long groups, __global NETCL_T *scratch,
                           long scratch_size, int block_size, const Block *block,
                           int part_panels) {
  Worker worker;
  const long index = ((long)get_global_id(2) * (long)get_global_size(1) + (long)get_global_id(1)) *
                         (long)get_global_size(0) +
                     (long)get_global_id(0);
  worker.taps_count = (int)(w_at->shape[2] * w_at->shape[3]);
  worker.depth = w_at->shape[1] * worker.taps_count;
  worker.group_filters = w_at->shape[0] / groups;
  worker.panels = (worker.group_filters + NETCL_ROWS - 1) / NETCL_ROWS;
  worker.first_panel = (long)get_global_id(1) * part_panels;
  worker.last_panel = min(worker.first_panel + part_panels, worker.panels);
  worker.channel_pitch = (long)block->planes_h * block->planes_w * block->pitch;
  worker.taps = (__global int *)(scratch + index * scratch_size);
  worker.slab =
      scratch + index * scratch_size + (worker.taps_count + NETCL_W - 1) / NETCL_W * NETCL_W;
  worker.sums = worker.slab + w_at->shape[1] * worker.channel_pitch;
  worker.panel = worker.sums + (long)NETCL_ROWS * block_size;
  return worker;
}

/* Dimension 0: workers, each of which takes every so manieth block of positions; dimension 1: parts
 * of the filters; dimension 2: groups, every so manieth again. */
__kernel void netcl_conv2d_implicit_gemm(NETCL_CONV_PARAMETERS, NETCL_EPILOGUE_PARAMETERS,
                                         long groups, const __global NETCL_T *packed,
                                         __global NETCL_T *scratch, long scratch_size,
                                         long positions, int block_size, int reach, int width,
                                         int height, int planes_h, int planes_w, int pitch,
                                         int part_panels) {
  Block block = {0, 0, 0, width, height, planes_h, planes_w, pitch};
  const Worker my =
      netcl_worker(&w_at, groups, scratch, scratch_size, block_size, &block, part_panels);
  const long channels = w_at.shape[1];
  netcl_place_taps(&w_at, &block, stride_h, stride_w, dilation_h, dilation_w, my.taps);
  for (long group = (long)get_global_id(2); group < groups; group += (long)get_global_size(2)) {
    const __global STORAGE(X) *const image =
        x + x_at.offset + group * channels * x_at.strides[1];
    for (long b = (long)get_global_id(0); b * block_size < positions;
         b += (long)get_global_size(0)) {
      block.first = b * block_size;
      block.count = (int)min((long)block_size, positions - block.first);
      block.length = block.count + reach;
      netcl_pack_block(image, &x_at, &block, channels, stride_h, stride_w, padding_h, padding_w,
                       my.slab);
      for (long k = my.first_panel; k < my.last_panel; ++k) {
        const __global NETCL_T *const a =
            packed + (group * my.panels + k) * my.depth * NETCL_ROWS;
        for (int j = 0; j < block.count; j += NETCL_COLUMNS) {
          if (my.taps_count == 1) {
            netcl_tile(block.count - j, a, my.slab + j, channels, my.channel_pitch, my.sums + j,
                       block_size);
          } else {
            netcl_taps(block.count - j, a, my.slab + j, channels, my.channel_pitch, my.taps,
                       my.taps_count, my.sums + j, block_size);
          }
        }
        const long f = k * NETCL_ROWS;
        netcl_finish_block(my.sums, block_size, &block,
                           (int)min((long)NETCL_ROWS, my.group_filters - f),
                           group * my.group_filters + f, y, &y_at, scale, scale_offset, shift,
                           shift_offset, shift_stride, residual, &residual_at, alpha, beta);
      }
    }
  }
}

/* ---- Without gaps ----
 *
 * Where many positions do not exist, because rows are short, blocks are of outputs, and each tile
 * of columns is packed without gaps before it is multiplied. */

/* Columns that follow each other in one row of the result: `at` in the tile, `from` in the packed
 * positions. */
typedef struct {
  int at, from, count;
} Segment;

/* The position of an output. */
inline long netcl_position(long output, long rows, long columns, const Block *block) {
  const long row = output / columns;
  return (row / rows * block->height + row % rows) * block->width + output % columns;
}

/* The segments of a tile of `count` outputs. Returns how many there are. */
inline int netcl_cut_tile(long first, int count, long rows, long columns, const Block *block,
                          Segment *segments) {
  int used = 0;
  for (int at = 0; at < count; ++used) {
    segments[used].at = at;
    segments[used].from = (int)(netcl_position(first + at, rows, columns, block) - block->first);
    segments[used].count = (int)min((long)(count - at), columns - (first + at) % columns);
    at += segments[used].count;
  }
  return used;
}

/* panel[(c * taps_count + t) * NETCL_COLUMNS + j]: what each output of a tile meets. What is
 * written beyond a segment is overwritten by the next one, or by the next line. */
inline void netcl_pack_panel(const Worker *my, long channels, const Segment *segments, int used) {
  const __global NETCL_T *slab = my->slab;
  __global NETCL_T *panel = my->panel;
  for (long c = 0; c < channels; ++c, slab += my->channel_pitch) {
    for (int t = 0; t < my->taps_count; ++t, panel += NETCL_COLUMNS) {
      for (int s = 0; s < used; ++s) {
        const __global NETCL_T *const source = slab + my->taps[t] + segments[s].from;
        __global NETCL_T *const target = panel + segments[s].at;
        for (int i = 0; i < segments[s].count; i += NETCL_W) {
          NETCL_VSTORE(NETCL_VLOAD(0, source + i), 0, target + i);
        }
      }
    }
  }
}

/* Dimensions as above. */
__kernel void netcl_conv2d_implicit_gemm_packed(
    NETCL_CONV_PARAMETERS, NETCL_EPILOGUE_PARAMETERS, long groups, const __global NETCL_T *packed,
    __global NETCL_T *scratch, long scratch_size, long outputs, int block_size, int reach,
    int width, int height, int planes_h, int planes_w, int pitch, int part_panels) {
  const long rows = y_at.shape[2];
  const long columns = y_at.shape[3];
  const long channels = w_at.shape[1];
  Segment segments[NETCL_COLUMNS];
  Block block = {0, 0, 0, width, height, planes_h, planes_w, pitch};
  Block tile = {0, 0, 0, (int)columns, (int)rows, 1, 1, 0};
  const Worker my =
      netcl_worker(&w_at, groups, scratch, scratch_size, block_size, &block, part_panels);
  netcl_place_taps(&w_at, &block, stride_h, stride_w, dilation_h, dilation_w, my.taps);
  for (long group = (long)get_global_id(2); group < groups; group += (long)get_global_size(2)) {
    const __global STORAGE(X) *const image =
        x + x_at.offset + group * channels * x_at.strides[1];
    for (long b = (long)get_global_id(0); b * block_size < outputs;
         b += (long)get_global_size(0)) {
      const long first = b * block_size;
      const long end = min(first + block_size, outputs);
      block.first = netcl_position(first, rows, columns, &block);
      block.length =
          (int)(netcl_position(end - 1, rows, columns, &block) - block.first) + 1 + reach;
      netcl_pack_block(image, &x_at, &block, channels, stride_h, stride_w, padding_h, padding_w,
                       my.slab);
      for (tile.first = first; tile.first < end; tile.first += NETCL_COLUMNS) {
        tile.count = (int)min((long)NETCL_COLUMNS, end - tile.first);
        netcl_pack_panel(&my, channels, segments,
                         netcl_cut_tile(tile.first, tile.count, rows, columns, &block, segments));
        for (long k = my.first_panel; k < my.last_panel; ++k) {
          const long f = k * NETCL_ROWS;
          netcl_tile(tile.count, packed + (group * my.panels + k) * my.depth * NETCL_ROWS,
                     my.panel, my.depth, NETCL_COLUMNS, my.sums, NETCL_COLUMNS);
          netcl_finish_block(my.sums, NETCL_COLUMNS, &tile,
                             (int)min((long)NETCL_ROWS, my.group_filters - f),
                             group * my.group_filters + f, y, &y_at, scale, scale_offset, shift,
                             shift_offset, shift_stride, residual, &residual_at, alpha, beta);
        }
      }
    }
  }
}
