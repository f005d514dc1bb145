/*
 * A decoder as large language models have it, of any size and with random weights: root mean square
 * normalisations, queries, keys and values by one product, rotary positions, attention with a cache
 * of keys and values that several heads share, and a feed-forward network with a gate.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETCL_EXAMPLE_LLM_MODEL_H
#define NETCL_EXAMPLE_LLM_MODEL_H

#include <math.h>

#include "../check.h"

typedef struct sizes {
  int64_t layers;
  int64_t width;
  int64_t heads;       /* of queries */
  int64_t kv_heads;    /* of keys and values */
  int64_t hidden;      /* of the feed-forward network */
  int64_t vocabulary;
  int64_t context;     /* places of the cache */
  int64_t batch;       /* sequences */
  netcl_dtype dtype;
} sizes;

/* The weights of a layer. The products of q, k and v are one, and so are those of gate and up. */
enum { NORM1, QKV, MERGE, NORM2, GATE_UP, DOWN, PER_LAYER };

typedef struct model {
  netcl_device *device;
  sizes is;
  int64_t head;             /* elements of one */
  netcl_tensor **weights;   /* PER_LAYER for each layer */
  netcl_tensor **caches;    /* keys and values of each layer, [batch, 2 kv_heads, context, head] */
  netcl_tensor *tokens, *norm, *out;
  netcl_tensor *cosines, *sines;  /* of the angles, [context, head / 2] */
  uint64_t seed;
  double weight_count;      /* that each token needs: all but the table of tokens */
} model;

/* ---- Making it ---- */

static netcl_tensor *random_weights(model *net, int64_t rows, int64_t columns, double bound) {
  const int64_t shape[2] = {rows, columns};
  netcl_random_options options = NETCL_RANDOM_OPTIONS_INIT;
  netcl_tensor *made = NULL;
  options.seed = ++net->seed;
  options.low = -bound;
  options.high = bound;
  CHECK(netcl_tensor_create_random(net->device, net->is.dtype, 2, shape, NULL, &options, NULL,
                                   &made));
  net->weight_count += (double)rows * (double)columns;
  return made;
}

/* Scales of a normalisation, which are 1. */
static netcl_tensor *scales(model *net) {
  const float one = 1;
  netcl_tensor *wide = NULL, *made = NULL;
  CHECK(netcl_tensor_create_full(net->device, NETCL_F32, 1, &net->is.width, NULL, &one, NULL,
                                 &wide));
  CHECK(netcl_op_cast(wide, net->is.dtype, NULL, &made));
  netcl_tensor_release(wide);
  return made;
}

/* The angle of pair i at place p is p / base^(2 i / head). In double: at far places the rounding of
 * an angle in f32 would be as large as the angles of slow pairs. */
static void make_angles(model *net) {
  const double base = 10000;
  const int64_t pairs = net->head / 2, shape[2] = {net->is.context, pairs};
  const size_t bytes = (size_t)(net->is.context * pairs) * sizeof(float);
  float *cosines = (float *)allocate(bytes), *sines = (float *)allocate(bytes);
  int64_t place, i;
  for (place = 0; place < net->is.context; ++place) {
    for (i = 0; i < pairs; ++i) {
      const double angle = (double)place * pow(base, -2.0 * (double)i / (double)net->head);
      cosines[place * pairs + i] = (float)cos(angle);
      sines[place * pairs + i] = (float)sin(angle);
    }
  }
  CHECK(netcl_tensor_create_from_host(net->device, NETCL_F32, 2, shape, NULL, cosines, bytes, NULL,
                                      &net->cosines));
  CHECK(netcl_tensor_create_from_host(net->device, NETCL_F32, 2, shape, NULL, sines, bytes, NULL,
                                      &net->sines));
  free(cosines);
  free(sines);
}

