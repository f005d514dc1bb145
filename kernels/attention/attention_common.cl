/* What the kernels of attention share: their arguments, and what a query sees.
 *
 * Options: X the dtype of q, k, v and the result; REAL float or double, what is computed in; SIZE
 * elements of a query and a key, VALUE_SIZE of a value; ITEMS of a group; BIAS the dtype of a bias;
 * MASK, QUERY_LENGTHS, KEY_LENGTHS, SOFTCAP and POSITION where there are such; PAGED the number of
 * keys of a page.
 *
 * Query r of the heads that share keys is row r / group of head r % group. A unit is one sequence
 * with one head of k and v. */
#include "prelude.cl"

#define STRIDES4(x) long x##_offset, long x##_batch, long x##_head, long x##_row, long x##_column
#define AT4(x, b, h, r, c)                                                                   \
  (x##_offset + (long)(b) * x##_batch + (long)(h) * x##_head + (long)(r) * x##_row + \
   (long)(c) * x##_column)

#ifdef BIAS
#define BIAS_PARAMS , const __global STORAGE(BIAS) * bias, STRIDES4(bias)
#else
#define BIAS_PARAMS
#endif
#ifdef MASK
#define MASK_PARAMS , const __global uchar *mask, STRIDES4(mask)
#else
#define MASK_PARAMS
#endif
#ifdef QUERY_LENGTHS
#define QUERY_LENGTH_PARAMS , const __global int *query_lengths, long queries_offset, \
    long queries_stride
#define QUERY_COUNT(b) query_lengths[queries_offset + (b) * queries_stride]
#else
#define QUERY_LENGTH_PARAMS
#define QUERY_COUNT(b) rows
#endif
#ifdef KEY_LENGTHS
#define KEY_LENGTH_PARAMS , const __global int *key_lengths, long keys_offset, long keys_stride
#define KEY_COUNT(b) key_lengths[keys_offset + (b) * keys_stride]
#else
#define KEY_LENGTH_PARAMS
#define KEY_COUNT(b) keys
#endif
#ifdef PAGED
#define PAGE_PARAMS , const __global int *table, long table_offset, long table_batch, \
    long table_entry, long pages
#define PAGE(b, entry) table[table_offset + (b) * table_batch + (entry) * table_entry]
#else
#define PAGE_PARAMS
#endif

/* Of the kernels that read keys; each unit has `chunks` of `chunk` keys, whose sums go to `partial`
 * where there are several. */
#define ATTENTION_PARAMS                                                                   \
  const __global STORAGE(X) * q, STRIDES4(q), const __global STORAGE(X) * k, STRIDES4(k),  \
      const __global STORAGE(X) * v, STRIDES4(v), long kv_heads, long group, long rows,    \
      long keys, long chunk, long chunks, REAL scale, REAL cap, long position,             \
      long before, long after BIAS_PARAMS MASK_PARAMS QUERY_LENGTH_PARAMS KEY_LENGTH_PARAMS \
      PAGE_PARAMS

/* The unit's sequence, its numbers of queries and keys, and the key at which query 0 stands. */
#ifdef POSITION
#define FIRST_PLACE position
#else
#define FIRST_PLACE (key_count - query_count)
#endif
#define FIND_SEQUENCE(unit)                         \
  const long kv_head = (unit) % kv_heads;           \
  const long batch = (unit) / kv_heads;             \
  const long query_count = (long)QUERY_COUNT(batch); \
  const long key_count = (long)KEY_COUNT(batch);    \
  const long first_place = FIRST_PLACE;

/* Sets the local int `unsound` for the whole group when a length or a page is out of range. */
#ifdef PAGED
#define CHECK_PAGES                                                                             \
  if (query_count >= 0 && query_count <= rows && key_count >= 0 && key_count <= keys) {         \
    for (long entry = get_local_id(0); entry * PAGED < key_count; entry += ITEMS) {         \
      const int page = PAGE(batch, entry);                                                      \
      if (page < 0 || page >= pages) unsound = 1;                                               \
    }                                                                                           \
  }
#else
#define CHECK_PAGES
#endif
#define CHECK_SEQUENCE                                                                         \
  if (get_local_id(0) == 0) {                                                                  \
    unsound = query_count < 0 || query_count > rows || key_count < 0 || key_count > keys;      \
  }                                                                                            \
  barrier(CLK_LOCAL_MEM_FENCE);                                                                \
  CHECK_PAGES                                                                                  \
  barrier(CLK_LOCAL_MEM_FENCE);

/* Keys or values of a unit. */
typedef struct {
  const __global STORAGE(X) * data;
  long row, column;
#ifdef PAGED
  long page;
  const __global int *table;
  long entry;
#endif
} Keys;
#ifdef PAGED
#define FIND_KEYS(x)                                                                         \
  const Keys x##_keys = {x + x##_offset + kv_head * x##_head, x##_row, x##_column, x##_batch, \
                         table + table_offset + batch * table_batch, table_entry};
