/* Attention by tiles: a group has QUERIES queries of a unit and goes over KEYS of their keys at
 * a time. Eight items share rows: an item has ROWS rows of queries, and of the scores KEY_PACKS
 * times four keys, of the sums every 32nd four columns. Further options: KEY_PACKS; VALUE_KEYS
 * keys whose weights and values are in local memory at a time, and MOST_COLUMNS of the values;
 * ALL_QUERIES, the bytes that the host has counted, when all elements of the queries are there,
 * not a slice of them; UNIT when columns of q, k and v lie side by side; PARTS 1 when sums go to
 * `partial`; LSE when a log-sum-exp is wanted; WHEN_ODD does nothing unless this element of
 * `odd_results` is set. Groups take tiles in turn, which are `all_tiles`. ITEMS is a multiple of
 * 8. */
#include "attention_common.cl"

#define REAL4 NETCL_JOIN(REAL, 4)
#define ROWS 4
#define QUERIES (ITEMS / 8 * ROWS)
#define KEYS (32 * KEY_PACKS)
#define SLICE 32 /* elements of queries and keys that are in local memory at a time */
#define WIDTH ((VALUE_SIZE + 31) / 32 * 32)
#define VALUE_COLUMNS (WIDTH < MOST_COLUMNS ? WIDTH : MOST_COLUMNS)
#define COLUMNS (WIDTH / 8) /* of an item */
/* Lines of local memory lie four banks apart, eight for values, so that items which store beside
 * each other and below each other meet in none. */
#ifdef ALL_QUERIES
#define QUERY_LINE QUERIES
#define QUERY_SLICE ((SIZE + SLICE - 1) / SLICE * SLICE)
#else
#define QUERY_LINE (QUERIES + 4)
#define QUERY_SLICE SLICE
#endif
#define KEY_LINE (KEYS + 4)
#define WEIGHT_LINE (QUERIES + 4)
#define VALUE_LINE (VALUE_COLUMNS + 8)
#define KEY_MEMORY (SLICE * KEY_LINE)
#define VALUE_MEMORY (VALUE_KEYS * (WEIGHT_LINE + VALUE_LINE))
#define MEMORY (KEY_MEMORY > VALUE_MEMORY ? KEY_MEMORY : VALUE_MEMORY)
#ifdef ALL_QUERIES
#define ALL_MEMORY \
  ((QUERY_SLICE * QUERY_LINE + MEMORY + 2 * QUERIES) * sizeof(REAL) + 3 * QUERIES * sizeof(long))
typedef char netcl_memory_was_counted[ALL_MEMORY <= ALL_QUERIES ? 1 : -1];
#endif
/* Elements of a slice of keys and of values that an item loads. */
#define KEY_LOADS (KEYS * SLICE / ITEMS)
#define VALUE_LOADS ((VALUE_KEYS * 8 + ITEMS - 1) / ITEMS * (VALUE_COLUMNS / 8))
#define LOADS (KEY_LOADS > VALUE_LOADS ? KEY_LOADS : VALUE_LOADS)

/* From element `start` to the one `i` further on, or to the last. */
#define FURTHER(start, i, size, slice) \
  ((size) % (slice) == 0 ? (i) : min((start) + (i), (size)-1) - (start))
/* How far columns lie apart; with UNIT those of queries, keys and values lie side by side. */
#ifdef UNIT
#define COLUMN_STEP(x) 1
#else
#define COLUMN_STEP(x) (x)
#endif

#if PARTS
#define RESULT_PARAMS , __global REAL *partial
#define RESULT , partial
#else
#define RESULT_PARAMS , __global STORAGE(X) * result, STRIDES4(result) LSE_PARAMS
#ifdef LSE
#define LSE_RESULT , lse, lse_offset, lse_batch, lse_head, lse_row
#else
#define LSE_RESULT
#endif
#define RESULT \
  , result, result_offset, result_batch, result_head, result_row, result_column LSE_RESULT
#endif

#ifdef WHEN_ODD
#define ODD_PARAMS , const __global int *odd_results
#else
#define ODD_PARAMS
#endif

