/* The part of batch normalisation that does not depend on the shape of the device: what is done to
 * an element. Included after prelude.cl.
 *
 * PASS 1: y = a x + b; 2: y = activation(x); 3: y = activation(a x + b). IN_REAL and OUT_REAL 1:
 * that side is REAL in memory and not X, between the two passes of a 16-bit dtype. */
#include "activation.cl"

#if PASS == 1
#define KERNEL_NAME netcl_batchnorm_naive
#elif PASS == 2
#define KERNEL_NAME netcl_batchnorm_naive_activate
#else
#define KERNEL_NAME netcl_batchnorm_fused
#endif

#if IN_REAL
#define IN_TYPE REAL
#define LOAD_IN(p, i) ((p)[i])
#else
#define IN_TYPE STORAGE(X)
#define LOAD_IN(p, i) LOAD(X, p, i)
#endif
#if OUT_REAL
#define OUT_TYPE REAL
#define STORE_OUT(v, p, i) ((p)[i] = (v))
#else
#define OUT_TYPE STORAGE(X)
#define STORE_OUT(v, p, i) STORE(X, v, p, i)
#endif

/* One element; `a` and `b` are not looked at by the pass that only activates. */
inline REAL netcl_value(REAL x, REAL a, REAL b, REAL alpha, REAL beta) {
#if PASS == 1
  return fma(x, a, b);
#elif PASS == 2
  return ACTIVATE(x, alpha, beta);
#else
  return ACTIVATE(fma(x, a, b), alpha, beta);
#endif
}

/* `outer` gives the places of planes (PLANE 1) or of positions of a channel (PLANE 0); channels are
 * a step apart. */
#define APPLY_ARGUMENTS                                                                        \
  const __global IN_TYPE *x, const Layout x_outer, const long x_step, __global OUT_TYPE *y,    \
      const Layout y_outer, const long y_step, const __global REAL *coefficients,              \
      const REAL alpha, const REAL beta, const long channels, const long length
