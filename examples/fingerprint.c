/*
 * fingerprint: a little real work whose every byte is the same each time on a device, and in each
 * language: bindings/{rust,go,julia} have the same program. It makes a picture, blurs and sharpens
 * it, multiplies it with itself, and prints hashes and a few numbers.
 *
 * usage: fingerprint [DEVICE]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <netcl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kHeight = 64, kWidth = 96, kPixels = kHeight * kWidth };

static void check(netcl_status status) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

/* FNV-1a over the elements in C order, little-endian. */
static uint64_t hash_of(netcl_tensor *tensor) {
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  unsigned char *data;
  uint64_t i;
  check(netcl_tensor_get_info(tensor, &info));
  data = malloc((size_t)info.byte_count);
  if (data == NULL) exit(1);
  check(netcl_tensor_read(tensor, data, (size_t)info.byte_count, NULL, NETCL_WAIT_FOREVER));
  for (i = 0; i < info.byte_count; ++i) hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
  free(data);
  return hash;
}

static void print_hash(const char *name, netcl_tensor *tensor) {
  printf("%-9s %016llx\n", name, (unsigned long long)hash_of(tensor));
}

static netcl_tensor *expression(const char *text, netcl_tensor *a, netcl_tensor *b) {
  netcl_tensor *inputs[2], *result;
  inputs[0] = a;
  inputs[1] = b;
  check(netcl_op_expression_text(text, inputs, b == NULL ? 1 : 2, NULL, NULL, &result));
  return result;
}

static netcl_tensor *make_picture(netcl_device *device) {
  const int64_t shape[4] = {1, 1, kHeight, kWidth};
  unsigned char pixels[kPixels];
  netcl_tensor *bytes, *picture;
  int y, x;
  for (y = 0; y < kHeight; ++y) {
    for (x = 0; x < kWidth; ++x) {
      pixels[y * kWidth + x] = (unsigned char)(x * x + 3 * y * y + 7 * x * y);
    }
  }
  check(netcl_tensor_create_from_host(device, NETCL_U8, 4, shape, NULL, pixels, sizeof pixels, NULL,
                                      &bytes));
  picture = expression("f32(v0) / 255.0", bytes, NULL);
  netcl_tensor_release(bytes);
  return picture;
}

static netcl_tensor *blur(netcl_device *device, netcl_tensor *picture) {
  static const float kWeights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  const int64_t shape[4] = {1, 1, 3, 3};
  const int64_t padding[4] = {1, 1, 1, 1};
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_tensor *weights, *sum, *blurred;
  check(netcl_tensor_create_from_host(device, NETCL_F32, 4, shape, NULL, kWeights, sizeof kWeights,
                                      NULL, &weights));
  memcpy(options.padding, padding, sizeof padding);
  check(netcl_op_conv2d(picture, weights, &options, NULL, &sum));
  blurred = expression("v0 / 16.0", sum, NULL);
  netcl_tensor_release(weights);
  netcl_tensor_release(sum);
  return blurred;
}

/* How alike rows are: the softmax of the products of all rows with all rows. */
static netcl_tensor *compare_rows(netcl_tensor *picture) {
  const int64_t shape[2] = {kHeight, kWidth};
  const uint32_t axes[2] = {1, 0};
  netcl_tensor *rows, *columns, *products, *alike;
  check(netcl_tensor_reshape(picture, 2, shape, NULL, &rows));
  check(netcl_tensor_permute(rows, axes, 2, &columns));
  check(netcl_op_matmul(rows, columns, NULL, NULL, &products));
  print_hash("products", products);
  check(netcl_op_softmax(products, 1, NULL, &alike));
  netcl_tensor_release(rows);
  netcl_tensor_release(columns);
  netcl_tensor_release(products);
  return alike;
}

static void print_means(netcl_tensor *alike) {
  const int32_t axis = 0;
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  netcl_tensor *means;
  float values[kHeight];
  int i;
  options.axes = &axis;
  options.axes_count = 1;
  check(netcl_op_reduce(alike, NETCL_REDUCTION_MEAN, &options, NULL, &means));
  print_hash("means", means);
  check(netcl_tensor_read(means, values, sizeof values, NULL, NETCL_WAIT_FOREVER));
  for (i = 0; i < kHeight; i += 16) printf("row %2d    %.9f\n", i, values[i]);
  netcl_tensor_release(means);
}

int main(int argc, char **argv) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device *device;
  netcl_tensor *picture, *blurred, *sharp, *bytes, *alike;
  check(netcl_device_open(argc > 1 ? argv[1] : "auto", NULL, &device));
  check(netcl_device_get_info(device, &info));
  printf("device    %s\n", info.name);
  picture = make_picture(device);
  print_hash("picture", picture);
  blurred = blur(device, picture);
  print_hash("blurred", blurred);
  sharp = expression("clamp(v0 + 1.5 * (v0 - v1), 0.0, 1.0)", picture, blurred);
  print_hash("sharp", sharp);
  bytes = expression("u8(round(v0 * 255.0))", sharp, NULL);
  print_hash("bytes", bytes);
  alike = compare_rows(sharp);
  print_hash("alike", alike);
  print_means(alike);
  netcl_tensor_release(picture);
  netcl_tensor_release(blurred);
  netcl_tensor_release(sharp);
  netcl_tensor_release(bytes);
  netcl_tensor_release(alike);
  netcl_device_release(device);
  return 0;
}
