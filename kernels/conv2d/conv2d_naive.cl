/* Convolution, one item per element of the result: any shape, any strides. */
#include "conv2d_common.cl"

__kernel void netcl_conv2d_naive(NETCL_CONV_PARAMETERS, NETCL_EPILOGUE_PARAMETERS) {
  const long index = (long)get_global_id(0);
  const long columns = y_at.shape[3];
  const long rows = y_at.shape[2];
  const long filters = y_at.shape[1];
  if (index >= columns * rows * filters * y_at.shape[0]) return;
  const long column = index % columns;
  const long row = index / columns % rows;
  const long f = index / (columns * rows) % filters;
  const long n = index / (columns * rows * filters);
  const long first = x_at.shape[1] > 0 ? f / (filters * w_at.shape[1] / x_at.shape[1]) : 0;
  const __global STORAGE(X) *const image =
      x + x_at.offset + n * x_at.strides[0] + first * w_at.shape[1] * x_at.strides[1];
  const __global STORAGE(X) *const weights = w + w_at.offset + f * w_at.strides[0];
  NETCL_T sum = 0;
  for (long c = 0; c < w_at.shape[1]; ++c) {
    for (long i = 0; i < w_at.shape[2]; ++i) {
      const long down = row * stride_h + i * dilation_h - padding_h;
      if (down < 0 || down >= x_at.shape[2]) continue;
      for (long j = 0; j < w_at.shape[3]; ++j) {
        const long across = column * stride_w + j * dilation_w - padding_w;
        if (across < 0 || across >= x_at.shape[3]) continue;
        sum = fma(LOAD(X, image, c * x_at.strides[1] + down * x_at.strides[2] +
                                     across * x_at.strides[3]),
                  LOAD(X, weights, c * w_at.strides[1] + i * w_at.strides[2] + j * w_at.strides[3]),
                  sum);
      }
    }
  }
  netcl_finish(sum, netcl_scale_of(scale, scale_offset, f),
               netcl_shift_of(shift, shift_offset, shift_stride, f), y,
               netcl_place(&y_at, n, f, row, column), residual,
               netcl_place(&residual_at, n, f, row, column), alpha, beta);
}
