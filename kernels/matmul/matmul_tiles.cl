/* Matrix product with tiles of results in registers; portable OpenCL C 1.2. A group
 * computes a tile; while it multiplies one step of the depth, the next is on its way from global
 * memory into registers, and then goes to the other half of the local memory.
 *
 * Options: those of matmul_formats.cl; NETCL_TILE_M and NETCL_TILE_N, the rows and columns of the
 * tile, and NETCL_SIDE_M and NETCL_SIDE_N, those of the tile of an item: 128 x 128 by 8 x 8 takes
 * 256 items, 64 x 64 by 8 x 4 128, and thin tiles of 16 or 32 rows by 4 x 4 an
 * item for each 16 results; NETCL_STEP steps along the depth, so many that each item loads as many
 * quads of an operand as the others; NETCL_PAD further elements per row in local memory; NETCL_A
 * and NETCL_B, how an operand lies in memory: 0 any strides, 1 unit stride along its columns, 2
 * along its rows; NETCL_C_WIDE 1 when four elements of c from a multiple of four columns on are
 * aligned to their size; NETCL_WHOLE when the same holds for both operands, the depth is a
 * multiple of NETCL_STEP, and an operand that lies across the depth has a multiple of four lines;
 * NETCL_SPLIT when groups share a tile: each adds up a piece of the depth, and c has the sums of
 * one piece after the other for matmul_join.cl. */

#include "matmul_formats.cl"

#define NETCL_ITEMS (NETCL_TILE_M * NETCL_TILE_N / (NETCL_SIDE_M * NETCL_SIDE_N))
/* Quads of an operand per item and step. */
#define NETCL_LOADS_A (NETCL_TILE_M * NETCL_STEP / (4 * NETCL_ITEMS))
#define NETCL_LOADS_B (NETCL_TILE_N * NETCL_STEP / (4 * NETCL_ITEMS))
#define NETCL_PITCH_A (NETCL_TILE_M + NETCL_PAD)
#define NETCL_PITCH_B (NETCL_TILE_N + NETCL_PAD)
#define NETCL_BAND 8
/* Arrays of an item stay in registers only when every index into them is a constant. */
#define NETCL_UNROLL _Pragma("unroll")

#if NETCL_IN == 0
typedef NETCL_T4 netcl_quad;
#elif NETCL_IN < 3
typedef ushort4 netcl_quad;
#else
typedef uchar4 netcl_quad;
#endif
#define NETCL_UNPACK(values, quad, format)                    \
  values[0] = NETCL_JOIN(netcl_widen_, format)(quad.s0),      \
  values[1] = NETCL_JOIN(netcl_widen_, format)(quad.s1),      \
  values[2] = NETCL_JOIN(netcl_widen_, format)(quad.s2),      \
  values[3] = NETCL_JOIN(netcl_widen_, format)(quad.s3);

/* An operand lies along the depth or across it; a line is a row of a or a column of b. */
#define NETCL_A_DEEP (NETCL_A == 1)
#define NETCL_B_DEEP (NETCL_B == 2)

#ifdef NETCL_WHOLE
/* An item takes quads: four steps of one line, or four lines of one step. Every quad is inside of
 * the operand or past its last line; what is past reads the last lines instead, for results that
 * are not stored. So an item's quads have addresses that only move on. */
#define NETCL_QUAD_LINE(q, deep, tile)                    \
  ((deep) ? (item + NETCL_ITEMS * (q)) / (NETCL_STEP / 4) \
          : (item + NETCL_ITEMS * (q)) % ((tile) / 4) * 4)
#define NETCL_QUAD_STEP(q, deep, tile)                        \
  ((deep) ? (item + NETCL_ITEMS * (q)) % (NETCL_STEP / 4) * 4 \
          : (item + NETCL_ITEMS * (q)) / ((tile) / 4))
/* Where element e of quad q goes. */
#define NETCL_IN_LINE(q, e, deep, tile) (NETCL_QUAD_LINE(q, deep, tile) + ((deep) ? 0 : (e)))
#define NETCL_IN_STEP(q, e, deep, tile) (NETCL_QUAD_STEP(q, deep, tile) + ((deep) ? (e) : 0))
#define NETCL_START(from, loads, tile, base, first_line, lines, line_stride, step_stride, deep) \
  {                                                                                             \
    int q;                                                                                      \
    NETCL_UNROLL                                                                                \
    for (q = 0; q < (loads); ++q) {                                                             \
      const long line =                                                                         \
          min((first_line) + NETCL_QUAD_LINE(q, deep, tile), (lines) - ((deep) ? 1 : 4));       \
      from[q] = base + line * (line_stride) + NETCL_QUAD_STEP(q, deep, tile) * (step_stride);   \
    }                                                                                           \
  }