/* The loads below are of elements that are there, whatever the place: what is read twice in place
 * of a query, key or column that is not there is not used. A branch for each would keep the loads
 * from being under way together. Keys and values are loaded while those before are worked on. */

/* Elements [first, first + QUERY_SLICE) of the group's queries, which lie at `places`, each element
 * in a line. */
inline void netcl_load_queries(const __global STORAGE(X) * q, __local const long *places,
                               long step, int first, __local REAL *queries) {
  const int lane = (int)get_local_id(0) % 8, start = min(first + lane, SIZE - 1);
  for (int row = (int)get_local_id(0) / 8; row < QUERIES; row += ITEMS / 8) {
    const __global STORAGE(X) *const from = q + places[row] + start * COLUMN_STEP(step);
#pragma unroll
    for (int i = 0; i < QUERY_SLICE; i += 8) {
      queries[(lane + i) * QUERY_LINE + row] =
          (REAL)LOAD(X, from, FURTHER(start, i, SIZE, SLICE) * COLUMN_STEP(step));
    }
  }
}

/* Elements [first, first + SLICE) of KEYS keys, and their way to local memory, each element in a
 * line. */
inline void netcl_load_keys(const Keys *k, long key, long end, int first, REAL *loaded) {
  const int start = min(first + (int)get_local_id(0) % 8, SIZE - 1);
#pragma unroll
  for (int turn = 0; turn < KEY_LOADS / (SLICE / 8); ++turn) {
    const long n = key + get_local_id(0) / 8 + turn * (ITEMS / 8);
    const __global STORAGE(X) *const from =
        k->data + netcl_key_at(k, min(n, end - 1)) + start * COLUMN_STEP(k->column);
#pragma unroll
    for (int i = 0; i < SLICE / 8; ++i) {
      loaded[turn * (SLICE / 8) + i] =
          (REAL)LOAD(X, from, FURTHER(start, i * 8, SIZE, SLICE) * COLUMN_STEP(k->column));
    }
  }
}
inline void netcl_share_keys(const REAL *loaded, __local REAL *keys) {
  __local REAL *const to =
      keys + (int)get_local_id(0) % 8 * KEY_LINE + (int)get_local_id(0) / 8;
#pragma unroll
  for (int i = 0; i < KEY_LOADS; ++i) {
    to[i % (SLICE / 8) * 8 * KEY_LINE + i / (SLICE / 8) * (ITEMS / 8)] = loaded[i];
  }
}

/* Columns [first, first + VALUE_COLUMNS) of VALUE_KEYS values, and their way to local memory: 1
 * when one of them is not finite. */
inline void netcl_load_values(const Keys *v, long key, long end, int first, REAL *loaded) {
  const int start = min(first + (int)get_local_id(0) % 8, VALUE_SIZE - 1);
#pragma unroll
  for (int turn = 0; turn < VALUE_LOADS / (VALUE_COLUMNS / 8); ++turn) {
    const long n = key + min((int)get_local_id(0) / 8 + turn * (ITEMS / 8), VALUE_KEYS - 1);
    const __global STORAGE(X) *const from =
        v->data + netcl_key_at(v, min(n, end - 1)) + start * COLUMN_STEP(v->column);
#pragma unroll
    for (int i = 0; i < VALUE_COLUMNS / 8; ++i) {
      loaded[turn * (VALUE_COLUMNS / 8) + i] = (REAL)LOAD(
          X, from, FURTHER(start, i * 8, VALUE_SIZE, VALUE_COLUMNS) * COLUMN_STEP(v->column));
    }
  }
}
inline int netcl_share_values(const REAL *loaded, __local REAL *values) {
  REAL zero = 0;
#pragma unroll
  for (int turn = 0; turn < VALUE_LOADS / (VALUE_COLUMNS / 8); ++turn) {
    const int n = (int)get_local_id(0) / 8 + turn * (ITEMS / 8);
    if (n >= VALUE_KEYS) continue;
    __local REAL *const to = values + n * VALUE_LINE + (int)get_local_id(0) % 8;
#pragma unroll
    for (int i = 0; i < VALUE_COLUMNS / 8; ++i) {
      const REAL value = loaded[turn * (VALUE_COLUMNS / 8) + i];
      zero = fma(value, (REAL)0, zero);
      to[i * 8] = value;
    }
  }
  return zero != 0; /* NaN */
}