static void make_layer(model *net, int64_t layer) {
  const sizes *is = &net->is;
  const int64_t cache[4] = {is->batch, 2 * is->kv_heads, is->context, net->head};
  netcl_tensor **weights = net->weights + layer * PER_LAYER;
  /* What goes into the residual is smaller the more layers add to it. */
  const double narrow = sqrt(3.0 / (double)is->width), less = 1 / sqrt(2.0 * (double)is->layers);
  weights[NORM1] = scales(net);
  weights[QKV] = random_weights(net, is->width, (is->heads + 2 * is->kv_heads) * net->head, narrow);
  weights[MERGE] = random_weights(net, is->heads * net->head, is->width, narrow * less);
  weights[NORM2] = scales(net);
  weights[GATE_UP] = random_weights(net, is->width, 2 * is->hidden, narrow);
  weights[DOWN] = random_weights(net, is->hidden, is->width, sqrt(3.0 / (double)is->hidden) * less);
  CHECK(netcl_tensor_create_zeros(net->device, is->dtype, 4, cache, NULL, NULL,
                                  &net->caches[layer]));
}

static model model_make(netcl_device *device, const sizes *is, uint64_t seed) {
  model net;
  int64_t i;
  memset(&net, 0, sizeof net);
  net.device = device;
  net.is = *is;
  net.head = is->width / is->heads;
  net.seed = seed * 1000003;
  net.weights = (netcl_tensor **)allocate((size_t)(is->layers * PER_LAYER) * sizeof *net.weights);
  net.caches = (netcl_tensor **)allocate((size_t)is->layers * sizeof *net.caches);
  net.tokens = random_weights(&net, is->vocabulary, is->width, 1);
  net.weight_count = 0;
  for (i = 0; i < is->layers; ++i) make_layer(&net, i);
  net.norm = scales(&net);
  net.out = random_weights(&net, is->width, is->vocabulary, sqrt(3.0 / (double)is->width));
  make_angles(&net);
  return net;
}

static void model_release(model *net) {
  int64_t i;
  for (i = 0; i < net->is.layers * PER_LAYER; ++i) netcl_tensor_release(net->weights[i]);
  for (i = 0; i < net->is.layers; ++i) netcl_tensor_release(net->caches[i]);
  netcl_tensor_release(net->tokens);
  netcl_tensor_release(net->norm);
  netcl_tensor_release(net->out);
  netcl_tensor_release(net->cosines);
  netcl_tensor_release(net->sines);
  free(net->weights);
  free(net->caches);
}

/* ---- Its parts: `run` has the graph that records, or is NULL ---- */

static netcl_run_options run_into(const netcl_run_options *run, netcl_tensor *into) {
  netcl_run_options own = NETCL_RUN_OPTIONS_INIT;
  if (run != NULL) own = *run;
  own.into = into;
  return own;
}

static netcl_tensor *view_of(netcl_tensor *tensor, uint32_t rank, const int64_t *shape,
                             const int64_t *strides, int64_t offset) {
  netcl_tensor *view = NULL;
  CHECK(netcl_tensor_view(tensor, rank, shape, strides, offset, &view));
  return view;
}

static netcl_tensor *normalise(netcl_tensor *x, netcl_tensor *scale, const netcl_run_options *run) {
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  netcl_tensor *y = NULL;
  options.scale = scale;
  CHECK(netcl_op_rmsnorm(x, -1, &options, run, &y));
  return y;
}

/* x * weight, with a residual where one is given. */
static netcl_tensor *dense(netcl_tensor *x, netcl_tensor *weight, netcl_tensor *residual,
                           netcl_dtype dtype, const netcl_run_options *run) {
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *y = NULL;
  epilogue.residual = residual;
  if (residual != NULL) options.epilogue = &epilogue;
  options.dtype = dtype;
  CHECK(netcl_op_matmul(x, weight, &options, run, &y));
  return y;
}

/* Heads [first, first + count) of the product of queries, keys and values, whose rows are the
 * tokens of the sequences: [batch, count, tokens, head]. */
static netcl_tensor *heads_of(const model *net, netcl_tensor *qkv, int64_t tokens, int64_t first,
                              int64_t count) {
  const int64_t row = (net->is.heads + 2 * net->is.kv_heads) * net->head;
  const int64_t shape[4] = {net->is.batch, count, tokens, net->head};
  const int64_t strides[4] = {tokens * row, net->head, row, 1};
  return view_of(qkv, 4, shape, strides, first * net->head);
}