#define NETCL_FOLLOW(values, loads, from, step_stride, format)       \
  {                                                                  \
    int q;                                                           \
    NETCL_UNROLL                                                     \
    for (q = 0; q < (loads); ++q) {                                  \
      const netcl_quad quad = *(__global const netcl_quad *)from[q]; \
      NETCL_UNPACK(values[q], quad, format)                          \
      from[q] += NETCL_STEP * (step_stride);                         \
    }                                                                \
  }
#define NETCL_FETCH_START                                                               \
  __global const netcl_in *from_a[NETCL_LOADS_A];                                       \
  __global const netcl_in *from_b[NETCL_LOADS_B];                                       \
  NETCL_START(from_a, NETCL_LOADS_A, NETCL_TILE_M, a, row_first, m, a_row, a_column,    \
              NETCL_A_DEEP)                                                             \
  NETCL_START(from_b, NETCL_LOADS_B, NETCL_TILE_N, b, column_first, n, b_column, b_row, \
              NETCL_B_DEEP)
#define NETCL_READ_BOTH(first)                                    \
  NETCL_FOLLOW(next_a, NETCL_LOADS_A, from_a, a_column, NETCL_IN) \
  NETCL_FOLLOW(next_b, NETCL_LOADS_B, from_b, b_row, NETCL_IN_B)
#else
/* An item takes elements, four for a quad, and neighbouring items neighbouring ones. From one to
 * the next are as many lines, or steps, for all items: a pointer that moves on takes fewer
 * registers than an address for each. */
#define NETCL_APART_LINES (NETCL_ITEMS / NETCL_STEP)
#define NETCL_APART_STEPS(tile) (NETCL_ITEMS / (tile))
#define NETCL_FIRST_LINE(deep, tile) ((deep) ? item / NETCL_STEP : item % (tile))
#define NETCL_FIRST_STEP(deep, tile) ((deep) ? item % NETCL_STEP : item / (tile))
#define NETCL_IN_LINE(q, e, deep, tile) \
  (NETCL_FIRST_LINE(deep, tile) + ((deep) ? (4 * (q) + (e)) * NETCL_APART_LINES : 0))
#define NETCL_IN_STEP(q, e, deep, tile) \
  (NETCL_FIRST_STEP(deep, tile) + ((deep) ? 0 : (4 * (q) + (e)) * NETCL_APART_STEPS(tile)))
#define NETCL_FETCH_START
/* Zeros outside of the operand. */
#define NETCL_FETCH(values, loads, tile, base, first_line, lines, line_stride, first, step_stride, \
                    deep, format)                                                                  \
  {                                                                                                \
    const long line = (first_line) + NETCL_FIRST_LINE(deep, tile);                                 \
    const long step = (first) + NETCL_FIRST_STEP(deep, tile);                                      \
    const int lines_left = (int)min((lines) - line, (long)(tile));                                 \
    const int steps_left = (int)min(k - step, (long)NETCL_STEP);                                   \
    const long apart =                                                                             \
        (deep) ? NETCL_APART_LINES * (line_stride) : NETCL_APART_STEPS(tile) * (step_stride);      \
    __global const netcl_in *from = base + line * (line_stride) + step * (step_stride);            \
    int q, e;                                                                                      \
    NETCL_UNROLL                                                                                   \
    for (q = 0; q < (loads); ++q) {                                                                \
      NETCL_UNROLL                                                                                 \
      for (e = 0; e < 4; ++e) {                                                                    \
        const int passed = 4 * q + e;                                                              \
        values[q][e] = 0;                                                                          \
        if ((deep) ? passed * NETCL_APART_LINES < lines_left && steps_left > 0                     \
                   : passed * NETCL_APART_STEPS(tile) < steps_left && lines_left > 0) {            \
          values[q][e] = NETCL_FROM(format, from);                                                 \
        }                                                                                          \
        from += apart;                                                                             \
      }                                                                                            \
    }                                                                                              \
  }
