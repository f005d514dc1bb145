/* Bins of regions of images by loops in double precision. */
#ifndef NETCL_TESTS_SUPPORT_REGIONS_H
#define NETCL_TESTS_SUPPORT_REGIONS_H

#include <math.h>
#include <stdint.h>

static const double kRegionScale = 0.5;
enum { AVERAGE, LARGEST, WHOLE };

typedef struct Regions {
  int64_t images, channels, height, width, regions, rows, columns, samples;
  int kind, half;
} Regions;

/* NaN where a sample lies so near to the end that f32 may have it on the other side. */
static inline double sampled_bin(const Regions *c, const double *plane, const double *roi,
                                 int64_t row, int64_t column) {
  const double offset = c->half ? 0.5 : 0;
  const int64_t extents[2] = {c->height, c->width}, bins[2] = {c->rows, c->columns},
                bin[2] = {row, column};
  double start[2], size[2], made = -INFINITY, sum = 0;
  int64_t samples[2];
  for (int d = 0; d < 2; ++d) {
    start[d] = roi[1 - d] * kRegionScale - offset;
    size[d] = roi[3 - d] * kRegionScale - offset - start[d];
    if (!c->half) size[d] = fmax(size[d], 1);
    size[d] /= (double)bins[d];
    samples[d] = c->samples > 0 ? c->samples : (int64_t)ceil(size[d]);
    if (samples[d] <= 0) return 0;
  }
  for (int64_t s = 0; s < samples[0] * samples[1]; ++s) {
    const int64_t number[2] = {s / samples[1], s % samples[1]};
    double at[2];
    int inside = 1;
    for (int d = 0; d < 2; ++d) {
      at[d] = start[d] +
              size[d] * ((double)bin[d] + ((double)number[d] + 0.5) / (double)samples[d]);
      inside = inside && at[d] >= -1 && at[d] <= (double)extents[d];
      if (fabs(at[d] + 1) < 1e-4 || fabs(at[d] - (double)extents[d]) < 1e-4) return NAN;
      at[d] = fmin(fmax(at[d], 0), (double)extents[d] - 1);
    }
    for (int t = 0; t < 4; ++t) {
      const int64_t r = (int64_t)at[0] + t / 2, k = (int64_t)at[1] + t % 2;
      const double weight =
          fmax(0, 1 - fabs(at[0] - (double)r)) * fmax(0, 1 - fabs(at[1] - (double)k));
      const int64_t low = r < c->height ? r : c->height - 1, left = k < c->width ? k : c->width - 1;
      const double part = inside ? weight * plane[low * c->width + left] : 0;
      made = fmax(made, part);
      sum += part;
    }
  }
  return c->kind == LARGEST ? made : sum / (double)(samples[0] * samples[1]);
}

static inline double largest_element(const Regions *c, const double *plane, const double *roi,
                                     int64_t row, int64_t column) {
  const int64_t extents[2] = {c->height, c->width}, bins[2] = {c->rows, c->columns},
                bin[2] = {row, column};
  int64_t low[2], high[2];
  for (int d = 0; d < 2; ++d) {
    const double start = round(roi[1 - d] * kRegionScale), end = round(roi[3 - d] * kRegionScale);
    const double size = fmax(end - start + 1, 1) / (double)bins[d];
    low[d] = (int64_t)fmin(fmax(floor((double)bin[d] * size) + start, 0), (double)extents[d]);
    high[d] = (int64_t)fmin(fmax(ceil((double)(bin[d] + 1) * size) + start, 0), (double)extents[d]);
    if (high[d] <= low[d]) return 0;
  }
  double made = -INFINITY;
  for (int64_t r = low[0]; r < high[0]; ++r) {
    for (int64_t k = low[1]; k < high[1]; ++k) made = fmax(made, plane[r * c->width + k]);
  }
  return made;
}

#endif
