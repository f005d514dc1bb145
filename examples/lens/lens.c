/*
 * lens: a photo pipeline of ops and expressions alone, so it runs on every device.
 *
 * usage: lens [picture.png|.ppm|.pgm] [--device SELECTOR] [--out PREFIX]
 *
 *   blur       separable Gaussian, two depthwise convolutions over padded edges
 *   sharpen    the picture plus 0.8 of what the blur took away
 *   edges      grey, Sobel by one convolution with two filters, threshold of the squared gradient
 *   histogram  of the grey levels
 *   half       linear resizing to half the size
 *
 * Each result is compared with plain C (lens.h): within 1 level of 255, the edges and the histogram
 * equal; else the program ends with 1. It writes PREFIX_sharp, PREFIX_edges and PREFIX_half, .png
 * where libpng was there and .pgm or .ppm where not, and prints the histogram.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "lens.h"

static netcl_device *device;

/* ---- Small helpers over tensors ---- */

static netcl_tensor *from_floats(const float *values, uint32_t rank, const int64_t *shape) {
  netcl_tensor *tensor = NULL;
  size_t count = 1;
  uint32_t d;
  for (d = 0; d < rank; ++d) count *= (size_t)shape[d];
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, rank, shape, NULL, values,
                                      count * sizeof(float), NULL, &tensor));
  return tensor;
}

static netcl_tensor *evaluate(const char *text, netcl_tensor *a, netcl_tensor *b,
                              netcl_tensor *c) {
  netcl_tensor *inputs[3] = {NULL, NULL, NULL}, *result = NULL;
  inputs[0] = a;
  inputs[1] = b;
  inputs[2] = c;
  CHECK(netcl_op_expression_text(text, inputs, c != NULL ? 3 : b != NULL ? 2 : 1, NULL, NULL,
                                 &result));
  return result;
}

/* Repeats the edge around the last two dimensions of [N, C, H, W]. */
static netcl_tensor *pad_edges(netcl_tensor *x, int64_t rows, int64_t columns) {
  const int64_t pads[8] = {0, 0, rows, columns, 0, 0, rows, columns};
  netcl_pad_options options = NETCL_PAD_OPTIONS_INIT;
  netcl_tensor *padded = NULL;
  options.mode = NETCL_PAD_EDGE;
  CHECK(netcl_op_pad(x, pads, 8, &options, NULL, &padded));
  return padded;
}

static netcl_tensor *convolve(netcl_tensor *x, netcl_tensor *w, int64_t groups) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_tensor *result = NULL;
  options.groups = groups;
  CHECK(netcl_op_conv2d(x, w, &options, NULL, &result));
  return result;
}

/* Channel `c` of [1, C, H, W] as [1, 1, H, W]. */
static netcl_tensor *channel(netcl_tensor *x, int64_t c, const picture *image) {
  netcl_range ranges[4];
  netcl_tensor *view = NULL;
  int d;
  for (d = 0; d < 4; ++d) {
    ranges[d].start = d == 1 ? c : 0;
    ranges[d].extent = d == 2 ? image->height : d == 3 ? image->width : 1;
    ranges[d].step = 1;
  }
  CHECK(netcl_tensor_slice(x, ranges, 4, &view));
  return view;
}

/* ---- The pipeline ---- */

/* The picture [H, W, C] of bytes as [1, C, H, W] of floats. */
static netcl_tensor *as_floats(const picture *image) {
  const uint32_t order[4] = {0, 3, 1, 2};
  const int64_t shape[4] = {1, image->height, image->width, image->channels};
  netcl_tensor *bytes = NULL, *planes = NULL, *floats = NULL;
  CHECK(netcl_tensor_create_from_host(device, NETCL_U8, 4, shape, NULL, image->samples,
                                      picture_bytes(image), NULL, &bytes));
  CHECK(netcl_tensor_permute(bytes, order, 4, &planes));
  CHECK(netcl_op_cast(planes, NETCL_F32, NULL, &floats));
  netcl_tensor_release(bytes);
  netcl_tensor_release(planes);
  return floats;
}

