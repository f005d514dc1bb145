/* 2-d pooling of floats on OpenCL devices that are CPUs. ACROSS 1: channels are neighbours and make
 * the vectors; 0: columns of x are. SMALL 1: windows are so small that plain sums will do. The
 * other options are those of norm_vector.cl and pool2d_window.cl. */
#include "prelude.cl"
#include "pool2d_window.cl"
#include "norm_vector.cl"

#if !AVERAGE
#define BEGIN_TAPS_WIDE VEC wide = -INFINITY;
#define TAKE_WIDE(v)                                          \
  {                                                           \
    const VEC v_ = v;                                         \
    wide = (v_ > wide) || (v_ != v_) ? v_ : wide;             \
  }
#elif SMALL
#define BEGIN_TAPS_WIDE VEC wide = 0;
#define TAKE_WIDE(v) wide += v;
#else
#define BEGIN_TAPS_WIDE VEC wide = 0, wide_lost = 0;
#define TAKE_WIDE(v)                                                       \
  {                                                                        \
    const VEC addend_ = (v) - wide_lost;                                   \
    const VEC next_ = wide + addend_;                                      \
    wide_lost = isfinite(next_) ? (next_ - wide) - addend_ : (VEC)0;       \
    wide = next_;                                                          \
  }
#endif

#if ACROSS
/* A unit is a place (n, oh, ow). */
__kernel void netcl_pool2d_vector(POOL_ARGUMENTS, const long units, const long units_per_item) {
  const long first = (long)get_global_id(0) * units_per_item;
  const long last = min(first + units_per_item, units);
  const long channels = x_layout.shape[1];
  for (long unit = first; unit < last; ++unit) {
    const long ow = unit % w_result;
    const long oh = unit / w_result % h_result;
    const long n = unit / w_result / h_result;
    const long h_begin = oh * h_stride - h_before;
    const long w_begin = ow * w_stride - w_before;
    const long h_first = FIRST_TAP(h, h_begin), h_last = LAST_TAP(h, h_begin);
    const long w_first = FIRST_TAP(w, w_begin), w_last = LAST_TAP(w, w_begin);
    const __global STORAGE(X) *const from = x + x_layout.offset + n * x_layout.strides[0];
    __global STORAGE(X) *const to = y + y_layout.offset + n * y_layout.strides[0] +
                                    oh * y_layout.strides[2] + ow * y_layout.strides[3];
    for (long c = 0; c < channels; c += WIDE) {
      const int count = (int)min(channels - c, (long)WIDE);
      BEGIN_TAPS_WIDE
      for (long i = h_first; i < h_last; ++i) {
        const long row = (h_begin + i * h_dilation) * x_layout.strides[2] + c;
        for (long j = w_first; j < w_last; ++j) {
          const long at = row + (w_begin + j * w_dilation) * x_layout.strides[3];
          TAKE_WIDE(count == WIDE ? netcl_load_wide(from + at)
                                  : netcl_load_some(from, at, 1, count, 0))
        }
      }
#if AVERAGE
      wide /= (REAL)(COUNTED(h, h_begin) * COUNTED(w, w_begin));
#endif
      if (count == WIDE) {
        netcl_store_wide(wide, to + c);
      } else {
        netcl_store_some(wide, to, c, 1, count);
      }
    }
  }
}
#else
/* WIDE elements of a row, `stride` apart. With a stride of 2 the elements between them are read
 * too, as far as the row has them. */
inline VEC netcl_load_columns(const __global STORAGE(X) *row, long at, long stride, long extent) {
  if (stride == 1) return netcl_load_wide(row + at);
  if (stride == 2 && at + 2 * WIDE <= extent) {
    const VEC a = netcl_load_wide(row + at);
    const VEC b = netcl_load_wide(row + at + WIDE);
    return (VEC)(a.even, b.even);
  }
  return netcl_load_some(row, at, stride, WIDE, 0);
}

/* A unit is a row of results (n, c, oh). */
__kernel void netcl_pool2d_vector(POOL_ARGUMENTS, const long units, const long units_per_item) {
  const long first = (long)get_global_id(0) * units_per_item;
  const long last = min(first + units_per_item, units);
  for (long unit = first; unit < last; ++unit) {
    const long oh = unit % h_result;
    const long c = unit / h_result % x_layout.shape[1];
    const long n = unit / h_result / x_layout.shape[1];
    const long h_begin = oh * h_stride - h_before;
    const long h_first = FIRST_TAP(h, h_begin), h_last = LAST_TAP(h, h_begin);
    const __global STORAGE(X) *const from =
        x + x_layout.offset + n * x_layout.strides[0] + c * x_layout.strides[1];
    __global STORAGE(X) *const to = y + y_layout.offset + n * y_layout.strides[0] +
                                    c * y_layout.strides[1] + oh * y_layout.strides[2];
    long ow = 0;
    while (ow < w_result) {
      const long w_begin = ow * w_stride - w_before;
      const long end = w_begin + (WIDE - 1) * w_stride + (w_window - 1) * w_dilation;
      if (w_begin >= 0 && ow + WIDE <= w_result && end < w_extent) {
        BEGIN_TAPS_WIDE
        for (long i = h_first; i < h_last; ++i) {
          const __global STORAGE(X) *const row =
              from + (h_begin + i * h_dilation) * x_layout.strides[2];
          for (long j = 0; j < w_window; ++j) {
            TAKE_WIDE(netcl_load_columns(row, w_begin + j * w_dilation, w_stride, w_extent))
          }
        }
#if AVERAGE
        wide /= (REAL)(COUNTED(h, h_begin) * w_window);
#endif
        if (y_layout.strides[3] == 1) {
          netcl_store_wide(wide, to + ow);
        } else {
          netcl_store_some(wide, to, ow * y_layout.strides[3], y_layout.strides[3], WIDE);
        }
        ow += WIDE;
        continue;
      }
      BEGIN_TAPS
      const long w_first = FIRST_TAP(w, w_begin), w_last = LAST_TAP(w, w_begin);
      if (w_dilation == 1 && w_last - w_first >= WIDE) {
        BEGIN_TAPS_WIDE
        for (long i = h_first; i < h_last; ++i) {
          const __global STORAGE(X) *const row =
              from + (h_begin + i * h_dilation) * x_layout.strides[2] + w_begin;
          long j = w_first;
          for (; j + WIDE <= w_last; j += WIDE) TAKE_WIDE(netcl_load_wide(row + j))
          for (; j < w_last; ++j) TAKE_TAP(LOAD(X, row, j))
        }
        REAL some[WIDE];
        VEC_STORE(wide, 0, some);
        for (int k = 0; k < WIDE; ++k) TAKE_TAP(some[k])
      } else {
        for (long i = h_first; i < h_last; ++i) {
          const __global STORAGE(X) *const row =
              from + (h_begin + i * h_dilation) * x_layout.strides[2];
          for (long j = w_first; j < w_last; ++j) TAKE_TAP(LOAD(X, row, w_begin + j * w_dilation))
        }
      }
      STORE(X, POOLED(h_begin, w_begin), to, ow * y_layout.strides[3]);
      ++ow;
    }
  }
}
#endif
