/* Weighed sums of elements of planes at places that all planes of a batch share, an item for each.
 * Flags: X the dtype of the planes, W float or double for weights, INDEX. */
#include "prelude.cl"
#include "move.cl"

typedef COMPUTE(X) value_t;

/* Places and weights are those of each tap, one after the other: the first axis has a taps, the
 * others b and c, or 0 where there is none. A row is a plane of the result. */
__kernel void netcl_sample(const __global STORAGE(X) * x, const __global long* places,
                           const __global W* weights, __global value_t* y, const Layout from,
                           const Layout to, const long a, const long b, const long c) {
  const long size = to.shape[2], taps = to.shape[0] * size;
  FOR_ROWS(row, to.shape[0] * to.shape[1]) {
    const long batch = row / to.shape[1], channel = row % to.shape[1];
    const long plane = from.offset + batch * from.strides[0] + channel * from.strides[1];
    FOR_COLUMNS(column, size) {
      const long at = batch * size + column;
      value_t sum = 0;
      for (long i = 0; i < a; ++i) {
        for (long j = 0; j < max(b, 1L); ++j) {
          for (long k = 0; k < max(c, 1L); ++k) {
            long place = places[i * taps + at];
            value_t weight = (value_t)weights[i * taps + at];
            if (b > 0) {
              place += places[(a + j) * taps + at];
              weight *= (value_t)weights[(a + j) * taps + at];
            }
            if (c > 0) {
              place += places[(a + b + k) * taps + at];
              weight *= (value_t)weights[(a + b + k) * taps + at];
            }
            const bool inside = place >= 0 && place < from.shape[2];
            const value_t value = inside ? LOAD(X, x, plane + place * from.strides[2]) : 0;
            sum += value * weight;
          }
        }
      }
      y[to.offset + batch * to.strides[0] + channel * to.strides[1] + column * to.strides[2]] = sum;
    }
  }
}