static netcl_tensor *blur(netcl_tensor *x, int64_t channels) {
  float weights[3 * TAPS];
  const int64_t down[4] = {channels, 1, TAPS, 1}, across[4] = {channels, 1, 1, TAPS};
  netcl_tensor *w, *padded, *half, *result;
  int i;
  for (i = 0; i < 3 * TAPS; ++i) weights[i] = gaussian_weight(i % TAPS);
  w = from_floats(weights, 4, down);
  padded = pad_edges(x, TAPS / 2, 0);
  half = convolve(padded, w, channels);
  netcl_tensor_release(w);
  netcl_tensor_release(padded);
  w = from_floats(weights, 4, across);
  padded = pad_edges(half, 0, TAPS / 2);
  result = convolve(padded, w, channels);
  netcl_tensor_release(w);
  netcl_tensor_release(padded);
  netcl_tensor_release(half);
  return result;
}

static netcl_tensor *to_grey(netcl_tensor *x, const picture *image) {
  netcl_tensor *c[3], *grey;
  int i;
  for (i = 0; i < 3; ++i) c[i] = channel(x, image->channels == 3 ? i : 0, image);
  grey = evaluate(GREY_TEXT, c[0], c[1], c[2]);
  for (i = 0; i < 3; ++i) netcl_tensor_release(c[i]);
  return grey;
}

/* Grey levels are whole numbers, so Sobel and the squares are exact in f32. */
static netcl_tensor *find_edges(netcl_tensor *grey, const picture *image) {
  const int64_t shape[4] = {2, 1, 3, 3};
  netcl_tensor *w = from_floats(kSobel, 4, shape), *padded = pad_edges(grey, 1, 1);
  netcl_tensor *gradient = convolve(padded, w, 1);
  netcl_tensor *gx = channel(gradient, 0, image), *gy = channel(gradient, 1, image);
  netcl_tensor *edges = evaluate(EDGE_TEXT, gx, gy, NULL);
  netcl_tensor_release(w);
  netcl_tensor_release(padded);
  netcl_tensor_release(gradient);
  netcl_tensor_release(gx);
  netcl_tensor_release(gy);
  return edges;
}

static netcl_tensor *halve(netcl_tensor *x, const picture *image) {
  const int64_t shape[4] = {1, image->channels, half_of(image->height), half_of(image->width)};
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  netcl_tensor *small = NULL, *bytes;
  options.mode = NETCL_RESIZE_LINEAR;
  CHECK(netcl_op_resize(x, 4, shape, &options, NULL, &small));
  bytes = evaluate(TO_BYTES_TEXT, small, NULL, NULL);
  netcl_tensor_release(small);
  return bytes;
}

/* ---- Checking and showing ---- */

/* Reads [1, C, H, W] of bytes as a picture. */
static picture read_picture(netcl_tensor *planes, int64_t height, int64_t width,
                            int64_t channels) {
  const uint32_t order[4] = {0, 2, 3, 1};
  netcl_tensor *pixels = NULL;
  picture image;
  image.height = height;
  image.width = width;
  image.channels = channels;
  image.samples = (uint8_t *)allocate(picture_bytes(&image));
  memset(image.samples, 0xa5, picture_bytes(&image));
  CHECK(netcl_tensor_permute(planes, order, 4, &pixels));
  CHECK(netcl_tensor_read(pixels, image.samples, picture_bytes(&image), NULL, PATIENCE_NS));
  netcl_tensor_release(pixels);
  netcl_tensor_release(planes);
  return image;
}

/* Compares with the reference, writes the picture, frees both; 1 when it is right. */
static int finish_picture(const char *name, picture *image, uint8_t *expected, int allowed,
                          const char *prefix) {
  char path[4096];
  int worst = 0;
  size_t i;
  const char *problem;
  for (i = 0; i < picture_bytes(image); ++i) {
    const int off = abs((int)image->samples[i] - (int)expected[i]);
    if (off > worst) worst = off;
  }
  snprintf(path, sizeof path, "%s_%s.%s", prefix, name,
           NETCL_EXAMPLE_PNG ? "png" : image->channels == 3 ? "ppm" : "pgm");
  problem = picture_save(path, image);
  if (problem != NULL) fail(path, problem);
  printf("  %-10s %5ld x %-5ld furthest from plain C: %d of %d allowed   %s\n", name,
         (long)image->width, (long)image->height, worst, allowed, picture_file_name(path));
  free(image->samples);
  free(expected);
  return worst <= allowed;
}