#define NETCL_READ_BOTH(first)                                                                 \
  NETCL_FETCH(next_a, NETCL_LOADS_A, NETCL_TILE_M, a, row_first, m, a_row, first, a_column,    \
              NETCL_A_DEEP, NETCL_IN)                                                          \
  NETCL_FETCH(next_b, NETCL_LOADS_B, NETCL_TILE_N, b, column_first, n, b_column, first, b_row, \
              NETCL_B_DEEP, NETCL_IN_B)
#endif

/* Zero points are taken off what was read; steps behind the depth stay 0. Past the last line any
 * value does, since it meets results that are not stored. */
#define NETCL_TAKE_OFF(values, loads, tile, first_line, lines, first, deep, less)         \
  {                                                                                       \
    int q, e;                                                                             \
    NETCL_UNROLL                                                                          \
    for (q = 0; q < (loads); ++q) {                                                       \
      NETCL_UNROLL                                                                        \
      for (e = 0; e < 4; ++e) {                                                           \
        const long line = min((first_line) + NETCL_IN_LINE(q, e, deep, tile), (lines)-1); \
        if ((first) + NETCL_IN_STEP(q, e, deep, tile) < k) {                              \
          values[q][e] = values[q][e] less(line);                                         \
        }                                                                                 \
      }                                                                                   \
    }                                                                                     \
  }
#ifdef NETCL_A_ZERO
#define NETCL_TAKE_OFF_A(first)                                                           \
  NETCL_TAKE_OFF(next_a, NETCL_LOADS_A, NETCL_TILE_M, row_first, m, first, NETCL_A_DEEP, \
                 NETCL_LESS_A)
#else
#define NETCL_TAKE_OFF_A(first)
#endif
#ifdef NETCL_B_ZERO
#define NETCL_TAKE_OFF_B(first)                                                              \
  NETCL_TAKE_OFF(next_b, NETCL_LOADS_B, NETCL_TILE_N, column_first, n, first, NETCL_B_DEEP, \
                 NETCL_LESS_B)
#else
#define NETCL_TAKE_OFF_B(first)
#endif
#define NETCL_FETCH_BOTH(first) \
  NETCL_READ_BOTH(first)        \
  NETCL_TAKE_OFF_A(first)       \
  NETCL_TAKE_OFF_B(first)

#define NETCL_PLACE(store, values, loads, tile, deep)             \
  {                                                               \
    int q, e;                                                     \
    NETCL_UNROLL                                                  \
    for (q = 0; q < (loads); ++q) {                               \
      NETCL_UNROLL                                                \
      for (e = 0; e < 4; ++e) {                                   \
        const int step = NETCL_IN_STEP(q, e, deep, tile);         \
        const int line = NETCL_IN_LINE(q, e, deep, tile);         \
        store[step * ((tile) + NETCL_PAD) + line] = values[q][e]; \
      }                                                           \
    }                                                             \
  }
#define NETCL_PLACE_BOTH(half_of)                                                  \
  NETCL_PLACE(store_a[half_of], next_a, NETCL_LOADS_A, NETCL_TILE_M, NETCL_A_DEEP) \
  NETCL_PLACE(store_b[half_of], next_b, NETCL_LOADS_B, NETCL_TILE_N, NETCL_B_DEEP)

/* An item's elements of one step: quads `apart` lines from each other. */
#define NETCL_FRAGMENT(values, side, store, place, apart)                          \
  {                                                                                \
    int q;                                                                         \
    NETCL_UNROLL                                                                   \
    for (q = 0; q < (side) / 4; ++q) {                                             \
      const NETCL_T4 u = *(__local const NETCL_T4 *)&store[(place) + q * (apart)]; \
      values[4 * q] = u.s0, values[4 * q + 1] = u.s1;                              \
      values[4 * q + 2] = u.s2, values[4 * q + 3] = u.s3;                          \
    }                                                                              \
  }

#define NETCL_MULTIPLY(x, y)                                                     \
  NETCL_UNROLL                                                                   \
  for (i = 0; i < NETCL_SIDE_M; ++i) {                                           \
    NETCL_UNROLL                                                                 \
    for (j = 0; j < NETCL_SIDE_N; ++j) sums[i][j] = NETCL_ADD_PRODUCT(x[i], y[j], sums[i][j]); \
  }

/* The first row and column of a group's tile. Bands of tile rows are walked column by column, so
 * that groups that run at the same time share their operands in the cache. */
