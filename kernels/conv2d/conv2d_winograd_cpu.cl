/* Winograd's method on CPUs, for blocks of tiles: one item transforms its tiles of x, multiplies
 * them by the transformed filters, and transforms back, all within the cache. */
#include "conv2d_cpu.cl"
#include "conv2d_cpu_tile.cl"
#include "conv2d_winograd.cl"

NETCL_WEIGHTS_1D(NETCL_V4, netcl_weights_1d)
NETCL_INPUT_1D(NETCL_V, netcl_input_1d)
NETCL_OUTPUT_1D(NETCL_V, netcl_output_1d)

/* Elements from one element of the transformed filters to the next. They should not all fall into
 * the same set of the cache. */
#define NETCL_U_PITCH(channels) (((channels) + 2) * NETCL_ROWS)

/* packed[(panel * NETCL_E + e) * NETCL_U_PITCH(channels) + c * NETCL_ROWS + i] = element e of the
 * transformed filter i of the panel. Dimension 0: panels of all groups; dimension 1: pieces of the
 * channels. */
__kernel void netcl_conv2d_winograd_weights(const __global STORAGE(X) *w, Layout w_at,
                                            long group_filters, long piece,
                                            __global NETCL_T *packed) {
  const long panels = (group_filters + NETCL_ROWS - 1) / NETCL_ROWS;
  const long panel = (long)get_global_id(0);
  const long first = panel % panels * NETCL_ROWS;
  const int rows = (int)min((long)NETCL_ROWS, group_filters - first);
  const long channels = w_at.shape[1];
  const long begin = (long)get_global_id(1) * piece;
  const long end = min(begin + piece, channels);
  const long step = w_at.strides[0];
  w += w_at.offset + (panel / panels * group_filters + first) * step;
  for (long c = begin; c < end; ++c) {
    for (int i = 0; i < NETCL_ROWS; i += 4) {
      NETCL_V4 g[9];
      NETCL_V4 half_way[3 * NETCL_A];
      NETCL_V4 u[NETCL_E];
      /* Beyond the last filter the last one stands in; nobody reads what comes of it. */
      const long f0 = min(i, rows - 1) * step;
      const long f1 = min(i + 1, rows - 1) * step;
      const long f2 = min(i + 2, rows - 1) * step;
      const long f3 = min(i + 3, rows - 1) * step;
      for (int k = 0; k < 9; ++k) {
        const __global STORAGE(X) *at =
            w + c * w_at.strides[1] + k / 3 * w_at.strides[2] + k % 3 * w_at.strides[3];
        g[k] = (NETCL_V4)(LOAD(X, at, f0), LOAD(X, at, f1), LOAD(X, at, f2), LOAD(X, at, f3));
      }
      for (int k = 0; k < 3; ++k) netcl_weights_1d(g + k, 3, half_way + k, 3);
      for (int k = 0; k < NETCL_A; ++k) {
        netcl_weights_1d(half_way + 3 * k, 1, u + NETCL_A * k, 1);
      }
      __global NETCL_T *target =
          packed + panel * NETCL_E * NETCL_U_PITCH(channels) + c * NETCL_ROWS + i;
      for (int e = 0; e < NETCL_E; ++e, target += NETCL_U_PITCH(channels)) {
        vstore4(u[e], 0, target);
      }
    }
  }
}

/* ---- Tiles of x ---- */

#define NETCL_TOGETHER 4

/* lines[j * pitch + k] = source[k * NETCL_M + j] for k below `count`, which is rounded up. */
inline void netcl_split_line(const __global NETCL_T *source, int count, __global NETCL_T *lines,
                             long pitch) {
  for (int k = 0; k < count; k += NETCL_W, source += NETCL_M * NETCL_W, lines += NETCL_W) {
    const NETCL_V a = NETCL_VLOAD(0, source);
    const NETCL_V b = NETCL_VLOAD(0, source + NETCL_W);
#if NETCL_M == 4
    const NETCL_V c = NETCL_VLOAD(0, source + 2 * NETCL_W);
    const NETCL_V d = NETCL_VLOAD(0, source + 3 * NETCL_W);
    const NETCL_V even_ab = (NETCL_V)(a.even, b.even);
    const NETCL_V odd_ab = (NETCL_V)(a.odd, b.odd);
    const NETCL_V even_cd = (NETCL_V)(c.even, d.even);
    const NETCL_V odd_cd = (NETCL_V)(c.odd, d.odd);
    NETCL_VSTORE((NETCL_V)(even_ab.even, even_cd.even), 0, lines);
    NETCL_VSTORE((NETCL_V)(odd_ab.even, odd_cd.even), 0, lines + pitch);
    NETCL_VSTORE((NETCL_V)(even_ab.odd, even_cd.odd), 0, lines + 2 * pitch);
    NETCL_VSTORE((NETCL_V)(odd_ab.odd, odd_cd.odd), 0, lines + 3 * pitch);
#else
    NETCL_VSTORE((NETCL_V)(a.even, b.even), 0, lines);
    NETCL_VSTORE((NETCL_V)(a.odd, b.odd), 0, lines + pitch);
#endif
  }
}

