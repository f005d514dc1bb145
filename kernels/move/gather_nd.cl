/* Picks slices at places of several dimensions, and numbers such places.
 * Flags: T the element's bits, I int or long (the indices), INDEX. */
#include "prelude.cl"
#include "move.cl"

/* Where the indices from `list` on lead in the dimensions of `place`; `inside` is false when one of
 * them is out of range. */
inline INDEX place_at(const Layout* place, const __global I* list, long step, bool* inside) {
  INDEX at = 0;
  *inside = true;
  for (int d = 0; d < (int)place->rank; ++d) {
    const long extent = place->shape[d];
    long k = (long)list[(INDEX)d * (INDEX)step];
    k = k < 0 ? k + extent : k;
    if (k < 0 || k >= extent) {
      *inside = false;
      return 0;
    }
    at += (INDEX)k * (INDEX)place->strides[d];
  }
  return at;
}

/* A row is one picked slice. The layouts are: the batch in x, a place there, a slice of it, the
 * indices without their last dimension, the rows of the result, and one of its rows. */
__kernel void netcl_gather_nd(const __global T* x, const __global I* indices, __global T* y,
                              const Layout outer, const Layout place, const Layout inner,
                              const Layout index_layout, const Layout y_rows, const Layout y_inner,
                              const long rows, const long columns, const long each,
                              const long index_step) {
  FOR_ROWS(row, rows) {
    bool inside;
    const __global I* list =
        indices + index_layout.offset + move_at(&index_layout, (INDEX)row);
    const INDEX at = place_at(&place, list, index_step, &inside);
    const __global T* source = x;
    if (inside) source += outer.offset + move_at(&outer, (INDEX)row / (INDEX)each) + at;
    __global T* target = y + y_rows.offset + move_at(&y_rows, (INDEX)row);
    FOR_COLUMNS(column, columns) {
      T element = 0;
      if (inside) element = source[move_at(&inner, (INDEX)column)];
      target[move_at(&y_inner, (INDEX)column)] = element;
    }
  }
}

/* `places` are those of one of the batch, `each` the indices of it. */
__kernel void netcl_number_places(const __global I* indices, __global long* numbers,
                                  const Layout place, const Layout index_layout, const long rows,
                                  const long each, const long places, const long index_step) {
  FOR_ROWS(row, rows) {
    bool inside;
    const __global I* list =
        indices + index_layout.offset + move_at(&index_layout, (INDEX)row);
    const long at = place_at(&place, list, index_step, &inside);
    numbers[row] = inside ? row / each * places + at : LONG_MAX;
  }
}
