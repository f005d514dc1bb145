/* Losses of labels, and their sums. Options: those of norm_rows.cl and labels.cl; MEAN 1: a sum is
 * divided by that of the weights; LAST 1: the sum is written as Y, else as a pair; G the dtype of
 * gradients, ROW_GRADS 1 when each row has one. */
#include "norm_rows.cl"
#include "labels.cl"

#define FOR_ROW(row, rows) \
  for (long row = get_global_id(0); row < (rows); row += get_global_size(0))

/* Of the logarithms of probabilities: n classes, x_step apart. */
__kernel void netcl_nll_loss(const __global STORAGE(X) *x, const Layout x_rows, const long x_step,
                             const long rows, const long n, LABEL_ARGUMENTS, LOSS_ARGUMENTS) {
  FOR_ROW(row, rows) {
    const long label = (long)labels[netcl_at(&label_rows, row)];
    const REAL weight = LABEL_WEIGHT(label);
    REAL value = weight;
    if (COUNTS(label)) value = -weight * LOAD(X, x, netcl_at(&x_rows, row) + label * x_step);
    STORE_LOSS(row, value, weight)
  }
}

/* The weights of labels as pairs of which either half can be summed. */
__kernel void netcl_label_weights(const long rows, const long n, LABEL_ARGUMENTS,
                                  __global REAL *pairs) {
  FOR_ROW(row, rows) {
    const long label = (long)labels[netcl_at(&label_rows, row)];
    pairs[2 * row] = pairs[2 * row + 1] = LABEL_WEIGHT(label);
  }
}

/* grad weight of a row; DIVIDED is what becomes of it. */
#define STORE_SCALE(row, DIVIDED)                                               \
  {                                                                             \
    const long label = (long)labels[netcl_at(&label_rows, row)];                \
    const REAL g = LOAD(G, grad, netcl_at(&grad_rows, ROW_GRADS ? (row) : 0));  \
    const REAL value = g * LABEL_WEIGHT(label);                                 \
    y[netcl_at(&y_rows, row)] = IS_IGNORED(label) ? 0 : (DIVIDED);              \
  }

/* grad weight / total by row; total is NULL for 1. */
__kernel void netcl_label_scale(const long rows, const long n, LABEL_ARGUMENTS,
                                const __global STORAGE(G) *grad, const Layout grad_rows,
                                const __global REAL *total, __global REAL *y,
                                const Layout y_rows) {
  FOR_ROW(row, rows) STORE_SCALE(row, total ? value / total[0] : value)
}

/* The same for few rows, of which each group adds up all weights, as netcl_loss_sum does. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void netcl_label_scale_few(
    const long rows, const long n, LABEL_ARGUMENTS, const __global STORAGE(G) *grad,
    const Layout grad_rows, __global REAL *y, const Layout y_rows) {
  __local REAL scratch[LOCAL_VALUES];
  REAL total = 0, lost = 0;
  for (long row = get_local_id(0); row < rows; row += LANES) {
    const long label = (long)labels[netcl_at(&label_rows, row)];
    COMPENSATED_ADD(total, lost, LABEL_WEIGHT(label))
  }
  total = netcl_sum_across(total, scratch, (int)get_local_id(0), 0);
  FOR_ROW(row, rows) STORE_SCALE(row, value / total)
}

/* The sums of `part` pairs by each group. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void netcl_loss_sum(
    const __global REAL *pairs, const long count, const long part, __global REAL *sums,
    __global STORAGE(Y) *result, const long result_at) {
  __local REAL scratch[LOCAL_VALUES];
  const int lane = (int)get_local_id(0);
  const long group = (long)get_group_id(0);
  const long last = min((group + 1) * part, count);
  REAL value = 0, value_lost = 0, weight = 0, weight_lost = 0;
  for (long i = group * part + lane; i < last; i += LANES) {
    COMPENSATED_ADD(value, value_lost, pairs[2 * i])
    COMPENSATED_ADD(weight, weight_lost, pairs[2 * i + 1])
  }
  value = netcl_sum_across(value, scratch, lane, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  weight = netcl_sum_across(weight, scratch, lane, 0);
  if (lane != 0) return;
#if LAST
  STORE(Y, MEAN ? value / weight : value, result, result_at);
#else
  sums[2 * group] = value;
  sums[2 * group + 1] = weight;
#endif
}
