/*
 * digits: a small convolutional network reads handwritten digits.
 *
 * usage: digits [MNIST_FOLDER] [--weights FOLDER] [--device SELECTOR] [--out mistakes.pgm]
 *
 *   conv 3x3, batchnorm, relu, max pool; the same again; matmul, bias, softmax     (train.py)
 *
 * It runs on the built-in CPU device, an OpenCL CPU device and a GPU, those that there are, and
 * with every convolution variant of each; the digit read must be the same every time. With
 * MNIST_FOLDER (t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte) the accuracy is measured, on the
 * images that training never saw too; below 97 % of those the program ends with 1. Without it the
 * program draws digits of its own, checks agreement only, and says that accuracy was not measured.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "network.h"

#include "images.h"

#define BATCH 1000
#define HELD_OUT_EVERY 5
#define ACCURACY_LEAST 0.97

/* The digit with the highest probability for each image, and how many images per second. */
static double classify(netcl_device *device, const network *net, const image_set *images,
                       netcl_variant variant, uint32_t winograd_tile, int64_t *digits) {
  const int32_t axes[1] = {1};
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  uint64_t start;
  int64_t at;
  options.axes = axes;
  options.axes_count = 1;
  memset(digits, 0xff, (size_t)images->count * sizeof *digits);
  start = now_ns();
  for (at = 0; at < images->count; at += BATCH) {
    const int64_t count = images->count - at < BATCH ? images->count - at : BATCH;
    netcl_tensor *odds = network_run(device, net, images->pixels + at * IMAGE_PIXELS, count,
                                     variant, winograd_tile);
    netcl_tensor *best = NULL;
    CHECK(netcl_op_reduce(odds, NETCL_REDUCTION_ARGMAX, &options, NULL, &best));
    CHECK(netcl_tensor_read(best, digits + at, (size_t)count * sizeof *digits, NULL,
                            PATIENCE_NS));
    netcl_tensor_release(odds);
    netcl_tensor_release(best);
  }
  return (double)images->count / ((double)(now_ns() - start) * 1e-9);
}

/* Runs every variant on one device; 0 when one of them reads a digit differently. */
static int check_device(netcl_device *device, const char *weights, const image_set *images,
                        int64_t *expected, int *expected_known) {
  static const struct {
    netcl_variant variant;
    uint32_t tile;
    const char *name;
  } kVariants[] = {{0, 0, "chosen"},
                   {NETCL_VARIANT_CONV2D_NAIVE, 0, "naive"},
                   {NETCL_VARIANT_CONV2D_IM2COL, 0, "im2col"},
                   {NETCL_VARIANT_CONV2D_IMPLICIT_GEMM, 0, "implicit_gemm"},
                   {NETCL_VARIANT_CONV2D_TILED_LOCAL, 0, "tiled_local"},
                   {NETCL_VARIANT_CONV2D_WINOGRAD, 2, "winograd F(2,3)"},
                   {NETCL_VARIANT_CONV2D_WINOGRAD, 4, "winograd F(4,3)"}};
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  int64_t *digits = (int64_t *)allocate((size_t)images->count * sizeof *digits);
  network net = network_load(device, weights);
  size_t v;
  int64_t i;
  int same = 1;
  CHECK(netcl_device_get_info(device, &info));
  printf("%s\n", info.name);
  for (v = 0; v < sizeof kVariants / sizeof *kVariants; ++v) {
    double rate;
    int64_t different = 0;
    classify(device, &net, images, kVariants[v].variant, kVariants[v].tile, digits);
    rate = classify(device, &net, images, kVariants[v].variant, kVariants[v].tile, digits);
    if (!*expected_known) {
      memcpy(expected, digits, (size_t)images->count * sizeof *digits);
      *expected_known = 1;
    }
    for (i = 0; i < images->count; ++i) different += digits[i] != expected[i];
    printf("  %-16s %8.0f images/s   %s", kVariants[v].name, rate,
           different == 0 ? "the same digits\n" : "");
    if (different != 0) printf("%ld digits DIFFER\n", (long)different);
    if (different != 0) same = 0;
  }
  network_release(&net);
  free(digits);
  return same;
}

