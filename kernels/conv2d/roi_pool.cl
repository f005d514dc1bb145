/* Bins of regions of images, an item for each: averages or largest ones of samples between
 * elements (RoiAlign of ONNX), or the largest element (MaxRoiPool). src/ops/conv2d/roi_pool.cpp has
 * the same for the host.
 * Flags: X the dtype of images, R float or double for places, I the type of image numbers, KIND 0
 * (average), 1 (largest sample), 2 (largest element), HALF_PIXEL 0 or 1, INDEX. */
#include "prelude.cl"
#include "move.cl"

typedef COMPUTE(X) value_t;

typedef struct {
  R begin;
  R step;
  R low;
  long count;
  R asked;
} Side;

inline Side side_of(long samples, R scale, R from, R to, long bins, long bin, long extent) {
  Side side = {0, 0, 0, 0, 0};
  const R end = (R)extent;
#if KIND == 2
  const R start = round(from * scale);
  const R size = fmax(round(to * scale) - start + 1, (R)1) / (R)bins;
  side.low = fmin(fmax(floor((R)bin * size) + start, (R)0), end);
  const R high = fmin(fmax(ceil((R)(bin + 1) * size) + start, (R)0), end);
  if (high > side.low) side.count = (long)(high - side.low);
#else
  const R offset = HALF_PIXEL ? (R)0.5f : (R)0;
  const R start = from * scale - offset;
  R size = to * scale - offset - start;
#if !HALF_PIXEL
  size = fmax(size, (R)1);
#endif
  size /= (R)bins;
  const R asked = samples > 0 ? (R)samples : ceil(size);
  if (!(asked > 0)) return side;
  side.asked = asked;
  side.step = size / asked;
  side.begin = start + (R)bin * size + (R)0.5f * side.step;
  R high = asked - 1;
  R most = 2 * end + 16;
  if (samples > 0) {
    most = asked;
  } else if (side.step > 0) {
    side.low = fmax((R)0, floor((-1 - side.begin) / side.step) - 1);
    high = fmin(high, ceil((end - side.begin) / side.step) + 1);
  }
  const R count = high - side.low + 1;
  if (count > 0) side.count = (long)fmin(count, most);
#endif
  return side;
}

typedef struct {
  long low;
  long high;
  R weight;
} Tap;

inline bool tap_at(const Side* side, long n, long extent, Tap* tap) {
  const R place = side->begin + (side->low + (R)n) * side->step;
  if (!(place >= -1 && place <= (R)extent)) return false;
  const R inside = fmin(fmax(place, (R)0), (R)(extent - 1));
  tap->low = min((long)inside, extent - 1);
  tap->high = min(tap->low + 1, extent - 1);
  tap->weight = inside - (R)tap->low;
  return true;
}

/* What is no number stays. */
inline value_t larger(value_t a, value_t b) { return a >= b || a != a ? a : b; }

inline value_t value_at(const __global STORAGE(X) * x, const Layout* from, long plane, long row,
                        long column) {
  return LOAD(X, x, plane + row * from->strides[2] + column * from->strides[3]);
}

inline value_t bin_value(const __global STORAGE(X) * x, const Layout* from, long plane,
                         const Side* down, const Side* across) {
  value_t largest = -INFINITY;
#if KIND == 2
  if (down->count == 0 || across->count == 0) return 0;
  for (long i = 0; i < down->count; ++i) {
    for (long k = 0; k < across->count; ++k) {
      largest = larger(largest,
                       value_at(x, from, plane, (long)down->low + i, (long)across->low + k));
    }
  }
  return largest;
#else
  value_t sum = 0;
  R within = 0;
  Tap row, column;
  for (long i = 0; i < down->count; ++i) {
    if (!tap_at(down, i, from->shape[2], &row)) continue;
    for (long k = 0; k < across->count; ++k) {
      if (!tap_at(across, k, from->shape[3], &column)) continue;
      within += 1;
      const value_t b = (value_t)row.weight, d = (value_t)column.weight;
      const value_t a = 1 - b, c = 1 - d;
      const value_t parts[4] = {value_at(x, from, plane, row.low, column.low) * (a * c),
                                value_at(x, from, plane, row.low, column.high) * (a * d),
                                value_at(x, from, plane, row.high, column.low) * (b * c),
                                value_at(x, from, plane, row.high, column.high) * (b * d)};
      for (int p = 0; p < 4; ++p) {
        sum += parts[p];
        largest = larger(largest, parts[p]);
      }
    }
  }
  const R asked = down->asked * across->asked;
#if KIND == 0
  return asked > 0 ? sum / (value_t)asked : 0;
#else
  return within < asked || within == 0 ? larger(largest, 0) : largest;
#endif
#endif
}

__kernel void netcl_roi_pool(const __global STORAGE(X) * x, const __global R* rois,
                             const __global I* images, __global STORAGE(X) * y, const Layout from,
                             const Layout list, const Layout numbers, const Layout to,
                             const long samples, const R scale) {
  const long bins = to.shape[2], columns = to.shape[3];
  FOR_ROWS(row, to.shape[0] * to.shape[1] * bins) {
    const long bin = row % bins, channel = row / bins % to.shape[1];
    const long region = row / bins / to.shape[1];
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
      const value_t value = known ? bin_value(x, &from, plane, &down, &across) : 0;
      STORE(X, value, y, target + k * to.strides[3]);
    }
  }
}
