/* The places of maxima of windows, and their gradient.
 *
 * Options: X the dtype of x, of the gradients and of the result; PLACES how places are counted: 0
 * within a plane in C order, the number of its elements standing for none; 1 over the whole tensor,
 * 2 the same by columns within a plane, -1 standing for none. */
#include "pool_common.cl"

#define VALUE COMPUTE(X)

/* An item finds the first largest element of a window. NaN is the largest. */
__kernel void netcl_pool_places(const __global STORAGE(X) *x, const Layout x_layout,
                                __global long *places, const Layout places_layout,
                                const long outputs, AXIS_ARGUMENTS(d), AXIS_ARGUMENTS(h),
                                AXIS_ARGUMENTS(w)) {
  const long at = (long)get_global_id(0);
  if (at >= outputs) return;
  const long plane = at / w_result / h_result / d_result;
  const long d_begin = at / w_result / h_result % d_result * d_stride - d_before;
  const long h_begin = at / w_result % h_result * h_stride - h_before;
  const long w_begin = at % w_result * w_stride - w_before;
  const long d_last = LAST_TAP(d, d_begin);
  const long h_last = LAST_TAP(h, h_begin);
  const long w_last = LAST_TAP(w, w_begin);
  const long base = netcl_plane_at(&x_layout, plane);
  const long none = d_extent * h_extent * w_extent;
  long place = none;
  VALUE most = 0;
  for (long k = FIRST_TAP(d, d_begin); k < d_last; ++k) {
    const long u = d_begin + k * d_dilation;
    for (long i = FIRST_TAP(h, h_begin); i < h_last; ++i) {
      const long v = h_begin + i * h_dilation;
      for (long j = FIRST_TAP(w, w_begin); j < w_last; ++j) {
        const long z = w_begin + j * w_dilation;
        const VALUE value = LOAD(X, x, base + netcl_place_at(&x_layout, u, v, z));
        if (place == none || value > most || (value != value && most == most)) {
          most = value;
          place = (u * h_extent + v) * w_extent + z;
        }
      }
    }
  }
#if PLACES == 2
  if (place != none) {
    const long slice = place / w_extent / h_extent;
    place = (place % w_extent * h_extent + place / w_extent % h_extent) * d_extent + slice;
  }
#endif
#if PLACES
  place = place == none ? -1 : plane * none + place;
#endif
  places[netcl_at(&places_layout, at)] = place;
}

/* An item sums the gradients of the windows that one element of x is the place of. */
__kernel void netcl_pool_spread(const __global long *places, const Layout places_layout,
                                  const __global STORAGE(X) *grad, const Layout grad_layout,
                                  __global STORAGE(X) *result, const Layout result_layout,
                                  const long elements, AXIS_ARGUMENTS(d),
                                  AXIS_ARGUMENTS(h), AXIS_ARGUMENTS(w)) {
  const long at = (long)get_global_id(0);
  if (at >= elements) return;
  const long plane = at / w_extent / h_extent / d_extent;
  const long own = at % (d_extent * h_extent * w_extent);
  const long x = at / w_extent / h_extent % d_extent;
  const long y = at / w_extent % h_extent;
  const long z = at % w_extent;
  const long d_reach = (d_window - 1) * d_dilation;
  const long h_reach = (h_window - 1) * h_dilation;
  const long w_reach = (w_window - 1) * w_dilation;
  const long d_first = max(x + d_before - d_reach + d_stride - 1, 0L) / d_stride;
  const long h_first = max(y + h_before - h_reach + h_stride - 1, 0L) / h_stride;
  const long w_first = max(z + w_before - w_reach + w_stride - 1, 0L) / w_stride;
  const long d_last = min((x + d_before) / d_stride + 1, d_result);
  const long h_last = min((y + h_before) / h_stride + 1, h_result);
  const long w_last = min((z + w_before) / w_stride + 1, w_result);
  const long place_at = netcl_plane_at(&places_layout, plane);
  const long grad_at = netcl_plane_at(&grad_layout, plane);
  VALUE sum = 0;
  for (long k = d_first; k < d_last; ++k) {
    for (long i = h_first; i < h_last; ++i) {
      for (long j = w_first; j < w_last; ++j) {
        if (places[place_at + netcl_place_at(&places_layout, k, i, j)] != own) continue;
        sum += LOAD(X, grad, grad_at + netcl_place_at(&grad_layout, k, i, j));
      }
    }
  }
  STORE(X, sum, result, netcl_at(&result_layout, at));
}
