/* What follows the sums of a convolution by matrix units. */
#include "conv2d_common.cl"

/* Options beside those of conv2d_common.cl: NETCL_ALONG_FILTERS 1 where neighbours of y are
 * filters, NETCL_FILTERS.
 *
 * y = what follows the sum of sums[(piece * count + p) * pitch + f] over all pieces, with p over
 * the `count` results of a filter. Along filters dimension 0 is f and dimension 1 p; else dimension
 * 0 is p, and dimension 1 takes NETCL_FILTERS filters in turn, which lie side by side in sums. */

inline NETCL_T netcl_units_sum(const __global float *sums, long at, long pieces, long piece) {
  float sum = sums[at];
  for (long i = 1; i < pieces; ++i) sum += sums[at + i * piece];
  return sum;
}

__kernel void netcl_conv2d_units_finish(const __global float *sums, long pieces, long count,
                                        long pitch, __global STORAGE(X) *y, Layout y_at,
                                        NETCL_EPILOGUE_PARAMETERS) {
#if NETCL_ALONG_FILTERS
  const long f = (long)get_global_id(0);
  if (f >= y_at.shape[1]) return;
  for (long p = (long)get_global_id(1); p < count; p += (long)get_global_size(1)) {
#else
  const long p = (long)get_global_id(0);
  if (p >= count) return;
  const long step = (long)get_global_size(1) * NETCL_FILTERS;
  for (long i = (long)get_global_id(1) * NETCL_FILTERS; i < y_at.shape[1]; i += step)
    for (long f = i; f < min(i + NETCL_FILTERS, y_at.shape[1]); ++f) {
#endif
    const long line = p / y_at.shape[3];
    const long n = line / y_at.shape[2];
    const long column = p - line * y_at.shape[3];
    const long row = line - n * y_at.shape[2];
    netcl_finish(netcl_units_sum(sums, p * pitch + f, pieces, count * pitch),
                 netcl_scale_of(scale, scale_offset, f),
                 netcl_shift_of(shift, shift_offset, shift_stride, f), y,
                 netcl_place(&y_at, n, f, row, column), residual,
                 netcl_place(&residual_at, n, f, row, column), alpha, beta);
  }
}
