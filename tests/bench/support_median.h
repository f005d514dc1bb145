/* Medians of times and ratios. */
#ifndef NETCL_BENCH_SUPPORT_MEDIAN_H
#define NETCL_BENCH_SUPPORT_MEDIAN_H

#include <stdlib.h>

static inline int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Puts the values in order. */
static inline double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return values[count / 2];
}

#endif
