/*
 * A transformer that reads characters and says which one comes next: token and position
 * embeddings, layers of causal attention and a feed-forward network, each with a layer
 * normalisation before and a residual around it, and a dense layer to the characters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_TRANSFORMER_MODEL_H
#define NETCL_EXAMPLE_TRANSFORMER_MODEL_H

#include <math.h>

#include "../check.h"

enum {
  CONTEXT = 64,  /* characters that are seen */
  WIDTH = 64,
  HEADS = 4,
  HEAD = WIDTH / HEADS,
  LAYERS = 2,
  HIDDEN = 4 * WIDTH,
  PER_LAYER = 12,
  PARAMETERS = 6 + LAYERS * PER_LAYER
};
/* The parameters of the whole, and of a layer behind 6 + layer * PER_LAYER. */
enum { TOKENS, POSITIONS, LAST_SCALE, LAST_SHIFT, OUT_WEIGHT, OUT_BIAS };
enum {
  SCALE1, SHIFT1, QKV_WEIGHT, QKV_BIAS, MERGE_WEIGHT, MERGE_BIAS,
  SCALE2, SHIFT2, UP_WEIGHT, UP_BIAS, DOWN_WEIGHT, DOWN_BIAS
};

typedef struct model {
  netcl_device *device;
  int64_t characters;
  netcl_tensor *parameters[PARAMETERS];
  netcl_tensor *averages[PARAMETERS];  /* Adam's, of gradients */
  netcl_tensor *squares[PARAMETERS];   /* of their squares */
  netcl_tensor *steps;                 /* how many there were */
  netcl_tensor *mask;                  /* [CONTEXT, CONTEXT]: 0 for what is seen, else -1e9 */
} model;

/* Random numbers that are the same everywhere (Numerical Recipes' generator), from 0 to 1. */
static uint32_t random_state = 1;
static float random_unit(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (float)(random_state >> 8) / 16777216.0f;
}

/* Uniform numbers within a bound around a value. */
static void make_parameter(model *net, int which, uint32_t rank, int64_t rows, int64_t columns,
                           float value, float bound) {
  const int64_t shape[2] = {rows, columns};
  const int64_t count = rank == 2 ? rows * columns : rows;
  float *values = (float *)allocate((size_t)count * sizeof *values);
  int64_t i;
  for (i = 0; i < count; ++i) {
    values[i] = value + (bound > 0 ? (2 * random_unit() - 1) * bound : 0);
  }
  CHECK(netcl_tensor_create_from_host(net->device, NETCL_F32, rank, shape, NULL, values,
                                      (size_t)count * sizeof *values, NULL,
                                      &net->parameters[which]));
  CHECK(netcl_tensor_create_zeros(net->device, NETCL_F32, rank, shape, NULL, NULL,
                                  &net->averages[which]));
  CHECK(netcl_tensor_create_zeros(net->device, NETCL_F32, rank, shape, NULL, NULL,
                                  &net->squares[which]));
  free(values);
}

static void make_layer(model *net, int first) {
  const float narrow = sqrtf(3.0f / WIDTH), wide = sqrtf(3.0f / HIDDEN);
  /* What goes into the residual is smaller the more layers add to it. */
  const float less = 1 / sqrtf(2.0f * LAYERS);
  make_parameter(net, first + SCALE1, 1, WIDTH, 0, 1, 0);
  make_parameter(net, first + SHIFT1, 1, WIDTH, 0, 0, 0);
  make_parameter(net, first + QKV_WEIGHT, 2, WIDTH, 3 * WIDTH, 0, narrow);
  make_parameter(net, first + QKV_BIAS, 1, 3 * WIDTH, 0, 0, 0);
  make_parameter(net, first + MERGE_WEIGHT, 2, WIDTH, WIDTH, 0, narrow * less);
  make_parameter(net, first + MERGE_BIAS, 1, WIDTH, 0, 0, 0);
  make_parameter(net, first + SCALE2, 1, WIDTH, 0, 1, 0);
  make_parameter(net, first + SHIFT2, 1, WIDTH, 0, 0, 0);
  make_parameter(net, first + UP_WEIGHT, 2, WIDTH, HIDDEN, 0, narrow);
  make_parameter(net, first + UP_BIAS, 1, HIDDEN, 0, 0, 0);
  make_parameter(net, first + DOWN_WEIGHT, 2, HIDDEN, WIDTH, 0, wide * less);
  make_parameter(net, first + DOWN_BIAS, 1, WIDTH, 0, 0, 0);
}

