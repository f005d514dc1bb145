/* Filters one axis of a tensor: each element of the result is a sum of elements that stand beside
 * each other along it, with weights. Both lists were made on the host. A row is one line along the
 * last dimension.
 * Flags: X and Y the dtypes, COMPUTE_TYPE what they are weighed in, ROUNDED where Y is whole
 * numbers, INDEX. */
#include "prelude.cl"
#include "move.cl"
#include "resize_value.cl"

typedef struct {
  long first;
  long begin;
  long count;
} Sum;

/* With a weight of 0 an element does not count, not even when it is infinite. */
__kernel void netcl_resize_axis(const __global STORAGE(X) * x, __global STORAGE(Y) * y,
                                const __global Sum* sums, const __global COMPUTE_TYPE* weights,
                                const Layout from, const Layout to, const long axis,
                                const long rows) {
  const int last = to.rank - 1;
  const long columns = to.shape[last];
  const INDEX step = (INDEX)from.strides[axis];
  FOR_ROWS(row, rows) {
    INDEX source = (INDEX)from.offset;
    INDEX target = (INDEX)to.offset;
    INDEX rest = (INDEX)row;
    INDEX place = 0;
    for (int d = last - 1; d >= 0; --d) {
      const INDEX size = (INDEX)to.shape[d];
      const INDEX next = rest / size;
      const INDEX i = rest - next * size;
      rest = next;
      target += i * (INDEX)to.strides[d];
      if (d == axis) {
        place = i;
      } else {
        source += i * (INDEX)from.strides[d];
      }
    }
    FOR_COLUMNS(column, columns) {
      const bool along = axis == last;
      const __global Sum* sum = sums + (along ? (INDEX)column : place);
      const __global COMPUTE_TYPE* list = weights + sum->begin;
      const INDEX at =
          source + (along ? (INDEX)0 : (INDEX)column * (INDEX)from.strides[last]);
      value_t value = 0;
      for (long t = 0; t < sum->count; ++t) {
        const value_t weight = list[t];
        if (weight != 0) {
          value += weight * (value_t)LOAD(X, x, at + (INDEX)(sum->first + t) * step);
        }
      }
      store_weighed(value, y, target + (INDEX)column * (INDEX)to.strides[last]);
    }
  }
}
