/* Matrix times vector, and the plain blocked product, for OpenCL devices that are CPUs. The options
 * are those of matmul_formats.cl with NETCL_W 8 or 16 (4 for double). One work-item is one
 * work-group. */

#include "matmul_formats.cl"

/* ---- Dots and sums ---- */

NETCL_T netcl_total(NETCL_V x) {
  NETCL_T parts[NETCL_W];
  NETCL_T sum = 0;
  int i;
  NETCL_VSTORE(x, 0, parts);
  for (i = 0; i < NETCL_W; ++i) sum += parts[i];
  return sum;
}

#define NETCL_WRITE_ROW(row, sum) \
  netcl_write(c + (row) * c_row, sum, alpha, beta NETCL_EPILOGUE_ARGS(row, 0));
#define NETCL_DOT_ROWS 16

/* Unit strides along the depth of a and of the vector b. NETCL_DOT_ROWS rows per item of dimension
 * 0, four at a time; dimension 2 is the batch. */
__kernel void netcl_matmul_cpu_vectorized_dot(
    __global const netcl_in *a, long a_offset, long a_row, long a_batch, __global const netcl_in *b,
    long b_offset, long b_batch, __global netcl_out *c, long c_offset, long c_row, long c_batch,
    long m, long k, NETCL_T alpha, NETCL_T beta NETCL_EPILOGUE_PARAMS) {
  const long first = (long)get_global_id(0) * NETCL_DOT_ROWS;
  const long last = min(first + NETCL_DOT_ROWS, m);
  const long batch = (long)get_global_id(2);
  long i;
  a += a_offset + batch * a_batch;
  b += b_offset + batch * b_batch;
  c += c_offset + batch * c_batch;
  NETCL_EPILOGUE_BATCH(batch)
  for (i = first; i < last; i += 4) {
    /* Rows past the end read the last one again, and are not written. */
    __global const netcl_in *a0 = a + i * a_row;
    __global const netcl_in *a1 = a + min(i + 1, last - 1) * a_row;
    __global const netcl_in *a2 = a + min(i + 2, last - 1) * a_row;
    __global const netcl_in *a3 = a + min(i + 3, last - 1) * a_row;
    NETCL_V s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    NETCL_T t0, t1, t2, t3;
    long p = 0;
    for (; p + NETCL_W <= k; p += NETCL_W) {
      const NETCL_V x = NETCL_READ_V(b + p);
      s0 = fma(NETCL_READ_V(a0 + p), x, s0);
      s1 = fma(NETCL_READ_V(a1 + p), x, s1);
      s2 = fma(NETCL_READ_V(a2 + p), x, s2);
      s3 = fma(NETCL_READ_V(a3 + p), x, s3);
    }
    t0 = netcl_total(s0), t1 = netcl_total(s1), t2 = netcl_total(s2), t3 = netcl_total(s3);
    for (; p < k; ++p) {
      const NETCL_T x = NETCL_READ(b + p);
      t0 = fma((NETCL_T)NETCL_READ(a0 + p), x, t0);
      t1 = fma((NETCL_T)NETCL_READ(a1 + p), x, t1);
      t2 = fma((NETCL_T)NETCL_READ(a2 + p), x, t2);
      t3 = fma((NETCL_T)NETCL_READ(a3 + p), x, t3);
    }
    NETCL_WRITE_ROW(i, t0)
    if (i + 1 < last) NETCL_WRITE_ROW(i + 1, t1)
    if (i + 2 < last) NETCL_WRITE_ROW(i + 2, t2)
    if (i + 3 < last) NETCL_WRITE_ROW(i + 3, t3)
  }
}

#define NETCL_SUM_ROWS (8 * NETCL_W)
#define NETCL_EACH_SUM(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define NETCL_SUM_DECLARE(i) NETCL_V s##i = 0;
#define NETCL_SUM_ADD(i) s##i = fma(NETCL_READ_V(column + i * NETCL_W), x, s##i);
#define NETCL_SUM_STORE(i) NETCL_VSTORE(s##i, 0, sums + i * NETCL_W);