/* Turns queries and keys to their places, and writes keys and values into the cache there. */
static void place_heads(const model *net, netcl_tensor *qkv, int64_t layer, int64_t tokens,
                        netcl_tensor *positions, const netcl_run_options *run) {
  const sizes *is = &net->is;
  const int64_t shape[4] = {is->batch, 2 * is->kv_heads, tokens, net->head};
  const int64_t repeated[4] = {tokens, 0, 1, 0};
  netcl_rotary_embedding_options rotary = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
  netcl_tensor *turned = heads_of(net, qkv, tokens, 0, is->heads + is->kv_heads);
  netcl_tensor *kept = heads_of(net, qkv, tokens, is->heads, 2 * is->kv_heads);
  netcl_tensor *places = view_of(positions, 4, shape, repeated, 0);
  netcl_run_options in_place = run_into(run, turned), cached = run_into(run, net->caches[layer]);
  rotary.position_ids = positions;
  CHECK(netcl_op_rotary_embedding(turned, net->cosines, net->sines, &rotary, &in_place, NULL));
  CHECK(netcl_op_scatter(net->caches[layer], places, kept, 2, NULL, &cached, NULL));
  netcl_tensor_release(turned);
  netcl_tensor_release(kept);
  netcl_tensor_release(places);
}

/* Each token looks at those of the cache that are not behind it: [batch * tokens, heads * head]. */
static netcl_tensor *attend(const model *net, netcl_tensor *qkv, int64_t layer, int64_t tokens,
                            netcl_tensor *lengths, const netcl_run_options *run) {
  const sizes *is = &net->is;
  const int64_t shape[4] = {is->batch, is->kv_heads, is->context, net->head};
  const int64_t places = is->context * net->head;
  const int64_t strides[4] = {2 * is->kv_heads * places, places, net->head, 1};
  const int64_t flat[2] = {is->batch * tokens, is->heads * net->head};
  const uint32_t back[4] = {0, 2, 1, 3};
  netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
  netcl_tensor *q = heads_of(net, qkv, tokens, 0, is->heads);
  netcl_tensor *k = view_of(net->caches[layer], 4, shape, strides, 0);
  netcl_tensor *v = view_of(net->caches[layer], 4, shape, strides, is->kv_heads * places);
  netcl_tensor *seen = NULL, *rows = NULL, *joined = NULL;
  options.key_lengths = lengths;
  options.causal = 1;
  CHECK(netcl_op_attention(q, k, v, &options, run, &seen, NULL));
  if (tokens > 1) {
    CHECK(netcl_op_transpose(seen, back, 4, run, &rows));
    netcl_tensor_release(seen);
    seen = rows;
  }
  CHECK(netcl_tensor_reshape(seen, 2, flat, NULL, &joined));
  netcl_tensor_release(q);
  netcl_tensor_release(k);
  netcl_tensor_release(v);
  netcl_tensor_release(seen);
  return joined;
}

/* down(silu(gate x) * up x) + residual. */
static netcl_tensor *feed_forward(const model *net, netcl_tensor *x, netcl_tensor **weights,
                                  netcl_tensor *residual, int64_t rows,
                                  const netcl_run_options *run) {
  const int64_t shape[2] = {rows, net->is.hidden}, strides[2] = {2 * net->is.hidden, 1};
  netcl_tensor *both = dense(x, weights[GATE_UP], NULL, 0, run), *halves[2], *gated = NULL, *y;
  halves[0] = view_of(both, 2, shape, strides, 0);
  halves[1] = view_of(both, 2, shape, strides, net->is.hidden);
  CHECK(netcl_op_expression_text("silu(v0) * v1", halves, 2, NULL, run, &gated));
  y = dense(gated, weights[DOWN], residual, 0, run);
  netcl_tensor_release(both);
  netcl_tensor_release(halves[0]);
  netcl_tensor_release(halves[1]);
  netcl_tensor_release(gated);
  return y;
}

/* One layer. Takes x over. */
static netcl_tensor *layer_of(const model *net, netcl_tensor *x, int64_t layer, int64_t tokens,
                              netcl_tensor *positions, netcl_tensor *lengths,
                              const netcl_run_options *run) {
  netcl_tensor **weights = net->weights + layer * PER_LAYER;
  netcl_tensor *normal = normalise(x, weights[NORM1], run), *seen, *y;
  netcl_tensor *qkv = dense(normal, weights[QKV], NULL, 0, run);
  netcl_tensor_release(normal);
  place_heads(net, qkv, layer, tokens, positions, run);
  seen = attend(net, qkv, layer, tokens, lengths, run);
  y = dense(seen, weights[MERGE], x, 0, run);
  netcl_tensor_release(qkv);
  netcl_tensor_release(seen);
  netcl_tensor_release(x);
  normal = normalise(y, weights[NORM2], run);
  x = feed_forward(net, normal, weights, y, net->is.batch * tokens, run);
  netcl_tensor_release(normal);
  netcl_tensor_release(y);
  return x;
}

