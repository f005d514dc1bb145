/* The gradient of averages over bins of regions. An item has a row of the result, and adds up what
 * the bins give to it in the order of the regions.
 * Flags: those of roi_pool_common.cl, X the dtype of the gradient of the averages, Y that of the
 * result, f32 or f64, INDEX. */
#include "roi_pool_common.cl"

typedef COMPUTE(X) value_t;

/* What a bin's samples weigh on one element of a side. */
inline value_t weight_on(const Side* side, long element, long extent) {
  const R last = side->begin + (side->low + (R)(side->count - 1)) * side->step;
  const R first = side->begin + side->low * side->step;
  const R least = clamp(fmin(first, last), (R)0, (R)(extent - 1));
  const R most = clamp(fmax(first, last), (R)0, (R)(extent - 1));
  if (!(least <= (R)(element + 1) && most >= (R)(element - 1))) return 0;
  value_t weight = 0;
  Tap tap;
  for (long i = 0; i < side->count; ++i) {
    if (!tap_at(side, i, extent, &tap)) continue;
    if (tap.low == element) weight += 1 - (value_t)tap.weight;
    if (tap.high == element) weight += (value_t)tap.weight;
  }
  return weight;
}

__kernel void netcl_roi_pool_gradient(const __global STORAGE(X) * grad, const __global R* rois,
                                      const __global I* images, __global STORAGE(Y) * result,
                                      const Layout from, const Layout list, const Layout numbers,
                                      const Layout to, const long samples, const R scale) {
  const long channels = to.shape[1], height = to.shape[2], width = to.shape[3];
  FOR_ROWS(row, to.shape[0] * channels * height) {
    const long at = row % height, channel = row / height % channels;
    const long image = row / height / channels;
    __global STORAGE(Y)* const line = result + to.offset + image * to.strides[0] +
                                      channel * to.strides[1] + at * to.strides[2];
    for (long k = 0; k < width; ++k) line[k * to.strides[3]] = 0;
    for (long region = 0; region < from.shape[0]; ++region) {
      if (images[numbers.offset + region * numbers.strides[0]] != image) continue;
      const __global R* roi = rois + list.offset + region * list.strides[0];
      for (long bin = 0; bin < from.shape[2]; ++bin) {
        const Side down = side_of(samples, scale, roi[list.strides[1]], roi[3 * list.strides[1]],
                                  from.shape[2], bin, height);
        const value_t weight = weight_on(&down, at, height);
        if (weight == 0) continue;
        const long source = from.offset + region * from.strides[0] + channel * from.strides[1] +
                            bin * from.strides[2];
        for (long k = 0; k < from.shape[3]; ++k) {
          const Side across = side_of(samples, scale, roi[0], roi[2 * list.strides[1]],
                                      from.shape[3], k, width);
          const value_t share = weight * LOAD(X, grad, source + k * from.strides[3]) /
                                (value_t)(down.asked * across.asked);
          Tap tap;
          for (long i = 0; i < across.count; ++i) {
            if (!tap_at(&across, i, width, &tap)) continue;
            line[tap.low * to.strides[3]] += share * (1 - (value_t)tap.weight);
            line[tap.high * to.strides[3]] += share * (value_t)tap.weight;
          }
        }
      }
    }
  }
}