/* Unit stride along the rows of a. NETCL_SUM_ROWS rows per item of dimension 0. */
__kernel void netcl_matmul_cpu_vectorized_add(
    __global const netcl_in *a, long a_offset, long a_column, long a_batch,
    __global const netcl_in *b, long b_offset, long b_row, long b_batch, __global netcl_out *c,
    long c_offset, long c_row, long c_batch, long m, long k, NETCL_T alpha,
    NETCL_T beta NETCL_EPILOGUE_PARAMS) {
  const long first = (long)get_global_id(0) * NETCL_SUM_ROWS;
  const int rows = (int)min((long)NETCL_SUM_ROWS, m - first);
  const long batch = (long)get_global_id(2);
  NETCL_T sums[NETCL_SUM_ROWS];
  __global const netcl_in *column = a + a_offset + batch * a_batch + first;
  long p;
  int i;
  b += b_offset + batch * b_batch;
  c += c_offset + batch * c_batch;
  NETCL_EPILOGUE_BATCH(batch)
  if (rows == NETCL_SUM_ROWS) {
    NETCL_EACH_SUM(NETCL_SUM_DECLARE)
    for (p = 0; p < k; ++p, column += a_column) {
      const NETCL_V x = (NETCL_V)(NETCL_READ(b + p * b_row));
      NETCL_EACH_SUM(NETCL_SUM_ADD)
    }
    NETCL_EACH_SUM(NETCL_SUM_STORE)
  } else {
    for (i = 0; i < rows; ++i) sums[i] = 0;
    for (p = 0; p < k; ++p, column += a_column) {
      const NETCL_T x = NETCL_READ(b + p * b_row);
      for (i = 0; i < rows; ++i) sums[i] = fma((NETCL_T)NETCL_READ(column + i), x, sums[i]);
    }
  }
  for (i = 0; i < rows; ++i) NETCL_WRITE_ROW(first + i, sums[i])
}

/* ---- Blocks ---- */

#define NETCL_BLOCK 32
#define NETCL_DEPTH 64

/* Blocks of any operand are copied where the innermost cache keeps them. Dimension 0 runs over
 * blocks of columns, dimension 1 over blocks of rows, dimension 2 over the batch. */
__kernel void netcl_matmul_cpu_tiled(NETCL_PRODUCT_PARAMS) {
  NETCL_T block_a[NETCL_BLOCK * NETCL_DEPTH];
  NETCL_T block_b[NETCL_DEPTH * NETCL_BLOCK];
  NETCL_T sums[NETCL_BLOCK * NETCL_BLOCK];
  const long row_first = (long)get_global_id(1) * NETCL_BLOCK;
  const long column_first = (long)get_global_id(0) * NETCL_BLOCK;
  const int rows = (int)min((long)NETCL_BLOCK, m - row_first);
  const int columns = (int)min((long)NETCL_BLOCK, n - column_first);
  long first;
  int i, j, p;
  NETCL_PRODUCT_BATCH((long)get_global_id(2))
  a += row_first * a_row;
  b += column_first * b_column;
  for (i = 0; i < NETCL_BLOCK * NETCL_BLOCK; ++i) sums[i] = 0;
  for (i = 0; i < NETCL_BLOCK * NETCL_DEPTH; ++i) block_a[i] = block_b[i] = 0;
  for (first = 0; first < k; first += NETCL_DEPTH, a += NETCL_DEPTH * a_column,
      b += NETCL_DEPTH * b_row) {
    const int depth = (int)min((long)NETCL_DEPTH, k - first);
    for (i = 0; i < rows; ++i) {
      for (p = 0; p < depth; ++p) {
        block_a[i * NETCL_DEPTH + p] = NETCL_READ(a + i * a_row + p * a_column);
      }
    }
    for (p = 0; p < depth; ++p) {
      for (j = 0; j < columns; ++j) {
        block_b[p * NETCL_BLOCK + j] = NETCL_READ(b + p * b_row + j * b_column);
      }
    }
    for (i = 0; i < rows; ++i) {
      for (p = 0; p < depth; ++p) {
        const NETCL_V x = (NETCL_V)(block_a[i * NETCL_DEPTH + p]);
        for (j = 0; j < NETCL_BLOCK; j += NETCL_W) {
          const NETCL_V y = NETCL_VLOAD(0, block_b + p * NETCL_BLOCK + j);
          NETCL_T *s = sums + i * NETCL_BLOCK + j;
          NETCL_VSTORE(fma(x, y, NETCL_VLOAD(0, s)), 0, s);
        }
      }
    }
  }
  for (i = 0; i < rows; ++i) {
    for (j = 0; j < columns; ++j) {
      netcl_write(c + (row_first + i) * c_row + (column_first + j) * c_column,
                  sums[i * NETCL_BLOCK + j], alpha, beta
                  NETCL_EPILOGUE_ARGS(row_first + i, column_first + j));
    }
  }
}
