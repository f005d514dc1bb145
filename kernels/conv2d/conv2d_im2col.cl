/* Convolution by way of a matrix of what each output element meets: two kernels around a matrix
 * product that is an op of its own. */
#include "conv2d_common.cl"

/* Options beside those of conv2d_common.cl: INDEX int or long, which holds the places of a product.
 *
 * columns[((c * KH + i) * KW + j) * count + p], with c over the channels of all groups and p over
 * `count` output elements of the images from `first` on. Dimension 0: p; dimension 1: channels,
 * every so manieth. */
__kernel void netcl_conv2d_im2col(NETCL_CONV_PARAMETERS, long first, INDEX count,
                                  __global STORAGE(X) *columns) {
  const INDEX p = (INDEX)get_global_id(0);
  if (p >= count) return;
  const INDEX line = p / (INDEX)y_at.shape[3];
  const INDEX image = line / (INDEX)y_at.shape[2];
  const long left = (p - line * (INDEX)y_at.shape[3]) * stride_w - padding_w;
  const long top = (line - image * (INDEX)y_at.shape[2]) * stride_h - padding_h;
  const __global STORAGE(X) *const from = x + x_at.offset + (first + image) * x_at.strides[0];
  for (long c = (long)get_global_id(1); c < x_at.shape[1]; c += (long)get_global_size(1)) {
    const __global STORAGE(X) *const source = from + c * x_at.strides[1];
    __global STORAGE(X) *target = columns + c * w_at.shape[2] * w_at.shape[3] * count + p;
    for (long i = 0; i < w_at.shape[2]; ++i) {
      const long down = top + i * dilation_h;
      const int there = down >= 0 && down < x_at.shape[2];
      for (long j = 0; j < w_at.shape[3]; ++j, target += count) {
        const long across = left + j * dilation_w;
        *target = there && across >= 0 && across < x_at.shape[3]
                      ? source[down * x_at.strides[2] + across * x_at.strides[3]]
                      : (STORAGE(X))0;
      }
    }
  }
}

/* y = what follows the sums: sums[f * count + p]. Dimensions as above, with filters for channels.
 */
__kernel void netcl_conv2d_im2col_finish(const __global NETCL_T *sums, __global STORAGE(X) *y,
                                         Layout y_at, NETCL_EPILOGUE_PARAMETERS, long first,
                                         INDEX count) {
  const INDEX p = (INDEX)get_global_id(0);
  if (p >= count) return;
  const INDEX line = p / (INDEX)y_at.shape[3];
  const INDEX image = line / (INDEX)y_at.shape[2];
  const long column = p - line * (INDEX)y_at.shape[3];
  const long row = line - image * (INDEX)y_at.shape[2];
  const long n = first + image;
  for (long f = (long)get_global_id(1); f < y_at.shape[1]; f += (long)get_global_size(1)) {
    netcl_finish(sums[f * count + p], netcl_scale_of(scale, scale_offset, f),
                 netcl_shift_of(shift, shift_offset, shift_stride, f), y,
                 netcl_place(&y_at, n, f, row, column), residual,
                 netcl_place(&residual_at, n, f, row, column), alpha, beta);
  }
}
