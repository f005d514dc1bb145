/* Matrix product for OpenCL devices that are CPUs: one work-item is one work-group and does the
 * work of a whole block with vectors of its own; no local memory, no barriers.
 *
 * Options: those of matmul_formats.cl with NETCL_W 8 or 16 (4 for double); NETCL_ROWS 6 or 12, the
 * rows of the register tile of 2 * NETCL_W columns; NETCL_SUMS 1: the tiles go to sums of NETCL_T,
 * which netcl_matmul_cpu_merge rounds into c later, and the epilogue is its. */

#include "matmul_formats.cl"

#define NETCL_V4 NETCL_T4
#define NETCL_COLUMNS (2 * NETCL_W)
#define NETCL_PANELS 4
#define NETCL_LOW_ROWS (NETCL_ROWS - NETCL_ROWS / 3)
#if NETCL_ROWS == 12
#define NETCL_COPY_ROWS(from, to)         \
  vstore4(NETCL_READ_4(from), 0, to);     \
  vstore4(NETCL_READ_4(from + 4), 1, to); \
  vstore4(NETCL_READ_4(from + 8), 2, to);
#else
#define NETCL_COPY_ROWS(from, to)     \
  vstore4(NETCL_READ_4(from), 0, to); \
  to[4] = NETCL_READ(from + 4);       \
  to[5] = NETCL_READ(from + 5);
#endif

/* ---- Packing ---- */

/* target[p * width + i] = source[i * line + p * step], zeros for lines up to the width. */
void netcl_pack_panel(__global const netcl_in *source, long line, long step, int lines, int width,
                      int depth, __global NETCL_T *target) {
  int i = 0;
  int p;
  if (step == 1) {
    /* Sixteen squares at a time read whole cache lines, and what is written stays near. */
    int first;
    for (first = 0; first < depth; first += 64) {
      const int end = min(first + 64, depth);
      for (i = 0; i + 4 <= lines; i += 4) {
        __global const netcl_in *r = source + i * line + first;
        __global NETCL_T *t = target + (long)first * width + i;
        for (p = 64; p < 128; p += 64 / (int)sizeof *source) {
          NETCL_PREFETCH(r + p);
          NETCL_PREFETCH(r + line + p);
          NETCL_PREFETCH(r + 2 * line + p);
          NETCL_PREFETCH(r + 3 * line + p);
        }
        for (p = first; p + 4 <= end; p += 4, r += 4, t += 4 * width) {
          const NETCL_V4 a = NETCL_READ_4(r);
          const NETCL_V4 b = NETCL_READ_4(r + line);
          const NETCL_V4 c = NETCL_READ_4(r + 2 * line);
          const NETCL_V4 d = NETCL_READ_4(r + 3 * line);
          vstore4((NETCL_V4)(a.s0, b.s0, c.s0, d.s0), 0, t);
          vstore4((NETCL_V4)(a.s1, b.s1, c.s1, d.s1), 0, t + width);
          vstore4((NETCL_V4)(a.s2, b.s2, c.s2, d.s2), 0, t + 2 * width);
          vstore4((NETCL_V4)(a.s3, b.s3, c.s3, d.s3), 0, t + 3 * width);
        }
        for (; p < end; ++p, r += 1, t += width) {
          t[0] = NETCL_READ(r);
          t[1] = NETCL_READ(r + line);
          t[2] = NETCL_READ(r + 2 * line);
          t[3] = NETCL_READ(r + 3 * line);
        }
      }
    }
    i = lines / 4 * 4;
  }
  for (p = 0; p < depth; ++p, source += step, target += width) {
    int rest = i;
    if (line == 1) {
      for (; rest + NETCL_W <= lines; rest += NETCL_W) {
        NETCL_VSTORE(NETCL_READ_V(source + rest), 0, target + rest);
      }
      for (; rest + 4 <= lines; rest += 4) {
        vstore4(NETCL_READ_4(source + rest), 0, target + rest);
      }
    }
    for (; rest < lines; ++rest) target[rest] = NETCL_READ(source + rest * line);
    for (; rest < width; ++rest) target[rest] = 0;
  }
}

