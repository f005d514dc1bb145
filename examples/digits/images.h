/*
 * A sheet of images of digits as a picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_IMAGES_H
#define NETCL_EXAMPLE_IMAGES_H

#include "../mnist.h"
#include "../picture.h"

#define SHEET_COLUMNS 16
#define SHEET_ROWS 8
#define CELL (IMAGE_SIDE + 4)

/* Up to 128 images on one sheet: those that were read wrong, or the first ones when no labels are
 * known; printed in the same order with what was read. */
static void save_sheet(const char *path, const image_set *images, const int64_t *digits) {
  picture sheet;
  const char *problem;
  int64_t i;
  int shown = 0, y;
  sheet.height = SHEET_ROWS * CELL;
  sheet.width = SHEET_COLUMNS * CELL;
  sheet.channels = 1;
  sheet.samples = (uint8_t *)allocate(picture_bytes(&sheet));
  memset(sheet.samples, 60, picture_bytes(&sheet));
  printf("  %s:", images->labels != NULL ? "read wrong, digit>read" : "read as");
  for (i = 0; i < images->count && shown < SHEET_ROWS * SHEET_COLUMNS; ++i) {
    const int row = shown / SHEET_COLUMNS, column = shown % SHEET_COLUMNS;
    if (images->labels != NULL && digits[i] == images->labels[i]) continue;
    for (y = 0; y < IMAGE_SIDE; ++y) {
      memcpy(sheet.samples + (row * CELL + y + 2) * sheet.width + column * CELL + 2,
             images->pixels + i * IMAGE_PIXELS + y * IMAGE_SIDE, IMAGE_SIDE);
    }
    if (column == 0) printf("\n    ");
    if (images->labels != NULL) printf(" %d>%d", images->labels[i], (int)digits[i]);
    else printf(" %d", (int)digits[i]);
    ++shown;
  }
  printf("\n");
  problem = picture_save(path, &sheet);
  if (problem != NULL) fail(path, problem);
  printf("  wrote %s\n", path);
  free(sheet.samples);
}

#endif