/* Adds a slice of the products of the item's queries with its keys. */
inline void netcl_add_products(__local const REAL *queries, __local const REAL *keys, int depth,
                               REAL (*products)[4 * KEY_PACKS]) {
#pragma unroll 4
  for (int e = 0; e < depth; ++e) {
    REAL row[ROWS], key[4 * KEY_PACKS];
    vstore4(*(__local const REAL4 *)(queries + e * QUERY_LINE), 0, row);
#pragma unroll
    for (int p = 0; p < KEY_PACKS; ++p) {
      vstore4(*(__local const REAL4 *)(keys + e * KEY_LINE + 32 * p), p, key);
    }
#pragma unroll
    for (int a = 0; a < ROWS; ++a) {
#pragma unroll
      for (int n = 0; n < 4 * KEY_PACKS; ++n) {
        products[a][n] = fma(row[a], key[n], products[a][n]);
      }
    }
  }
}

/* Writes the weights of the slice's keys that the item has, four keys or none. */
inline void netcl_share_weights(REAL (*scores)[4 * KEY_PACKS], int slice, __local REAL *weights) {
  const int lane = (int)get_local_id(0) % 8, mine = (int)get_local_id(0) / 8 * ROWS;
  const int at = slice * VALUE_KEYS / 32 * 4;
  if (lane * 4 / VALUE_KEYS != slice % (32 / VALUE_KEYS)) return;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    *(__local REAL4 *)(weights + (lane * 4 % VALUE_KEYS + n) * WEIGHT_LINE + mine) =
        (REAL4)(scores[0][at + n], scores[1][at + n], scores[2][at + n], scores[3][at + n]);
  }
}

/* Adds values by weight to the item's columns of a block, of which sums[][first] is the first. */
inline void netcl_add_values(__local const REAL *weights, __local const REAL *values, int careful,
                             REAL (*sums)[COLUMNS], int first) {
#pragma unroll 2
  for (int n = 0; n < VALUE_KEYS; ++n) {
    REAL row[ROWS];
    vstore4(*(__local const REAL4 *)(weights + n * WEIGHT_LINE), 0, row);
#pragma unroll
    for (int c = 0; c < VALUE_COLUMNS / 8; c += 4) {
      REAL value[4];
      vstore4(*(__local const REAL4 *)(values + n * VALUE_LINE + 8 * c), 0, value);
#pragma unroll
      for (int a = 0; a < ROWS; ++a) {
        if (careful && row[a] == 0) continue; /* 0 times what is not finite would be NaN */
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          if (first + c + i >= COLUMNS) continue; /* of the last block */
          REAL *const sum = &sums[a][first + c + i];
          *sum = fma(row[a], value[i], *sum);
        }
      }
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

/* Adds the products of the group's queries with KEYS keys, of which the first slice is in `loaded`;
 * afterwards the first values are. */
inline void netcl_multiply(const __global STORAGE(X) * q, __local const long *places, long step,
                           const Keys *k, const Keys *v, long key, long end,
                           __local REAL *queries, __local REAL *memory, REAL *loaded,
                           REAL (*scores)[4 * KEY_PACKS]) {
  const int lane = (int)get_local_id(0) % 8, mine = (int)get_local_id(0) / 8 * ROWS;
  for (int d = 0; d < SIZE; d += SLICE) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (QUERY_SLICE < SIZE) netcl_load_queries(q, places, step, d, queries);
    netcl_share_keys(loaded, memory);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (d + SLICE < SIZE) {
      netcl_load_keys(k, key, end, d + SLICE, loaded);
    } else {
      netcl_load_values(v, key, end, 0, loaded);
    }
    netcl_add_products(queries + (QUERY_SLICE < SIZE ? 0 : d * QUERY_LINE) + mine,
                       memory + lane * 4, SIZE % SLICE == 0 ? SLICE : min(SLICE, SIZE - d), scores);
  }
}

/* Scores become weights, and what is known of each query is brought up to date. The largest score
 * of each row and item is in `parts`. */
inline void netcl_weigh(REAL (*scores)[4 * KEY_PACKS], __local const REAL *parts,
                        __local REAL *most, __local REAL *factor, REAL *total,
                        REAL (*sums)[COLUMNS]) {
  const int mine = (int)get_local_id(0) / 8 * ROWS;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int r = (int)get_local_id(0); r < QUERIES; r += ITEMS) {
    REAL largest = most[r];
    for (int i = 0; i < 8; ++i) largest = fmax(largest, parts[r * 8 + i]);
    factor[r] = WEIGHT(most[r], REFERENCE(largest));
    most[r] = largest;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int a = 0; a < ROWS; ++a) {
    const REAL reference = REFERENCE(most[mine + a]), change = factor[mine + a];
    total[a] *= change;
#pragma unroll
    for (int i = 0; i < 4 * KEY_PACKS; ++i) {
      scores[a][i] = WEIGHT(scores[a][i], reference);
      total[a] += scores[a][i];
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) sums[a][c] *= change;
  }
}

