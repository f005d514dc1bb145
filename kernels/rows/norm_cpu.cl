/* Layer and RMS normalisation on OpenCL devices that are CPUs. RMS 1: without the mean. S and B are
 * the dtypes of scale and bias where there are any, S_PLAIN and B_PLAIN 1 where they are as REAL in
 * memory. INNER 1: the elements of a row follow each other, 2: they have a stride, 3: a layout. The
 * other options are those of norm_vector.cl. */
#include "prelude.cl"
#include "norm_vector.cl"

#if RMS
#define KERNEL(form) netcl_rmsnorm_##form
#else
#define KERNEL(form) netcl_layernorm_##form
#endif

#if INNER == 3
#define STEP_ARGUMENTS const Layout x_inner, const Layout y_inner
inline VEC netcl_gather(const __global STORAGE(X) *from, const Layout *inner, long i, int count) {
  REAL some[WIDE];
  for (int k = 0; k < WIDE; ++k) {
    some[k] = k < count ? LOAD(X, from, netcl_at(inner, i + k)) : (REAL)0;
  }
  return VEC_LOAD(0, some);
}
#define FULL_X(i) netcl_gather(from, &x_inner, i, WIDE)
#define PART_X(i, count) netcl_gather(from, &x_inner, i, count)
#define PUT_PART(value, i, count)                                                       \
  {                                                                                     \
    REAL some[WIDE];                                                                    \
    VEC_STORE(value, 0, some);                                                          \
    for (int k = 0; k < count; ++k) STORE(X, some[k], to, netcl_at(&y_inner, (i) + k)); \
  }
#define PUT(value, i) PUT_PART(value, i, WIDE)
#else
#define STEP_ARGUMENTS const long x_step, const long y_step
#if INNER == 1
#define FULL_X(i) netcl_load_wide(from + (i))
#define PUT(value, i) netcl_store_last(value, to + (i));
#else
#define FULL_X(i) netcl_load_some(from, (i) * x_step, x_step, WIDE, 0)
#define PUT(value, i) netcl_store_some(value, to, (i) * y_step, y_step, WIDE);
#endif
#define PART_X(i, count) netcl_load_some(from, (i) * x_step, x_step, count, 0)
#define PUT_PART(value, i, count) netcl_store_some(value, to, (i) * y_step, y_step, count);
#endif

/* `count` values of scale or bias; the other lanes hold anything. */
#define DEFINE_PARAMETER(NAME, Z, PLAIN)                                                     \
  inline VEC NAME(const __global STORAGE(Z) *p, int count) {                                 \
    if (PLAIN && count == WIDE) return VEC_LOAD(0, (const __global REAL *)p);                \
    REAL some[WIDE];                                                                         \
    for (int k = 0; k < WIDE; ++k) some[k] = k < count ? (REAL)LOAD(Z, p, k) : (REAL)0;      \
    return VEC_LOAD(0, some);                                                                \
  }
#ifdef S
DEFINE_PARAMETER(netcl_scale, S, S_PLAIN)
#define SCALE_ARGUMENT , const __global STORAGE(S) *scale, const long scale_offset
#define SCALED(value, i, count) ((value) * netcl_scale(scale + scale_offset + (i), count))
#else
#define SCALE_ARGUMENT
#define SCALED(value, i, count) (value)
#endif
#ifdef B
DEFINE_PARAMETER(netcl_bias, B, B_PLAIN)
#define BIAS_ARGUMENT , const __global STORAGE(B) *bias, const long bias_offset
#define SHIFTED(value, i, count) ((value) + netcl_bias(bias + bias_offset + (i), count))
#else
#define BIAS_ARGUMENT
#define SHIFTED(value, i, count) (value)
#endif

inline VEC netcl_square(VEC v, const __global STORAGE(X) *next) {
  NETCL_PREFETCH(next);
  return v * v;
}
/* The same of the first `count` lanes, zeros for the others. */
inline VEC netcl_square_part(VEC v, int count) {
  REAL some[WIDE];
  VEC_STORE(v * v, 0, some);
  for (int k = count; k < WIDE; ++k) some[k] = 0;
  return VEC_LOAD(0, some);
}

__kernel void KERNEL(vector)(const __global STORAGE(X) *x, const Layout x_rows,
                             __global STORAGE(X) *y, const Layout y_rows, const long rows,
                             const long n, STEP_ARGUMENTS, const REAL epsilon,
                             const long rows_per_item SCALE_ARGUMENT BIAS_ARGUMENT) {
  const long first = (long)get_global_id(0) * rows_per_item;
  const long last = min(first + rows_per_item, rows);
  for (long row = first; row < last; ++row) {
    const __global STORAGE(X) *const from = x + netcl_at(&x_rows, row);
    __global STORAGE(X) *const to = y + netcl_at(&y_rows, row);
    REAL mean = 0;
#if !RMS
    REAL sum;
    SUM_TERMS(sum, n, FULL_X, PART_X)
    mean = sum / (REAL)n;
#endif
    /* Rows mostly follow each other. While one is squared and written, which takes it from the
     * first cache, the memory would be idle, so the next one is fetched. */
    REAL squares;
#define SQUARE(i) netcl_square(FULL_X(i) - mean, from + n + (i) / 2)
#define SQUARE_PART(i, count) netcl_square_part(PART_X(i, count) - mean, count)
    SUM_TERMS(squares, n, SQUARE, SQUARE_PART)
    const REAL factor = (REAL)1 / sqrt(squares / (REAL)n + epsilon);
    long i = 0;
    for (; i + WIDE <= n; i += WIDE) {
      NETCL_PREFETCH(from + n + (n + i) / 2);
      const VEC value = SHIFTED(SCALED((FULL_X(i) - mean) * factor, i, WIDE), i, WIDE);
      PUT(value, i)
    }
    if (i < n) {
      const int count = (int)(n - i);
      const VEC value = SHIFTED(SCALED((PART_X(i, count) - mean) * factor, i, count), i, count);
      PUT_PART(value, i, count)
    }
  }
}
