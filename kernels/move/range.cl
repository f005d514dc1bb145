/* start + i step at element i of a result, counted in C order. A row of the result lies along its
 * last dimension.
 * Flags: Y the dtype, REAL of floats what they are computed in, INDEX. */
#include "prelude.cl"
#include "move.cl"

#ifdef REAL
typedef REAL number_t;
inline number_t element_of_range(long i, number_t start, number_t step) {
  /* Both parts of i are exact in f32. */
  const bool parts = sizeof(number_t) == 4;
  const long high = parts ? i >> 24 : 0;
  if (high > 0) start = fma((number_t)high, step * 0x1p24f, start);
  return fma((number_t)(parts ? i & 0xffffff : i), step, start);
}
#else
typedef ulong number_t;
inline number_t element_of_range(long i, number_t start, number_t step) {
  return start + (number_t)i * step;
}
#endif

__kernel void netcl_range(__global STORAGE(Y) * y, const Layout to, const long rows,
                          const number_t start, const number_t step) {
  const int last = to.rank - 1;
  const long columns = to.shape[last];
  const INDEX y_step = (INDEX)to.strides[last];
  FOR_ROWS(row, rows) {
    INDEX rest = (INDEX)row;
    INDEX target = (INDEX)to.offset;
    for (int d = last - 1; d >= 0; --d) {
      const INDEX size = (INDEX)to.shape[d];
      target += (rest % size) * (INDEX)to.strides[d];
      rest /= size;
    }
    FOR_COLUMNS(column, columns) {
      const number_t value = element_of_range(row * columns + column, start, step);
      const INDEX place = target + (INDEX)column * y_step;
#ifdef REAL
      STORE(Y, value, y, place);
#else
      y[place] = (STORAGE(Y))value;
#endif
    }
  }
}
