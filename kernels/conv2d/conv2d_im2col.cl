/* Convolution by way of a matrix of what each output element meets: two kernels around a matrix
 * product that is an op of its own. */
#include "conv2d_common.cl"

/* columns[((c * KH + i) * KW + j) * count + p], with c over the channels of all groups and p over
 * `count` output elements of the images from `first` on. Dimension 0: p, or lines of one image row
 * each; dimension 1: rows of the matrix, every so manieth. */
__kernel void netcl_conv2d_im2col(NETCL_CONV_PARAMETERS, long first, long count,
                                  __global STORAGE(X) *columns) {
  const long area = w_at.shape[2] * w_at.shape[3];
  const long width = y_at.shape[3];
  long p = (long)get_global_id(0);
  const long last = min(p + 1, count);
  if (p >= last) return;
  const long n = first + p / (width * y_at.shape[2]);
  const long row = p / width % y_at.shape[2];
  for (long line = (long)get_global_id(1); line < x_at.shape[1] * area;
       line += (long)get_global_size(1)) {
    const long c = line / area;
    const long i = line % area / w_at.shape[3];
    const long j = line % w_at.shape[3];
    const long down = row * stride_h + i * dilation_h - padding_h;
    const long start = p % width * stride_w + j * dilation_w - padding_w;
    const __global STORAGE(X) *const source =
        x + x_at.offset + n * x_at.strides[0] + c * x_at.strides[1] + down * x_at.strides[2];
    const int there = down >= 0 && down < x_at.shape[2];
    __global STORAGE(X) *const target = columns + line * count;
    for (long k = p; k < last; ++k) {
      const long across = start + (k - p) * stride_w;
      target[k] = there && across >= 0 && across < x_at.shape[3] ? source[across * x_at.strides[3]]
                                                                 : (STORAGE(X))0;
    }
  }
}

/* y = what follows the sums: sums[f * count + p]. Dimensions as above, with filters for lines. */
__kernel void netcl_conv2d_im2col_finish(const __global NETCL_T *sums, __global STORAGE(X) *y,
                                         Layout y_at, NETCL_EPILOGUE_PARAMETERS, long first,
                                         long count) {
  const long width = y_at.shape[3];
  long p = (long)get_global_id(0);
  const long last = min(p + 1, count);
  if (p >= last) return;
  const long n = first + p / (width * y_at.shape[2]);
  const long row = p / width % y_at.shape[2];
  for (long f = (long)get_global_id(1); f < y_at.shape[1]; f += (long)get_global_size(1)) {
    const NETCL_T factor = netcl_scale_of(scale, scale_offset, f);
    const NETCL_T summand = netcl_shift_of(shift, shift_offset, shift_stride, f);
    for (long k = p; k < last; ++k) {
      const long column = k % width;
      netcl_finish(sums[f * count + k], factor, summand, y, netcl_place(&y_at, n, f, row, column),
                   residual, netcl_place(&residual_at, n, f, row, column), alpha, beta);
    }
  }
}
