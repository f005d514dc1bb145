/* Adds elements around a tensor. A row of the result is one line along its last dimension; `before`
 * has, in its strides, how many elements come before the source in each dimension.
 * Flags: T the element's bits, MODE 0 constant, 1 reflect, 2 edge, 3 wrap,
 * INDEX. */
#include "prelude.cl"
#include "move.cl"

/* The coordinate in the source of a coordinate that begins at the source; -1 outside of it. */
inline INDEX source_coordinate(INDEX i, INDEX extent) {
  if (i >= 0 && i < extent) return i;
#if MODE == 1
  if (extent == 1) return 0;
  const INDEX period = 2 * (extent - 1);
  i %= period;
  i = i < 0 ? i + period : i;
  return i < extent ? i : period - i;
#elif MODE == 3
  i %= extent;
  return i < 0 ? i + extent : i;
#elif MODE == 2
  return i < 0 ? 0 : extent - 1;
#else
  return -1;
#endif
}

__kernel void netcl_pad(const __global T* x, __global T* y, const Layout from, const Layout to,
                        const Layout before, const long rows, const T value) {
  const int last = to.rank - 1;
  const long columns = to.shape[last];
  const INDEX x_step = (INDEX)from.strides[last];
  const INDEX y_step = (INDEX)to.strides[last];
  const INDEX lead = (INDEX)before.strides[last];
  const INDEX extent = (INDEX)from.shape[last];
  FOR_ROWS(row, rows) {
    INDEX rest = (INDEX)row;
    INDEX source = (INDEX)from.offset;
    INDEX target = (INDEX)to.offset;
    bool inside = true;
    for (int d = last - 1; d >= 0; --d) {
      const INDEX size = (INDEX)to.shape[d];
      const INDEX coordinate = d > 0 ? rest % size : rest;
      rest /= size;
      const INDEX i =
          source_coordinate(coordinate - (INDEX)before.strides[d], (INDEX)from.shape[d]);
      inside = inside && i >= 0;
      source += i * (INDEX)from.strides[d];
      target += coordinate * (INDEX)to.strides[d];
    }
    FOR_COLUMNS(column, columns) {
      const INDEX i = source_coordinate((INDEX)column - lead, extent);
      T element = value;
      if (inside && i >= 0) element = x[source + i * x_step];
      y[target + (INDEX)column * y_step] = element;
    }
  }
}
