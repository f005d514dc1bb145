/*
 * Reading and writing pictures on the host: PNG through libpng where the build has it, PPM and PGM
 * by hand. Nothing here concerns netcl.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_PICTURE_H
#define NETCL_EXAMPLE_PICTURE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The build sets it to 1 where libpng is installed. */
#ifndef NETCL_EXAMPLE_PNG
#define NETCL_EXAMPLE_PNG 0
#endif
#if NETCL_EXAMPLE_PNG
#include <png.h>
#endif

/** 8-bit samples, row by row. */
typedef struct picture {
  int64_t height;
  int64_t width;
  int64_t channels;   /**< 1: grey, 3: red, green, blue */
  uint8_t *samples;   /**< from malloc */
} picture;

/* Gives the name without its folders. */
static inline const char *picture_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

/** No side of a picture may be longer; keeps every product of extents far from overflow. */
#define PICTURE_SIDE_MAX 65535

static inline size_t picture_bytes(const picture *image) {
  return (size_t)(image->height * image->width * image->channels);
}

static inline int picture_has_suffix(const char *path, const char *suffix) {
  size_t path_length = strlen(path), length = strlen(suffix), i;
  if (path_length < length) return 0;
  for (i = 0; i < length; ++i) {
    char c = path[path_length - length + i];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (c != suffix[i]) return 0;
  }
  return 1;
}

/* Reads one number of a PNM header; comments run from # to the end of the line. -1: no number. */
static inline long picture_pnm_number(FILE *file) {
  long value = 0;
  int c = getc(file), digits = 0;
  while (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#') {
    if (c == '#') {
      while (c != '\n' && c != EOF) c = getc(file);
    } else {
      c = getc(file);
    }
  }
  for (; c >= '0' && c <= '9' && value < 10000000; c = getc(file), ++digits) {
    value = value * 10 + (c - '0');
  }
  /* Exactly one space separates the last number from the samples, and it has just been read. */
  return digits > 0 && (c == ' ' || c == '\t' || c == '\r' || c == '\n') ? value : -1;
}

/** Loads a binary PPM (P6) or PGM (P5) with 8 bits per sample. Returns NULL or what is wrong. */
static inline const char *picture_load_pnm(const char *path, picture *image) {
  const char *problem = NULL;
  long width, height, largest;
  int kind;
  FILE *file = fopen(path, "rb");
  if (file == NULL) return "it cannot be opened";
  if (getc(file) != 'P' || ((kind = getc(file)) != '5' && kind != '6')) {
    fclose(file);
    return "it is neither a binary PPM (P6) nor a binary PGM (P5)";
  }
  width = picture_pnm_number(file);
  height = picture_pnm_number(file);
  largest = picture_pnm_number(file);
  if (width < 1 || height < 1 || width > PICTURE_SIDE_MAX || height > PICTURE_SIDE_MAX) {
    problem = "its width or height is missing or out of range";
  } else if (largest != 255) {
    problem = "its largest sample is not 255; only 8-bit samples are read";
  } else {
    image->width = width;
    image->height = height;
    image->channels = kind == '6' ? 3 : 1;
    image->samples = (uint8_t *)malloc(picture_bytes(image));
    if (image->samples == NULL) {
      problem = "there is not enough memory for it";
    } else if (fread(image->samples, 1, picture_bytes(image), file) != picture_bytes(image)) {
      free(image->samples);
      image->samples = NULL;
      problem = "it ends before its last pixel";
    }
  }
  fclose(file);
  return problem;
}

/** Saves a picture as PGM or PPM. Returns NULL or what is wrong. */
static inline const char *picture_save_pnm(const char *path, const picture *image) {
  FILE *file = fopen(path, "wb");
  int failed;
  if (file == NULL) return "it cannot be created";
  fprintf(file, "P%d\n%lld %lld\n255\n", image->channels == 3 ? 6 : 5, (long long)image->width,
          (long long)image->height);
  failed = fwrite(image->samples, 1, picture_bytes(image), file) != picture_bytes(image);
  /* A full disk may show only when the file is closed. */
  failed |= fclose(file) != 0;
  return failed ? "it could not be written to the end" : NULL;
}

/** Loads a picture; PNG files become grey or RGB. Returns NULL or what is wrong. */
static inline const char *picture_load(const char *path, picture *image) {
#if NETCL_EXAMPLE_PNG
  if (picture_has_suffix(path, ".png")) {
    static char message[64];
    const png_color black = {0, 0, 0};
    png_image png;
    memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&png, path)) {
      snprintf(message, sizeof message, "%.63s", png.message);
      return message;
    }
    png.format = (png.format & PNG_FORMAT_FLAG_COLOR) != 0 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    image->width = png.width;
    image->height = png.height;
    image->channels = png.format == PNG_FORMAT_RGB ? 3 : 1;
    image->samples = NULL;
    if (png.width <= PICTURE_SIDE_MAX && png.height <= PICTURE_SIDE_MAX) {
      image->samples = (uint8_t *)malloc(picture_bytes(image));
    }
    if (image->samples == NULL) {
      png_image_free(&png);
      return "it is too large";
    }
    /* Transparent pixels are laid on black. */
    if (!png_image_finish_read(&png, &black, image->samples, 0, NULL)) {
      free(image->samples);
      image->samples = NULL;
      snprintf(message, sizeof message, "%.63s", png.message);
      return message;
    }
    return NULL;
  }
#endif
  if (picture_has_suffix(path, ".ppm") || picture_has_suffix(path, ".pgm")) {
    return picture_load_pnm(path, image);
  }
#if NETCL_EXAMPLE_PNG
  return "its name ends in none of .png .ppm .pgm .npy";
#else
  return "its name ends in none of .ppm .pgm .npy (this build has no libpng)";
#endif
}

/** Saves a picture as PNG, PGM (grey) or PPM, by the end of the name. NULL, or what is wrong. */
static inline const char *picture_save(const char *path, const picture *image) {
#if NETCL_EXAMPLE_PNG
  if (picture_has_suffix(path, ".png")) {
    png_image png;
    memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    png.width = (png_uint_32)image->width;
    png.height = (png_uint_32)image->height;
    png.format = image->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    return png_image_write_to_file(&png, path, 0, image->samples, 0, NULL)
               ? NULL : "it could not be written";
  }
#endif
  if (picture_has_suffix(path, image->channels == 3 ? ".ppm" : ".pgm")) {
    return picture_save_pnm(path, image);
  }
#if NETCL_EXAMPLE_PNG
  return image->channels == 3 ? "the name of a picture in colour ends in .png or .ppm"
                              : "the name of a grey picture ends in .png or .pgm";
#else
  return image->channels == 3
             ? "the name of a picture in colour ends in .ppm (this build has no libpng)"
             : "the name of a grey picture ends in .pgm (this build has no libpng)";
#endif
}

#endif