/* Prints the histogram as bars and compares its counts; 1 when they are equal. */
static int finish_histogram(netcl_tensor *counted, const int64_t *expected) {
  int64_t counts[LEVELS], groups[16] = {0}, most = 1;
  int i, equal = 1, k;
  CHECK(netcl_tensor_read(counted, counts, sizeof counts, NULL, PATIENCE_NS));
  netcl_tensor_release(counted);
  for (i = 0; i < LEVELS; ++i) {
    if (counts[i] != expected[i]) equal = 0;
    groups[i / 16] += counts[i];
  }
  for (i = 0; i < 16; ++i) most = groups[i] > most ? groups[i] : most;
  printf("  histogram of grey levels, %s to plain C\n", equal ? "equal" : "NOT equal");
  for (i = 0; i < 16; ++i) {
    printf("    %3d-%3d %8ld ", 16 * i, 16 * i + 15, (long)groups[i]);
    for (k = 0; k < groups[i] * 48 / most; ++k) putchar('#');
    putchar('\n');
  }
  return equal;
}

static int run(const picture *image, const char *prefix) {
  netcl_histogram_options levels = NETCL_HISTOGRAM_OPTIONS_INIT;
  netcl_tensor *counted = NULL, *x, *soft, *grey, *sharp, *edges, *small;
  reference expected = make_reference(image);
  const uint64_t start = now_ns();
  uint64_t end;
  picture pictures[3];
  int right;
  levels.high = LEVELS;
  x = as_floats(image);
  soft = blur(x, image->channels);
  sharp = evaluate(SHARPEN_TEXT, x, soft, NULL);
  grey = to_grey(x, image);
  edges = find_edges(grey, image);
  CHECK(netcl_op_histogram(grey, LEVELS, &levels, NULL, &counted));
  small = halve(x, image);
  CHECK(netcl_device_finish(device, PATIENCE_NS));
  end = now_ns();
  netcl_tensor_release(x);
  netcl_tensor_release(soft);
  netcl_tensor_release(grey);
  pictures[0] = read_picture(sharp, image->height, image->width, image->channels);
  pictures[1] = read_picture(edges, image->height, image->width, 1);
  pictures[2] = read_picture(small, half_of(image->height), half_of(image->width),
                             image->channels);
  printf("  all steps, first run: %.2f ms\n", (double)(end - start) * 1e-6);
  right = finish_picture("sharp", &pictures[0], expected.sharp, 1, prefix);
  right &= finish_picture("edges", &pictures[1], expected.edges, 0, prefix);
  right &= finish_picture("half", &pictures[2], expected.half, 1, prefix);
  right &= finish_histogram(counted, expected.histogram);
  return right;
}

int main(int count, char **words) {
  const char *path = NULL, *selector = "auto", *prefix = "lens";
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  picture image;
  int i, right;
  program_name = "lens";
  for (i = 1; i < count; ++i) {
    if (strcmp(words[i], "--device") == 0 && i + 1 < count) selector = words[++i];
    else if (strcmp(words[i], "--out") == 0 && i + 1 < count) prefix = words[++i];
    else if (words[i][0] != '-' && path == NULL) path = words[i];
    else fail(words[i], "usage: lens [picture] [--device SELECTOR] [--out PREFIX]");
  }
  if (path != NULL) {
    const char *problem = picture_load(path, &image);
    if (problem != NULL) fail(path, problem);
  } else {
    image = generate_picture();
  }
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  printf("%s: %s, %ld x %ld\n", info.name, path != NULL ? picture_file_name(path) : "generated",
         (long)image.width, (long)image.height);
  right = run(&image, prefix);
  free(image.samples);
  netcl_device_release(device);
  if (!right) fail("result", "it differs from plain C");
  return 0;
}
