/*
 * Pictures as models take them, made on the device: a part of a picture is resized by two matrix
 * products, and each sample becomes (sample / 255 - mean) / deviation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_PREPARE_H
#define NETCL_EXAMPLE_PREPARE_H

#include <math.h>

#include "../check.h"
#include "../picture.h"

/* What is wanted of a picture: it is resized to height x width, and of that the rows and columns
 * from (top, left) on are taken. */
typedef struct view {
  int64_t height, width;
  int64_t top, left;
  int64_t rows, columns;
} view;

/* How samples of red, green and blue become elements. */
typedef struct look {
  float mean[3];
  float deviation[3];
  int blue_first;
} look;

/* What networks that learned ImageNet take, and those of PP-OCR. */
static const look kImageNet = {{0.485f, 0.456f, 0.406f}, {0.229f, 0.224f, 0.225f}, 0};
static const look kOcr = {{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}, 1};

/* [count, from]: row i has the weights by which the samples of an axis make sample first + i of
 * `to`: linear between neighbours, and over more of them where the axis shrinks. */
static netcl_tensor *resize_matrix(netcl_device *device, int64_t from, int64_t to, int64_t first,
                                   int64_t count) {
  const int64_t shape[2] = {count, from};
  const double scale = (double)from / (double)to, reach = scale > 1 ? scale : 1;
  float *weights = (float *)allocate((size_t)(count * from) * sizeof(float));
  netcl_tensor *matrix = NULL;
  int64_t i, k;
  for (i = 0; i < count; ++i) {
    const double center = ((double)(first + i) + 0.5) * scale - 0.5;
    double sum = 0;
    for (k = 0; k < from; ++k) {
      const double near = 1 - fabs((double)k - center) / reach;
      sum += near > 0 ? near : 0;
    }
    for (k = 0; k < from; ++k) {
      const double near = 1 - fabs((double)k - center) / reach;
      weights[i * from + k] = (float)(near > 0 ? near / sum : 0);
    }
  }
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, weights,
                                      (size_t)(count * from) * sizeof(float), NULL, &matrix));
  free(weights);
  return matrix;
}

/* [3, 1, 1] of three numbers. */
static netcl_tensor *per_channel(netcl_device *device, const float *numbers) {
  const int64_t shape[3] = {3, 1, 1};
  netcl_tensor *tensor = NULL;
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, 3, shape, NULL, numbers,
                                      3 * sizeof(float), NULL, &tensor));
  return tensor;
}

/* The picture as f32 [channels, height, width]. */
static netcl_tensor *planes_of(netcl_device *device, const picture *image, int blue_first) {
  const int64_t shape[3] = {image->height, image->width, image->channels};
  const uint32_t axes[3] = {2, 0, 1};
  netcl_tensor *pixels = NULL, *planes = NULL, *wide = NULL;
  CHECK(netcl_tensor_create_from_host(device, NETCL_U8, 3, shape, NULL, image->samples,
                                      picture_bytes(image), NULL, &pixels));
  CHECK(netcl_tensor_permute(pixels, axes, 3, &planes));
  if (blue_first && image->channels == 3) {
    const netcl_range ranges[3] = {{2, 3, -1}, {0, image->height, 1}, {0, image->width, 1}};
    netcl_tensor *turned = NULL;
    CHECK(netcl_tensor_slice(planes, ranges, 3, &turned));
    netcl_tensor_release(planes);
    planes = turned;
  }
  CHECK(netcl_op_cast(planes, NETCL_F32, NULL, &wide));
  netcl_tensor_release(planes);
  netcl_tensor_release(pixels);
  return wide;
}

/* The input of a model, f32 [1, 3, rows, columns]; grey pictures have three equal channels. */
static netcl_tensor *prepare(netcl_device *device, const picture *image, const view *part,
                             const look *how) {
  const int64_t shape[4] = {1, 3, part->rows, part->columns};
  const uint32_t transposed[2] = {1, 0};
  netcl_tensor *planes = planes_of(device, image, how->blue_first);
  netcl_tensor *down = resize_matrix(device, image->height, part->height, part->top, part->rows);
  netcl_tensor *across =
      resize_matrix(device, image->width, part->width, part->left, part->columns);
  netcl_tensor *turned = NULL, *rows = NULL, *inputs[3] = {NULL, NULL, NULL}, *made = NULL;
  netcl_tensor *result = NULL;
  CHECK(netcl_op_matmul(down, planes, NULL, NULL, &rows));
  CHECK(netcl_tensor_permute(across, transposed, 2, &turned));
  CHECK(netcl_op_matmul(rows, turned, NULL, NULL, &inputs[0]));
  inputs[1] = per_channel(device, how->mean);
  inputs[2] = per_channel(device, how->deviation);
  CHECK(netcl_op_expression_text("(v0 / 255.0f - v1) / v2", inputs, 3, NULL, NULL, &made));
  CHECK(netcl_tensor_reshape(made, 4, shape, NULL, &result));
  netcl_tensor_release(planes);
  netcl_tensor_release(down);
  netcl_tensor_release(across);
  netcl_tensor_release(turned);
  netcl_tensor_release(rows);
  netcl_tensor_release(inputs[0]);
  netcl_tensor_release(inputs[1]);
  netcl_tensor_release(inputs[2]);
  netcl_tensor_release(made);
  return result;
}

/* The middle of the picture whose shorter side is 256 in a resized one: 224 x 224. */
static view middle_of(const picture *image) {
  const int64_t shorter = image->height < image->width ? image->height : image->width;
  view part;
  part.height = image->height * 256 / shorter;
  part.width = image->width * 256 / shorter;
  part.rows = part.columns = 224;
  part.top = (part.height - 224) / 2;
  part.left = (part.width - 224) / 2;
  return part;
}

/* All of the picture, in so many pixels. */
static view whole(int64_t height, int64_t width) {
  view part;
  part.height = part.rows = height;
  part.width = part.columns = width;
  part.top = part.left = 0;
  return part;
}

/* Runs a model of one input and one output; gives the output's elements, to be freed, and its
 * shape. */
static float *run_model(netcl_model *model, netcl_tensor *input, netcl_tensor_info *info) {
  netcl_tensor *output = NULL;
  uint32_t count = 0;
  float *elements;
  CHECK(netcl_model_evaluate(model, &input, 1, NULL, &output, 1, &count));
  CHECK(netcl_tensor_get_info(output, info));
  if (info->dtype != NETCL_F32) fail("the model", "its output is not of f32");
  elements = (float *)allocate((size_t)info->element_count * sizeof(float));
  CHECK(netcl_tensor_read(output, elements, (size_t)info->element_count * sizeof(float), NULL,
                          PATIENCE_NS));
  netcl_tensor_release(output);
  return elements;
}

#endif
