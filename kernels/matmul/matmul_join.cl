/* The last step of a matrix product whose depth was split: adds up the sums of the pieces, in their
 * order, and stores the results. Any device, OpenCL C 1.2. Options: those of matmul_formats.cl.
 * With NETCL_LINE_SUMS the zero points are still to be taken off: `sums` also has what
 * matmul_line_sums.cl left of the rows of a and the columns of b, from these elements on. */

#include "matmul_formats.cl"

#ifdef NETCL_LINE_SUMS
#define NETCL_LINE_PARAMS \
  long a_sums, long b_sums, long depth, NETCL_A_ZERO_PARAMS NETCL_B_ZERO_PARAMS
#else
#define NETCL_LINE_PARAMS
#endif

/* Dimension 0 has an item per result, row by row, and may be rounded up; dimension 2 is the batch.
 * `sums` has the pieces of each batch one after the other, `slab` elements apart. */
__kernel void netcl_matmul_join(__global const NETCL_T *sums, long sums_row, long slab, long pieces,
                                NETCL_LINE_PARAMS __global netcl_out *c, long c_offset, long c_row,
                                long c_column, NETCL_BATCH_PARAMS(c), long m,
                                long n NETCL_INNER_PARAM, NETCL_T alpha,
                                NETCL_T beta NETCL_EPILOGUE_PARAMS) {
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
#ifdef NETCL_LINE_SUMS
    NETCL_T a_less = 0, b_less = 0;
    NETCL_A_ZERO_BATCH(batch)
    NETCL_B_ZERO_BATCH(batch)
#ifdef NETCL_A_ZERO
    a_less = NETCL_READ_A(a_zero + row * a_zero_row);
    sum -= a_less * sums[b_sums + batch * n + column];
#endif
#ifdef NETCL_B_ZERO
    b_less = NETCL_READ_B(b_zero + column * b_zero_column);
    sum -= b_less * sums[a_sums + batch * m + row];
#endif
    sum += a_less * b_less * (NETCL_T)depth;
#endif
    c += NETCL_MATRIX(c, batch);
    NETCL_EPILOGUE_BATCH(batch)
    netcl_write(c + row * c_row + column * c_column, sum, alpha, beta
                NETCL_EPILOGUE_ARGS(row, column));
  }
}
