/*
 * The networks of bench_train, and one step of training each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_BENCH_SUPPORT_NETWORKS_H
#define NETCL_BENCH_SUPPORT_NETWORKS_H

#include <math.h>
#include <stdint.h>

#include "../../examples/transformer/model.h"

enum { BATCH = 64, PIXELS = 784, CLASSES = 10 };
/* The transformer's: texts of CONTEXT letters each. */
enum { TEXTS = 12, LETTERS = 65 };

static netcl_device* device;

/* ---- Numbers that the opponent has too ------------------------------------------------------- */

static int64_t product(uint32_t rank, const int64_t* shape) {
  int64_t count = 1;
  for (uint32_t d = 0; d < rank; ++d) count *= shape[d];
  return count;
}

/* Uniform within `bound`, or all `value` where it is 0. */
static netcl_tensor* numbers(uint32_t rank, const int64_t* shape, float bound, float value) {
  const int64_t count = product(rank, shape);
  float* data = (float*)allocate((size_t)count * sizeof *data);
  netcl_tensor* made = NULL;
  for (int64_t i = 0; i < count; ++i) data[i] = bound > 0 ? bound * (2 * random_unit() - 1) : value;
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, rank, shape, NULL, data,
                                      (size_t)count * sizeof *data, NULL, &made));
  free(data);
  return made;
}

/* ---- The networks ---------------------------------------------------------------------------- */

typedef struct Network {
  const char* name;
  int batch;
  int steps; /* in a row */
  uint32_t count;
  struct {
    uint32_t rank;
    int64_t shape[4];
    int fan_in; /* 0: not random, but `value` */
    float value;
  } shapes[PARAMETERS];
  netcl_tensor* (*forward)(struct Network* network, const netcl_run_options* run);
  netcl_tensor *parameters[PARAMETERS], *averages[PARAMETERS], *squares[PARAMETERS];
  netcl_tensor *statistics[4], *step, *inputs[2]; /* images or tokens, and labels */
  model language;
} Network;

static netcl_tensor* affine(netcl_tensor* x, netcl_tensor* w, netcl_tensor* bias,
                           netcl_activation activation, const netcl_run_options* run) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_tensor* y = NULL;
  options.epilogue = &epilogue;
  epilogue.bias = bias;
  epilogue.activation = activation;
  CHECK(netcl_op_matmul(x, w, &options, run, &y));
  return y;
}

static netcl_tensor* mlp(Network* network, const netcl_run_options* run) {
  netcl_tensor** p = network->parameters;
  netcl_tensor* hidden = affine(network->inputs[0], p[0], p[1], NETCL_ACTIVATION_RELU, run);
  netcl_tensor* scores = affine(hidden, p[2], p[3], NETCL_ACTIVATION_NONE, run);
  netcl_tensor_release(hidden);
  return scores;
}

/* Convolution, batch normalisation with relu, and the maximum of each 2 x 2. */
static netcl_tensor* stage(Network* network, int which, netcl_tensor* x,
                           const netcl_run_options* run) {
  netcl_tensor **p = network->parameters + 3 * which,
               **statistics = network->statistics + 2 * which;
  netcl_conv2d_options conv = NETCL_CONV2D_OPTIONS_INIT;
  netcl_batchnorm_options norm = NETCL_BATCHNORM_OPTIONS_INIT;
  static const int64_t two[] = {2};
  netcl_pooling_options pool = NETCL_POOLING_OPTIONS_INIT;
  netcl_tensor *wide = NULL, *normal = NULL, *pooled = NULL;
  for (int i = 0; i < 4; ++i) conv.padding[i] = 1;
  pool.window = pool.strides = two;
  pool.window_count = pool.strides_count = 1;
  norm.scale = p[1];
  norm.bias = p[2];
  norm.activation = NETCL_ACTIVATION_RELU;
  norm.training = 1;
  CHECK(netcl_op_conv2d(x, p[0], &conv, run, &wide));
  CHECK(netcl_op_batchnorm(wide, statistics[0], statistics[1], &norm, run, &normal));
  CHECK(netcl_op_pool(normal, NETCL_POOLING_MAX, &pool, run, &pooled));
  netcl_tensor_release(wide);
  netcl_tensor_release(normal);
  return pooled;
}

static netcl_tensor* cnn(Network* network, const netcl_run_options* run) {
  static const int64_t kFlat[2] = {-1, PIXELS};
  netcl_tensor *first = stage(network, 0, network->inputs[0], run), *features = NULL;
  netcl_tensor* second = stage(network, 1, first, run);
  CHECK(netcl_tensor_reshape(second, 2, kFlat, run, &features));
  netcl_tensor* scores =
      affine(features, network->parameters[6], network->parameters[7], NETCL_ACTIVATION_NONE, run);
  netcl_tensor_release(first);
  netcl_tensor_release(second);
  netcl_tensor_release(features);
  return scores;
}

static netcl_tensor* transformer(Network* network, const netcl_run_options* run) {
  return forward(&network->language, network->inputs[0], TEXTS, run);
}

