/*
 * The same pipeline in plain C, one pixel after the other: what lens is compared with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_LENS_H
#define NETCL_EXAMPLE_LENS_H

#include <math.h>

#include "../check.h"
#include "../picture.h"

#define TAPS 13
#define SIGMA 2.0
#define LEVELS 256
#define EDGE_LEVEL 120   /* of the gradient, whose largest value is about 1440 */

#define TO_TEXT_(x) #x
#define TO_TEXT(x) TO_TEXT_(x)
#define GREY_TEXT "round(0.299 * v0 + 0.587 * v1 + 0.114 * v2)"
/* The squares are whole numbers; half a unit keeps a convolution that rounds on its side. */
#define EDGE_TEXT                                              \
  "u8(where(v0 * v0 + v1 * v1 > " TO_TEXT(EDGE_LEVEL) ".0 * "  \
  TO_TEXT(EDGE_LEVEL) ".0 + 0.5, 255, 0))"
#define SHARPEN_TEXT "u8(round(clamp(v0 + 0.8 * (v0 - v1), 0.0, 255.0)))"
#define TO_BYTES_TEXT "u8(round(clamp(v0, 0.0, 255.0)))"

/* Two filters of 3 x 3: along a row, and down a column. */
static const float kSobel[18] = {-1, 0, 1, -2, 0, 2, -1, 0, 1, -1, -2, -1, 0, 0, 0, 1, 2, 1};

typedef struct reference {
  uint8_t *sharp;
  uint8_t *edges;
  uint8_t *half;
  int64_t histogram[LEVELS];
} reference;

static int64_t half_of(int64_t extent) { return (extent + 1) / 2; }

static float gaussian_weight(int tap) {
  double sum = 0;
  int i;
  for (i = 0; i < TAPS; ++i) sum += exp(-0.5 * pow((i - TAPS / 2) / SIGMA, 2));
  return (float)(exp(-0.5 * pow((tap - TAPS / 2) / SIGMA, 2)) / sum);
}

/* Rings on a slope, in colour. */
static picture generate_picture(void) {
  picture image;
  int64_t y, x;
  image.height = 480;
  image.width = 641;
  image.channels = 3;
  image.samples = (uint8_t *)allocate(picture_bytes(&image));
  for (y = 0; y < image.height; ++y) {
    for (x = 0; x < image.width; ++x) {
      uint8_t *s = image.samples + (y * image.width + x) * 3;
      const int64_t d = (y - 200) * (y - 200) + (x - 300) * (x - 300);
      s[0] = (uint8_t)(x * 255 / image.width);
      s[1] = (uint8_t)((d >> 11) % 2 * 160 + 40);
      s[2] = (uint8_t)(y * 255 / image.height);
    }
  }
  return image;
}

static int64_t clamped(int64_t value, int64_t extent) {
  return value < 0 ? 0 : value >= extent ? extent - 1 : value;
}
static double sample(const picture *image, int64_t y, int64_t x, int64_t c) {
  const int64_t at = clamped(y, image->height) * image->width + clamped(x, image->width);
  return image->samples[at * image->channels + c];
}
static uint8_t byte_of(double value) {
  return (uint8_t)rint(value < 0 ? 0 : value > 255 ? 255 : value);
}

static uint8_t *reference_sharp(const picture *image) {
  uint8_t *sharp = (uint8_t *)allocate(picture_bytes(image));
  double *half = (double *)allocate((size_t)(image->height * image->width) * sizeof(double));
  double weights[TAPS];
  int64_t y, x, c;
  int t;
  for (t = 0; t < TAPS; ++t) weights[t] = gaussian_weight(t);
  for (c = 0; c < image->channels; ++c) {
    for (y = 0; y < image->height; ++y) {
      for (x = 0; x < image->width; ++x) {
        double sum = 0;
        for (t = 0; t < TAPS; ++t) sum += weights[t] * sample(image, y + t - TAPS / 2, x, c);
        half[y * image->width + x] = sum;
      }
    }
    for (y = 0; y < image->height; ++y) {
      for (x = 0; x < image->width; ++x) {
        const double value = sample(image, y, x, c);
        double sum = 0;
        for (t = 0; t < TAPS; ++t) {
          sum += weights[t] * half[y * image->width + clamped(x + t - TAPS / 2, image->width)];
        }
        sharp[(y * image->width + x) * image->channels + c] = byte_of(value + 0.8 * (value - sum));
      }
    }
  }
  free(half);
  return sharp;
}

/* Single precision as on the device, so that a grey level never rounds the other way. */
static picture reference_grey(const picture *image) {
  picture grey = *image;
  int64_t i;
  grey.channels = 1;
  grey.samples = (uint8_t *)allocate(picture_bytes(&grey));
  for (i = 0; i < image->height * image->width; ++i) {
    const uint8_t *s = image->samples + i * image->channels;
    const int colour = image->channels == 3;
    const volatile float red = 0.299f * s[0], green = 0.587f * s[colour ? 1 : 0];
    const volatile float blue = 0.114f * s[colour ? 2 : 0], sum = red + green;
    const volatile float all = sum + blue;
    grey.samples[i] = (uint8_t)rintf(all);
  }
  return grey;
}

static uint8_t *reference_edges(const picture *grey) {
  uint8_t *edges = (uint8_t *)allocate(picture_bytes(grey));
  int64_t y, x;
  int i;
  for (y = 0; y < grey->height; ++y) {
    for (x = 0; x < grey->width; ++x) {
      double along = 0, down = 0;
      for (i = 0; i < 9; ++i) {
        const double value = sample(grey, y + i / 3 - 1, x + i % 3 - 1, 0);
        along += kSobel[i] * value;
        down += kSobel[9 + i] * value;
      }
      edges[y * grey->width + x] =
          along * along + down * down > (double)EDGE_LEVEL * EDGE_LEVEL ? 255 : 0;
    }
  }
  return edges;
}

static uint8_t *reference_half(const picture *image) {
  const int64_t height = half_of(image->height), width = half_of(image->width);
  uint8_t *half = (uint8_t *)allocate((size_t)(height * width * image->channels));
  int64_t y, x, c;
  for (y = 0; y < height; ++y) {
    for (x = 0; x < width; ++x) {
      const double v = ((double)y + 0.5) * (double)image->height / (double)height - 0.5;
      const double u = ((double)x + 0.5) * (double)image->width / (double)width - 0.5;
      const int64_t top = (int64_t)floor(v), left = (int64_t)floor(u);
      const double fy = v - (double)top, fx = u - (double)left;
      for (c = 0; c < image->channels; ++c) {
        const double above = (1 - fx) * sample(image, top, left, c) +
                             fx * sample(image, top, left + 1, c);
        const double below = (1 - fx) * sample(image, top + 1, left, c) +
                             fx * sample(image, top + 1, left + 1, c);
        half[(y * width + x) * image->channels + c] = byte_of((1 - fy) * above + fy * below);
      }
    }
  }
  return half;
}

static reference make_reference(const picture *image) {
  reference made;
  picture grey = reference_grey(image);
  int64_t i;
  made.sharp = reference_sharp(image);
  made.edges = reference_edges(&grey);
  made.half = reference_half(image);
  memset(made.histogram, 0, sizeof made.histogram);
  for (i = 0; i < grey.height * grey.width; ++i) ++made.histogram[grey.samples[i]];
  free(grey.samples);
  return made;
}

#endif
