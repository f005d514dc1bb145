/* Softmax and what is made of it. KIND: 0 softmax; 1 its logarithm; 2 the gradient of cross
 * entropy, scale (softmax - 1 at the label); 3 the cross entropy of a row, which is all that is
 * written of it. The other options are those of norm_rows.cl and, for 2 and 3, of labels.cl.
 * Padding counts as -inf. A row that holds NaN or +inf, and one of -inf alone, comes out as NaN
 * because x - m is NaN there. */
#include "norm_rows.cl"

#if KIND == 0
#define KERNEL(form) netcl_softmax_##form
#elif KIND == 1
#define KERNEL(form) netcl_log_softmax_##form
#elif KIND == 2
#define KERNEL(form) netcl_cross_entropy_gradient_##form
#else
#define KERNEL(form) netcl_cross_entropy_##form
#endif

#if KIND >= 2
#include "labels.cl"
#endif
#if KIND == 2
#define MORE_ARGUMENTS , LABEL_ARGUMENTS, const __global REAL *scales, const Layout scale_rows
#define FIND_MORE                                                   \
  const long label = (long)labels[netcl_at(&label_rows, row)];      \
  const REAL scale = scales[netcl_at(&scale_rows, row)];
#elif KIND == 3
#define MORE_ARGUMENTS , LABEL_ARGUMENTS, LOSS_ARGUMENTS
#define FIND_MORE
/* Writes the loss of the row; one item does. */
#define WRITE_LOSS(m, sum)                                                              \
  {                                                                                     \
    const long label = (long)labels[netcl_at(&label_rows, row)];                        \
    const REAL weight = LABEL_WEIGHT(label);                                            \
    REAL value = weight;                                                                \
    if (COUNTS(label)) value = weight * (log(sum) - (LOAD(X, x, X_AT(label)) - (m)));   \
    STORE_LOSS(row, value, weight)                                                      \
  }
#else
#define MORE_ARGUMENTS
#define FIND_MORE
#endif

/* What an item, a group or a chunk knows of a row: its maximum, and sum exp(x - maximum). The
 * maximum begins at the lowest number and not at -inf, so that parts without any finite element
 * stay numbers. */
#define LOWEST (sizeof(REAL) == 8 ? (REAL)-1.7976931348623157e308 : (REAL)-3.402823466e38f)

/* The result of element i from its exponential, and from its value. */
#if KIND == 1
#define RESULT(value, i, m, ending) (((value) - (m)) - (ending))
#define ENDING(sum) log(sum)
#else
#if KIND == 2
#define FINISHED(e, i, ending) \
  (scale == 0 ? (REAL)0 : ((e) * (ending) - ((i) == label ? (REAL)1 : (REAL)0)) * scale)
#else
#define FINISHED(e, i, ending) ((e) * (ending))
#endif
#define RESULT(value, i, m, ending) FINISHED(exp((value) - (m)), i, ending)
#define ENDING(sum) ((REAL)1 / (sum))
#endif

/* Writes the elements from `first` on, `step` apart. */
#define WRITE_ROW(first, last, step, m, ending)                                    \
  for (long i = first; i < last; i += step) {                                      \
    STORE(X, RESULT(LOAD(X, x, X_AT(i)), i, m, ending), y, Y_AT(i));               \
  }

#if VALUES
/* The row stays in registers: one read, one write. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(registers)(
    ROW_ARGUMENTS MORE_ARGUMENTS) {
  __local REAL scratch[LOCAL_VALUES];
  FIND_ROW
  FIND_MORE
  REAL r[VALUES];
  LOAD_VALUES(r, -INFINITY)
  REAL m = r[0];
  _Pragma("unroll") for (int v = 1; v < VALUES; ++v) m = fmax(m, r[v]);
  m = netcl_max_across(m, scratch, lane, slot);
  REAL s[4] = {0, 0, 0, 0};
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) {
#if KIND == 1
    r[v] -= m;
    s[v & 3] += exp(r[v]);
#else
    r[v] = exp(r[v] - m);
    s[v & 3] += r[v];
#endif
  }
  const REAL sum = netcl_sum_across((s[0] + s[1]) + (s[2] + s[3]), scratch, lane, slot);
#if KIND == 3
  if (lane == 0 && inside) WRITE_LOSS(m, sum)
#else
  const REAL ending = ENDING(sum);
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) {
#if KIND == 1
    r[v] -= ending;
#else
    r[v] = FINISHED(r[v], VALUE_AT(v), ending);
#endif
  }
  STORE_VALUES
#endif
}
#else

/* Takes one element into (m, sum, lost). */
#define TAKE(value)                                  \
  {                                                  \
    const REAL taken = value;                        \
    if (taken > m) {                                 \
      const REAL shrink = exp(m - taken);            \
      sum *= shrink;                                 \
      lost *= shrink;                                \
      m = taken;                                     \
    }                                                \
    COMPENSATED_ADD(sum, lost, exp(taken - m))       \
  }

/* The elements [first, last) of a row by all items of a group: *m and *sum become the same for all
 * of them. */
