/* Resizes a tensor. Where a dimension changes, a table has the places (in elements of x) below and
 * above each coordinate and the weight of the one above; it was made on the host, so that every
 * device takes the same neighbours. A row is one line along the last dimension.
 * Flags: X the dtype (or its bits, for NEAREST), CHANGED the number of changed dimensions, LAST 1
 * when the last dimension is one of them, LINEAR 0 or 1, INDEX. */
#include "prelude.cl"
#include "move.cl"

typedef struct {
  long low;
  long high;
  float weight;
  int reserved;
} Neighbours;

#if LINEAR
#if CHANGED > 0
#define CORNERS (1 << CHANGED)
#else
#define CORNERS 1
#endif
#else
#define CORNERS 1
#endif

#if LINEAR
typedef COMPUTE_TYPE value_t;
/* With a weight of 0 the neighbour does not count, not even when it is infinite. */
inline value_t between(value_t a, value_t b, float weight) {
  const value_t w = (value_t)weight;
  const value_t sum = a * ((value_t)1 - w) + b * w;
  return weight == 0.0f ? a : sum;
}
#endif

/* `tables` of `from`'s changed dimensions begin at table_of.strides[d] entries; table_of.shape[d]
 * is 1 for changed ones. */
__kernel void netcl_resize(const __global STORAGE(X) * x, __global STORAGE(X) * y,
                           const __global Neighbours* tables, const Layout from, const Layout to,
                           const Layout table_of, const long rows) {
  const int last = to.rank - 1;
  const long columns = to.shape[last];
  FOR_ROWS(row, rows) {
    INDEX base[CORNERS];
#if LINEAR
    float weights[CHANGED + 1];
    int seen = CHANGED - LAST;
#endif
    base[0] = (INDEX)from.offset;
    INDEX target = (INDEX)to.offset;
    INDEX rest = (INDEX)row;
    int corners = 1;
    for (int d = last - 1; d >= 0; --d) {
      const INDEX size = (INDEX)to.shape[d];
      const INDEX next = rest / size;
      const INDEX i = rest - next * size;
      rest = next;
      target += i * (INDEX)to.strides[d];
      if (table_of.shape[d] == 0) {
        for (int c = 0; c < corners; ++c) base[c] += i * (INDEX)from.strides[d];
        continue;
      }
      const __global Neighbours* n = tables + table_of.strides[d] + i;
#if LINEAR
      weights[--seen] = n->weight;
      for (int c = 0; c < corners; ++c) {
        base[c + corners] = base[c] + (INDEX)n->high;
        base[c] += (INDEX)n->low;
      }
      corners *= 2;
#else
      base[0] += (INDEX)n->low;
#endif
    }
    FOR_COLUMNS(column, columns) {
#if LAST
      const __global Neighbours* n = tables + table_of.strides[last] + column;
      const INDEX low = (INDEX)n->low;
#else
      const INDEX low = (INDEX)column * (INDEX)from.strides[last];
#endif
#if LINEAR
      value_t value[CORNERS];
      for (int c = 0; c < CORNERS >> LAST; ++c) {
#if LAST
        value[c] = between((value_t)LOAD(X, x, base[c] + low),
                           (value_t)LOAD(X, x, base[c] + (INDEX)n->high), n->weight);
#else
        value[c] = (value_t)LOAD(X, x, base[c] + low);
#endif
      }
      /* The outermost dimension was met last, so its corners are the upper half. */
      for (int w = 0, pairs = (CORNERS >> LAST) / 2; pairs > 0; ++w, pairs /= 2) {
        for (int c = 0; c < pairs; ++c) {
          value[c] = between(value[c], value[c + pairs], weights[w]);
        }
      }
#ifdef ROUNDED
      const int result = convert_int_rte(value[0]);
#else
      const value_t result = value[0];
#endif
      STORE(X, result, y, target + (INDEX)column * (INDEX)to.strides[last]);
#else
      y[target + (INDEX)column * (INDEX)to.strides[last]] = x[base[0] + low];
#endif
    }
  }
}
