/* Attention of few queries over a long run of keys: a group has a chunk of a unit's keys and all
 * its queries, QUERIES at most, a power of two, and reads each key once. A score is an item's; sums
 * are shared out by column. Further options: LANES columns side by side, a power of two that ITEMS
 * has as a factor. attention_join.cl adds the chunks up. */
#include "attention_common.cl"

#define KEYS ITEMS
#define SLICE 16

#define ROW_ITEMS (ITEMS / QUERIES) /* that look for the largest score of a query */
#define COLUMNS ((VALUE_SIZE + LANES - 1) / LANES)
#define STRIPES (ITEMS / LANES) /* items that have a column */
#define PADDED (SLICE + 1)

/* Elements [first, first + SLICE) of the keys [key, end), KEYS at most, with zeros where there are
 * none. */
inline void netcl_load_slice(const Keys *x, long key, long end, int first, int size,
                            __local REAL *slice) {
  for (int i = (int)get_local_id(0); i < KEYS * SLICE; i += ITEMS) {
    const long n = key + i / SLICE;
    const int column = first + i % SLICE;
    const REAL value = n < end && column < size ? netcl_key(x, n, column) : (REAL)0;
    slice[i / SLICE * PADDED + i % SLICE] = value;
  }
}

/* Adds a slice of the products of all queries with the item's key. */
inline void netcl_add_products(__local const REAL *queries, __local const REAL *key, int depth,
                               REAL *products) {
  for (int e = 0; e < depth; ++e) {
    const REAL x = key[e];
#pragma unroll
    for (int m = 0; m < QUERIES; ++m) products[m] = fma(queries[m * SIZE + e], x, products[m]);
  }
}

/* Puts the largest score of query m at parts[m * ROW_ITEMS]. */
inline void netcl_find_largest(__local const REAL *scores, __local REAL *parts) {
  const int item = (int)get_local_id(0), lane = item % ROW_ITEMS;
  REAL high = -INFINITY;
  for (int i = 0; i < QUERIES; ++i) {
    high = fmax(high, scores[item / ROW_ITEMS * ITEMS + lane + i * ROW_ITEMS]);
  }
  parts[item] = high;
  for (int width = ROW_ITEMS / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < width) parts[item] = fmax(parts[item], parts[item + width]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* Adds values by weight to the item's columns, of every STRIPES-th key. */
inline void netcl_add_values(const Keys *v, long key, int count, __local const REAL *scores,
                             REAL (*sums)[COLUMNS]) {
  const int column = (int)get_local_id(0) % LANES;
  for (int i = (int)get_local_id(0) / LANES; i < count; i += STRIPES) {
    for (int c = 0; c < COLUMNS; ++c) {
      if (column + c * LANES >= VALUE_SIZE) continue;
      const REAL value = netcl_key(v, key + i, column + c * LANES);
#pragma unroll
      for (int m = 0; m < QUERIES; ++m) {
        const REAL weight = scores[m * ITEMS + i];
        /* 0 times what is not finite would be NaN. */
        if (weight != 0) sums[m][c] = fma(weight, value, sums[m][c]);
      }
    }
  }
}

/* Adds up what `count` items have of each of ITEMS / count numbers, in a fixed order: the sum of
 * number i is in the result of item i. */
inline REAL netcl_add_up(REAL value, int count, __local REAL *parts) {
  const int item = (int)get_local_id(0), step = ITEMS / count;
  barrier(CLK_LOCAL_MEM_FENCE);
  parts[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item >= step) return 0;
  for (int i = 1; i < count; ++i) value += parts[i * step + item];
  return value;
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_attention_split(
    ATTENTION_PARAMS, __global REAL *partial) {
  __local REAL queries[QUERIES * SIZE], slice[KEYS * PADDED], scores[QUERIES * ITEMS];
  __local REAL parts[ITEMS];
  __local int unsound;
  const int item = (int)get_local_id(0);
  const long part = (long)get_group_id(0) % chunks, unit = (long)get_group_id(0) / chunks;
  FIND_SEQUENCE(unit)
  CHECK_SEQUENCE
  const long query_total = QUERIES_OF_UNIT;
  FIND_KEYS(k)
  FIND_KEYS(v)
  /* A piece behind the sequence's keys has none. */
  const long from = part * chunk, to = unsound ? from : max(from, min(from + chunk, key_count));
  for (int i = item; i < QUERIES * SIZE; i += ITEMS) {
    const long m = i / SIZE;
    queries[i] = m < query_total ? (REAL)LOAD(X, q, QUERY_AT(m) + i % SIZE * q_column) : (REAL)0;
  }
  REAL most[QUERIES], weights[QUERIES]; /* weights of the item's own keys */
  REAL sums[QUERIES][COLUMNS] = {{0}};
  long begin = to, end = from;
  for (int m = 0; m < QUERIES; ++m) {
    most[m] = -INFINITY;
    weights[m] = 0;
    if (m >= query_total) continue;
    const long low = netcl_first_seen(m / group, first_place, before, from);
    const long high = netcl_last_seen(m / group, first_place, after, to);
    begin = low < high ? min(begin, low) : begin;
    end = low < high ? max(end, high) : end;
  }
  for (long key = begin; key < end; key += KEYS) {
    const long n = key + item;
    REAL products[QUERIES] = {0};
    for (int d = 0; d < SIZE; d += SLICE) {
      barrier(CLK_LOCAL_MEM_FENCE);
      netcl_load_slice(&k_keys, key, end, d, SIZE, slice);
      barrier(CLK_LOCAL_MEM_FENCE);
      netcl_add_products(queries + d, slice + item * PADDED, min(SLICE, SIZE - d), products);
    }
    for (int m = 0; m < QUERIES; ++m) {
      const long row = m / group;
      const bool seen = m < query_total && n < end &&
                        n >= netcl_first_seen(row, first_place, before, from) &&
                        n < netcl_last_seen(row, first_place, after, to);
      scores[m * ITEMS + item] =
          seen ? SCORE(products[m], row, kv_head * group + m % group, n) : (REAL)-INFINITY;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    netcl_find_largest(scores, parts);
    for (int m = 0; m < QUERIES; ++m) {
      const REAL now = fmax(most[m], parts[m * ROW_ITEMS]), reference = REFERENCE(now);
      const REAL change = WEIGHT(most[m], reference);
      const REAL weight = WEIGHT(scores[m * ITEMS + item], reference);
      scores[m * ITEMS + item] = weight;
      weights[m] = weights[m] * change + weight;
      most[m] = now;
      for (int c = 0; c < COLUMNS; ++c) sums[m][c] *= change;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    netcl_add_values(&v_keys, key, (int)min((long)KEYS, end - key), scores, sums);
  }
  for (int m = 0; m < QUERIES && m < group * rows; ++m) {
    __global REAL *const out = partial + PARTIAL_AT(unit, part, (long)m);
    for (int c = 0; c < COLUMNS; ++c) {
      const REAL total = netcl_add_up(sums[m][c], STRIPES, parts);
      const int column = item + c * LANES;
      if (item < LANES && column < VALUE_SIZE) out[column] = unsound ? (REAL)NAN : total;
    }
    const REAL total = netcl_add_up(weights[m], ITEMS, parts);
    if (item == 0) {
      out[VALUE_SIZE] = unsound ? (REAL)NAN : most[m];
      out[VALUE_SIZE + 1] = unsound ? (REAL)NAN : total;
    }
  }
}
