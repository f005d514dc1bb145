/* Bins of regions of images, an item for each: averages or largest ones of samples between
 * elements (RoiAlign of ONNX), or the largest element (MaxRoiPool).
 * Flags: those of roi_pool_common.cl, X the dtype of images, Y that of the result, FACT 0 (what a
 * bin is), 1 (the place of its element in C order, or the number of x's elements) or 2 (the weight
 * of that element), INDEX. */
#include "roi_pool_common.cl"

typedef COMPUTE(X) value_t;

typedef struct {
  value_t value;
  value_t weight;
  long place; /* in the plane; -1: no element */
} Found;

/* The first of equal ones; what is no number stays. */
inline void meet(Found* found, value_t value, value_t weight, long place) {
  if (found->place >= 0 && (found->value >= value || found->value != found->value)) return;
  found->value = value;
  found->weight = weight;
  found->place = place;
}

inline value_t value_at(const __global STORAGE(X) * x, const Layout* from, long plane, long row,
                        long column) {
  return LOAD(X, x, plane + row * from->strides[2] + column * from->strides[3]);
}

inline Found bin_of(const __global STORAGE(X) * x, const Layout* from, long plane,
                    const Side* down, const Side* across) {
  Found found = {0, 0, -1};
  const long width = from->shape[3];
#if KIND == 2
  for (long i = (long)down->low; i < (long)down->low + down->count; ++i) {
    for (long k = (long)across->low; k < (long)across->low + across->count; ++k) {
      meet(&found, value_at(x, from, plane, i, k), 1, i * width + k);
    }
  }
#else
  value_t sum = 0;
  R within = 0;
  Tap row, column;
  for (long i = 0; i < down->count; ++i) {
    if (!tap_at(down, i, from->shape[2], &row)) continue;
    for (long k = 0; k < across->count; ++k) {
      if (!tap_at(across, k, width, &column)) continue;
      within += 1;
      const value_t b = (value_t)row.weight, d = (value_t)column.weight;
      for (int p = 0; p < 4; ++p) {
        const long y = p < 2 ? row.low : row.high, z = p % 2 == 0 ? column.low : column.high;
        const value_t weight = (p < 2 ? 1 - b : b) * (p % 2 == 0 ? 1 - d : d);
        const value_t part = value_at(x, from, plane, y, z) * weight;
        sum += part;
        meet(&found, part, weight, y * width + z);
      }
    }
  }
  const R asked = down->asked * across->asked;
#if KIND == 0
  found.value = asked > 0 ? sum / (value_t)asked : 0;
#else
  if (within < asked && found.value < 0) {
    found.value = found.weight = 0;
    found.place = -1;
  }
#endif
#endif
  return found;
}

__kernel void netcl_roi_pool(const __global STORAGE(X) * x, const __global R* rois,
                             const __global I* images, __global STORAGE(Y) * y, const Layout from,
                             const Layout list, const Layout numbers, const Layout to,
                             const long samples, const R scale) {
  const long bins = to.shape[2], columns = to.shape[3], channels = to.shape[1];
  const long size = from.shape[2] * from.shape[3];
  FOR_ROWS(row, to.shape[0] * channels * bins) {
    const long bin = row % bins, channel = row / bins % channels;
    const long region = row / bins / channels;
    const long image = images[numbers.offset + region * numbers.strides[0]];
    const bool known = image >= 0 && image < from.shape[0];
    const __global R* roi = rois + list.offset + region * list.strides[0];
    const Side down = side_of(samples, scale, roi[list.strides[1]], roi[3 * list.strides[1]], bins,
                              bin, from.shape[2]);
    const long plane =
        from.offset + (known ? image : 0) * from.strides[0] + channel * from.strides[1];
    const long target =
        to.offset + region * to.strides[0] + channel * to.strides[1] + bin * to.strides[2];
    FOR_COLUMNS(k, columns) {
      const Side across = side_of(samples, scale, roi[0], roi[2 * list.strides[1]], columns, k,
                                  from.shape[3]);
      Found found = {0, 0, -1};
      if (known) found = bin_of(x, &from, plane, &down, &across);
#if FACT == 0
      STORE(Y, found.value, y, target + k * to.strides[3]);
#elif FACT == 1
      y[target + k * to.strides[3]] = found.place < 0 ? from.shape[0] * channels * size
                                                      : (image * channels + channel) * size +
                                                            found.place;
#else
      STORE(Y, found.weight, y, target + k * to.strides[3]);
#endif
    }
  }
}