/* ---- The whole ---- */

/* Goes on by `tokens` tokens of each sequence: ids and positions are i32 [batch, tokens]; what the
 * caches have before the first of these is seen. Gives the logits behind the last token, f32
 * [batch, vocabulary], or with `all` behind each, [batch * tokens, vocabulary]. */
static netcl_tensor *forward(const model *net, netcl_tensor *ids, netcl_tensor *positions,
                             int64_t tokens, int all, const netcl_run_options *run) {
  const sizes *is = &net->is;
  const int64_t flat[2] = {is->batch * tokens, is->width}, one[2] = {is->batch, is->width};
  const int64_t apart[2] = {tokens * is->width, 1};
  netcl_tensor *last = view_of(positions, 1, &is->batch, &tokens, tokens - 1), *lengths = NULL;
  netcl_tensor *rows = NULL, *x = NULL, *normal, *logits;
  int64_t i;
  CHECK(netcl_op_expression_text("v0 + 1", &last, 1, NULL, run, &lengths));
  CHECK(netcl_op_embedding(net->tokens, ids, run, &rows));
  CHECK(netcl_tensor_reshape(rows, 2, flat, NULL, &x));
  netcl_tensor_release(rows);
  for (i = 0; i < is->layers; ++i) x = layer_of(net, x, i, tokens, positions, lengths, run);
  if (!all && tokens > 1) {
    rows = view_of(x, 2, one, apart, (tokens - 1) * is->width);
    netcl_tensor_release(x);
    x = rows;
  }
  normal = normalise(x, net->norm, run);
  logits = dense(normal, net->out, NULL, NETCL_F32, run);
  netcl_tensor_release(last);
  netcl_tensor_release(lengths);
  netcl_tensor_release(x);
  netcl_tensor_release(normal);
  return logits;
}

/* The token that comes next, i32 [batch, 1]: the likeliest, or with a temperature the one at which
 * the odds so far pass a uniform number, which is that of the position in `drawn` [batch, context].
 */
static netcl_tensor *sample(const model *net, netcl_tensor *logits, netcl_tensor *positions,
                            netcl_tensor *drawn, double temperature, const netcl_run_options *run) {
  static const int32_t last[1] = {1};
  char text[64];
  netcl_reduce_options along = NETCL_REDUCE_OPTIONS_INIT;
  netcl_tensor *pair[2] = {NULL, NULL}, *scaled = NULL, *odds = NULL, *passed = NULL, *count = NULL;
  netcl_tensor *next = NULL;
  along.axes = last;
  along.axes_count = along.keepdims = 1;
  if (temperature <= 0) {
    CHECK(netcl_op_reduce(logits, NETCL_REDUCTION_ARGMAX, &along, run, &count));
    CHECK(netcl_op_cast(count, NETCL_I32, run, &next));
    netcl_tensor_release(count);
    return next;
  }
  snprintf(text, sizeof text, "v0 * %.9g", 1 / temperature);
  CHECK(netcl_op_expression_text(text, &logits, 1, NULL, run, &scaled));
  CHECK(netcl_op_softmax(scaled, 1, run, &odds));
  CHECK(netcl_op_scan(odds, NETCL_REDUCTION_SUM, 1, NULL, run, &pair[0]));
  CHECK(netcl_op_gather_elements(drawn, positions, 1, run, &pair[1]));
  CHECK(netcl_op_expression_text("i32(v0 < v1)", pair, 2, NULL, run, &passed));
  CHECK(netcl_op_reduce(passed, NETCL_REDUCTION_SUM, &along, run, &count));
  snprintf(text, sizeof text, "min(v0, %ld)", (long)net->is.vocabulary - 1);
  CHECK(netcl_op_expression_text(text, &count, 1, NULL, run, &next));
  netcl_tensor_release(scaled);
  netcl_tensor_release(odds);
  netcl_tensor_release(pair[0]);
  netcl_tensor_release(pair[1]);
  netcl_tensor_release(passed);
  netcl_tensor_release(count);
  return next;
}

#endif
