/* What all convolution kernels share: their parameters and what follows the sums.
 *
 * Options: X the dtype of x, w, y and the residual; NETCL_T float or double, the type of the sums;
 * NETCL_SHIFT_TYPE the dtype of the shift (a plain bias has that of x); NETCL_SHIFT, NETCL_SCALE
 * and NETCL_RESIDUAL 1 when there is one; NETCL_ACTIVATION its number. */
#include "prelude.cl"
#include "activation.cl"

/* x is N, C, H, W; w is F, C / groups, KH, KW; y is N, F, OH, OW. Padding is at the top and left;
 * what lies below and to the right follows from the sizes. */
#define NETCL_CONV_PARAMETERS                                                                   \
  const __global STORAGE(X) *x, Layout x_at, const __global STORAGE(X) *w, Layout w_at,         \
      __global STORAGE(X) *y, Layout y_at, long stride_h, long stride_w, long dilation_h,       \
      long dilation_w, long padding_h, long padding_w

/* result = activation(sum * scale[f] + shift[f] + residual). */
#define NETCL_EPILOGUE_PARAMETERS                                                               \
  const __global NETCL_T *scale, long scale_offset,                                             \
      const __global STORAGE(NETCL_SHIFT_TYPE) *shift, long shift_offset, long shift_stride,    \
      const __global STORAGE(X) *residual, Layout residual_at, NETCL_T alpha, NETCL_T beta

inline NETCL_T netcl_scale_of(const __global NETCL_T *scale, long offset, long filter) {
#if NETCL_SCALE
  return scale[offset + filter];
#else
  return 1;
#endif
}

inline NETCL_T netcl_shift_of(const __global STORAGE(NETCL_SHIFT_TYPE) *shift, long offset,
                              long stride, long filter) {
#if NETCL_SHIFT
  return (NETCL_T)LOAD(NETCL_SHIFT_TYPE, shift, offset + filter * stride);
#else
  return 0;
#endif
}

/* The value that is stored for a sum; `other` is its place in the residual. */
inline NETCL_T netcl_finished(NETCL_T sum, NETCL_T scale, NETCL_T shift,
                              const __global STORAGE(X) *residual, long other, NETCL_T alpha,
                              NETCL_T beta) {
#if NETCL_SCALE
  sum = fma(sum, scale, shift);
#elif NETCL_SHIFT
  sum += shift;
#endif
#if NETCL_RESIDUAL
  sum += LOAD(X, residual, other);
#endif
  return ACTIVATE(sum, alpha, beta);
}

inline void netcl_finish(NETCL_T sum, NETCL_T scale, NETCL_T shift, __global STORAGE(X) *y,
                         long place, const __global STORAGE(X) *residual, long other,
                         NETCL_T alpha, NETCL_T beta) {
  STORE(X, netcl_finished(sum, scale, shift, residual, other, alpha, beta), y, place);
}

inline long netcl_place(const Layout *at, long n, long f, long row, long column) {
  return at->offset + n * at->strides[0] + f * at->strides[1] + row * at->strides[2] +
         column * at->strides[3];
}
