/* One triangle of each matrix, with zeros in place of the other. A row of the result is one of a
 * matrix; the layouts are those of the rows.
 * Flags: T the element's bits, UPPER 1 or 0, INDEX. */
#include "prelude.cl"
#include "move.cl"

__kernel void netcl_trilu(const __global T* x, __global T* y, const Layout x_rows,
                          const Layout y_rows, const long rows, const long height,
                          const long columns, const long x_step, const long y_step, const long k) {
  FOR_ROWS(row, rows) {
    const long diagonal = row % height + k;
    const __global T* source = x + x_rows.offset + move_at(&x_rows, (INDEX)row);
    __global T* target = y + y_rows.offset + move_at(&y_rows, (INDEX)row);
    FOR_COLUMNS(column, columns) {
      const bool kept = UPPER ? column >= diagonal : column <= diagonal;
      T element = 0;
      if (kept) element = source[(INDEX)column * (INDEX)x_step];
      target[(INDEX)column * (INDEX)y_step] = element;
    }
  }
}
