/* What batch normalisation does once per channel: from statistics and parameters to y = a x + b.
 * M, V, S and B are the dtypes of mean, variance, scale and bias (S and B where there are any); X
 * that of x. The coefficients are C times a, then C times b. */
#include "prelude.cl"

/* A convolution that does a normalisation has the same coefficients from an expression. */
#pragma OPENCL FP_CONTRACT OFF

#define REAL COMPUTE(X)

#ifdef S
#define SCALE_ARGUMENT \
  , const __global STORAGE(S) *scale, const long scale_at, const long scale_step
#define SCALE ((REAL)LOAD(S, scale, scale_at + c * scale_step))
#else
#define SCALE_ARGUMENT
#define SCALE ((REAL)1)
#endif
#ifdef B
#define BIAS_ARGUMENT \
  , const __global STORAGE(B) *bias, const long bias_at, const long bias_step
#define BIAS ((REAL)LOAD(B, bias, bias_at + c * bias_step))
#else
#define BIAS_ARGUMENT
#define BIAS ((REAL)0)
#endif

#define CHANNEL_ARGUMENTS                                                                     \
  __global REAL *coefficients, const long channels, const REAL epsilon,                       \
      __global STORAGE(M) *mean, const long mean_at, const long mean_step,                    \
      __global STORAGE(V) *variance, const long variance_at,                                  \
      const long variance_step SCALE_ARGUMENT BIAS_ARGUMENT

#define PUT_COEFFICIENTS(center, spread)                         \
  {                                                              \
    const REAL a = SCALE / sqrt((spread) + epsilon);             \
    coefficients[c] = a;                                         \
    coefficients[channels + c] = BIAS - (center) * a;            \
  }

__kernel void netcl_batchnorm_coefficients(CHANNEL_ARGUMENTS) {
  const long c = (long)get_global_id(0);
  if (c >= channels) return;
  PUT_COEFFICIENTS((REAL)LOAD(M, mean, mean_at + c * mean_step),
                   (REAL)LOAD(V, variance, variance_at + c * variance_step))
}

/* Joins what the slices of a channel found (count, mean and sum of squared distances from it), and
 * moves the running statistics. */
__kernel void netcl_batchnorm_combine(CHANNEL_ARGUMENTS, const __global REAL *partials,
                                      const long slices, const REAL momentum) {
  const long c = (long)get_global_id(0);
  if (c >= channels) return;
  const __global REAL *part = partials + c * slices * 3;
  REAL count = 0, center = 0, squares = 0;
  for (long k = 0; k < slices; ++k, part += 3) {
    const REAL more = part[0];
    if (more == 0) continue;
    const REAL share = more / (count + more);
    const REAL delta = part[1] - center;
    center += delta * share;
    squares += part[2] + delta * delta * count * share;
    count += more;
  }
  const REAL spread = squares / count;
  PUT_COEFFICIENTS(center, spread)
  const REAL rest = (REAL)1 - momentum;
  const REAL old_mean = (REAL)LOAD(M, mean, mean_at + c * mean_step);
  const REAL old_variance = (REAL)LOAD(V, variance, variance_at + c * variance_step);
  STORE(M, old_mean * momentum + center * rest, mean, mean_at + c * mean_step);
  STORE(V, old_variance * momentum + spread * rest, variance, variance_at + c * variance_step);
}
