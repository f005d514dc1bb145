/*
 * Images of digits: the MNIST test set, or digits drawn with a small font.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_MNIST_H
#define NETCL_EXAMPLE_MNIST_H

#include "check.h"

#define IMAGE_SIDE 28
#define IMAGE_PIXELS (IMAGE_SIDE * IMAGE_SIDE)

/* The build sets it to 1 where zlib is installed; without it the files have to be unpacked. */
#ifndef NETCL_EXAMPLE_ZLIB
#define NETCL_EXAMPLE_ZLIB 0
#endif
#if NETCL_EXAMPLE_ZLIB
#include <zlib.h>
#endif

typedef struct image_set {
  int64_t count;
  uint8_t *pixels;   /* count images of 28 x 28 */
  uint8_t *labels;   /* NULL: not known */
} image_set;

/* Reads `bytes` bytes behind a header of `skip`, from NAME or NAME.gz. */
static uint8_t *read_idx(const char *folder, const char *name, size_t skip, size_t bytes) {
  char path[4096];
  uint8_t *data = (uint8_t *)allocate(skip + bytes);
  size_t got = 0;
  FILE *file;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  file = fopen(path, "rb");
  if (file != NULL) {
    got = fread(data, 1, skip + bytes, file);
    fclose(file);
  } else {
#if NETCL_EXAMPLE_ZLIB
    gzFile packed;
    snprintf(path, sizeof path, "%s/%s.gz", folder, name);
    packed = gzopen(path, "rb");
    if (packed == NULL) fail(path, "it cannot be opened");
    while (got < skip + bytes) {
      const int more = gzread(packed, data + got, (unsigned)(skip + bytes - got));
      if (more <= 0) break;
      got += (size_t)more;
    }
    gzclose(packed);
#else
    fail(path, "it cannot be opened (this build reads no .gz)");
#endif
  }
  if (got != skip + bytes) fail(path, "it is shorter than the MNIST test set");
  if (data[0] != 0 || data[1] != 0 || data[2] != 8) fail(path, "it is no IDX file of bytes");
  memmove(data, data + skip, bytes);
  return data;
}

static image_set load_images(const char *folder) {
  image_set images;
  int64_t i;
  images.count = 10000;
  images.pixels = read_idx(folder, "t10k-images-idx3-ubyte", 16, 10000 * IMAGE_PIXELS);
  images.labels = read_idx(folder, "t10k-labels-idx1-ubyte", 8, 10000);
  for (i = 0; i < images.count; ++i) {
    if (images.labels[i] > 9) fail("labels", "one of them is no digit");
  }
  return images;
}

/* Digits of 5 x 7 dots, three times as large, with soft edges, moved and with some noise. */
static image_set draw_images(void) {
  static const char *const kFont[10] = {
      "01110100011001110101110011000101110", "00100011000010000100001000010001110",
      "01110100010000100010001000100011111", "11111000100010000010000011000101110",
      "00010001100101010010111110001000010", "11111100001111000001000011000101110",
      "00110010001000011110100011000101110", "11111000010001000100010000100001000",
      "01110100011000101110100011000101110", "01110100011000101111000010001001100"};
  image_set images;
  uint32_t random = 12345;
  int64_t i;
  int y, x;
  images.count = 500;
  images.labels = NULL;
  images.pixels = (uint8_t *)allocate((size_t)(images.count * IMAGE_PIXELS));
  for (i = 0; i < images.count; ++i) {
    uint8_t *image = images.pixels + i * IMAGE_PIXELS;
    const int down = (int)(i / 10 % 5) + 1, right = (int)(i / 50 % 5) + 4;
    for (y = 0; y < IMAGE_SIDE; ++y) {
      for (x = 0; x < IMAGE_SIDE; ++x) {
        const int row = (y - down) / 3, column = (x - right) / 3;
        const int inside = y >= down && x >= right && row < 7 && column < 5;
        const int dot = inside && kFont[i % 10][5 * row + column] == '1';
        random = random * 1664525u + 1013904223u;
        image[y * IMAGE_SIDE + x] = (uint8_t)(dot ? 200 + (random >> 28) * 3 : random >> 28);
      }
    }
  }
  return images;
}

static void free_images(image_set *images) {
  free(images->pixels);
  free(images->labels);
}

#endif