static model model_make(netcl_device *device, int64_t characters) {
  static float mask[CONTEXT * CONTEXT];
  const int64_t shape[2] = {CONTEXT, CONTEXT};
  model net;
  int i, k;
  memset(&net, 0, sizeof net);
  net.device = device;
  net.characters = characters;
  make_parameter(&net, TOKENS, 2, characters, WIDTH, 0, 0.1f);
  make_parameter(&net, POSITIONS, 2, CONTEXT, WIDTH, 0, 0.1f);
  make_parameter(&net, LAST_SCALE, 1, WIDTH, 0, 1, 0);
  make_parameter(&net, LAST_SHIFT, 1, WIDTH, 0, 0, 0);
  make_parameter(&net, OUT_WEIGHT, 2, WIDTH, characters, 0, 0.5f / sqrtf(WIDTH));
  make_parameter(&net, OUT_BIAS, 1, characters, 0, 0, 0);
  for (i = 0; i < LAYERS; ++i) make_layer(&net, 6 + i * PER_LAYER);
  for (i = 0; i < CONTEXT; ++i) {
    for (k = 0; k < CONTEXT; ++k) mask[i * CONTEXT + k] = k <= i ? 0 : -1e9f;
  }
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, mask, sizeof mask, NULL,
                                      &net.mask));
  CHECK(netcl_tensor_create_zeros(device, NETCL_I64, 0, NULL, NULL, NULL, &net.steps));
  return net;
}

static void model_release(model *net) {
  int i;
  for (i = 0; i < PARAMETERS; ++i) {
    netcl_tensor_release(net->parameters[i]);
    netcl_tensor_release(net->averages[i]);
    netcl_tensor_release(net->squares[i]);
  }
  netcl_tensor_release(net->steps);
  netcl_tensor_release(net->mask);
}

/* epilogue(x * weight + bias), with a residual where one is given. */
static netcl_tensor *dense(const model *net, netcl_tensor *x, int weight, netcl_tensor *residual,
                           netcl_activation activation, const netcl_run_options *run) {
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *y = NULL;
  epilogue.bias = net->parameters[weight + 1];
  epilogue.residual = residual;
  epilogue.activation = activation;
  options.epilogue = &epilogue;
  CHECK(netcl_op_matmul(x, net->parameters[weight], &options, run, &y));
  return y;
}

static netcl_tensor *normalise(const model *net, netcl_tensor *x, int scale,
                               const netcl_run_options *run) {
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  netcl_tensor *y = NULL;
  options.scale = net->parameters[scale];
  options.bias = net->parameters[scale + 1];
  CHECK(netcl_op_layernorm(x, -1, &options, run, &y));
  return y;
}

/* One of queries, keys and values as [batch, HEADS, CONTEXT, HEAD], or its last two exchanged: a
 * view of [batch, CONTEXT, 3 * WIDTH]. */
static netcl_tensor *heads_of(netcl_tensor *all, int64_t batch, int which, int exchanged) {
  const int64_t shape[5] = {batch, CONTEXT, 3, HEADS, HEAD};
  const uint32_t plain[4] = {0, 2, 1, 3}, turned[4] = {0, 2, 3, 1};
  const int64_t heads[4] = {batch, CONTEXT, HEADS, HEAD};
  netcl_range ranges[5];
  netcl_tensor *split = NULL, *part = NULL, *flat = NULL, *view = NULL;
  int d;
  CHECK(netcl_tensor_reshape(all, 5, shape, NULL, &split));
  for (d = 0; d < 5; ++d) {
    ranges[d].start = d == 2 ? which : 0;
    ranges[d].extent = d == 2 ? 1 : shape[d];
    ranges[d].step = 1;
  }
  CHECK(netcl_tensor_slice(split, ranges, 5, &part));
  CHECK(netcl_tensor_reshape(part, 4, heads, NULL, &flat));
  CHECK(netcl_tensor_permute(flat, exchanged ? turned : plain, 4, &view));
  netcl_tensor_release(split);
  netcl_tensor_release(part);
  netcl_tensor_release(flat);
  return view;
}