inline void netcl_take_part(const __global STORAGE(X) *x, long x_base, long x_step, long first,
                            long last, __local REAL *scratch, int lane, REAL *m_out,
                            REAL *sum_out) {
  REAL m = LOWEST, sum = 0, lost = 0;
  for (long i = first + lane; i < last; i += LANES) TAKE(LOAD(X, x, x_base + i * x_step))
  const REAL most = netcl_max_across(m, scratch, lane, 0);
  *sum_out = netcl_sum_across(sum * exp(m - most), scratch, lane, 0);
  *m_out = most;
}

/* A row too long for registers: one pass for the maximum and the sum, one that writes it. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(online)(
    ROW_ARGUMENTS MORE_ARGUMENTS) {
  __local REAL scratch[LOCAL_VALUES];
  FIND_ROW
  FIND_MORE
  REAL m, sum;
  netcl_take_part(x, x_base, x_step, 0, n, scratch, lane, &m, &sum);
#if KIND == 3
  if (lane == 0 && inside) WRITE_LOSS(m, sum)
#else
  const REAL ending = ENDING(sum);
  WRITE_ROW(lane, n, LANES, m, ending)
#endif
}

/* Few long rows: a group per chunk of a row, which leaves its maximum and sum ... */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(partial)(
    ROW_ARGUMENTS, const long chunks, const long chunk_size, __global REAL *partials) {
  __local REAL scratch[LOCAL_VALUES];
  const int lane = (int)get_local_id(0);
  const long chunk = (long)get_group_id(0) % chunks;
  const long row = (long)get_group_id(0) / chunks;
  const long first = chunk * chunk_size;
  REAL m, sum;
  netcl_take_part(x, netcl_at(&x_rows, row), x_step, first, min(first + chunk_size, n), scratch,
                  lane, &m, &sum);
  if (lane == 0) {
    partials[(row * chunks + chunk) * 2] = m;
    partials[(row * chunks + chunk) * 2 + 1] = sum;
  }
}

/* ... and a second launch that joins those of the row and writes the chunk, or the loss. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(finish)(
    ROW_ARGUMENTS, const long chunks, const long chunk_size,
    const __global REAL *partials MORE_ARGUMENTS) {
  __local REAL scratch[LOCAL_VALUES];
  const int lane = (int)get_local_id(0);
  const long chunk = (long)get_group_id(0) % chunks;
  const long row = (long)get_group_id(0) / chunks;
  const long x_base = netcl_at(&x_rows, row);
  const long y_base = netcl_at(&y_rows, row);
  FIND_MORE
  const __global REAL *const parts = partials + row * chunks * 2;
  REAL own = LOWEST;
  for (long k = lane; k < chunks; k += LANES) own = fmax(own, parts[2 * k]);
  const REAL m = netcl_max_across(own, scratch, lane, 0);
  REAL sum = 0, lost = 0;
  for (long k = lane; k < chunks; k += LANES) {
    COMPENSATED_ADD(sum, lost, parts[2 * k + 1] * exp(parts[2 * k] - m))
  }
  sum = netcl_sum_across(sum, scratch, lane, 0);
#if KIND == 3
  if (chunk == 0 && lane == 0) WRITE_LOSS(m, sum)
#else
  const REAL ending = ENDING(sum);
  const long last = min((chunk + 1) * chunk_size, n);
  WRITE_ROW(chunk * chunk_size + lane, last, LANES, m, ending)
#endif
}

/* Rows that lie across memory: neighbouring items have neighbouring rows, and SLICES of them share
 * one. The group is COLUMNS x SLICES; here `rows` are the columns. */
#ifdef SLICES
__kernel __attribute__((reqd_work_group_size(COLUMNS *SLICES, 1, 1))) void KERNEL(columns)(
    ROW_ARGUMENTS MORE_ARGUMENTS) {
  __local REAL maxima[COLUMNS * SLICES];
  __local REAL sums[COLUMNS * SLICES];
  const int column = (int)get_local_id(0) % COLUMNS;
  const int slice = (int)get_local_id(0) / COLUMNS;
  const long wanted_row = (long)get_group_id(0) * COLUMNS + column;
  const bool inside = wanted_row < rows;
  const long row = inside ? wanted_row : rows - 1;
  const long x_base = netcl_at(&x_rows, row);
  const long y_base = netcl_at(&y_rows, row);
  FIND_MORE
  REAL m = LOWEST, sum = 0, lost = 0;
  const long end = inside ? n : 0;
  for (long i = slice; i < end; i += SLICES) TAKE(LOAD(X, x, X_AT(i)))
  maxima[get_local_id(0)] = m;
  sums[get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  m = maxima[column];
  for (int k = 1; k < SLICES; ++k) m = fmax(m, maxima[k * COLUMNS + column]);
  sum = 0;
  for (int k = 0; k < SLICES; ++k) {
    sum += sums[k * COLUMNS + column] * exp(maxima[k * COLUMNS + column] - m);
  }
  if (!inside) return;
#if KIND == 3
  if (slice == 0) WRITE_LOSS(m, sum)
#else
  const REAL ending = ENDING(sum);
  WRITE_ROW(slice, n, SLICES, m, ending)
#endif
}
#endif
#endif