/* Adds KEYS values by weight, of which the first are in `loaded`; afterwards the next keys are. */
inline void netcl_add_block(const Keys *k, const Keys *v, long key, long end,
                            REAL (*scores)[4 * KEY_PACKS], __local REAL *memory,
                            __local int *odd, REAL *loaded, REAL (*sums)[COLUMNS]) {
  __local REAL *const values = memory + VALUE_KEYS * WEIGHT_LINE;
  const int lane = (int)get_local_id(0) % 8, mine = (int)get_local_id(0) / 8 * ROWS;
#pragma unroll
  for (int slice = 0; slice < KEYS / VALUE_KEYS; ++slice) {
#pragma unroll
    for (int c = 0; c < WIDTH; c += VALUE_COLUMNS) {
      const long n = key + slice * VALUE_KEYS;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (c == 0) netcl_share_weights(scores, slice, memory);
      if (netcl_share_values(loaded, values)) *odd = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (c + VALUE_COLUMNS < WIDTH) {
        netcl_load_values(v, n, end, c + VALUE_COLUMNS, loaded);
      } else if (slice + 1 < KEYS / VALUE_KEYS) {
        netcl_load_values(v, n + VALUE_KEYS, end, 0, loaded);
      } else {
        netcl_load_keys(k, key + KEYS, end, 0, loaded);
      }
      if (*odd) {
        netcl_add_values(memory + mine, values + lane * 4, 1, sums, c / 8);
      } else {
        netcl_add_values(memory + mine, values + lane * 4, 0, sums, c / 8);
      }
    }
  }
}

/* Writes the item's columns of its rows, of which r0 is the group's first; `parts` is for sums of
 * weights. */