long2 netcl_tile_origin(long group, long m, long n) {
  const long tiles_m = (m + NETCL_TILE_M - 1) / NETCL_TILE_M;
  const long tiles_n = (n + NETCL_TILE_N - 1) / NETCL_TILE_N;
  const long band = group / (NETCL_BAND * tiles_n);
  const long in_band = group - band * (NETCL_BAND * tiles_n);
  const long band_rows = min((long)NETCL_BAND, tiles_m - band * NETCL_BAND);
  return (long2)((band * NETCL_BAND + in_band % band_rows) * NETCL_TILE_M,
                 in_band / band_rows * NETCL_TILE_N);
}

/* Dimension 2 is the batch, and with NETCL_SPLIT the pieces of the depth of each batch. All pieces
 * but the last are `depth` long. */
#ifdef NETCL_SPLIT
#define NETCL_TILE_PARAMS NETCL_PRODUCT_PARAMS, long pieces, long depth
#define NETCL_GO_TO_PIECE                                      \
  const long slab = (long)get_global_id(2);                    \
  const long start = slab % pieces * depth;                    \
  a += NETCL_MATRIX(a, slab / pieces) + start * a_column;      \
  b += NETCL_MATRIX(b, slab / pieces) + start * b_row;         \
  NETCL_A_ZERO_BATCH(slab / pieces)                            \
  NETCL_B_ZERO_BATCH(slab / pieces)                            \
  c += c_offset + slab * c_batch;                              \
  k = min(depth, k - start);
#else
#define NETCL_TILE_PARAMS NETCL_PRODUCT_PARAMS
#define NETCL_GO_TO_PIECE NETCL_PRODUCT_BATCH((long)get_global_id(2))
#endif

/* What both kernels begin with. */
#define NETCL_DECLARE_TILE                                                             \
  __local NETCL_T store_a[2][NETCL_STEP * NETCL_PITCH_A] __attribute__((aligned(32))); \
  __local NETCL_T store_b[2][NETCL_STEP * NETCL_PITCH_B] __attribute__((aligned(32))); \
  const int item = (int)get_local_id(0);                                               \
  const long2 origin = netcl_tile_origin((long)get_group_id(0), m, n);                 \
  const long row_first = origin.s0;                                                    \
  const long column_first = origin.s1;                                                 \
  NETCL_T sums[NETCL_SIDE_M][NETCL_SIDE_N];                                            \
  NETCL_T next_a[NETCL_LOADS_A][4];                                                    \
  NETCL_T next_b[NETCL_LOADS_B][4];                                                    \
  long first;                                                                          \
  int i, j, p;                                                                         \
  int half_now = 0;                                                                    \
  NETCL_GO_TO_PIECE                                                                    \
  NETCL_UNROLL                                                                         \
  for (i = 0; i < NETCL_SIDE_M; ++i) {                                                 \
    NETCL_UNROLL                                                                       \
    for (j = 0; j < NETCL_SIDE_N; ++j) sums[i][j] = 0;                                 \
  }                                                                                    \
  NETCL_FETCH_START                                                                    \
  NETCL_FETCH_BOTH(0)                                                                  \
  NETCL_PLACE_BOTH(0)                                                                  \
  barrier(CLK_LOCAL_MEM_FENCE);

#ifndef NETCL_VECTORIZED

/* Where an item's quads are along one side of the tile. */
#define NETCL_APART_M (NETCL_TILE_M / (NETCL_SIDE_M / 4))
#define NETCL_APART_N (NETCL_TILE_N / (NETCL_SIDE_N / 4))

/* An item's rows and columns are quads as far apart as that can be, which reads local memory
 * without conflicts. Dimension 0 has one group per tile. */