/* Some tiles that follow each other in one row of tiles. */
typedef struct {
  long image;
  int row, column;  /* in tiles */
  int count;
} Run;

inline Run netcl_run_at(long tile, int most, int tile_rows, int tile_columns) {
  Run run;
  const long row_in_all = tile / tile_columns;
  run.column = (int)(tile % tile_columns);
  run.row = (int)(row_in_all % tile_rows);
  run.image = row_in_all / tile_rows;
  run.count = min(most, tile_columns - run.column);
  return run;
}

/* A line of x per channel, with the zeros around it, from the column that `from` gives on. */
inline void netcl_fetch_lines(const __global STORAGE(X) *x, const Layout *x_at, const Run *run,
                              long down, long padding_w, int channels, int beside,
                              __global NETCL_T *line, long line_step) {
  const int length = run->count * NETCL_M + 2;
  const long first = (long)run->column * NETCL_M - padding_w;
  const int there = down >= 0 && down < x_at->shape[2];
  const int from = there ? (int)clamp(-first, 0L, (long)length) : length;
  const int to = (int)clamp(x_at->shape[3] - first, (long)from, (long)length);
  const __global STORAGE(X) *const source = x + run->image * x_at->strides[0] +
                                            down * x_at->strides[2] +
                                            (first + from) * x_at->strides[3];
  for (int k = 0; k < channels; ++k) {
    netcl_zero_line(from, line + k * line_step);
    netcl_zero_line(length - to, line + k * line_step + to);
    if (to > from && !beside) {
      netcl_copy_line(source + k * x_at->strides[1], x_at->strides[3], to - from,
                      line + k * line_step + from);
      netcl_prefetch_line(source + (k + NETCL_TOGETHER) * x_at->strides[1], to - from);
    }
  }
  if (to > from && beside) {
    netcl_copy_lines_4(source, x_at->strides[3], to - from, line + from, line_step);
  }
}

/* target[e * e_pitch + k] is element e of the transform of tile k; up to a vector beyond the last
 * is written. */
inline void netcl_transform_tiles(const __global NETCL_T *lines, int pitch, int count,
                                  __global NETCL_T *target, long e_pitch) {
  for (int at = 0; at < count; at += NETCL_W) {
    NETCL_V d[NETCL_E];
    NETCL_V v[NETCL_A];
#pragma unroll
    for (int i = 0; i < NETCL_A; ++i) {
      NETCL_V row[NETCL_A];
#pragma unroll
      for (int j = 0; j < NETCL_A; ++j) {
        row[j] = NETCL_VLOAD(0, lines + (i * NETCL_M + j % NETCL_M) * pitch + at + j / NETCL_M);
      }
      netcl_input_1d(row, 1, d + i * NETCL_A, 1);
    }
#pragma unroll
    for (int j = 0; j < NETCL_A; ++j) {
      netcl_input_1d(d + j, NETCL_A, v, 1);
#pragma unroll
      for (int i = 0; i < NETCL_A; ++i) {
        NETCL_VSTORE(v[i], 0, target + (i * NETCL_A + j) * e_pitch + at);
      }
    }
  }
}

/* The transformed tiles of a run for up to NETCL_TOGETHER channels, `beside` each other in memory
 * or not. The steps go over all of them, because what has just been stored is slow to load again
 * from another place. */
