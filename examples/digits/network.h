/*
 * The network of digits: weights from .npy files, and one pass over a batch of images.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_NETWORK_H
#define NETCL_EXAMPLE_NETWORK_H

#include "../mnist.h"

typedef struct stage {
  netcl_tensor *w;
  netcl_conv2d_batchnorm norm;
} stage;

typedef struct network {
  stage stages[2];
  netcl_tensor *dense_w;
  netcl_tensor *dense_b;
} network;

static netcl_tensor *load_weight(netcl_device *device, const char *folder, const char *name) {
  char path[4096];
  netcl_tensor *tensor = NULL;
  snprintf(path, sizeof path, "%s/%s.npy", folder, name);
  CHECK(netcl_tensor_load_npy(device, path, NULL, &tensor));
  return tensor;
}

static network network_load(netcl_device *device, const char *folder) {
  static const char *const kNames[2][5] = {
      {"conv1_w", "norm1_scale", "norm1_bias", "norm1_mean", "norm1_variance"},
      {"conv2_w", "norm2_scale", "norm2_bias", "norm2_mean", "norm2_variance"}};
  static const netcl_conv2d_batchnorm kNorm = NETCL_CONV2D_BATCHNORM_INIT;
  network net;
  int i;
  for (i = 0; i < 2; ++i) {
    stage *s = &net.stages[i];
    s->norm = kNorm;
    s->w = load_weight(device, folder, kNames[i][0]);
    s->norm.scale = load_weight(device, folder, kNames[i][1]);
    s->norm.bias = load_weight(device, folder, kNames[i][2]);
    s->norm.mean = load_weight(device, folder, kNames[i][3]);
    s->norm.variance = load_weight(device, folder, kNames[i][4]);
  }
  net.dense_w = load_weight(device, folder, "dense_w");
  net.dense_b = load_weight(device, folder, "dense_b");
  return net;
}

static void network_release(network *net) {
  int i;
  for (i = 0; i < 2; ++i) {
    netcl_tensor_release(net->stages[i].w);
    netcl_tensor_release(net->stages[i].norm.scale);
    netcl_tensor_release(net->stages[i].norm.bias);
    netcl_tensor_release(net->stages[i].norm.mean);
    netcl_tensor_release(net->stages[i].norm.variance);
  }
  netcl_tensor_release(net->dense_w);
  netcl_tensor_release(net->dense_b);
}

/* Convolution, batch normalisation and relu in one call, then the maximum of each 2x2. */
static netcl_tensor *run_stage(const stage *s, netcl_tensor *x, netcl_variant variant,
                               uint32_t winograd_tile) {
  netcl_epilogue relu = NETCL_EPILOGUE_INIT;
  netcl_conv2d_options conv = NETCL_CONV2D_OPTIONS_INIT;
  static const int64_t two[] = {2};
  netcl_pooling_options pool = NETCL_POOLING_OPTIONS_INIT;
  netcl_tensor *wide = NULL, *pooled = NULL;
  int i;
  relu.activation = NETCL_ACTIVATION_RELU;
  conv.epilogue = &relu;
  conv.batchnorm = &s->norm;
  for (i = 0; i < 4; ++i) conv.padding[i] = 1;
  conv.variant = variant;
  conv.winograd_tile = winograd_tile;
  CHECK(netcl_op_conv2d(x, s->w, &conv, NULL, &wide));
  pool.window = pool.strides = two;
  pool.window_count = pool.strides_count = 1;
  CHECK(netcl_op_pool(wide, NETCL_POOLING_MAX, &pool, NULL, &pooled));
  netcl_tensor_release(wide);
  netcl_tensor_release(x);
  return pooled;
}

/* The probabilities [count, 10] of bytes [count, 28, 28]. */
static netcl_tensor *network_run(netcl_device *device, const network *net, const uint8_t *pixels,
                                 int64_t count, netcl_variant variant, uint32_t winograd_tile) {
  const int64_t shape[4] = {count, 1, IMAGE_SIDE, IMAGE_SIDE}, flat[2] = {count, -1};
  netcl_epilogue bias = NETCL_EPILOGUE_INIT;
  netcl_matmul_options dense = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *bytes = NULL, *x = NULL, *features = NULL, *logits = NULL, *odds = NULL;
  int i;
  CHECK(netcl_tensor_create_from_host(device, NETCL_U8, 4, shape, NULL, pixels,
                                      (size_t)(count * IMAGE_PIXELS), NULL, &bytes));
  CHECK(netcl_op_expression_text("f32(v0) / 255.0", &bytes, 1, NULL, NULL, &x));
  for (i = 0; i < 2; ++i) x = run_stage(&net->stages[i], x, variant, winograd_tile);
  CHECK(netcl_tensor_reshape(x, 2, flat, NULL, &features));
  bias.bias = net->dense_b;
  dense.epilogue = &bias;
  CHECK(netcl_op_matmul(features, net->dense_w, &dense, NULL, &logits));
  CHECK(netcl_op_softmax(logits, 1, NULL, &odds));
  netcl_tensor_release(bytes);
  netcl_tensor_release(x);
  netcl_tensor_release(features);
  netcl_tensor_release(logits);
  return odds;
}

#endif
