/* Rotates pairs of elements of heads by angles whose cosines and sines are given.
 * Flags: X the dtype of x and the result, C that of the caches; POSITION the type of positions, by
 * which the caches have rows, where there are such, else they have a row for each token;
 * INTERLEAVED and INVERSE where that is so; INDEX int or long (rows).
 *
 * A row is a head of a token, in the order [batch, heads, tokens]; its columns are the pairs, and
 * behind them the elements that are not rotated. */
#include "prelude.cl"
#include "move.cl"

#define PLACES(x) long x##_offset, long x##_batch, long x##_head, long x##_token, long x##_column
#define PLACE(x) (x##_offset + batch * x##_batch + head * x##_head + token * x##_token)
#ifdef POSITION
#define CACHE_PLACES(x) long x##_offset, long x##_row, long x##_column
#define CACHE_PLACE(x) (x##_offset + position * x##_row)
#define POSITION_PARAMS , const __global POSITION *ids, long ids_offset, long ids_batch, \
    long ids_token, long positions
#else
#define CACHE_PLACES(x) long x##_offset, long x##_batch, long x##_token, long x##_column
#define CACHE_PLACE(x) (x##_offset + batch * x##_batch + token * x##_token)
#define POSITION_PARAMS
#endif
#ifdef INTERLEAVED
#define FIRST(pair) (2 * (pair))
#define SECOND(pair) (2 * (pair) + 1)
#else
#define FIRST(pair) (pair)
#define SECOND(pair) ((pair) + pairs)
#endif

__kernel void netcl_rotary_embedding(
    const __global STORAGE(X) * x, PLACES(x), __global STORAGE(X) * y, PLACES(y),
    const __global STORAGE(C) * cosines, CACHE_PLACES(cos), const __global STORAGE(C) * sines,
    CACHE_PLACES(sin), long heads, long tokens, long pairs, long rows,
    long columns POSITION_PARAMS) {
  FOR_ROWS(row, rows) {
    const INDEX upper = (INDEX)row / (INDEX)tokens;
    const long token = (INDEX)row - upper * (INDEX)tokens;
    const long batch = upper / (INDEX)heads;
    const long head = upper - (INDEX)batch * (INDEX)heads;
    const long from = PLACE(x), to = PLACE(y);
#ifdef POSITION
    const long position = ids[ids_offset + batch * ids_batch + token * ids_token];
    const bool sound = position >= 0 && position < positions;
#else
    const bool sound = true;
#endif
    FOR_COLUMNS(column, columns) {
      if (column >= pairs) {
        const long at = column + pairs;
        const COMPUTE(X) value = LOAD(X, x, from + at * x_column);
        STORE(X, sound ? value : (COMPUTE(X))NAN, y, to + at * y_column);
        continue;
      }
      /* Of a position that there is not all is NaN. */
      COMPUTE(X) c = NAN, s = NAN;
      if (sound) {
        c = (COMPUTE(X))LOAD(C, cosines, CACHE_PLACE(cos) + column * cos_column);
        s = (COMPUTE(X))LOAD(C, sines, CACHE_PLACE(sin) + column * sin_column);
      }
#ifdef INVERSE
      s = -s;
#endif
      const COMPUTE(X) a = LOAD(X, x, from + FIRST(column) * x_column);
      const COMPUTE(X) b = LOAD(X, x, from + SECOND(column) * x_column);
      STORE(X, a * c - b * s, y, to + FIRST(column) * y_column);
      STORE(X, b * c + a * s, y, to + SECOND(column) * y_column);
    }
  }
}