inline void netcl_transform_run(const __global STORAGE(X) *x, const Layout *x_at, const Run *run,
                                long padding_h, long padding_w, int channels, int beside,
                                __global NETCL_T *line, int line_pitch, __global NETCL_T *lines,
                                int pitch, __global NETCL_T *target, long channel_pitch,
                                long e_pitch) {
  for (int i = 0; i < NETCL_A; ++i) {
    netcl_fetch_lines(x, x_at, run, (long)run->row * NETCL_M + i - padding_h, padding_w, channels,
                      beside, line + i * line_pitch, NETCL_A * line_pitch);
  }
  for (int k = 0; k < channels * NETCL_A; ++k) {
    netcl_split_line(line + k * line_pitch, run->count + 1, lines + (long)k * NETCL_M * pitch,
                     pitch);
  }
  for (int k = 0; k < channels; ++k) {
    netcl_transform_tiles(lines + (long)k * NETCL_A * NETCL_M * pitch, pitch, run->count,
                          target + k * channel_pitch, e_pitch);
  }
}

/* ---- Tiles of the result ---- */

/* rows[i][NETCL_M * t + j] = element (i, j) of tile t, whose transform is sums[e * e_pitch + t];
 * rows are NETCL_M * count apart. */
inline void netcl_restore_tiles(const __global NETCL_T *sums, long e_pitch, int count,
                                __global NETCL_T *rows) {
  for (int t = 0; t < count; t += NETCL_W) {
    NETCL_V half_way[NETCL_M * NETCL_A];
#pragma unroll
    for (int j = 0; j < NETCL_A; ++j) {
      NETCL_V m[NETCL_A];
#pragma unroll
      for (int i = 0; i < NETCL_A; ++i) {
        m[i] = NETCL_VLOAD(0, sums + (i * NETCL_A + j) * e_pitch + t);
      }
      netcl_output_1d(m, 1, half_way + j, NETCL_A);
    }
#pragma unroll
    for (int i = 0; i < NETCL_M; ++i) {
      NETCL_V p[NETCL_M];
      __global NETCL_T *const target = rows + (i * count + t) * NETCL_M;
      netcl_output_1d(half_way + i * NETCL_A, 1, p, 1);
#if NETCL_M == 4
      NETCL_V low_02, low_13, high_02, high_13, r;
      low_02.even = p[0].lo, low_02.odd = p[2].lo;
      low_13.even = p[1].lo, low_13.odd = p[3].lo;
      high_02.even = p[0].hi, high_02.odd = p[2].hi;
      high_13.even = p[1].hi, high_13.odd = p[3].hi;
      r.even = low_02.lo, r.odd = low_13.lo;
      NETCL_VSTORE(r, 0, target);
      r.even = low_02.hi, r.odd = low_13.hi;
      NETCL_VSTORE(r, 0, target + NETCL_W);
      r.even = high_02.lo, r.odd = high_13.lo;
      NETCL_VSTORE(r, 0, target + 2 * NETCL_W);
      r.even = high_02.hi, r.odd = high_13.hi;
      NETCL_VSTORE(r, 0, target + 3 * NETCL_W);
#else
      NETCL_V r;
      r.even = p[0].lo, r.odd = p[1].lo;
      NETCL_VSTORE(r, 0, target);
      r.even = p[0].hi, r.odd = p[1].hi;
      NETCL_VSTORE(r, 0, target + NETCL_W);
#endif
    }
  }
}

/* Writes the products of some filters, from `filter` on, for the tiles from `first` on. `rows` has
 * room for four filters' rows of the result. */
inline void netcl_write_tiles(const __global NETCL_T *sums, long sums_pitch, int block_size,
                              __global NETCL_T *rows, long first, int count, int tile_rows,
                              int tile_columns, long filter, int filters,
                              __global STORAGE(X) *y, Layout y_at, NETCL_EPILOGUE_PARAMETERS) {
  const long size = (long)NETCL_M * NETCL_M * block_size;
  for (int f = 0; f < filters; f += 4) {
    const int together = min(4, filters - f);
    for (int k = 0; k < together; ++k) {
      netcl_restore_tiles(sums + (long)(f + k) * block_size, sums_pitch, block_size,
                          rows + k * size);
    }
    for (int at = 0; at < count;) {
      const Run run = netcl_run_at(first + at, count - at, tile_rows, tile_columns);
      const long column = (long)run.column * NETCL_M;
      const int columns = (int)min((long)run.count * NETCL_M, y_at.shape[3] - column);
      for (int i = 0; i < NETCL_M; ++i) {
        const long row = (long)run.row * NETCL_M + i;
        if (row >= y_at.shape[2]) break;
        netcl_finish_rows(rows + ((long)i * block_size + at) * NETCL_M, size, together, columns,
                          run.image, filter + f, row, column, y, &y_at, scale, scale_offset, shift,
                          shift_offset, shift_stride, residual, &residual_at, alpha, beta);
      }
      at += run.count;
    }
  }
}

