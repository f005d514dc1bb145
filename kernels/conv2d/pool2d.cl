/* 2-d pooling: an item, or on GPUs a group for a large window, makes one result. */
#include "prelude.cl"
#include "pool2d_window.cl"

__kernel void netcl_pool2d_window(POOL_ARGUMENTS) {
  const long at = (long)get_global_id(0);
  if (at >= outputs) return;
  const long ow = at % w_result;
  const long oh = at / w_result % h_result;
  const long plane = at / w_result / h_result;
  const long c = plane % x_layout.shape[1];
  const long n = plane / x_layout.shape[1];
  const long h_begin = oh * h_stride - h_before;
  const long w_begin = ow * w_stride - w_before;
  const long h_last = LAST_TAP(h, h_begin);
  const long w_last = LAST_TAP(w, w_begin);
  const long base = x_layout.offset + n * x_layout.strides[0] + c * x_layout.strides[1];
  BEGIN_TAPS
  for (long i = FIRST_TAP(h, h_begin); i < h_last; ++i) {
    const long row = base + (h_begin + i * h_dilation) * x_layout.strides[2];
    for (long j = FIRST_TAP(w, w_begin); j < w_last; ++j) {
      TAKE_TAP(LOAD(X, x, row + (w_begin + j * w_dilation) * x_layout.strides[3]))
    }
  }
  STORE(X, POOLED(h_begin, w_begin), y,
        y_layout.offset + n * y_layout.strides[0] + c * y_layout.strides[1] +
            oh * y_layout.strides[2] + ow * y_layout.strides[3]);
}

#define LANES 128
__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void netcl_pool2d_group(
    POOL_ARGUMENTS) {
  __local VALUE parts[LANES];
  const int lane = (int)get_local_id(0);
  const long at = (long)get_group_id(0);
  const long ow = at % w_result;
  const long oh = at / w_result % h_result;
  const long plane = at / w_result / h_result;
  const long c = plane % x_layout.shape[1];
  const long n = plane / x_layout.shape[1];
  const long h_begin = oh * h_stride - h_before;
  const long w_begin = ow * w_stride - w_before;
  const long h_first = FIRST_TAP(h, h_begin);
  const long w_first = FIRST_TAP(w, w_begin);
  const long across = max(LAST_TAP(w, w_begin) - w_first, 0L);
  const long taps = max(LAST_TAP(h, h_begin) - h_first, 0L) * across;
  const long base = x_layout.offset + n * x_layout.strides[0] + c * x_layout.strides[1];
  BEGIN_TAPS
  for (long k = lane; k < taps; k += LANES) {
    const long h = h_begin + (h_first + k / across) * h_dilation;
    const long w = w_begin + (w_first + k % across) * w_dilation;
    TAKE_TAP(LOAD(X, x, base + h * x_layout.strides[2] + w * x_layout.strides[3]))
  }
  parts[lane] = acc;
  for (int half_ = LANES / 2; half_ > 0; half_ /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < half_) {
#if AVERAGE
      acc += parts[lane + half_];
#else
      TAKE_TAP(parts[lane + half_])
#endif
      parts[lane] = acc;
    }
  }
  if (lane == 0) {
    STORE(X, POOLED(h_begin, w_begin), y,
          y_layout.offset + n * y_layout.strides[0] + c * y_layout.strides[1] +
              oh * y_layout.strides[2] + ow * y_layout.strides[3]);
  }
}
