/* Resizes a tensor. Where a dimension changes, a table has the places (in elements of x) below and
 * above each coordinate and the weight of the one above; it was made on the host, so that every
 * device takes the same neighbours. A row is one line along the last dimension.
 * Flags: X and Y the dtype (or its bits, for NEAREST), CHANGED the number of changed dimensions,
 * LAST 1 when the last dimension is one of them, LINEAR 0 or 1, of LINEAR those of resize_value.cl
 * and WIDE for weights of f64, INDEX. */
#include "prelude.cl"
#include "move.cl"
#if LINEAR
#include "resize_value.cl"
#endif

typedef struct {
  long low;
  long high;
  long weight;
} Neighbours;

/* The bits of the weight, an f32 or an f64. */
#ifdef WIDE
#define WEIGHT(n) as_double((n)->weight)
#else
#define WEIGHT(n) as_float((int)(n)->weight)
#endif

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
/* With a weight of 0 the neighbour does not count, not even when it is infinite. */
inline value_t between(value_t a, value_t b, value_t weight) {
  const value_t sum = a * ((value_t)1 - weight) + b * weight;
  return weight == 0 ? a : sum;
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
    value_t weights[CHANGED + 1];
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
      weights[--seen] = WEIGHT(n);
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
                           (value_t)LOAD(X, x, base[c] + (INDEX)n->high), WEIGHT(n));
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
      store_weighed(value[0], y, target + (INDEX)column * (INDEX)to.strides[last]);
#else
      y[target + (INDEX)column * (INDEX)to.strides[last]] = x[base[0] + low];
#endif
    }
  }
}
