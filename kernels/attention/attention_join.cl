/* Adds up what the chunks of keys gave, in their order: a group has one query of a unit, an item
 * every ITEMS-th column. Options as attention_common.cl, and LSE when a log-sum-exp is wanted. */
#include "attention_common.cl"

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_attention_join(
    const __global REAL *partial, long kv_heads, long group, long rows, long chunks,
    __global STORAGE(X) * result, STRIDES4(result) LSE_PARAMS) {
  const long r = (long)get_group_id(0) % (group * rows);
  const long unit = (long)get_group_id(0) / (group * rows);
  const long row = r / group, head = unit % kv_heads * group + r % group, batch = unit / kv_heads;
  REAL most = -INFINITY, weights = 0;
  for (long part = 0; part < chunks; ++part) {
    most = fmax(most, partial[PARTIAL_AT(unit, part, r) + VALUE_SIZE]);
  }
  const REAL reference = REFERENCE(most);
  for (long part = 0; part < chunks; ++part) {
    const __global REAL *const from = partial + PARTIAL_AT(unit, part, r) + VALUE_SIZE;
    weights += from[1] * WEIGHT(from[0], reference);
  }
  for (int e = (int)get_local_id(0); e < VALUE_SIZE; e += ITEMS) {
    REAL sum = 0;
    for (long part = 0; part < chunks; ++part) {
      const __global REAL *const from = partial + PARTIAL_AT(unit, part, r);
      const REAL factor = WEIGHT(from[VALUE_SIZE], reference);
      /* A chunk without weight has nothing to add, also to what is infinite. */
      if (factor != 0) sum += from[e] * factor;
    }
    STORE(X, weights == 0 ? (REAL)0 : sum / weights, result, AT4(result, batch, head, row, e));
  }
  if (get_local_id(0) == 0) {
    WRITE_LSE(batch, head, row, most, weights)
  }
}
