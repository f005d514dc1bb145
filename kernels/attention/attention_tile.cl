/* Attention by tiles: a group has QUERIES queries of a unit and goes over their keys. An item has 4
 * queries and every 16th key, and of the sums the same queries and every 16th column. Further
 * options: QUERY_SLICE elements of the queries are in local memory, SIZE or SLICE; PARTS 1 when
 * sums go to `partial`; LSE when a log-sum-exp is wanted; WHEN_ODD does nothing unless this element
 * of `odd_results` is set. Groups take tiles in turn, which are `all_tiles`. */
#define KEYS 32
#define SLICE 32
#include "attention_common.cl"

#define QUERIES (ITEMS / 4)
#define COLUMNS ((VALUE_SIZE + 31) / 32 * 2)
#define QUERY_LINE (QUERY_SLICE + 1)
#define SCORE_LINE (KEYS + 1)

#if PARTS
#define RESULT_PARAMS , __global REAL *partial
#else
#define RESULT_PARAMS , __global STORAGE(X) * result, STRIDES4(result) LSE_PARAMS
#endif

#ifdef WHEN_ODD
#define ODD_PARAMS , const __global int *odd_results
#else
#define ODD_PARAMS
#endif

/* Elements [first, first + columns) of the group's queries. */
inline void netcl_load_queries(const Queries *q, long r, int first, int columns,
                               __local REAL *queries) {
  for (int i = (int)get_local_id(0); i < QUERIES * columns; i += ITEMS) {
    const int column = first + i % columns;
    queries[i / columns * QUERY_LINE + i % columns] =
        column < SIZE ? netcl_query(q, r + i / columns, column) : (REAL)0;
  }
}

/* Adds a slice of the products of 4 queries with 2 keys. */
inline void netcl_add_products(__local const REAL *queries, __local const REAL *keys, int depth,
                               REAL (*products)[2]) {
  for (int e = 0; e < depth; ++e) {
    const REAL k0 = keys[e], k1 = keys[16 * PADDED + e];
#pragma unroll
    for (int a = 0; a < 4; ++a) {
      const REAL x = queries[a * QUERY_LINE + e];
      products[a][0] = fma(x, k0, products[a][0]);
      products[a][1] = fma(x, k1, products[a][1]);
    }
  }
}

/* Scores become weights, and what is known of each query is brought up to date. Four items have a
 * query, each a quarter of the keys. `parts` has an element for each item. */
