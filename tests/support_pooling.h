/* Options of pooling whose lists lie in one struct. */
#ifndef SUPPORT_POOLING_H
#define SUPPORT_POOLING_H

#include "support.h"

typedef struct Windows {
  int axes; /* of space; 0: 2 */
  int64_t window[3], strides[3], dilations[3], padding[6];
  uint32_t ceil_mode, count_include_pad, column_major;
  double p;
} Windows;

/* They point into `windows`. */
static inline netcl_pooling_options pooling_options(const Windows *windows) {
  const uint32_t axes = windows->axes == 0 ? 2 : (uint32_t)windows->axes;
  netcl_pooling_options options = NETCL_POOLING_OPTIONS_INIT;
  options.window = windows->window;
  options.strides = windows->strides;
  options.dilations = windows->dilations;
  options.padding = windows->padding;
  options.window_count = options.strides_count = options.dilations_count = axes;
  options.padding_count = 2 * axes;
  options.ceil_mode = windows->ceil_mode;
  options.count_include_pad = windows->count_include_pad;
  options.column_major = windows->column_major;
  options.p = windows->p;
  return options;
}

/* A list of the one number n, up to 4. */
static inline const int64_t *one_size(int n) {
  static const int64_t kSizes[] = {0, 1, 2, 3, 4};
  return kSizes + n;
}

/* One window for all axes, and one stride; 0: those of the library. */
static inline netcl_pooling_options pooling_of(const int64_t *window, const int64_t *strides) {
  netcl_pooling_options options = NETCL_POOLING_OPTIONS_INIT;
  options.window = window;
  options.strides = strides;
  options.window_count = window != NULL;
  options.strides_count = strides != NULL;
  return options;
}

#endif