static Network networks[] = {
    {.name = "mlp",
     .batch = BATCH,
     .steps = 20,
     .count = 4,
     .shapes = {{2, {784, 256}, 784, 0}, {1, {256}, 0, 0}, {2, {256, 10}, 256, 0}, {1, {10}, 0, 0}},
     .forward = mlp},
    {.name = "cnn",
     .batch = BATCH,
     .steps = 5,
     .count = 8,
     .shapes = {{4, {8, 1, 3, 3}, 9, 0},
                {1, {8}, 0, 1},
                {1, {8}, 0, 0},
                {4, {16, 8, 3, 3}, 72, 0},
                {1, {16}, 0, 1},
                {1, {16}, 0, 0},
                {2, {784, 10}, 784, 0},
                {1, {10}, 0, 0}},
     .forward = cnn},
    {.name = "transformer",
     .batch = TEXTS,
     .steps = 5,
     .count = PARAMETERS,
     .forward = transformer}};

static netcl_tensor* integers(uint32_t rank, const int64_t* shape, int factor, int below) {
  const int64_t count = product(rank, shape);
  int32_t* data = (int32_t*)allocate((size_t)count * sizeof *data);
  netcl_tensor* made = NULL;
  for (int64_t i = 0; i < count; ++i) data[i] = (int32_t)(i * factor % below);
  CHECK(netcl_tensor_create_from_host(device, NETCL_I32, rank, shape, NULL, data,
                                      (size_t)count * sizeof *data, NULL, &made));
  free(data);
  return made;
}

static void begin_transformer(Network* network) {
  const int64_t tokens[2] = {TEXTS, CONTEXT}, labels = TEXTS * CONTEXT;
  network->language = model_make(device, LETTERS);
  for (int i = 0; i < PARAMETERS; ++i) {
    network->parameters[i] = network->language.parameters[i];
    network->averages[i] = network->language.averages[i];
    network->squares[i] = network->language.squares[i];
  }
  network->step = network->language.steps;
  network->inputs[0] = integers(2, tokens, 31, LETTERS);
  network->inputs[1] = integers(1, &labels, 7, LETTERS);
}

/* First weights, and states of zeros; inputs stay the same. */
static void begin(Network* network) {
  random_state = 1;
  if (network->forward == transformer) {
    begin_transformer(network);
    return;
  }
  for (uint32_t i = 0; i < network->count; ++i) {
    const int fan_in = network->shapes[i].fan_in;
    const uint32_t rank = network->shapes[i].rank;
    const int64_t* shape = network->shapes[i].shape;
    const float bound = fan_in > 0 ? sqrtf(6.0f / (float)fan_in) : 0;
    network->parameters[i] = numbers(rank, shape, bound, network->shapes[i].value);
    network->averages[i] = numbers(rank, shape, 0, 0);
    network->squares[i] = numbers(rank, shape, 0, 0);
  }
  for (int i = 0; i < 4; ++i) {
    network->statistics[i] = numbers(1, (int64_t[]){i < 2 ? 8 : 16}, 0, i % 2 ? 1 : 0);
  }
  CHECK(netcl_tensor_create_zeros(device, NETCL_I64, 0, NULL, NULL, NULL, &network->step));
  const int64_t flat[] = {BATCH, PIXELS}, square[] = {BATCH, 1, 28, 28}, count = BATCH;
  network->inputs[0] = network->forward == cnn ? numbers(4, square, 1, 0) : numbers(2, flat, 1, 0);
  network->inputs[1] = integers(1, &count, 7, CLASSES);
}

static void end(Network* network) {
  netcl_tensor_release(network->inputs[0]);
  netcl_tensor_release(network->inputs[1]);
  if (network->forward == transformer) {
    model_release(&network->language);
    return;
  }
  for (uint32_t i = 0; i < network->count; ++i) {
    netcl_tensor_release(network->parameters[i]);
    netcl_tensor_release(network->averages[i]);
    netcl_tensor_release(network->squares[i]);
  }
  for (int i = 0; i < 4; ++i) netcl_tensor_release(network->statistics[i]);
  netcl_tensor_release(network->step);
}

/* A step, recorded by run->graph; gives the loss. */
static netcl_tensor* take_step(Network* network, const netcl_run_options* run, int captures) {
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  const netcl_run_options none = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *gradients[PARAMETERS], *loss = NULL, **p = network->parameters;
  const uint32_t n = network->count;
  netcl_tensor* scores = network->forward(network, run);
  CHECK(netcl_op_cross_entropy(scores, network->inputs[1], 1, NULL, run, &loss));
  options.consume = !captures;
  CHECK(netcl_graph_add_gradients(run->graph, &loss, 1, p, n, &options, gradients));
  if (network->forward == mlp) {
    CHECK(netcl_op_sgd(p, n, gradients, n, 0.01, NULL, captures ? run : &none));
  } else {
    CHECK(netcl_op_adam(p, n, gradients, n, network->averages, n, network->squares, n,
                        network->step, 0.003, NULL, captures ? run : &none));
  }
  for (uint32_t i = 0; i < n; ++i) netcl_tensor_release(gradients[i]);
  netcl_tensor_release(scores);
  return loss;
}

#endif