#else
#define FIND_KEYS(x) \
  const Keys x##_keys = {x + AT4(x, batch, kv_head, 0, 0), x##_row, x##_column};
#endif
inline long netcl_key_at(const Keys *x, long n) {
#ifdef PAGED
  return x->table[n / PAGED * x->entry] * x->page + n % PAGED * x->row;
#else
  return n * x->row;
#endif
}
inline REAL netcl_key(const Keys *x, long n, int column) {
  return (REAL)LOAD(X, x->data, netcl_key_at(x, n) + column * x->column);
}

/* Queries of a unit. */
#define QUERIES_OF_UNIT (group * (unsound ? (long)0 : query_count))
#define QUERY_AT(r) AT4(q, batch, kv_head * group + (r) % group, (r) / group, 0)

/* Keys [first, last) of a chunk that row `row` sees. */
inline long netcl_first_seen(long row, long place, long before, long from) {
  return before < 0 ? from : max(from, place + row - before);
}
inline long netcl_last_seen(long row, long place, long after, long to) {
  return after < 0 ? to : min(to, place + row + after + 1);
}

/* A score from the product; with bias and mask that of (row, head, key). */
#ifdef SOFTCAP
#define SCALED(product) (cap * tanh((product) * scale))
#else
#define SCALED(product) ((product) * scale)
#endif
#ifdef BIAS
#define BIASED(row, head, key) +(REAL) LOAD(BIAS, bias, AT4(bias, batch, head, row, key))
#else
#define BIASED(row, head, key)
#endif
#ifdef MASK
#define SHOWN(row, head, key) (mask[AT4(mask, batch, head, row, key)] != 0)
#else
#define SHOWN(row, head, key) true
#endif
#define SCORE(product, row, head, key) \
  (SHOWN(row, head, key) ? SCALED(product) BIASED(row, head, key) : (REAL)-INFINITY)

/* What scores are compared with: nothing is -inf less -inf. */
#define REFERENCE(most) ((most) == (REAL)-INFINITY ? (REAL)0 : (most))
/* 0 of -inf, since a reference is not. */
#define WEIGHT(score, from) exp((score) - (from))

/* The second result. */
#ifdef LSE
#define LSE_PARAMS \
  , __global REAL *lse, long lse_offset, long lse_batch, long lse_head, long lse_row
#define WRITE_LSE(batch, head, row, most, weights)                        \
  lse[lse_offset + (batch) * lse_batch + (head) * lse_head + (row) * lse_row] = \
      (weights) == 0 ? (REAL)-INFINITY : (most) + log(weights);
#else
#define LSE_PARAMS
#define WRITE_LSE(batch, head, row, most, weights)
#endif

/* The sums of query r of a unit's chunk in `partial`: VALUE_SIZE values by weight, the largest
 * score, the sum of weights. */
#define PARTIAL_AT(unit, part, r) \
  ((((unit) * chunks + (part)) * (group * rows) + (r)) * (VALUE_SIZE + 2))
