/* Picks slices or elements of a tensor by indices.
 * Flags: T the element's bits, I int or long (the indices), INDEX. */
#include "prelude.cl"
#include "move.cl"

/* A row is one picked slice: row = outer * index_count + index. The layouts are: what is before the
 * axis in x, what is behind it, the indices, the rows of the result, and one of its rows. */
__kernel void netcl_gather(const __global T* x, const __global I* indices, __global T* y,
                           const Layout outer, const Layout inner, const Layout index_layout,
                           const Layout y_rows, const Layout y_inner, const long rows,
                           const long columns, const long index_count, const long extent,
                           const long axis_stride) {
  FOR_ROWS(row, rows) {
    const INDEX o = (INDEX)row / (INDEX)index_count;
    const INDEX j = (INDEX)row - o * (INDEX)index_count;
    long k = (long)indices[index_layout.offset + move_at(&index_layout, j)];
    k = k < 0 ? k + extent : k;
    const bool inside = k >= 0 && k < extent;
    const __global T* source =
        x + outer.offset + move_at(&outer, o) + (inside ? (INDEX)k * (INDEX)axis_stride : 0);
    __global T* target = y + y_rows.offset + move_at(&y_rows, (INDEX)row);
    FOR_COLUMNS(column, columns) {
      T element = 0;
      if (inside) element = source[move_at(&inner, (INDEX)column)];
      target[move_at(&y_inner, (INDEX)column)] = element;
    }
  }
}

/* Element i of the result is x at the place of i with the index in place of the axis, whose stride
 * in `from` is 0. A row is one element. */
__kernel void netcl_gather_elements(const __global T* x, const __global I* indices, __global T* y,
                                    const Layout from, const Layout index_layout, const Layout to,
                                    const long rows, const long extent, const long axis_stride) {
  FOR_ROWS(row, rows) {
    long k = (long)indices[index_layout.offset + move_at(&index_layout, (INDEX)row)];
    k = k < 0 ? k + extent : k;
    T element = 0;
    if (k >= 0 && k < extent) {
      element = x[from.offset + move_at(&from, (INDEX)row) + (INDEX)k * (INDEX)axis_stride];
    }
    y[to.offset + move_at(&to, (INDEX)row)] = element;
  }
}
