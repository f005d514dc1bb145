/* A line for each index along one axis of the result. A row of the result lies along its last
 * dimension; `list` has where the indices of a row begin. `inner` rows lie between two places along
 * the axis; 0: the columns are these places.
 * Flags: T the element's bits, I the dtype of the indices, INDEX. */
#include "prelude.cl"
#include "move.cl"

/* Where an index points to; a number below 0: nowhere. */
inline long place_of(STORAGE(I) index, long depth) {
  if (index < 0) return (long)index + depth;
  return (ulong)index < (ulong)depth ? (long)index : -1;
}

__kernel void netcl_one_hot(const __global STORAGE(I) * indices, __global T* y, const Layout list,
                            const Layout y_rows, const long rows, const long columns,
                            const long list_step, const long y_step, const long depth,
                            const long inner, const T on, const T off) {
  FOR_ROWS(row, rows) {
    const __global STORAGE(I)* source = indices + list.offset + move_at(&list, (INDEX)row);
    __global T* target = y + y_rows.offset + move_at(&y_rows, (INDEX)row);
    const long here = inner > 0 ? row / inner % depth : 0;
    FOR_COLUMNS(column, columns) {
      const long place = place_of(source[(INDEX)column * (INDEX)list_step], depth);
      target[(INDEX)column * (INDEX)y_step] = place == (inner > 0 ? here : column) ? on : off;
    }
  }
}
