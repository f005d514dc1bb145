/* Layer and RMS normalisation. RMS 1: without the mean. S and B are the dtypes of scale and
 * bias where there are any; MEAN and INVERSE 1 where each row's mean and 1 / deviation are written;
 * the other options are those of norm_rows.cl. */
#include "norm_rows.cl"

#if RMS
#define KERNEL(form) netcl_rmsnorm_##form
#else
#define KERNEL(form) netcl_layernorm_##form
#endif

#ifdef S
#define SCALE_ARGUMENT , const __global STORAGE(S) *scale, const long scale_offset
#define SCALED(value, i) ((value) * LOAD(S, scale, scale_offset + (i)))
#else
#define SCALE_ARGUMENT
#define SCALED(value, i) (value)
#endif
#ifdef B
#define BIAS_ARGUMENT , const __global STORAGE(B) *bias, const long bias_offset
#define SHIFTED(value, i) ((value) + LOAD(B, bias, bias_offset + (i)))
#else
#define BIAS_ARGUMENT
#define SHIFTED(value, i) (value)
#endif
#ifdef MEAN
#define MEAN_ARGUMENT , __global REAL *means, const Layout means_layout
#define STORE_MEAN if (lane == 0 && inside) means[netcl_at(&means_layout, row)] = mean;
#else
#define MEAN_ARGUMENT
#define STORE_MEAN
#endif
#ifdef INVERSE
#define INVERSE_ARGUMENT , __global REAL *inverses, const Layout inverses_layout
#define STORE_INVERSE if (lane == 0 && inside) inverses[netcl_at(&inverses_layout, row)] = factor;
#else
#define INVERSE_ARGUMENT
#define STORE_INVERSE
#endif
#define NORM_ARGUMENTS \
  ROW_ARGUMENTS, const REAL epsilon SCALE_ARGUMENT BIAS_ARGUMENT MEAN_ARGUMENT INVERSE_ARGUMENT

#if VALUES
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(registers)(
    NORM_ARGUMENTS) {
  __local REAL scratch[LOCAL_VALUES];
  FIND_ROW
  REAL r[VALUES];
  LOAD_VALUES(r, 0)
#if !RMS
  REAL s[4] = {0, 0, 0, 0};
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) s[v & 3] += r[v];
  const REAL mean =
      netcl_sum_across((s[0] + s[1]) + (s[2] + s[3]), scratch, lane, slot) / (REAL)n;
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) r[v] = VALUE_AT(v) < n ? r[v] - mean : 0;
#endif
  REAL q[4] = {0, 0, 0, 0};
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) q[v & 3] = fma(r[v], r[v], q[v & 3]);
  const REAL squares = netcl_sum_across((q[0] + q[1]) + (q[2] + q[3]), scratch, lane, slot);
  const REAL factor = (REAL)1 / sqrt(squares / (REAL)n + epsilon);
  STORE_MEAN
  STORE_INVERSE
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) {
    if (VALUE_AT(v) < n) r[v] = SHIFTED(SCALED(r[v] * factor, VALUE_AT(v)), VALUE_AT(v));
  }
  STORE_VALUES
}
#else

/* A row too long for registers is read three times, from the second on out of a cache. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(loop)(
    NORM_ARGUMENTS) {
  __local REAL scratch[LOCAL_VALUES];
  FIND_ROW
  REAL lost = 0;
  REAL mean = 0;
#if !RMS
  REAL sum = 0;
  for (long i = lane; i < n; i += LANES) COMPENSATED_ADD(sum, lost, LOAD(X, x, X_AT(i)))
  mean = netcl_sum_across(sum, scratch, lane, slot) / (REAL)n;
#endif
  REAL squares = 0;
  lost = 0;
  for (long i = lane; i < n; i += LANES) {
    const REAL d = LOAD(X, x, X_AT(i)) - mean;
    COMPENSATED_ADD(squares, lost, d * d)
  }
  squares = netcl_sum_across(squares, scratch, lane, slot);
  const REAL factor = (REAL)1 / sqrt(squares / (REAL)n + epsilon);
  STORE_MEAN
  STORE_INVERSE
  for (long i = lane; i < n; i += LANES) {
    const REAL value = (LOAD(X, x, X_AT(i)) - mean) * factor;
    STORE(X, SHIFTED(SCALED(value, i), i), y, Y_AT(i));
  }
}
#endif
