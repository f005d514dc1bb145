/* Softmax and log-softmax on OpenCL devices that are CPUs. LOG 1 gives the logarithm; INNER 1: the
 * elements of a row follow each other, 2: they have a stride; the other options are those of
 * norm_vector.cl. */
#include "prelude.cl"
#include "norm_vector.cl"

#if LOG
#define KERNEL(form) netcl_log_softmax_##form
#define ENDING(sum) log((sum) * EXP_UNSCALE)
#define RESULT(value, m, ending) (((value) - (m)) - (ending))
#else
#define KERNEL(form) netcl_softmax_##form
#define ENDING(sum) ((REAL)1 / (sum))
#define RESULT(value, m, ending) (netcl_exp_scaled((value) - (m)) * (ending))
#endif
/* What the result is made of waits in KEPT private numbers, when a row has no more; else in y where
 * that keeps its bits; else it is computed again. */
#define KEEPS (!LOG && KEPT > 0)
#define THROUGH_Y (!LOG && !FORMAT && KEPT == 0)

#if INNER == 1
#define FULL_X(i) netcl_load_wide(from + (i))
#define PART_X(i, count, fill) netcl_load_some(from, i, 1, count, fill)
#define PUT(value, i) netcl_store_wide(value, to + (i))
#define PUT_PART(value, i, count) netcl_store_some(value, to, i, 1, count)
#define FULL_Y(i) netcl_load_wide(to + (i))
#define PART_Y(i, count) netcl_load_some(to, i, 1, count, 0)
#else
#define FULL_X(i) netcl_load_some(from, (i) * x_step, x_step, WIDE, 0)
#define PART_X(i, count, fill) netcl_load_some(from, (i) * x_step, x_step, count, fill)
#define PUT(value, i) netcl_store_some(value, to, (i) * y_step, y_step, WIDE)
#define PUT_PART(value, i, count) netcl_store_some(value, to, (i) * y_step, y_step, count)
#define FULL_Y(i) netcl_load_some(to, (i) * y_step, y_step, WIDE, 0)
#define PART_Y(i, count) netcl_load_some(to, (i) * y_step, y_step, count, 0)
#endif

inline REAL netcl_row_max(const __global STORAGE(X) *from, long x_step, long n) {
  VEC m0 = -INFINITY, m1 = -INFINITY, m2 = -INFINITY, m3 = -INFINITY;
  long i = 0;
  for (; i + 4 * WIDE <= n; i += 4 * WIDE) {
    const VEC a = FULL_X(i), b = FULL_X(i + WIDE);
    const VEC c = FULL_X(i + 2 * WIDE), d = FULL_X(i + 3 * WIDE);
    m0 = LARGER(a, m0);
    m1 = LARGER(b, m1);
    m2 = LARGER(c, m2);
    m3 = LARGER(d, m3);
  }
  for (; i + WIDE <= n; i += WIDE) {
    const VEC a = FULL_X(i);
    m0 = LARGER(a, m0);
  }
  if (i < n) {
    const VEC a = PART_X(i, (int)(n - i), -INFINITY);
    m1 = LARGER(a, m1);
  }
  m0 = LARGER(m0, m1);
  m2 = LARGER(m2, m3);
  return netcl_max_lanes(LARGER(m0, m2));
}

/* The scaled exponentials of a vector, which are left where they wait. `next` is fetched meanwhile:
 * rows mostly follow each other. */
inline VEC netcl_full_term(const __global STORAGE(X) *from, long x_step, __global STORAGE(X) *to,
                           long y_step, VEC *kept, long i, REAL m,
                           const __global STORAGE(X) *next) {
  NETCL_PREFETCH(next);
  const VEC e = netcl_exp_scaled(FULL_X(i) - m);
#if KEEPS
  kept[i / WIDE] = e;
#elif THROUGH_Y
  PUT(e, i);
#endif
  return e;
}
inline VEC netcl_last_term(const __global STORAGE(X) *from, long x_step, __global STORAGE(X) *to,
                           long y_step, VEC *kept, long i, int count, REAL m) {
  const VEC e = netcl_exp_scaled(PART_X(i, count, -INFINITY) - m);
#if KEEPS
  kept[i / WIDE] = e;
#elif THROUGH_Y
  PUT_PART(e, i, count);
#endif
  REAL terms[WIDE];
  VEC_STORE(e, 0, terms);
  for (int k = count; k < WIDE; ++k) terms[k] = 0;
  return VEC_LOAD(0, terms);
}

