/* The last step of a matrix product whose depth was split: adds up the sums of the pieces, in their
 * order, and stores the results. Any device, OpenCL C 1.2. Options: those of matmul_formats.cl. */

#include "matmul_formats.cl"

/* Dimension 0 has an item per result, row by row, and may be rounded up; dimension 2 is the batch.
 * `sums` has the pieces of each batch one after the other, `slab` elements apart. */
__kernel void netcl_matmul_join(__global const NETCL_T *sums, long sums_row, long slab, long pieces,
                                __global netcl_out *c, long c_offset, long c_row, long c_column,
                                NETCL_BATCH_PARAMS(c), long m, long n NETCL_INNER_PARAM,
                                NETCL_T alpha, NETCL_T beta NETCL_EPILOGUE_PARAMS) {
  const long batch = (long)get_global_id(2);
  const long row = (long)get_global_id(0) / n;
  const long column = (long)get_global_id(0) - row * n;
  if (row < m) {
    __global const NETCL_T *from = sums + batch * pieces * slab + row * sums_row + column;
    NETCL_T sum = 0;
    long p = 0;
    /* Four loads at a time are under way; the order of the additions stays. */
    for (; p + 4 <= pieces; p += 4, from += 4 * slab) {
      const NETCL_T first = from[0];
      const NETCL_T second = from[slab];
      const NETCL_T third = from[2 * slab];
      const NETCL_T fourth = from[3 * slab];
      sum = (((sum + first) + second) + third) + fourth;
    }
    for (; p < pieces; ++p, from += slab) sum += *from;
    c += NETCL_MATRIX(c, batch);
    NETCL_EPILOGUE_BATCH(batch)
    netcl_write(c + row * c_row + column * c_column, sum, alpha, beta
                NETCL_EPILOGUE_ARGS(row, column));
  }
}