/* Each character looks at those before it: softmax(q k^T / sqrt(HEAD) + mask) v, the heads side by
 * side again. x is [batch * CONTEXT, WIDTH]. */
static netcl_tensor *attend(const model *net, netcl_tensor *x, int64_t batch, int first,
                            const netcl_run_options *run) {
  const int64_t rows[3] = {batch, CONTEXT, 3 * WIDTH}, flat[2] = {-1, WIDTH};
  const uint32_t back[4] = {0, 2, 1, 3};
  netcl_epilogue masked = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *all, *wide = NULL, *q, *k, *v, *scores = NULL, *weights = NULL, *seen = NULL;
  netcl_tensor *turned = NULL, *joined = NULL;
  all = dense(net, x, first + QKV_WEIGHT, NULL, 0, run);
  CHECK(netcl_tensor_reshape(all, 3, rows, NULL, &wide));
  q = heads_of(wide, batch, 0, 0);
  k = heads_of(wide, batch, 1, 1);
  v = heads_of(wide, batch, 2, 0);
  masked.bias = net->mask;
  options.epilogue = &masked;
  options.has_scale = 1;
  options.alpha = 1.0 / sqrt(HEAD);
  CHECK(netcl_op_matmul(q, k, &options, run, &scores));
  CHECK(netcl_op_softmax(scores, -1, run, &weights));
  CHECK(netcl_op_matmul(weights, v, NULL, run, &seen));
  CHECK(netcl_op_transpose(seen, back, 4, run, &turned));
  CHECK(netcl_tensor_reshape(turned, 2, flat, NULL, &joined));
  {
    netcl_tensor *done[] = {all, wide, q, k, v, scores, weights, seen, turned};
    size_t i;
    for (i = 0; i < sizeof done / sizeof *done; ++i) netcl_tensor_release(done[i]);
  }
  return joined;
}

/* One layer. Takes x over. */
static netcl_tensor *layer(const model *net, netcl_tensor *x, int64_t batch, int first,
                           const netcl_run_options *run) {
  netcl_tensor *normal = normalise(net, x, first + SCALE1, run);
  netcl_tensor *seen = attend(net, normal, batch, first, run), *y, *up;
  y = dense(net, seen, first + MERGE_WEIGHT, x, 0, run);
  netcl_tensor_release(normal);
  netcl_tensor_release(seen);
  netcl_tensor_release(x);
  normal = normalise(net, y, first + SCALE2, run);
  up = dense(net, normal, first + UP_WEIGHT, NULL, NETCL_ACTIVATION_GELU_TANH, run);
  x = dense(net, up, first + DOWN_WEIGHT, y, 0, run);
  netcl_tensor_release(normal);
  netcl_tensor_release(up);
  netcl_tensor_release(y);
  return x;
}

/* The logits [batch * CONTEXT, characters] of tokens [batch, CONTEXT]. */
static netcl_tensor *forward(const model *net, netcl_tensor *tokens, int64_t batch,
                             const netcl_run_options *run) {
  const int64_t flat[2] = {-1, WIDTH};
  netcl_tensor *pair[2] = {NULL, net->parameters[POSITIONS]}, *sum = NULL, *x = NULL, *logits;
  int i;
  CHECK(netcl_op_embedding(net->parameters[TOKENS], tokens, run, &pair[0]));
  CHECK(netcl_op_expression_text("v0 + v1", pair, 2, NULL, run, &sum));
  CHECK(netcl_tensor_reshape(sum, 2, flat, NULL, &x));
  netcl_tensor_release(pair[0]);
  netcl_tensor_release(sum);
  for (i = 0; i < LAYERS; ++i) x = layer(net, x, batch, 6 + i * PER_LAYER, run);
  sum = normalise(net, x, LAST_SCALE, run);
  logits = dense(net, sum, OUT_WEIGHT, NULL, 0, run);
  netcl_tensor_release(x);
  netcl_tensor_release(sum);
  return logits;
}

#endif
