/* Windows of 2-d pooling. Included after prelude.cl.
 *
 * Options: X the dtype; AVERAGE 1 or maxima; COUNT_PADDING 1 when averages count the padding;
 * FLOATS 1 when X is one; LOWEST the lowest value of an integer. */
#define VALUE COMPUTE(X)

#define AXIS_ARGUMENTS(D)                                                                    \
  const long D##_extent, const long D##_result, const long D##_window, const long D##_stride, \
      const long D##_dilation, const long D##_before, const long D##_after
#define POOL_ARGUMENTS                                                                       \
  const __global STORAGE(X) *x, const Layout x_layout, __global STORAGE(X) *y,               \
      const Layout y_layout, const long outputs, AXIS_ARGUMENTS(h), AXIS_ARGUMENTS(w)

/* The number of taps, `dilation` apart, before a distance from where a window begins. */
inline long netcl_taps_before(long distance, long dilation, long window) {
  return distance <= 0 ? 0 : min((distance + dilation - 1) / dilation, window);
}
#define FIRST_TAP(D, begin) netcl_taps_before(-(begin), D##_dilation, D##_window)
#define LAST_TAP(D, begin) netcl_taps_before(D##_extent - (begin), D##_dilation, D##_window)
/* What an average divides by along one dimension. */
#if COUNT_PADDING
#define COUNTED(D, begin)                                                                     \
  (netcl_taps_before(D##_extent + D##_after - (begin), D##_dilation, D##_window) -            \
   netcl_taps_before(-D##_before - (begin), D##_dilation, D##_window))
#else
#define COUNTED(D, begin) max(LAST_TAP(D, begin) - FIRST_TAP(D, begin), 0L)
#endif

/* What is kept of the taps so far: NaN wins in maxima; sums remember what rounding loses. */
#if AVERAGE
#define BEGIN_TAPS VALUE acc = 0, lost = 0;
#define TAKE_TAP(v)                                         \
  {                                                         \
    const VALUE addend_ = (v) - lost;                       \
    const VALUE next_ = acc + addend_;                      \
    lost = isfinite(next_) ? (next_ - acc) - addend_ : 0;   \
    acc = next_;                                            \
  }
#define POOLED(h_begin, w_begin) (acc / (VALUE)(COUNTED(h, h_begin) * COUNTED(w, w_begin)))
#elif FLOATS
#define BEGIN_TAPS VALUE acc = -INFINITY;
#define TAKE_TAP(v)                                    \
  {                                                    \
    const VALUE v_ = v;                                \
    acc = (v_ > acc) || (v_ != v_) ? v_ : acc;         \
  }
#define POOLED(h_begin, w_begin) acc
#else
#define BEGIN_TAPS VALUE acc = LOWEST;
#define TAKE_TAP(v) acc = max(acc, v);
#define POOLED(h_begin, w_begin) acc
#endif
