/*
 * The network that is trained: two convolutions with batch normalisation, relu and pooling, then a
 * dense layer. Its loss is recorded; its parameters are moved by Adam.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_MODEL_H
#define NETCL_EXAMPLE_MODEL_H

#include <math.h>

#include "../check.h"

#define PARAMETERS 8
#define CLASSES 10

/* Random bits that are the same in every language (Numerical Recipes' generator). */
static uint32_t random_state = 1;
static uint32_t random_bits(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 8;
}

typedef struct model {
  netcl_device *device;
  netcl_tensor *parameters[PARAMETERS];  /* in the order of kShapes */
  netcl_tensor *averages[PARAMETERS];    /* Adam's, of gradients */
  netcl_tensor *squares[PARAMETERS];     /* of their squares */
  netcl_tensor *steps;                   /* how many there were */
  netcl_tensor *statistics[2][2];        /* mean and variance of both normalisations */
} model;

enum { CONV1, SCALE1, SHIFT1, CONV2, SCALE2, SHIFT2, DENSE, BIAS };
static const struct {
  uint32_t rank;
  int64_t shape[4];
  int fan_in;       /* 0: not random, but `value` */
  float value;
} kShapes[PARAMETERS] = {{4, {8, 1, 3, 3}, 9, 0},   {1, {8}, 0, 1},  {1, {8}, 0, 0},
                         {4, {16, 8, 3, 3}, 72, 0}, {1, {16}, 0, 1}, {1, {16}, 0, 0},
                         {2, {784, 10}, 784, 0},    {1, {10}, 0, 0}};

static netcl_tensor *zeros(netcl_device *device, uint32_t rank, const int64_t *shape) {
  netcl_tensor *tensor = NULL;
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, rank, shape, NULL, NULL, &tensor));
  return tensor;
}

/* Uniform numbers within He's bound, sqrt(6 / fan in). */
static netcl_tensor *first_values(netcl_device *device, int which) {
  const int64_t *shape = kShapes[which].shape;
  netcl_tensor *tensor = NULL;
  int64_t count = 1, i;
  uint32_t d;
  float *values, bound = kShapes[which].fan_in ? sqrtf(6.0f / (float)kShapes[which].fan_in) : 0;
  for (d = 0; d < kShapes[which].rank; ++d) count *= shape[d];
  values = (float *)allocate((size_t)count * sizeof *values);
  for (i = 0; i < count; ++i) {
    values[i] = kShapes[which].value;
    if (bound > 0) values[i] = ((float)random_bits() / 8388608.0f - 1.0f) * bound;
  }
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, kShapes[which].rank, shape, NULL, values,
                                      (size_t)count * sizeof *values, NULL, &tensor));
  free(values);
  return tensor;
}

static model model_make(netcl_device *device) {
  const int64_t channels[2] = {8, 16};
  const float one = 1;
  model net;
  int i;
  memset(&net, 0, sizeof net);
  net.device = device;
  CHECK(netcl_tensor_create_zeros(device, NETCL_I64, 0, NULL, NULL, NULL, &net.steps));
  for (i = 0; i < PARAMETERS; ++i) {
    net.parameters[i] = first_values(device, i);
    net.averages[i] = zeros(device, kShapes[i].rank, kShapes[i].shape);
    net.squares[i] = zeros(device, kShapes[i].rank, kShapes[i].shape);
  }
  for (i = 0; i < 2; ++i) {
    net.statistics[i][0] = zeros(device, 1, &channels[i]);
    CHECK(netcl_tensor_create_full(device, NETCL_F32, 1, &channels[i], NULL, &one, NULL,
                                   &net.statistics[i][1]));
  }
  return net;
}

static void model_release(model *net) {
  int i, k;
  netcl_tensor_release(net->steps);
  for (i = 0; i < PARAMETERS; ++i) {
    netcl_tensor_release(net->parameters[i]);
    netcl_tensor_release(net->averages[i]);
    netcl_tensor_release(net->squares[i]);
  }
  for (i = 0; i < 2; ++i) {
    for (k = 0; k < 2; ++k) netcl_tensor_release(net->statistics[i][k]);
  }
}

/* Convolution, batch normalisation with relu, and the maximum of each 2 x 2. Takes x over. */
static netcl_tensor *run_stage(const model *net, int which, netcl_tensor *x, int training,
                           const netcl_run_options *run) {
  netcl_conv2d_options conv = NETCL_CONV2D_OPTIONS_INIT;
  netcl_batchnorm_options norm = NETCL_BATCHNORM_OPTIONS_INIT;
  static const int64_t two[] = {2};
  netcl_pooling_options pool = NETCL_POOLING_OPTIONS_INIT;
  netcl_tensor *wide = NULL, *normal = NULL, *pooled = NULL;
  const int first = which == 0 ? CONV1 : CONV2;
  int i;
  for (i = 0; i < 4; ++i) conv.padding[i] = 1;
  pool.window = pool.strides = two;
  pool.window_count = pool.strides_count = 1;
  norm.scale = net->parameters[first + 1];
  norm.bias = net->parameters[first + 2];
  norm.activation = NETCL_ACTIVATION_RELU;
  norm.training = training ? 1 : 0;
  CHECK(netcl_op_conv2d(x, net->parameters[first], &conv, run, &wide));
  CHECK(netcl_op_batchnorm(wide, net->statistics[which][0], net->statistics[which][1], &norm, run,
                           &normal));
  CHECK(netcl_op_pool(normal, NETCL_POOLING_MAX, &pool, run, &pooled));
  netcl_tensor_release(x);
  netcl_tensor_release(wide);
  netcl_tensor_release(normal);
  return pooled;
}

/* The logits [count, 10] of bytes [count, 1, 28, 28]; recorded when run->graph is set. */
static netcl_tensor *forward(const model *net, netcl_tensor *bytes, int training,
                             const netcl_run_options *run) {
  const int64_t flat[2] = {-1, 784};
  netcl_epilogue bias = NETCL_EPILOGUE_INIT;
  netcl_matmul_options dense = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *x = NULL, *features = NULL, *logits = NULL;
  CHECK(netcl_op_expression_text("f32(v0) / 255.0", &bytes, 1, NULL, NULL, &x));
  x = run_stage(net, 0, x, training, run);
  x = run_stage(net, 1, x, training, run);
  CHECK(netcl_tensor_reshape(x, 2, flat, run, &features));
  bias.bias = net->parameters[BIAS];
  dense.epilogue = &bias;
  CHECK(netcl_op_matmul(features, net->parameters[DENSE], &dense, run, &logits));
  netcl_tensor_release(x);
  netcl_tensor_release(features);
  return logits;
}

/* One step of Adam with the averages 0.9 and 0.999, which are its defaults. */
static void adam(model *net, netcl_tensor *const *gradients, double rate) {
  CHECK(netcl_op_adam(net->parameters, PARAMETERS, gradients, PARAMETERS, net->averages, PARAMETERS,
                      net->squares, PARAMETERS, net->steps, rate, NULL, NULL));
}

#endif