__kernel __attribute__((reqd_work_group_size(NETCL_ITEMS, 1, 1))) void
netcl_matmul_register_tiled(NETCL_TILE_PARAMS) {
  NETCL_DECLARE_TILE
  const int across = item % (NETCL_TILE_N / NETCL_SIDE_N);
  const int down = item / (NETCL_TILE_N / NETCL_SIDE_N);
  for (first = 0; first < k; first += NETCL_STEP) {
    const long following = first + NETCL_STEP;
    if (following < k) {
      NETCL_FETCH_BOTH(following)
    }
    NETCL_UNROLL
    for (p = 0; p < NETCL_STEP; ++p) {
      NETCL_T x[NETCL_SIDE_M];
      NETCL_T y[NETCL_SIDE_N];
      NETCL_FRAGMENT(x, NETCL_SIDE_M, store_a[half_now], p * NETCL_PITCH_A + down * 4,
                     NETCL_APART_M)
      NETCL_FRAGMENT(y, NETCL_SIDE_N, store_b[half_now], p * NETCL_PITCH_B + across * 4,
                     NETCL_APART_N)
      NETCL_MULTIPLY(x, y)
    }
    if (following < k) {
      NETCL_PLACE_BOTH(1 - half_now)
    }
    half_now = 1 - half_now;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  NETCL_UNROLL
  for (i = 0; i < NETCL_SIDE_M; ++i) {
    const long row = row_first + i / 4 * NETCL_APART_M + down * 4 + i % 4;
    NETCL_UNROLL
    for (j = 0; j < NETCL_SIDE_N; ++j) {
      const long column = column_first + j / 4 * NETCL_APART_N + across * 4 + j % 4;
      if (row < m && column < n) {
        netcl_write(c + row * c_row + column * c_column, sums[i][j], alpha, beta
                    NETCL_EPILOGUE_ARGS(row, column));
      }
    }
  }
}

#else

/* Four results side by side that may be stored as one. */
void netcl_write_quad(__global netcl_out *c, const NETCL_T *sums, NETCL_T alpha, NETCL_T beta
                      NETCL_EPILOGUE_FORMALS) {
  NETCL_T v[4];
  int e;
  NETCL_UNROLL
  for (e = 0; e < 4; ++e) {
    v[e] = sums[e] * alpha;
    if (beta != 0) v[e] += NETCL_OLD(c + e) * beta;
    v[e] = netcl_finish(v[e], 0, e NETCL_EPILOGUE_ARGS(0, 0));
  }
#if NETCL_OUT == 0
  *(__global NETCL_T4 *)c = (NETCL_T4)(v[0], v[1], v[2], v[3]);
#else
  *(__global ushort4 *)c =
      (ushort4)(netcl_round(v[0]), netcl_round(v[1]), netcl_round(v[2]), netcl_round(v[3]));
#endif
}

/* As above for square tiles, with 32 neighbouring items, 8 x 4 of them, on a tile of their own,
 * which reads each bank of local memory once, and no step waits for all of a group but the one
 * that changes halves. */
__kernel __attribute__((reqd_work_group_size(NETCL_ITEMS, 1, 1))) void netcl_matmul_vectorized(
    NETCL_TILE_PARAMS) {
  NETCL_DECLARE_TILE
  const int teams = NETCL_TILE_N / (4 * NETCL_SIDE_N); /* side by side */
  const int down = item / 32 / teams * (8 * NETCL_SIDE_M) + item % 32 / 4 * 4;
  const int across = item / 32 % teams * (4 * NETCL_SIDE_N) + item % 4 * 4;
  for (first = 0; first < k; first += NETCL_STEP) {
    const long following = first + NETCL_STEP;
    if (following < k) {
      NETCL_FETCH_BOTH(following)
    }
    NETCL_UNROLL
    for (p = 0; p < NETCL_STEP; ++p) {
      NETCL_T x[NETCL_SIDE_M];
      NETCL_T y[NETCL_SIDE_N];
      NETCL_FRAGMENT(x, NETCL_SIDE_M, store_a[half_now], p * NETCL_PITCH_A + down, 32)
      NETCL_FRAGMENT(y, NETCL_SIDE_N, store_b[half_now], p * NETCL_PITCH_B + across, 16)
      NETCL_MULTIPLY(x, y)
    }
    half_now = 1 - half_now;
    if (following < k) {
      NETCL_PLACE_BOTH(half_now)
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  NETCL_UNROLL
  for (i = 0; i < NETCL_SIDE_M; ++i) {
    const long row = row_first + i / 4 * 32 + down + i % 4;
    NETCL_UNROLL
    for (j = 0; j < NETCL_SIDE_N; j += 4) {
      const long column = column_first + j / 4 * 16 + across;
      __global netcl_out *place = c + row * c_row + column * c_column;
      if (row >= m) continue;
      if (NETCL_C_WIDE && column + 4 <= n) {
        netcl_write_quad(place, sums[i] + j, alpha, beta NETCL_EPILOGUE_ARGS(row, column));
      } else {
        for (p = 0; p < 4 && column + p < n; ++p) {
          netcl_write(place + p * c_column, sums[i][j + p], alpha, beta
                      NETCL_EPILOGUE_ARGS(row, column + p));
        }
      }
    }
  }
}

#endif