/* Prints right and wrong answers per digit; gives the share of right ones among the held-out. */
static double print_accuracy(const image_set *images, const int64_t *digits) {
  int64_t table[10][10] = {{0}}, right = 0, held_right = 0, held = 0, i;
  int row, column;
  for (i = 0; i < images->count; ++i) {
    const int hit = digits[i] == images->labels[i];
    table[images->labels[i]][digits[i]]++;
    right += hit;
    if (i % HELD_OUT_EVERY == HELD_OUT_EVERY - 1) {
      held_right += hit;
      ++held;
    }
  }
  printf("\n  digit   read as 0     1     2     3     4     5     6     7     8     9\n");
  for (row = 0; row < 10; ++row) {
    printf("  %5d      ", row);
    for (column = 0; column < 10; ++column) printf(" %5ld", (long)table[row][column]);
    printf("\n");
  }
  printf("\n  all %ld images: %.2f %%; %ld held out of training: %.2f %%\n", (long)images->count,
         100.0 * (double)right / (double)images->count, (long)held,
         100.0 * (double)held_right / (double)held);
  return (double)held_right / (double)held;
}

int main(int count, char **words) {
  static const char *const kSelectors[] = {"builtin", "cpu", "gpu"};
  const char *folder = NULL, *weights = NETCL_EXAMPLE_DIGITS_WEIGHTS, *selector = NULL;
  const char *out = NETCL_EXAMPLE_PNG ? "mistakes.png" : "mistakes.pgm";
  image_set images;
  int64_t *digits;
  double accuracy = 1;
  int i, known = 0, same = 1;
  program_name = "digits";
  for (i = 1; i < count; ++i) {
    if (strcmp(words[i], "--weights") == 0 && i + 1 < count) weights = words[++i];
    else if (strcmp(words[i], "--device") == 0 && i + 1 < count) selector = words[++i];
    else if (strcmp(words[i], "--out") == 0 && i + 1 < count) out = words[++i];
    else if (words[i][0] != '-' && folder == NULL) folder = words[i];
    else fail(words[i], "usage: digits [MNIST_FOLDER] [--weights FOLDER] [--device SELECTOR]");
  }
  images = folder != NULL ? load_images(folder) : draw_images();
  digits = (int64_t *)allocate((size_t)images.count * sizeof *digits);
  for (i = 0; i < (selector != NULL ? 1 : 3); ++i) {
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    netcl_device *device = NULL;
    const char *wanted = selector != NULL ? selector : kSelectors[i];
    const netcl_status status = netcl_device_open(wanted, NULL, &device);
    if (selector == NULL && status == NETCL_ERROR_NO_DEVICE) {
      printf("%s: none here\n", wanted);
      continue;
    }
    check(status, "netcl_device_open(");
    CHECK(netcl_device_get_info(device, &info));
    /* Without OpenCL, "cpu" is the built-in device, which was first. */
    if (selector == NULL && i == 1 && info.backend == NETCL_BACKEND_BUILTIN) {
      printf("cpu: no OpenCL device here\n");
    } else {
      same &= check_device(device, weights, &images, digits, &known);
    }
    netcl_device_release(device);
  }
  if (images.labels != NULL) {
    accuracy = print_accuracy(&images, digits);
  } else {
    printf("\n  %ld drawn digits; accuracy was not measured, since no MNIST folder was given\n",
           (long)images.count);
  }
  save_sheet(out, &images, digits);
  free_images(&images);
  free(digits);
  if (!same) fail("agreement", "not all devices and variants read the same digits");
  if (accuracy < ACCURACY_LEAST) fail("accuracy", "below 97 % of the held-out images");
  return 0;
}