/* Each item takes some rows that follow each other. */
__kernel void KERNEL(vector)(const __global STORAGE(X) *x, const Layout x_rows,
                             __global STORAGE(X) *y, const Layout y_rows, const long rows,
                             const long n, const long x_step, const long y_step,
                             const long rows_per_item) {
  const long first = (long)get_global_id(0) * rows_per_item;
  const long last = min(first + rows_per_item, rows);
#if KEEPS
  VEC kept[KEPT / WIDE];
#else
  VEC *const kept = 0;
#endif
  for (long row = first; row < last; ++row) {
    const __global STORAGE(X) *const from = x + netcl_at(&x_rows, row);
    __global STORAGE(X) *const to = y + netcl_at(&y_rows, row);
    const REAL m = netcl_row_max(from, x_step, n);
    REAL sum;
#define FULL_TERM(i) netcl_full_term(from, x_step, to, y_step, kept, i, m, from + n + (i))
#define LAST_TERM(i, count) netcl_last_term(from, x_step, to, y_step, kept, i, count, m)
    SUM_TERMS(sum, n, FULL_TERM, LAST_TERM)
    const REAL ending = ENDING(sum);
    long i = 0;
#if KEEPS
    for (; i + WIDE <= n; i += WIDE) PUT(kept[i / WIDE] * ending, i);
    if (i < n) PUT_PART(kept[i / WIDE] * ending, i, (int)(n - i));
#elif THROUGH_Y
    for (; i + WIDE <= n; i += WIDE) PUT(FULL_Y(i) * ending, i);
    if (i < n) PUT_PART(PART_Y(i, (int)(n - i)) * ending, i, (int)(n - i));
#else
    for (; i + WIDE <= n; i += WIDE) PUT(RESULT(FULL_X(i), m, ending), i);
    if (i < n) {
      PUT_PART(RESULT(PART_X(i, (int)(n - i), 0), m, ending), i, (int)(n - i));
    }
#endif
  }
}

/* Rows that lie across memory, WIDE neighbours at a time. The last dimension of x_rows and y_rows
 * holds the neighbours; blocks of it are dealt out to the items. */
#undef FULL_X
#undef PUT
#define FULL_X(i)                                                               \
  (x_across == 1 && count == WIDE ? netcl_load_wide(from + (i) * x_step)        \
                                  : netcl_load_some(from, (i) * x_step, x_across, count, 0))
#define PUT(value, i)                                                           \
  if (y_across == 1 && count == WIDE) {                                         \
    netcl_store_wide(value, to + (i) * y_step);                                 \
  } else {                                                                      \
    netcl_store_some(value, to, (i) * y_step, y_across, count);                 \
  }
__kernel void KERNEL(vector_columns)(const __global STORAGE(X) *x, const Layout x_rows,
                                     __global STORAGE(X) *y, const Layout y_rows, const long rows,
                                     const long n, const long x_step, const long y_step,
                                     const long blocks_per_item) {
  const long width = x_rows.rank > 0 ? x_rows.shape[x_rows.rank - 1] : 1;
  const long x_across = x_rows.rank > 0 ? x_rows.strides[x_rows.rank - 1] : 1;
  const long y_across = y_rows.rank > 0 ? y_rows.strides[y_rows.rank - 1] : 1;
  const long blocks_across = (width + WIDE - 1) / WIDE;
  const long blocks = rows / width * blocks_across;
  const long first = (long)get_global_id(0) * blocks_per_item;
  const long last = min(first + blocks_per_item, blocks);
  for (long block = first; block < last; ++block) {
    const long column = block % blocks_across * WIDE;
    const long row = block / blocks_across * width + column;
    const int count = (int)min(width - column, (long)WIDE);
    const __global STORAGE(X) *const from = x + netcl_at(&x_rows, row);
    __global STORAGE(X) *const to = y + netcl_at(&y_rows, row);
    VEC m = -INFINITY;
    for (long i = 0; i < n; ++i) {
      const VEC a = FULL_X(i);
      m = LARGER(a, m);
    }
    VEC sum = 0, lost = 0;
    for (long i = 0; i < n; ++i) {
      const VEC e = netcl_exp_scaled(FULL_X(i) - m);
      const VEC addend = e - lost;
      const VEC next = sum + addend;
      lost = (next - sum) - addend;
      sum = next;
    }
    const VEC ending = ENDING(sum);
    for (long i = 0; i < n; ++i) {
      const VEC a = RESULT(FULL_X(i), m, ending);
      PUT(a, i)
    }
  }
}
