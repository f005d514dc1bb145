/* Gradients of layer and RMS normalisation. With n = (x - mean) r, r = 1 / sqrt(variance + epsilon)
 * and s = grad scale: y = r (s - mean(s) - n mean(s n)), and product = grad n, whose sum over all
 * rows is the gradient of scale. RMS 1: without both means of their own. RESULT and PRODUCT say
 * which of the two are written, the second without gaps in dtype W. S is the dtype of scale where
 * there is one; the other options are those of norm_rows.cl. */
#include "gradient_rows.cl"

#if RMS
#define KERNEL(form) netcl_rmsnorm_gradient_##form
#else
#define KERNEL(form) netcl_layernorm_gradient_##form
#endif

#if PRODUCT
#define PRODUCT_ARGUMENT , __global STORAGE(W) *product, const long product_offset
#define PRODUCT_AT(i) (product_base + (i))
#define FIND_PRODUCT const long product_base = product_offset + row * n;
#else
#define PRODUCT_ARGUMENT
#define FIND_PRODUCT
#endif
#ifdef S
#define SCALE_ARGUMENT , const __global STORAGE(S) *scale, const long scale_offset
#define SCALED(value, i) ((value) * LOAD(S, scale, scale_offset + (i)))
#else
#define SCALE_ARGUMENT
#define SCALED(value, i) (value)
#endif
#define ARGUMENTS GRADIENT_ARGUMENTS, const REAL epsilon PRODUCT_ARGUMENT SCALE_ARGUMENT

#define TOTAL(s) netcl_sum_across((s[0] + s[1]) + (s[2] + s[3]), scratch, lane, slot)

#if VALUES
#define PRODUCT_OF(v) (g[v] * r[v])
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(registers)(ARGUMENTS) {
  __local REAL scratch[LOCAL_VALUES];
  FIND_ROW
  FIND_GRAD
  FIND_PRODUCT
  REAL r[VALUES];
  REAL g[VALUES];
  LOAD_VALUES(r, 0)
  LOAD_ROW(X, g, 0, grad, grad_base, GRAD_AT)
#if !RMS
  REAL m[4] = {0, 0, 0, 0};
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) m[v & 3] += r[v];
  const REAL mean = TOTAL(m) / (REAL)n;
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) r[v] = VALUE_AT(v) < n ? r[v] - mean : 0;
#endif
  REAL q[4] = {0, 0, 0, 0};
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) q[v & 3] = fma(r[v], r[v], q[v & 3]);
  const REAL factor = (REAL)1 / sqrt(TOTAL(q) / (REAL)n + epsilon);
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) r[v] *= factor;
#if PRODUCT
  STORE_ROW(W, PRODUCT_OF, product, product_base, PRODUCT_AT)
#endif
#if RESULT
  REAL a[4] = {0, 0, 0, 0};
  REAL shift = 0;
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) {
    if (VALUE_AT(v) < n) {
      g[v] = SCALED(g[v], VALUE_AT(v));
      a[v & 3] = fma(g[v], r[v], a[v & 3]);
    }
  }
  const REAL along = TOTAL(a) / (REAL)n;
#if !RMS
  REAL s[4] = {0, 0, 0, 0};
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) s[v & 3] += g[v];
  shift = TOTAL(s) / (REAL)n;
#endif
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) {
    r[v] = factor * (g[v] - shift - r[v] * along);
  }
  STORE_VALUES
#endif
}
#else

/* A row too long for registers is read three times, from the second on out of a cache. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(loop)(ARGUMENTS) {
  __local REAL scratch[LOCAL_VALUES];
  FIND_ROW
  FIND_GRAD
  FIND_PRODUCT
  REAL mean = 0;
#if !RMS
  REAL total = 0, total_lost = 0;
  for (long i = lane; i < n; i += LANES) COMPENSATED_ADD(total, total_lost, LOAD(X, x, X_AT(i)))
  mean = netcl_sum_across(total, scratch, lane, slot) / (REAL)n;
#endif
  REAL squares = 0, sum = 0, along = 0;
  REAL squares_lost = 0, sum_lost = 0, along_lost = 0;
  for (long i = lane; i < n; i += LANES) {
    const REAL d = LOAD(X, x, X_AT(i)) - mean;
    COMPENSATED_ADD(squares, squares_lost, d * d)
#if RESULT
    const REAL s = SCALED(LOAD(X, grad, GRAD_AT(i)), i);
    COMPENSATED_ADD(along, along_lost, s * d)
#if !RMS
    COMPENSATED_ADD(sum, sum_lost, s)
#endif
#endif
  }
  squares = netcl_sum_across(squares, scratch, lane, slot);
  const REAL factor = (REAL)1 / sqrt(squares / (REAL)n + epsilon);
#if RESULT
  along = netcl_sum_across(along, scratch, lane, slot) * factor / (REAL)n;
#if !RMS
  sum = netcl_sum_across(sum, scratch, lane, slot) / (REAL)n;
#endif
#endif
  if (!inside) return;
  for (long i = lane; i < n; i += LANES) {
    const REAL normal = (LOAD(X, x, X_AT(i)) - mean) * factor;
    const REAL g = LOAD(X, grad, GRAD_AT(i));
#if PRODUCT
    STORE(W, g * normal, product, PRODUCT_AT(i));
#endif
#if RESULT
    STORE(X, factor * (SCALED(g, i) - sum - normal * along), y, Y_AT(i));
#endif
  }
}
#endif