/* Packs up to NETCL_PANELS panels, one after the other. Whole panels of unit stride are copied side
 * by side, because longer runs are read faster, and the runs ahead are fetched. */
#define NETCL_COPY_PANELS(EACH)                                      \
  for (p = 0; p < depth; ++p, from_all += step, to_all += width) {   \
    __global const netcl_in *from = from_all;                        \
    __global NETCL_T *to = to_all;                                   \
    for (i = 0; i < panels * width; i += 64 / (int)sizeof *source) { \
      NETCL_PREFETCH(from + 8 * step + i);                           \
    }                                                                \
    for (i = 0; i < panels; ++i, from += width, to += panel) {       \
      EACH                                                           \
    }                                                                \
  }
void netcl_pack(__global const netcl_in *source, long line, long step, long lines, int width,
                int depth, __global NETCL_T *target) {
  const long panel = (long)width * depth;
  long first = 0;
  int p, i;
  lines = min(lines, (long)NETCL_PANELS * width);
  if (line == 1) {
    const int panels = (int)lines / width;
    __global const netcl_in *from_all = source;
    __global NETCL_T *to_all = target;
    if (width == NETCL_COLUMNS) {
      NETCL_COPY_PANELS(NETCL_VSTORE(NETCL_READ_V(from), 0, to);
                        NETCL_VSTORE(NETCL_READ_V(from + NETCL_W), 0, to + NETCL_W);)
    } else {
      NETCL_COPY_PANELS(NETCL_COPY_ROWS(from, to))
    }
    first = (long)panels * width;
  }
  for (; first < lines; first += width) {
    netcl_pack_panel(source + first * line, line, step, (int)min((long)width, lines - first), width,
                     depth, target + first * depth);
  }
}

/* Dimension 0 runs over groups of panels of b, dimension 2 over the batch. */
__kernel void netcl_matmul_cpu_pack(__global const netcl_in *b, long b_offset, long b_row,
                                    long b_column, long b_batch, long n, int depth,
                                    __global NETCL_T *packed, long packed_batch) {
  const long column = (long)get_global_id(0) * NETCL_PANELS * NETCL_COLUMNS;
  const long batch = (long)get_global_id(2);
  netcl_pack(b + b_offset + batch * b_batch + column * b_column, b_column, b_row, n - column,
             NETCL_COLUMNS, depth, packed + batch * packed_batch + column * depth);
}

/* ---- Tiles ---- */

#if NETCL_ROWS == 12
#define NETCL_EACH_ROW(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define NETCL_EACH_LOW_ROW(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#else
#define NETCL_EACH_ROW(X) X(0) X(1) X(2) X(3) X(4) X(5)
#define NETCL_EACH_LOW_ROW(X) X(0) X(1) X(2) X(3)
#endif

/* Whether a tile of c holds what the sums hold, and whether the epilogue is done on it. */
#define NETCL_TILE_PLAIN (NETCL_SUMS || NETCL_OUT == 0)
#define NETCL_TILE_EPILOGUE (NETCL_EPILOGUE && !NETCL_SUMS)
#if NETCL_SUMS
#define netcl_tile_out NETCL_T
#define NETCL_TILE_OLD(p) (*(p))
#define NETCL_TILE_ROUND(x) (x)
#else
#define netcl_tile_out netcl_out
#define NETCL_TILE_OLD(p) NETCL_OLD(p)
#define NETCL_TILE_ROUND(x) netcl_round(x)
#endif
#if NETCL_TILE_EPILOGUE
#define NETCL_TILE_PARAMS NETCL_EPILOGUE_PARAMS
#define NETCL_TILE_FORMALS NETCL_EPILOGUE_FORMALS
#define NETCL_TILE_ARGS(row, column) NETCL_EPILOGUE_ARGS(row, column)
#define NETCL_TILE_BATCH(batch) NETCL_EPILOGUE_BATCH(batch)
#else
#define NETCL_TILE_PARAMS
#define NETCL_TILE_FORMALS
#define NETCL_TILE_ARGS(row, column)
#define NETCL_TILE_BATCH(batch)
#endif

