/* start + i step at element i of a result, counted in C order. A row of the result lies along its
 * last dimension; the layout is that of the rows.
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

__kernel void netcl_range(__global STORAGE(Y) * y, const Layout y_rows, const long rows,
                          const long columns, const long y_step, const number_t start,
                          const number_t step) {
  FOR_ROWS(row, rows) {
    const INDEX target = (INDEX)y_rows.offset + move_at(&y_rows, (INDEX)row);
    FOR_COLUMNS(column, columns) {
      const number_t value = element_of_range(row * columns + column, start, step);
      const INDEX place = target + (INDEX)column * (INDEX)y_step;
#ifdef REAL
      STORE(Y, value, y, place);
#else
      y[place] = (STORAGE(Y))value;
#endif
    }
  }
}
