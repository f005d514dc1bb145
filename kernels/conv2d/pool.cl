/* Pooling: an item, or a group for a large window, makes one result.
 *
 * Options: X the dtype; ADDS 1 or maxima; AVERAGE 1 when sums are divided; COUNT_PADDING 1 when
 * averages count the padding; FLOATS 1 when X is one; LOWEST the lowest value of an integer. */
#include "pool_common.cl"

#define VALUE COMPUTE(X)

#define POOL_ARGUMENTS                                                                       \
  const __global STORAGE(X) *x, const Layout x_layout, __global STORAGE(X) *y,               \
      const Layout y_layout, const long outputs, AXIS_ARGUMENTS(d), AXIS_ARGUMENTS(h),         \
      AXIS_ARGUMENTS(w)

/* What an average divides by along one dimension. */
#if COUNT_PADDING
#define COUNTED(D, begin)                                                                     \
  (netcl_taps_before(D##_extent + D##_after - (begin), D##_dilation, D##_window) -            \
   netcl_taps_before(-D##_before - (begin), D##_dilation, D##_window))
#else
#define COUNTED(D, begin) max(LAST_TAP(D, begin) - FIRST_TAP(D, begin), 0L)
#endif

/* What is kept of the taps so far: NaN wins in maxima; sums remember what rounding loses. */
#if ADDS
#define BEGIN_TAPS VALUE acc = 0, lost = 0;
#define TAKE_TAP(v)                                         \
  {                                                         \
    const VALUE addend_ = (v) - lost;                       \
    const VALUE next_ = acc + addend_;                      \
    lost = isfinite(next_) ? (next_ - acc) - addend_ : 0;   \
    acc = next_;                                            \
  }
#if AVERAGE
#define POOLED \
  (acc / (VALUE)(COUNTED(d, d_begin) * COUNTED(h, h_begin) * COUNTED(w, w_begin)))
#else
#define POOLED acc
#endif
#elif FLOATS
#define BEGIN_TAPS VALUE acc = -INFINITY;
#define TAKE_TAP(v)                                    \
  {                                                    \
    const VALUE v_ = v;                                \
    acc = (v_ > acc) || (v_ != v_) ? v_ : acc;         \
  }
#define POOLED acc
#else
#define BEGIN_TAPS VALUE acc = LOWEST;
#define TAKE_TAP(v) acc = max(acc, v);
#define POOLED acc
#endif

__kernel void netcl_pool_window(POOL_ARGUMENTS) {
  const long at = (long)get_global_id(0);
  if (at >= outputs) return;
  const long ow = at % w_result;
  const long oh = at / w_result % h_result;
  const long od = at / w_result / h_result % d_result;
  const long plane = at / w_result / h_result / d_result;
  const long d_begin = od * d_stride - d_before;
  const long h_begin = oh * h_stride - h_before;
  const long w_begin = ow * w_stride - w_before;
  const long d_last = LAST_TAP(d, d_begin);
  const long h_last = LAST_TAP(h, h_begin);
  const long w_last = LAST_TAP(w, w_begin);
  const long base = netcl_plane_at(&x_layout, plane);
  BEGIN_TAPS
  for (long k = FIRST_TAP(d, d_begin); k < d_last; ++k) {
    for (long i = FIRST_TAP(h, h_begin); i < h_last; ++i) {
      const long row =
          base + netcl_place_at(&x_layout, d_begin + k * d_dilation, h_begin + i * h_dilation, 0);
      for (long j = FIRST_TAP(w, w_begin); j < w_last; ++j) {
        TAKE_TAP(LOAD(X, x, row + (w_begin + j * w_dilation) * x_layout.strides[4]))
      }
    }
  }
  STORE(X, POOLED, y, netcl_plane_at(&y_layout, plane) + netcl_place_at(&y_layout, od, oh, ow));
}

#define LANES 128
__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void netcl_pool_group(
    POOL_ARGUMENTS) {
  __local VALUE parts[LANES];
  const int lane = (int)get_local_id(0);
  const long at = (long)get_group_id(0);
  const long ow = at % w_result;
  const long oh = at / w_result % h_result;
  const long od = at / w_result / h_result % d_result;
  const long plane = at / w_result / h_result / d_result;
  const long d_begin = od * d_stride - d_before;
  const long h_begin = oh * h_stride - h_before;
  const long w_begin = ow * w_stride - w_before;
  const long d_first = FIRST_TAP(d, d_begin);
  const long h_first = FIRST_TAP(h, h_begin);
  const long w_first = FIRST_TAP(w, w_begin);
  const long across = max(LAST_TAP(w, w_begin) - w_first, 0L);
  const long down = max(LAST_TAP(h, h_begin) - h_first, 0L);
  const long taps = max(LAST_TAP(d, d_begin) - d_first, 0L) * down * across;
  const long base = netcl_plane_at(&x_layout, plane);
  BEGIN_TAPS
  for (long k = lane; k < taps; k += LANES) {
    const long d = d_begin + (d_first + k / across / down) * d_dilation;
    const long h = h_begin + (h_first + k / across % down) * h_dilation;
    const long w = w_begin + (w_first + k % across) * w_dilation;
    TAKE_TAP(LOAD(X, x, base + netcl_place_at(&x_layout, d, h, w)))
  }
  parts[lane] = acc;
  for (int half_ = LANES / 2; half_ > 0; half_ /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < half_) {
#if ADDS
      acc += parts[lane + half_];
#else
      TAKE_TAP(parts[lane + half_])
#endif
      parts[lane] = acc;
    }
  }
  if (lane == 0) {
    STORE(X, POOLED, y, netcl_plane_at(&y_layout, plane) + netcl_place_at(&y_layout, od, oh, ow));
  }
}