/* Dimension 0: workers, each of which takes every so manieth block of tiles; dimension 1: parts of
 * the filters; dimension 2: groups. A worker's scratch: lines of x, the transformed block, the
 * products of some panels, and four filters' rows of the result. */
__kernel void netcl_conv2d_winograd(NETCL_CONV_PARAMETERS, NETCL_EPILOGUE_PARAMETERS, long groups,
                                    const __global NETCL_T *packed, __global NETCL_T *scratch,
                                    long scratch_size, long tiles, int tile_rows,
                                    int tile_columns, int block_size, int part_panels,
                                    int chunk_panels) {
  const long channels = w_at.shape[1];
  const long group_filters = w_at.shape[0] / groups;
  const long panels = (group_filters + NETCL_ROWS - 1) / NETCL_ROWS;
  const long first_panel = (long)get_global_id(1) * part_panels;
  const long last_panel = min(first_panel + part_panels, panels);
  const long worker =
      ((long)get_global_id(2) * (long)get_global_size(1) + (long)get_global_id(1)) *
          (long)get_global_size(0) +
      (long)get_global_id(0);
  /* Runs are no longer than a block. */
  const int pitch = block_size + 2 * NETCL_W;
  const int line_pitch = NETCL_M * pitch;
  const int v_pitch = block_size + NETCL_W;
  /* Not a power of 2, or all elements of a transform would fall into the same set of the cache. */
  const long e_pitch = channels * v_pitch + NETCL_W;
  const int chunk_rows = chunk_panels * NETCL_ROWS;
  const long sums_pitch = (long)chunk_rows * block_size + NETCL_W;
  __global NETCL_T *const line = scratch + worker * scratch_size;
  __global NETCL_T *const lines = line + NETCL_TOGETHER * NETCL_A * line_pitch;
  __global NETCL_T *const v = lines + NETCL_TOGETHER * NETCL_A * NETCL_M * pitch;
  __global NETCL_T *const sums = v + NETCL_E * e_pitch;
  __global NETCL_T *const rows = sums + NETCL_E * sums_pitch;
  const int beside = x_at.strides[1] == 1 && x_at.strides[3] != 1;

  for (long group = (long)get_global_id(2); group < groups; group += (long)get_global_size(2)) {
    const __global STORAGE(X) *const image =
        x + x_at.offset + group * channels * x_at.strides[1];
    for (long b = (long)get_global_id(0); b * block_size < tiles; b += (long)get_global_size(0)) {
      const long first = b * block_size;
      const int count = (int)min((long)block_size, tiles - first);
      /* What a run writes beyond its end is overwritten by the next one. */
      for (long c = 0; c < channels; c += NETCL_TOGETHER) {
        const int together = (int)min((long)NETCL_TOGETHER, channels - c);
        for (int at = 0; at < count;) {
          const Run run = netcl_run_at(first + at, count - at, tile_rows, tile_columns);
          netcl_transform_run(image + c * x_at.strides[1], &x_at, &run, padding_h, padding_w,
                              together, beside && together == 4, line, line_pitch, lines, pitch,
                              v + c * v_pitch + at, v_pitch, e_pitch);
          at += run.count;
        }
      }
      for (long chunk = first_panel; chunk < last_panel; chunk += chunk_panels) {
        const int used = (int)min((long)chunk_panels, last_panel - chunk);
        for (int e = 0; e < NETCL_E; ++e) {
          for (int k = 0; k < used; ++k) {
            const __global NETCL_T *const a =
                packed +
                ((group * panels + chunk + k) * NETCL_E + e) * NETCL_U_PITCH(channels);
            for (int j = 0; j < count; j += NETCL_COLUMNS) {
              netcl_tile(count - j, a, v + e * e_pitch + j, channels, v_pitch,
                         sums + e * sums_pitch + (long)k * NETCL_ROWS * block_size + j,
                         block_size);
            }
          }
        }
        const long in_group = chunk * NETCL_ROWS;
        netcl_write_tiles(sums, sums_pitch, block_size, rows, first, count, tile_rows,
                          tile_columns, group * group_filters + in_group,
                          (int)min((long)used * NETCL_ROWS, group_filters - in_group), y, y_at,
                          scale, scale_offset, shift, shift_offset, shift_stride, residual,
                          residual_at, alpha, beta);
      }
    }
  }
}