#define NETCL_DECLARE(i) NETCL_V s##i = 0, t##i = 0;
#define NETCL_MULTIPLY(i)                          \
  {                                                \
    const NETCL_V x = (NETCL_V)(a[(i) * a_row]);   \
    s##i = fma(x, b0, s##i);                       \
    t##i = fma(x, b1, t##i);                       \
  }
#define NETCL_KEEP(i)                            \
  NETCL_VSTORE(s##i * alpha, 0, c);              \
  NETCL_VSTORE(t##i * alpha, 0, c + NETCL_W);    \
  c += row_stride;
#define NETCL_UPDATE(i)                                                                     \
  NETCL_VSTORE(s##i * alpha + NETCL_VLOAD(0, c) * beta, 0, c);                              \
  NETCL_VSTORE(t##i * alpha + NETCL_VLOAD(0, c + NETCL_W) * beta, 0, c + NETCL_W);          \
  c += row_stride;
#define NETCL_SPILL(i)                                \
  NETCL_VSTORE(s##i, 0, sums + i * NETCL_COLUMNS);    \
  NETCL_VSTORE(t##i, 0, sums + i * NETCL_COLUMNS + NETCL_W);

/* Shorter vectors share a line of the cache, and asking for it twice costs a load. */
#define NETCL_PREFETCH_COLUMNS(p) \
  NETCL_PREFETCH(p);              \
  if (sizeof(NETCL_V) >= 64) NETCL_PREFETCH((p) + NETCL_W);

/* A row of c, which else would be waited for after the sums. */
#define NETCL_FETCH_C(i) NETCL_PREFETCH_COLUMNS(c + (i) * row_stride)

#if NETCL_TILE_EPILOGUE
#if NETCL_ACTIVATION != 0
NETCL_ACTIVATE_VECTOR(NETCL_W)
#endif
/* NETCL_W results of row 0, from column j on. What is not side by side is read one by one. */
#define NETCL_ADD_VECTOR(x, code)                                                      \
  if (x##_column == 0) {                                                               \
    value += (NETCL_V)(NETCL_FROM(code, x));                                           \
  } else {                                                                             \
    for (e = 0; e < NETCL_W; ++e) parts[e] = NETCL_FROM(code, x + (j + e) * x##_column); \
    value += NETCL_VLOAD(0, parts);                                                    \
  }
NETCL_V netcl_finish_vector(NETCL_V value, int j NETCL_EPILOGUE_FORMALS) {
#if defined(NETCL_BIAS) || defined(NETCL_RESIDUAL)
  NETCL_T parts[NETCL_W];
  int e;
#endif
#ifdef NETCL_BIAS
#if NETCL_BIAS == 0
  if (bias_column == 1) {
    value += NETCL_VLOAD(0, bias + j);
  } else
#endif
  NETCL_ADD_VECTOR(bias, NETCL_BIAS)
#endif
#ifdef NETCL_RESIDUAL
#if NETCL_RESIDUAL == 0
  if (residual_column == 1) {
    value += NETCL_VLOAD(0, residual + j);
  } else
#endif
  NETCL_ADD_VECTOR(residual, NETCL_RESIDUAL)
#endif
#if NETCL_ACTIVATION != 0
  value = NETCL_JOIN(netcl_activate_, NETCL_W)(value, act_alpha, act_beta);
#endif
  return value;
}
#endif

void netcl_write_tile(const NETCL_T *sums, NETCL_T alpha, NETCL_T beta,
                      __global netcl_tile_out *c, long row_stride, long column_stride, int rows,
                      int columns NETCL_TILE_FORMALS) {
  int i;
  for (i = 0; i < rows; ++i, sums += NETCL_COLUMNS, c += row_stride) {
    int j = 0;
#if NETCL_TILE_PLAIN
    if (column_stride == 1) {
      for (; j + NETCL_W <= columns; j += NETCL_W) {
        NETCL_V value = NETCL_VLOAD(0, sums + j) * alpha;
        if (beta != 0) value += NETCL_VLOAD(0, c + j) * beta;
#if NETCL_TILE_EPILOGUE
        value = netcl_finish_vector(value, j NETCL_TILE_ARGS(i, 0));
#endif
        NETCL_VSTORE(value, 0, c + j);
      }
    }
#endif
    for (; j < columns; ++j) {
      __global netcl_tile_out *place = c + j * column_stride;
      NETCL_T value = sums[j] * alpha;
      if (beta != 0) value += NETCL_TILE_OLD(place) * beta;
#if NETCL_TILE_EPILOGUE
      value = netcl_finish(value, i, j NETCL_TILE_ARGS(0, 0));
#endif
      *place = NETCL_TILE_ROUND(value);
    }
  }
}

#define NETCL_SUM(EACH)                             \
  for (p = 0; p < depth; ++p) {                     \
    const NETCL_V b0 = NETCL_VLOAD(0, b);           \
    const NETCL_V b1 = NETCL_VLOAD(0, b + NETCL_W); \
    NETCL_PREFETCH_COLUMNS(b + 16 * NETCL_COLUMNS)  \
    EACH(NETCL_MULTIPLY)                            \
    a += a_step;                                    \
    b += NETCL_COLUMNS;                             \
  }

/* The element of a in row i and step p is a[i * a_row + p * a_step]; b is a packed panel. The rows
 * from first to last are written, the first of them to c. */
void netcl_tile(__global const NETCL_T *a, long a_row, long a_step, __global const NETCL_T *b,
                int depth, NETCL_T alpha, NETCL_T beta, __global netcl_tile_out *c,
                long row_stride, long column_stride, int first, int last,
                int columns NETCL_TILE_FORMALS) {
  NETCL_T sums[NETCL_ROWS * NETCL_COLUMNS];
  int p;
  NETCL_EACH_ROW(NETCL_DECLARE)
  if (column_stride == 1) {
    NETCL_EACH_ROW(NETCL_FETCH_C)
  }
  NETCL_SUM(NETCL_EACH_ROW)
#if NETCL_TILE_PLAIN && !NETCL_TILE_EPILOGUE
  if (last - first == NETCL_ROWS && columns == NETCL_COLUMNS && column_stride == 1) {
    if (beta == 0) {
      NETCL_EACH_ROW(NETCL_KEEP)
    } else {
      NETCL_EACH_ROW(NETCL_UPDATE)
    }
    return;
  }
#endif
  NETCL_EACH_ROW(NETCL_SPILL)
  netcl_write_tile(sums + first * NETCL_COLUMNS, alpha, beta, c, row_stride, column_stride,
                   last - first, columns NETCL_TILE_ARGS(0, 0));
}

/* The same for two thirds of a tile. */
void netcl_low_tile(__global const NETCL_T *a, long a_row, long a_step, __global const NETCL_T *b,
                    int depth, NETCL_T alpha, NETCL_T beta, __global netcl_tile_out *c,
                    long row_stride, long column_stride, int first, int last,
                    int columns NETCL_TILE_FORMALS) {
  NETCL_T sums[NETCL_LOW_ROWS * NETCL_COLUMNS];
  int p;
  NETCL_EACH_LOW_ROW(NETCL_DECLARE)
  NETCL_SUM(NETCL_EACH_LOW_ROW)
  NETCL_EACH_LOW_ROW(NETCL_SPILL)
  netcl_write_tile(sums + first * NETCL_COLUMNS, alpha, beta, c, row_stride, column_stride,
                   last - first, columns NETCL_TILE_ARGS(0, 0));
}

#if NETCL_IN == 0
/* Unit stride along the depth of a, which is read where it is, and at least one tile of rows.
 * Dimension 0 runs over strips of columns, each of which packs its part of b, dimension 1 over
 * blocks of rows, which do so for themselves; dimension 2 is the batch. One launch does the work of
 * two, which small products notice. */
__kernel void netcl_matmul_cpu_vectorized(
    __global const NETCL_T *a, long a_offset, long a_row, long a_batch, __global const NETCL_T *b,
    long b_offset, long b_row, long b_column, long b_batch, __global NETCL_T *packed,
    long packed_size, __global netcl_tile_out *c, long c_offset, long row_stride,
    long column_stride, long batch_stride, long m, long n, int depth, int block_rows,
    int block_columns, NETCL_T alpha, NETCL_T beta NETCL_TILE_PARAMS) {
  const long column_first = (long)get_global_id(0) * block_columns;
  const long row_first = (long)get_global_id(1) * block_rows;
  const long row_last = min(row_first + block_rows, m);
  const long batch = (long)get_global_id(2);
  const long place = batch * (long)get_global_size(1) + (long)get_global_id(1);
  const int columns = (int)min((long)block_columns, n - column_first);
  long i;
  int j;
  a += a_offset + batch * a_batch;
  b += b_offset + batch * b_batch + column_first * b_column;
  c += c_offset + batch * batch_stride + column_first * column_stride;
  packed += place * packed_size + column_first * depth;
  NETCL_TILE_BATCH(batch)
  for (j = 0; j < columns; j += NETCL_PANELS * NETCL_COLUMNS) {
    netcl_pack(b + j * b_column, b_column, b_row, columns - j, NETCL_COLUMNS, depth,
               packed + (long)j * depth);
  }
  /* The last tile starts early enough to end at the last row. */
  for (i = row_first; i + NETCL_LOW_ROWS < row_last; i += NETCL_ROWS) {
    const int rows = (int)min((long)NETCL_ROWS, row_last - i);
    for (j = 0; j < columns; j += NETCL_COLUMNS) {
      netcl_tile(a + (i + rows - NETCL_ROWS) * a_row, a_row, 1, packed + (long)j * depth, depth,
                 alpha, beta, c + i * row_stride + j * column_stride, row_stride, column_stride,
                 NETCL_ROWS - rows, NETCL_ROWS, min(NETCL_COLUMNS, columns - j)
                 NETCL_TILE_ARGS(i, column_first + j));
    }
  }
  for (j = 0; i < row_last && j < columns; j += NETCL_COLUMNS) {
    netcl_low_tile(a + (row_last - NETCL_LOW_ROWS) * a_row, a_row, 1, packed + (long)j * depth,
                   depth, alpha, beta, c + i * row_stride + j * column_stride, row_stride,
                   column_stride, NETCL_LOW_ROWS - (int)(row_last - i), NETCL_LOW_ROWS,
                   min(NETCL_COLUMNS, columns - j) NETCL_TILE_ARGS(i, column_first + j));
  }
}
#endif

/* Dimension 0 runs over parts of the columns, dimension 1 over groups of rows, dimension 2 over the
 * batch. A group packs its blocks of a one after the other. Its core's second cache holds such a
 * block beside a strip of packed b, and a panel of a meets the whole strip before the next one is
 * taken. With packs_b no other group reads its part of b, and it packs each strip before the first
 * use; else a launch before this one has done so. */
__kernel void netcl_matmul_cpu_register_tiled(
    __global const netcl_in *a, long a_offset, long a_row, long a_column, long a_batch,
    __global const netcl_in *b, long b_offset, long b_row, long b_column, long b_batch,
    int packs_b, __global NETCL_T *packed, long packed_b_batch, long blocks_a,
    __global netcl_tile_out *c, long c_offset, long row_stride, long column_stride,
    long batch_stride, long m, long n, int depth, long group_rows, int block_rows,
    long part_columns, int strip_columns, NETCL_T alpha, NETCL_T beta NETCL_TILE_PARAMS) {
  const long row_first = (long)get_global_id(1) * group_rows;
  const long row_last = min(row_first + group_rows, m);
  const long column_first = (long)get_global_id(0) * part_columns;
  const long column_last = min(column_first + part_columns, n);
  const long batch = (long)get_global_id(2);
  const long place = (batch * (long)get_global_size(1) + (long)get_global_id(1)) *
                         (long)get_global_size(0) + (long)get_global_id(0);
  __global NETCL_T *block = packed + blocks_a + place * block_rows * depth;
  long row, strip, j;
  int i;
  packed += batch * packed_b_batch;
  a += a_offset + batch * a_batch;
  b += b_offset + batch * b_batch;
  c += c_offset + batch * batch_stride;
  NETCL_TILE_BATCH(batch)
  for (row = row_first; row < row_last; row += block_rows) {
    const int rows = (int)min((long)block_rows, row_last - row);
    for (i = 0; i < rows; i += NETCL_PANELS * NETCL_ROWS) {
      netcl_pack(a + (row + i) * a_row, a_row, a_column, rows - i, NETCL_ROWS, depth,
                 block + (long)i * depth);
    }
    for (strip = column_first; strip < column_last; strip += strip_columns) {
      const long last = min(strip + strip_columns, column_last);
      if (packs_b && row == row_first) {
        for (j = strip; j < last; j += NETCL_PANELS * NETCL_COLUMNS) {
          netcl_pack(b + j * b_column, b_column, b_row, last - j, NETCL_COLUMNS, depth,
                     packed + j * depth);
        }
      }
      for (i = 0; i < rows; i += NETCL_ROWS) {
        for (j = strip; j < last; j += NETCL_COLUMNS) {
          const int columns = (int)min((long)NETCL_COLUMNS, last - j);
          __global netcl_tile_out *tile = c + (row + i) * row_stride + j * column_stride;
          if (rows - i > NETCL_LOW_ROWS) {
            netcl_tile(block + (long)i * depth, 1, NETCL_ROWS, packed + j * depth, depth, alpha,
                       beta, tile, row_stride, column_stride, 0, min(NETCL_ROWS, rows - i),
                       columns NETCL_TILE_ARGS(row + i, j));
          } else {
            netcl_low_tile(block + (long)i * depth, 1, NETCL_ROWS, packed + j * depth, depth,
                           alpha, beta, tile, row_stride, column_stride, 0, rows - i,
                           columns NETCL_TILE_ARGS(row + i, j));
          }
        }
      }
    }
  }
}

/* ---- Rounding ---- */

/* c = epilogue(alpha * sums + beta * c), one row per item of dimension 0; dimension 2 is the
 * batch. */
__kernel void netcl_matmul_cpu_merge(__global const NETCL_T *sums, long sums_offset, long sums_row,
                                     long sums_batch, __global netcl_out *c, long c_offset,
                                     long row_stride, long column_stride, long batch_stride, long n,
                                     NETCL_T alpha, NETCL_T beta NETCL_EPILOGUE_PARAMS) {
  const long row = (long)get_global_id(0);
  const long batch = (long)get_global_id(2);
  long j;
  sums += sums_offset + batch * sums_batch + row * sums_row;
  c += c_offset + batch * batch_stride + row * row_stride;
  NETCL_EPILOGUE_BATCH(batch)
  for (j = 0; j < n; ++j, c += column_stride) {
    netcl_write(c, sums[j], alpha, beta NETCL_EPILOGUE_ARGS(row, j));
  }
}
