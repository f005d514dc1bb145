/* Where the samples and elements of bins of regions lie along one side of an image, in the steps of
 * src/backend/cpu/conv2d/roi_pool_sides.hpp.
 * Flags: R float or double for places, I the type of image numbers, KIND 0 (average), 1 (largest
 * part of a sample), 2 (largest element), HALF_PIXEL 0 or 1. */
#include "prelude.cl"
#include "move.cl"

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
