/* Adds up what the chunks of keys gave, in their order: a group has one query of a unit, an item
 * every ITEMS-th column, EACH of them. Options as attention_common.cl, and LSE when a log-sum-exp
 * is wanted. */
#include "attention_common.cl"

#define EACH ((VALUE_SIZE + ITEMS - 1) / ITEMS)

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_attention_join(
    const __global REAL *partial, long kv_heads, long group, long rows, long chunks,
    __global STORAGE(X) * result, STRIDES4(result) LSE_PARAMS) {
  const long r = (long)get_group_id(0) % (group * rows);
  const long unit = (long)get_group_id(0) / (group * rows);
  const long row = r / group, head = unit % kv_heads * group + r % group, batch = unit / kv_heads;
  const int item = (int)get_local_id(0);
  __local REAL parts[ITEMS], others[ITEMS];
  REAL most = -INFINITY, weights = 0;
  for (long part = item; part < chunks; part += ITEMS) {
    most = fmax(most, partial[PARTIAL_AT(unit, part, r) + VALUE_SIZE]);
  }
  parts[item] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < ITEMS; ++i) most = fmax(most, parts[i]);
  const REAL reference = REFERENCE(most);
  REAL sums[EACH] = {0};
  for (long first = 0; first < chunks; first += ITEMS) {
    const int count = (int)min((long)ITEMS, chunks - first);
    const long at = PARTIAL_AT(unit, first, r), step = group * rows * (VALUE_SIZE + 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < count) {
      const __global REAL *const from = partial + at + item * step + VALUE_SIZE;
      parts[item] = WEIGHT(from[0], reference);
      others[item] = from[1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int part = 0; part < count; ++part) weights += others[part] * parts[part];
#pragma unroll
    for (int i = 0; i < EACH; ++i) {
      const int e = item + i * ITEMS;
      if (e >= VALUE_SIZE) continue;
      const __global REAL *const from = partial + at + e;
#pragma unroll 16
      for (int part = 0; part < count; ++part) {
        /* A chunk without weight has nothing to add, also to what is infinite. */
        const REAL value = from[part * step];
        sums[i] += parts[part] != 0 ? value * parts[part] : (REAL)0;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < EACH; ++i) {
    const int e = item + i * ITEMS;
    if (e >= VALUE_SIZE) continue;
    STORE(X, weights == 0 ? (REAL)0 : sums[i] / weights, result,
          AT4(result, batch, head, row, e));
  }
  if (get_local_id(0) == 0) {
    WRITE_LSE(batch, head, row, most, weights)
  }
}
