/* Gradients of softmax and of its logarithm (LOGARITHM 1), from their results x: y = x (grad -
 * sum(grad x)), or y = grad - exp(x) sum(grad). The other options are those of norm_rows.cl. */
#include "gradient_rows.cl"

#if LOGARITHM
#define KERNEL(form) netcl_log_softmax_gradient_##form
#define TERM(value, g) (g)
#define RESULT(value, g, sum) ((g) - exp(value) * (sum))
#else
#define KERNEL(form) netcl_softmax_gradient_##form
#define TERM(value, g) ((g) * (value))
#define RESULT(value, g, sum) ((value) * ((g) - (sum)))
#endif

#ifdef SLICES
/* Rows that lie across memory: neighbouring items have neighbouring rows, and SLICES of them share
 * one. The group is COLUMNS x SLICES; here `rows` are the columns. */
__kernel __attribute__((reqd_work_group_size(COLUMNS *SLICES, 1, 1))) void KERNEL(columns)(
    GRADIENT_ARGUMENTS) {
  __local REAL sums[COLUMNS * SLICES];
  const int column = (int)get_local_id(0) % COLUMNS;
  const int slice = (int)get_local_id(0) / COLUMNS;
  const long wanted_row = (long)get_group_id(0) * COLUMNS + column;
  const bool inside = wanted_row < rows;
  const long row = inside ? wanted_row : rows - 1;
  const long x_base = netcl_at(&x_rows, row);
  const long y_base = netcl_at(&y_rows, row);
  FIND_GRAD
  REAL sum = 0, lost = 0;
  const long end = inside ? n : 0;
  for (long i = slice; i < end; i += SLICES) {
    COMPENSATED_ADD(sum, lost, TERM(LOAD(X, x, X_AT(i)), LOAD(X, grad, GRAD_AT(i))))
  }
  sums[get_local_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = sums[column];
  for (int k = 1; k < SLICES; ++k) sum += sums[k * COLUMNS + column];
  if (!inside) return;
  for (long i = slice; i < n; i += SLICES) {
    const REAL value = LOAD(X, x, X_AT(i));
    STORE(X, RESULT(value, LOAD(X, grad, GRAD_AT(i)), sum), y, Y_AT(i));
  }
}
#elif VALUES
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(registers)(
    GRADIENT_ARGUMENTS) {
  __local REAL scratch[LOCAL_VALUES];
  FIND_ROW
  FIND_GRAD
  REAL r[VALUES];
  REAL g[VALUES];
  LOAD_VALUES(r, 0)
  LOAD_ROW(X, g, 0, grad, grad_base, GRAD_AT)
  REAL s[4] = {0, 0, 0, 0};
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) s[v & 3] += TERM(r[v], g[v]);
  const REAL sum = netcl_sum_across((s[0] + s[1]) + (s[2] + s[3]), scratch, lane, slot);
  _Pragma("unroll") for (int v = 0; v < VALUES; ++v) r[v] = RESULT(r[v], g[v], sum);
  STORE_VALUES
}
#else

/* A row too long for registers is read twice. */
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void KERNEL(loop)(
    GRADIENT_ARGUMENTS) {
  __local REAL scratch[LOCAL_VALUES];
  FIND_ROW
  FIND_GRAD
  REAL sum = 0, lost = 0;
  for (long i = lane; i < n; i += LANES) {
    COMPENSATED_ADD(sum, lost, TERM(LOAD(X, x, X_AT(i)), LOAD(X, grad, GRAD_AT(i))))
  }
  sum = netcl_sum_across(sum, scratch, lane, slot);
  if (!inside) return;
  for (long i = lane; i < n; i += LANES) {
    const REAL value = LOAD(X, x, X_AT(i));
    STORE(X, RESULT(value, LOAD(X, grad, GRAD_AT(i)), sum), y, Y_AT(i));
  }
}
#endif
