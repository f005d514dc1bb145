/* Matrix product: one item per result, and small tiles;
 * portable OpenCL C 1.2. Options: those of matmul_formats.cl; for netcl_matmul_tiled also
 * NETCL_TILE 16 or 32, the side of a group's tile, and NETCL_A and NETCL_B, how an operand lies in
 * memory: 0 any strides, 1 unit stride along its columns, 2 along its rows. */

#include "matmul_formats.cl"

/* ---- One item per result ---- */

/* Dimensions: columns, rows, batch; the first two may be rounded up. */
__kernel void netcl_matmul_naive(NETCL_PRODUCT_PARAMS) {
  const long column = (long)get_global_id(0);
  const long row = (long)get_global_id(1);
  const long batch = (long)get_global_id(2);
  if (row < m && column < n) {
    __global const netcl_in *x;
    __global const netcl_in *y;
    NETCL_T sum = 0;
    long p;
    NETCL_PRODUCT_BATCH(batch)
    x = a + row * a_row;
    y = b + column * b_column;
    for (p = 0; p < k; ++p, x += a_column, y += b_row) {
      sum = NETCL_ADD_PRODUCT((NETCL_T)NETCL_READ_A(x) NETCL_LESS_A(row),
                              (NETCL_T)NETCL_READ_B(y) NETCL_LESS_B(column), sum);
    }
    netcl_write(c + row * c_row + column * c_column, sum, alpha, beta
                NETCL_EPILOGUE_ARGS(row, column));
  }
}

/* ---- Small tiles ---- */

#ifdef NETCL_TILE

#define NETCL_EACH (NETCL_TILE / 16) /* each of 16 x 16 items has so many results squared */
#define NETCL_A_DEEP (NETCL_A == 1)
#define NETCL_B_DEEP (NETCL_B == 2)

/* Dimension 0 has one group per tile, tile row by tile row; dimension 2 is the batch. Neighbouring
 * items load neighbouring elements, whichever way the operand lies. */
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void netcl_matmul_tiled(
    NETCL_PRODUCT_PARAMS) {
  __local NETCL_T tile_a[NETCL_TILE][NETCL_TILE + 1];
  __local NETCL_T tile_b[NETCL_TILE][NETCL_TILE + 1];
  const int x = (int)get_local_id(0);
  const int y = (int)get_local_id(1);
  const long tiles_n = (n + NETCL_TILE - 1) / NETCL_TILE;
  const long row_first = (long)get_group_id(0) / tiles_n * NETCL_TILE;
  const long column_first = (long)get_group_id(0) % tiles_n * NETCL_TILE;
  NETCL_T sums[NETCL_EACH][NETCL_EACH];
  long first;
  int i, j, p;
  NETCL_PRODUCT_BATCH((long)get_global_id(2))
  for (i = 0; i < NETCL_EACH; ++i) {
    for (j = 0; j < NETCL_EACH; ++j) sums[i][j] = 0;
  }
  for (first = 0; first < k; first += NETCL_TILE) {
    for (i = 0; i < NETCL_EACH; ++i) {
      for (j = 0; j < NETCL_EACH; ++j) {
        const int slow = y + 16 * i;
        const int fast = x + 16 * j;
        const int line_a = NETCL_A_DEEP ? slow : fast;
        const int step_a = NETCL_A_DEEP ? fast : slow;
        const int line_b = NETCL_B_DEEP ? slow : fast;
        const int step_b = NETCL_B_DEEP ? fast : slow;
        NETCL_T value = 0;
        if (row_first + line_a < m && first + step_a < k) {
          value = NETCL_READ_A(a + (row_first + line_a) * a_row + (first + step_a) * a_column)
              NETCL_LESS_A(row_first + line_a);
        }
        tile_a[line_a][step_a] = value;
        value = 0;
        if (column_first + line_b < n && first + step_b < k) {
          value = NETCL_READ_B(b + (first + step_b) * b_row + (column_first + line_b) * b_column)
              NETCL_LESS_B(column_first + line_b);
        }
        tile_b[step_b][line_b] = value;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (p = 0; p < NETCL_TILE; ++p) {
      for (i = 0; i < NETCL_EACH; ++i) {
        for (j = 0; j < NETCL_EACH; ++j) {
          sums[i][j] = NETCL_ADD_PRODUCT(tile_a[y + 16 * i][p], tile_b[p][x + 16 * j], sums[i][j]);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (i = 0; i < NETCL_EACH; ++i) {
    for (j = 0; j < NETCL_EACH; ++j) {
      const long row = row_first + y + 16 * i;
      const long column = column_first + x + 16 * j;
      if (row < m && column < n) {
        netcl_write(c + row * c_row + column * c_column, sums[i][j], alpha, beta
                    NETCL_EPILOGUE_ARGS(row, column));
      }
    }
  }
}

#endif
