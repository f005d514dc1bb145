/* What the kernels over rows share: where the elements of a row lie, and sums and maxima
 * over the items that work on a row.
 *
 * Options: X the dtype; INNER 1 elements of a row follow each other, 2 they have one stride, 3 they
 * have a layout; LANES items work on a row, ROWS rows are a work-group's; VALUES elements are kept
 * by an item (a multiple of 4); VECTOR 1 when rows are read and written 4 aligned floats at a
 * time. */
#include "prelude.cl"

#define REAL COMPUTE(X)
#define GROUP_SIZE (LANES * ROWS)

#if INNER == 3
#define ROW_ARGUMENTS                                                                    \
  const __global STORAGE(X) *x, const Layout x_rows, __global STORAGE(X) *y,             \
      const Layout y_rows, const long rows, const long n, const Layout x_inner, const Layout y_inner
#define X_AT(i) (x_base + netcl_at(&x_inner, i))
#define Y_AT(i) (y_base + netcl_at(&y_inner, i))
#else
#define ROW_ARGUMENTS                                                        \
  const __global STORAGE(X) *x, const Layout x_rows, __global STORAGE(X) *y, \
      const Layout y_rows, const long rows, const long n, const long x_step, const long y_step
#if INNER == 2
#define X_AT(i) (x_base + (i) * x_step)
#define Y_AT(i) (y_base + (i) * y_step)
#else
#define X_AT(i) (x_base + (i))
#define Y_AT(i) (y_base + (i))
#endif
#endif

/* The row of an item, and its place among the items of that row. Items of rows beyond the end go
 * along, because all items of a group have to reach its barriers, but have no elements: those of
 * the last row may be overwritten by its own items meanwhile. */
#define FIND_ROW                                                  \
  const int lane = (int)get_local_id(0) % LANES;                  \
  const int slot = (int)get_local_id(0) / LANES;                  \
  const long wanted_row = (long)get_group_id(0) * ROWS + slot;    \
  const bool inside = wanted_row < rows;                          \
  const long row = inside ? wanted_row : rows - 1;                \
  const long row_end = inside ? n : 0;                            \
  const long x_base = netcl_at(&x_rows, row);                     \
  const long y_base = netcl_at(&y_rows, row);

/* Element number v of an item. */
#if VECTOR
#define VALUE_AT(v) ((long)((((v) / 4) * LANES + lane) * 4 + (v) % 4))
#else
#define VALUE_AT(v) ((long)((v) * LANES + lane))
#endif

/* The elements of an item: r[v] = element number v of a row of `data`, of dtype T, which begins at
 * `base` and has its elements AT; and the other way, value OF(v). */
#if VECTOR
#define LOAD_ROW(T, r, fill, data, base, AT)                                        \
  _Pragma("unroll") for (int v = 0; v < VALUES; v += 4) {                           \
    float4 four = (float4)(fill);                                                   \
    if (VALUE_AT(v) < row_end) {                                                    \
      four = *(const __global float4 *)((data) + (base) + VALUE_AT(v));             \
    }                                                                               \
    r[v] = four.x;                                                                  \
    r[v + 1] = four.y;                                                              \
    r[v + 2] = four.z;                                                              \
    r[v + 3] = four.w;                                                              \
  }
#define STORE_ROW(T, OF, data, base, AT)                                  \
  _Pragma("unroll") for (int v = 0; v < VALUES; v += 4) {                 \
    if (VALUE_AT(v) < row_end) {                                          \
      *(__global float4 *)((data) + (base) + VALUE_AT(v)) =               \
          (float4)(OF(v), OF((v + 1)), OF((v + 2)), OF((v + 3)));         \
    }                                                                     \
  }
#else
#define LOAD_ROW(T, r, fill, data, base, AT)                                          \
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) {                                \
    r[v] = VALUE_AT(v) < row_end ? LOAD(T, data, AT(VALUE_AT(v))) : (REAL)(fill);     \
  }
#define STORE_ROW(T, OF, data, base, AT)                                   \
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) {                     \
    if (VALUE_AT(v) < row_end) STORE(T, OF(v), data, AT(VALUE_AT(v)));     \
  }
#endif
#define LOAD_VALUES(r, fill) LOAD_ROW(X, r, fill, x, x_base, X_AT)
#define VALUE_OF_R(v) r[v]
/* Of an array that is called r. */
#define STORE_VALUES STORE_ROW(X, VALUE_OF_R, y, y_base, Y_AT)

/* A sum that does not lose what single additions round away. What is not finite stays plain. */
#define COMPENSATED_ADD(sum, lost, value)                  \
  {                                                        \
    const REAL addend_ = (value) - lost;                   \
    const REAL next_ = sum + addend_;                      \
    lost = isfinite(next_) ? (next_ - sum) - addend_ : 0;  \
    sum = next_;                                           \
  }

#define JOIN_SUM(a, b) ((a) + (b))
#define JOIN_MAX(a, b) fmax(a, b)

/* JOIN over the items of a row, the same bits for each of them. The order is fixed. */
#if LANES > 32
#define LOCAL_VALUES (GROUP_SIZE + 32)
#define DEFINE_ACROSS(NAME, JOIN)                                                  \
  inline REAL NAME(REAL value, __local REAL *scratch, int lane, int slot) {        \
    __local REAL *const partial = scratch + LANES;                                 \
    scratch[lane] = value;                                                         \
    barrier(CLK_LOCAL_MEM_FENCE);                                                  \
    if (lane < 32) {                                                               \
      REAL a = scratch[lane];                                                      \
      REAL b = scratch[lane + 32];                                                 \
      for (int k = 64; k + 32 < LANES; k += 64) {                                  \
        a = JOIN(a, scratch[lane + k]);                                            \
        b = JOIN(b, scratch[lane + k + 32]);                                       \
      }                                                                            \
      partial[lane] = JOIN(a, b);                                                  \
    }                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                  \
    REAL p[4];                                                                     \
    for (int k = 0; k < 4; ++k) p[k] = partial[k];                                 \
    for (int k = 4; k < 32; ++k) p[k & 3] = JOIN(p[k & 3], partial[k]);            \
    return JOIN(JOIN(p[0], p[1]), JOIN(p[2], p[3]));                               \
  }
#else
#define LOCAL_VALUES GROUP_SIZE
#define DEFINE_ACROSS(NAME, JOIN)                                                  \
  inline REAL NAME(REAL value, __local REAL *scratch, int lane, int slot) {        \
    const __local REAL *const mine = scratch + slot * LANES;                       \
    scratch[slot * LANES + lane] = value;                                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                                  \
    REAL p[4];                                                                     \
    for (int k = 0; k < 4; ++k) p[k] = mine[k];                                    \
    for (int k = 4; k < LANES; ++k) p[k & 3] = JOIN(p[k & 3], mine[k]);            \
    barrier(CLK_LOCAL_MEM_FENCE);                                                  \
    return JOIN(JOIN(p[0], p[1]), JOIN(p[2], p[3]));                               \
  }
#endif
DEFINE_ACROSS(netcl_sum_across, JOIN_SUM)
DEFINE_ACROSS(netcl_max_across, JOIN_MAX)
