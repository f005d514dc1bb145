/* What the kernels of 2-d pooling and of its gradient share: windows along the height (h) and the
 * width (w). */
#include "prelude.cl"

#define AXIS_ARGUMENTS(D)                                                                    \
  const long D##_extent, const long D##_result, const long D##_window, const long D##_stride, \
      const long D##_dilation, const long D##_before, const long D##_after

/* The number of taps, `dilation` apart, before a distance from where a window begins. */
inline long netcl_taps_before(long distance, long dilation, long window) {
  return distance <= 0 ? 0 : min((distance + dilation - 1) / dilation, window);
}
#define FIRST_TAP(D, begin) netcl_taps_before(-(begin), D##_dilation, D##_window)
#define LAST_TAP(D, begin) netcl_taps_before(D##_extent - (begin), D##_dilation, D##_window)
