/* What the kernels that move elements share. They go over a result as rows of columns, both in
 * 64 bits; items stand beside each other.
 * Flags: INDEX int or long (element indexes). */

#define FOR_ROWS(row, rows) \
  for (long row = get_global_id(1); row < (rows); row += get_global_size(1))
#define FOR_COLUMNS(column, columns) \
  for (long column = get_global_id(0); column < (columns); column += get_global_size(0))

/* As netcl_at, in INDEX and without the offset. */
inline INDEX move_at(const Layout* layout, INDEX index) {
  INDEX at = 0;
  for (int d = layout->rank - 1; d > 0; --d) {
    const INDEX extent = (INDEX)layout->shape[d];
    const INDEX rest = index / extent;
    at += (index - rest * extent) * (INDEX)layout->strides[d];
    index = rest;
  }
  return layout->rank > 0 ? at + index * (INDEX)layout->strides[0] : at;
}
