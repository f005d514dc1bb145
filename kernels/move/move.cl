/* What the kernels that move elements share. They go over a result as rows of columns, both in
 * 64 bits: on CPUs one item takes a run of whole rows, on GPUs items stand beside each other.
 * Flags: INDEX int or long (element indexes), CPU_SHAPED for CPUs. */

#ifdef CPU_SHAPED
#define FOR_ROWS(row, rows)                                                         \
  const long row##_end =                                                            \
      (long)((ulong)(rows) * (get_global_id(1) + 1) / get_global_size(1));          \
  for (long row = (long)((ulong)(rows)*get_global_id(1) / get_global_size(1)); row < row##_end; \
       ++row)
#define FOR_COLUMNS(column, columns) for (long column = 0; column < (columns); ++column)
#else
#define FOR_ROWS(row, rows) \
  for (long row = get_global_id(1); row < (rows); row += get_global_size(1))
#define FOR_COLUMNS(column, columns) \
  for (long column = get_global_id(0); column < (columns); column += get_global_size(0))
#endif

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
