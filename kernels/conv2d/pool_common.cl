/* What the kernels of pooling and of its gradient share: windows along the depth (d), the height
 * (h) and the width (w) of [N, C, D, H, W]. */
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

/* Where an element of [N, C, D, H, W] is: by the number of its plane, N C, and within that. */
inline long netcl_plane_at(const Layout *layout, long plane) {
  return layout->offset + plane / layout->shape[1] * layout->strides[0] +
         plane % layout->shape[1] * layout->strides[1];
}
inline long netcl_place_at(const Layout *layout, long d, long h, long w) {
  return d * layout->strides[2] + h * layout->strides[3] + w * layout->strides[4];
}