inline void netcl_write_rows(REAL (*sums)[COLUMNS], const REAL *total, __local const REAL *most,
                             __local REAL *parts, int unsound, long r0, long unit, long part,
                             long kv_heads, long group, long rows, long chunks RESULT_PARAMS) {
  const int lane = (int)get_local_id(0) % 8, mine = (int)get_local_id(0) / 8 * ROWS;
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int a = 0; a < ROWS; ++a) parts[(mine + a) * 8 + lane] = total[a];
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int a = 0; a < ROWS; ++a) {
    const long r = r0 + mine + a;
    if (r >= group * rows) continue;
    const REAL high = unsound ? (REAL)NAN : most[mine + a];
    REAL weights = 0;
    for (int i = 0; i < 8; ++i) weights += parts[(mine + a) * 8 + i];
    if (unsound) weights = NAN;
#if PARTS
    __global REAL *const out = partial + PARTIAL_AT(unit, part, r);
    const REAL share = unsound ? (REAL)NAN : (REAL)1;
#else
    const long row = r / group, head = unit % kv_heads * group + r % group;
    /* Some weight is 1, or all are 0. */
    const REAL share = weights == 0 ? (REAL)0 : 1 / weights;
#endif
#pragma unroll
    for (int i = 0; i < COLUMNS; ++i) {
      const int c = i / 4 * 32 + lane * 4 + i % 4;
      if (c >= VALUE_SIZE) continue;
#if PARTS
      out[c] = sums[a][i] * share;
#else
      STORE(X, sums[a][i] * share, result, AT4(result, unit / kv_heads, head, row, c));
#endif
    }
    if (lane != 0) continue;
#if PARTS
    out[VALUE_SIZE] = high;
    out[VALUE_SIZE + 1] = weights;
#else
    WRITE_LSE(unit / kv_heads, head, row, high, weights)
#endif
  }
}

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void netcl_attention_tile(
    ATTENTION_PARAMS, long tiles, long all_tiles RESULT_PARAMS ODD_PARAMS) {
  __local REAL queries[QUERY_SLICE * QUERY_LINE] __attribute__((aligned(32)));
  __local REAL memory[MEMORY] __attribute__((aligned(32)));
  __local REAL most[QUERIES], factor[QUERIES];
  __local long first[QUERIES], last[QUERIES], places[QUERIES];
  __local int unsound, odd;
#ifdef WHEN_ODD
  if (odd_results[WHEN_ODD] == 0) return;
#endif
  const int item = (int)get_local_id(0), lane = item % 8, mine = item / 8 * ROWS;
  for (long tile = get_group_id(0); tile < all_tiles; tile += get_num_groups(0)) {
    const long part = tile / tiles % chunks, unit = tile / tiles / chunks;
    const long r0 = tile % tiles * QUERIES;
    FIND_SEQUENCE(unit)
    CHECK_SEQUENCE
    const long query_total = QUERIES_OF_UNIT;
    FIND_KEYS(k)
    FIND_KEYS(v)
    /* A piece behind the sequence's keys has none. */
    const long from = part * chunk, to = unsound ? from : max(from, min(from + chunk, key_count));
    for (int i = item; i < QUERIES; i += ITEMS) {
      const bool there = r0 + i < query_total;
      const long row = (r0 + i) / group;
      first[i] = there ? netcl_first_seen(row, first_place, before, from) : from;
      last[i] = there ? netcl_last_seen(row, first_place, after, to) : from;
      places[i] = there ? QUERY_AT(r0 + i) : QUERY_AT(r0);
      most[i] = -INFINITY;
    }
    if (item == 0) odd = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    long begin = to, end = from;
    netcl_join_ranges(first, last, &begin, &end);
    REAL sums[ROWS][COLUMNS] = {{0}};
    REAL total[ROWS] = {0}; /* of the weights of the item's own keys */
    REAL loaded[LOADS];
    if (begin < end) {
      if (QUERY_SLICE >= SIZE) netcl_load_queries(q, places, q_column, 0, queries);
      netcl_load_keys(&k_keys, begin, end, 0, loaded);
    }
    for (long key = begin; key < end; key += KEYS) {
      REAL scores[ROWS][4 * KEY_PACKS] = {{0}};
      netcl_multiply(q, places, q_column, &k_keys, &v_keys, key, end, queries, memory, loaded,
                     scores);
      barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
      for (int a = 0; a < ROWS; ++a) {
        const long r = r0 + mine + a, row = r / group, head = kv_head * group + r % group;
        const int low = (int)clamp(first[mine + a] - key, 0L, (long)KEYS);
        const int high = (int)clamp(last[mine + a] - key, 0L, (long)KEYS);
        REAL largest = -INFINITY;
#pragma unroll
        for (int i = 0; i < 4 * KEY_PACKS; ++i) {
          const int n = i / 4 * 32 + lane * 4 + i % 4;
          scores[a][i] = n >= low && n < high ? SCORE(scores[a][i], row, head, key + n)
                                              : (REAL)-INFINITY;
          largest = fmax(largest, scores[a][i]);
        }
        memory[(mine + a) * 8 + lane] = largest;
      }
      netcl_weigh(scores, memory, most, factor, total, sums);
      netcl_add_block(&k_keys, &v_keys, key, end, scores, memory, &odd, loaded, sums);
    }
    netcl_write_rows(sums, total, most, memory, unsound, r0, unit, part, kv_heads, group, rows,
                     chunks RESULT);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