inline void netcl_weigh(__local REAL *scores, __local REAL *most, __local REAL *sum,
                        __local REAL *factor, __local REAL *parts) {
  const int item = (int)get_local_id(0), query = item / 4;
  __local REAL *const quarter = scores + query * SCORE_LINE + item % 4 * (KEYS / 4);
  REAL high = -INFINITY;
  for (int i = 0; i < KEYS / 4; ++i) high = fmax(high, quarter[i]);
  parts[item] = high;
  barrier(CLK_LOCAL_MEM_FENCE);
  const REAL old = most[query];
  for (int i = 0; i < 4; ++i) high = fmax(high, parts[query * 4 + i]);
  high = fmax(high, old);
  const REAL reference = REFERENCE(high);
  REAL weights = 0;
  for (int i = 0; i < KEYS / 4; ++i) {
    const REAL weight = WEIGHT(quarter[i], reference);
    quarter[i] = weight;
    weights += weight;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  parts[item] = weights;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item % 4 == 0) {
    const REAL change = WEIGHT(old, reference);
    sum[query] = sum[query] * change +
                 ((weights + parts[item + 1]) + (parts[item + 2] + parts[item + 3]));
    most[query] = high;
    factor[query] = change;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

/* Adds values by weight to two columns of 4 queries. */
inline void netcl_add_values(__local const REAL *scores, __local const REAL *values, int careful,
                             REAL *left, REAL *right) {
  for (int n = 0; n < KEYS; ++n) {
    const REAL v0 = values[n * PADDED], v1 = values[n * PADDED + 16];
#pragma unroll
    for (int a = 0; a < 4; ++a) {
      const REAL weight = scores[a * SCORE_LINE + n];
      if (careful && weight == 0) continue; /* 0 times what is not finite would be NaN */
      left[a] = fma(weight, v0, left[a]);
      right[a] = fma(weight, v1, right[a]);
    }
  }
}

/* From the first key that a query of the group sees to behind the last. */
inline void netcl_join_ranges(__local const long *first, __local const long *last, long *begin,
                              long *end) {
  for (int i = 0; i < QUERIES; ++i) {
    if (first[i] >= last[i]) continue;
    *begin = min(*begin, first[i]);
    *end = max(*end, last[i]);
  }
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_attention_tile(
    ATTENTION_PARAMS, long tiles, long all_tiles RESULT_PARAMS ODD_PARAMS) {
  __local REAL queries[QUERIES * QUERY_LINE], slice[KEYS * PADDED], scores[QUERIES * SCORE_LINE];
  __local REAL most[QUERIES], sum[QUERIES], factor[QUERIES], parts[ITEMS];
  __local long first[QUERIES], last[QUERIES];
  __local int unsound, odd;
#ifdef WHEN_ODD
  if (odd_results[WHEN_ODD] == 0) return;
#endif
  const int item = (int)get_local_id(0), column = item % 16, mine = item / 16 * 4;
  for (long tile = get_group_id(0); tile < all_tiles; tile += get_num_groups(0)) {
    const long part = tile / tiles % chunks, unit = tile / tiles / chunks;
    const long r0 = tile % tiles * QUERIES;
    FIND_SEQUENCE(unit)
    CHECK_SEQUENCE
    FIND_QUERIES
    FIND_KEYS(k)
    FIND_KEYS(v)
    /* A piece behind the sequence's keys has none. */
    const long from = part * chunk, to = unsound ? from : max(from, min(from + chunk, key_count));
    if (item < QUERIES) {
      const bool there = r0 + item < all_queries.count;
      const long row = (r0 + item) / group;
      first[item] = there ? netcl_first_seen(row, first_place, before, from) : from;
      last[item] = there ? netcl_last_seen(row, first_place, after, to) : from;
      most[item] = -INFINITY;
      sum[item] = 0;
    }
    if (item == 0) odd = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    long begin = to, end = from;
    netcl_join_ranges(first, last, &begin, &end);
    if (QUERY_SLICE == SIZE) netcl_load_queries(&all_queries, r0, 0, SIZE, queries);
    REAL sums[COLUMNS][4] = {{0}};
    for (long key = begin; key < end; key += KEYS) {
      REAL products[4][2] = {{0}};
      for (int d = 0; d < SIZE; d += SLICE) {
        barrier(CLK_LOCAL_MEM_FENCE);
        netcl_load_slice(&k_keys, key, end, d, SIZE, slice);
        if (QUERY_SLICE != SIZE) netcl_load_queries(&all_queries, r0, d, QUERY_SLICE, queries);
        barrier(CLK_LOCAL_MEM_FENCE);
        netcl_add_products(queries + mine * QUERY_LINE + (QUERY_SLICE == SIZE ? d : 0),
                           slice + column * PADDED, min(SLICE, SIZE - d), products);
      }
      for (int i = 0; i < 8; ++i) {
        const int at = mine + i / 2;
        const long n = key + column + 16 * (i % 2), r = r0 + at;
        scores[at * SCORE_LINE + column + 16 * (i % 2)] =
            n >= first[at] && n < last[at]
                ? SCORE(products[i / 2][i % 2], r / group, kv_head * group + r % group, n)
                : (REAL)-INFINITY;
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      netcl_weigh(scores, most, sum, factor, parts);
      for (int i = 0; i < 4 * COLUMNS; ++i) sums[i / 4][i % 4] *= factor[mine + i % 4];
#pragma unroll
      for (int c = 0; c < COLUMNS; c += 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (netcl_load_slice(&v_keys, key, end, c * 16, VALUE_SIZE, slice)) odd = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        netcl_add_values(scores + mine * SCORE_LINE, slice + column, odd, sums[c], sums[c + 1]);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int a = 0; a < 4; ++a) {
      const long r = r0 + mine + a;
      if (r >= group * rows) continue;
      const REAL high = unsound ? (REAL)NAN : most[mine + a];
      const REAL weights = unsound ? (REAL)NAN : sum[mine + a];
#if PARTS
      WRITE_PARTIAL(r, sums[c / 16][a])
#else
      WRITE_RESULT(r, sums[c / 16][a])
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
