/* The ops and views of the vectors, by their verbs. */
#include <stdio.h>
#include <string.h>

#include "parity.h"

typedef void (*OpFunction)(const Line *line, const netcl_run_options *run, netcl_tensor **results);

static uint32_t narrow(const Line *line, const char *key, int32_t *values) {
  int64_t wide[kNumbersMost];
  const uint32_t count = integers(line, key, wide);
  for (uint32_t i = 0; i < count; ++i) values[i] = (int32_t)wide[i];
  return count;
}

static int32_t axis_of(const Line *line) { return (int32_t)integer(line, "axis", 0); }

static netcl_epilogue epilogue_of(const Line *line) {
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  epilogue.bias = tensor_option(line, "bias");
  epilogue.residual = tensor_option(line, "residual");
  epilogue.activation = (netcl_activation)integer(line, "activation", 0);
  return epilogue;
}

/* ---- Views ------------------------------------------------------------------------------------
 */

static void slice(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  (void)run;
  int64_t numbers[kNumbersMost];
  netcl_range ranges[NETCL_RANK_MAX];
  const uint32_t rank = integers(line, "ranges", numbers) / 3;
  for (uint32_t i = 0; i < rank; ++i) {
    ranges[i].start = numbers[3 * i];
    ranges[i].extent = numbers[3 * i + 1];
    ranges[i].step = numbers[3 * i + 2];
  }
  check(netcl_tensor_slice(line->in[0], ranges, rank, results));
}

static void permute(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  (void)run;
  int32_t axes[kNumbersMost];
  const uint32_t count = narrow(line, "axes", axes);
  check(netcl_tensor_permute(line->in[0], (const uint32_t *)axes, count, results));
}

static void broadcast(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  (void)run;
  int64_t shape[kNumbersMost];
  const uint32_t rank = integers(line, "shape", shape);
  check(netcl_tensor_broadcast(line->in[0], rank, shape, results));
}

static void view(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  (void)run;
  int64_t shape[kNumbersMost], strides[kNumbersMost];
  const uint32_t rank = integers(line, "shape", shape);
  integers(line, "strides", strides);
  check(netcl_tensor_view(line->in[0], rank, shape, strides, integer(line, "offset", 0), results));
}

static void reshape(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  int64_t shape[kNumbersMost];
  const uint32_t rank = integers(line, "shape", shape);
  check(netcl_tensor_reshape(line->in[0], rank, shape, run, results));
}

/* One element by its bytes, in 8 bytes; NULL where there is none. */
static const void *element(const Line *line, unsigned char *bytes) {
  const char *hex = option(line, "value");
  memset(bytes, 0, 8);
  for (size_t i = 0; hex != NULL && i < strlen(hex) / 2 && i < 8; ++i) {
    bytes[i] = (unsigned char)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
  }
  return hex == NULL ? NULL : bytes;
}

/* ---- Ops --------------------------------------------------------------------------------------
 */

static void elementwise(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_elementwise_options options = NETCL_ELEMENTWISE_OPTIONS_INIT;
  netcl_elementwise op;
  check(netcl_elementwise_find(option(line, "op"), &op));
  options.has_parameters = option(line, "alpha") != NULL;
  options.alpha = number(line, "alpha", 0);
  options.beta = number(line, "beta", 0);
  check(netcl_op_elementwise(op, line->in, line->in_count, &options, run, results));
}

static void expression(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(
      netcl_op_expression_text(option(line, "text"), line->in, line->in_count, NULL, run, results));
}

/* Texts stand between semicolons. */
static void expressions(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  char copy[1024];
  const char *texts[NETCL_RESULTS_MAX];
  uint32_t count = 0;
  snprintf(copy, sizeof copy, "%s", option(line, "texts"));
  for (char *text = strtok(copy, ";"); text != NULL; text = strtok(NULL, ";")) {
    texts[count++] = text;
  }
  check(netcl_op_expressions(texts, count, line->in, line->in_count, NULL, run, results));
}

static void bias_add(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(netcl_op_bias_add(line->in[0], line->in[1], axis_of(line), run, results));
}

static void copy(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(netcl_op_copy(line->in[0], run, results));
}

static void contiguous(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(netcl_op_contiguous(line->in[0], run, results));
}

static void cast(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(netcl_op_cast(line->in[0], dtype_option(line, "dtype"), run, results));
}

static void fill(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  (void)results;
  unsigned char value[8];
  check(netcl_op_fill(line->in[0], element(line, value), run));
}

static void matmul(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  const netcl_epilogue epilogue = epilogue_of(line);
  options.epilogue = &epilogue;
  options.has_scale = (uint32_t)integer(line, "has_scale", 0);
  options.alpha = number(line, "alpha", 0);
  options.beta = number(line, "beta", 0);
  options.dtype = dtype_option(line, "dtype");
  check(netcl_op_matmul(line->in[0], line->in[1], &options, run, results));
}

static void conv2d(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  const netcl_epilogue epilogue = epilogue_of(line);
  options.epilogue = &epilogue;
  int64_t numbers[kNumbersMost];
  if (integers(line, "strides", numbers) == 2) memcpy(options.strides, numbers, 16);
  if (integers(line, "dilations", numbers) == 2) memcpy(options.dilations, numbers, 16);
  if (integers(line, "padding", numbers) == 4) memcpy(options.padding, numbers, 32);
  options.groups = integer(line, "groups", 0);
  netcl_conv2d_batchnorm norm = NETCL_CONV2D_BATCHNORM_INIT;
  netcl_tensor *parts[kHandlesMost];
  if (tensors_option(line, "norm", parts) == 4) {
    norm.mean = parts[0];
    norm.variance = parts[1];
    norm.scale = parts[2];
    norm.bias = parts[3];
    options.batchnorm = &norm;
  }
  check(netcl_op_conv2d(line->in[0], line->in[1], &options, run, results));
}

static void reduce(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  int32_t axes[kNumbersMost];
  options.axes_count = narrow(line, "axes", axes);
  if (options.axes_count > 0) options.axes = axes;
  options.keepdims = (uint32_t)integer(line, "keepdims", 0);
  check(netcl_op_reduce(line->in[0], (netcl_reduction)integer(line, "kind", 0), &options, run,
                        results));
}

static void scan(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_scan_options options = NETCL_SCAN_OPTIONS_INIT;
  options.exclusive = (uint32_t)integer(line, "exclusive", 0);
  options.reverse = (uint32_t)integer(line, "reverse", 0);
  check(netcl_op_scan(line->in[0], (netcl_reduction)integer(line, "kind", 0), axis_of(line),
                      &options, run, results));
}

static void histogram(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_histogram_options options = NETCL_HISTOGRAM_OPTIONS_INIT;
  options.low = number(line, "low", 0);
  options.high = number(line, "high", 0);
  check(netcl_op_histogram(line->in[0], integer(line, "bins", 0), &options, run, results));
}

static void topk(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_topk_options options = NETCL_TOPK_OPTIONS_INIT;
  options.smallest = (uint32_t)integer(line, "smallest", 0);
  check(netcl_op_topk(line->in[0], integer(line, "k", 0), axis_of(line), &options, run, &results[0],
                      &results[1]));
}

static void quantize_linear(const Line *line, const netcl_run_options *run,
                            netcl_tensor **results) {
  netcl_quantize_linear_options options = NETCL_QUANTIZE_LINEAR_OPTIONS_INIT;
  options.zero_point = tensor_option(line, "zero_point");
  options.block_size = integer(line, "block_size", 0);
  options.dtype = dtype_option(line, "dtype");
  options.precision = dtype_option(line, "precision");
  check(netcl_op_quantize_linear(line->in[0], line->in[1], axis_of(line), &options, run, results));
}

static void dequantize_linear(const Line *line, const netcl_run_options *run,
                              netcl_tensor **results) {
  netcl_dequantize_linear_options options = NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT;
  options.zero_point = tensor_option(line, "zero_point");
  options.block_size = integer(line, "block_size", 0);
  options.dtype = dtype_option(line, "dtype");
  check(netcl_op_dequantize_linear(line->in[0], line->in[1], axis_of(line), &options, run,
                                   results));
}

static void dynamic_quantize_linear(const Line *line, const netcl_run_options *run,
                                    netcl_tensor **results) {
  check(netcl_op_dynamic_quantize_linear(line->in[0], NULL, run, &results[0], &results[1],
                                         &results[2]));
}

static void qlinear_matmul(const Line *line, const netcl_run_options *run,
                           netcl_tensor **results) {
  netcl_qlinear_matmul_options options = NETCL_QLINEAR_MATMUL_OPTIONS_INIT;
  options.a_zero_point = tensor_option(line, "a_zero_point");
  options.b_zero_point = tensor_option(line, "b_zero_point");
  options.y_zero_point = tensor_option(line, "y_zero_point");
  check(netcl_op_qlinear_matmul(line->in[0], line->in[1], line->in[2], line->in[3], line->in[4],
                                &options, run, results));
}

static void softmax(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(netcl_op_softmax(line->in[0], axis_of(line), run, results));
}

static void log_softmax(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(netcl_op_log_softmax(line->in[0], axis_of(line), run, results));
}

static netcl_norm_options norm_of(const Line *line) {
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  options.scale = tensor_option(line, "scale");
  options.bias = tensor_option(line, "bias");
  options.epsilon = number(line, "epsilon", 0);
  return options;
}

static void layernorm(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  const netcl_norm_options options = norm_of(line);
  check(netcl_op_layernorm(line->in[0], axis_of(line), &options, run, results));
}

static void rmsnorm(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  const netcl_norm_options options = norm_of(line);
  check(netcl_op_rmsnorm(line->in[0], axis_of(line), &options, run, results));
}

static void batchnorm(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  options.scale = tensor_option(line, "scale");
  options.bias = tensor_option(line, "bias");
  options.momentum = number(line, "momentum", 0);
  options.activation = (netcl_activation)integer(line, "activation", 0);
  options.training = (uint32_t)integer(line, "training", 0);
  check(netcl_op_batchnorm(line->in[0], line->in[1], line->in[2], &options, run, results));
}

static void pool(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_pooling_options options = NETCL_POOLING_OPTIONS_INIT;
  int64_t window[kNumbersMost], strides[kNumbersMost], dilations[kNumbersMost];
  int64_t padding[kNumbersMost];
  options.window_count = (uint32_t)integers(line, "window", window);
  options.strides_count = (uint32_t)integers(line, "strides", strides);
  options.dilations_count = (uint32_t)integers(line, "dilations", dilations);
  options.padding_count = (uint32_t)integers(line, "padding", padding);
  options.window = window;
  options.strides = strides;
  options.dilations = dilations;
  options.padding = padding;
  options.ceil_mode = (uint32_t)integer(line, "ceil_mode", 0);
  options.count_include_pad = (uint32_t)integer(line, "count_include_pad", 0);
  check(netcl_op_pool(line->in[0], (netcl_pooling)integer(line, "kind", 0), &options, run,
                        results));
}

static void transpose(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  int32_t axes[kNumbersMost];
  const uint32_t count = narrow(line, "axes", axes);
  check(netcl_op_transpose(line->in[0], (const uint32_t *)axes, count, run, results));
}

static void concat(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(netcl_op_concat(line->in, line->in_count, axis_of(line), run, results));
}

static void pad(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_pad_options options = NETCL_PAD_OPTIONS_INIT;
  int64_t pads[kNumbersMost];
  const uint32_t count = integers(line, "pads", pads);
  options.mode = (netcl_pad_mode)integer(line, "mode", 0);
  unsigned char value[8];
  options.value = element(line, value);
  check(netcl_op_pad(line->in[0], pads, count, &options, run, results));
}

static void gather(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(netcl_op_gather(line->in[0], line->in[1], axis_of(line), run, results));
}

static void gather_elements(const Line *line, const netcl_run_options *run,
                            netcl_tensor **results) {
  check(netcl_op_gather_elements(line->in[0], line->in[1], axis_of(line), run, results));
}

static void embedding(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  check(netcl_op_embedding(line->in[0], line->in[1], run, results));
}

static void rotary_embedding(const Line *line, const netcl_run_options *run,
                             netcl_tensor **results) {
  netcl_rotary_embedding_options options = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
  options.position_ids = tensor_option(line, "position_ids");
  options.num_heads = integer(line, "num_heads", 0);
  options.rotary_embedding_dim = integer(line, "rotary_embedding_dim", 0);
  options.interleaved = (uint32_t)integer(line, "interleaved", 0);
  options.inverse = (uint32_t)integer(line, "inverse", 0);
  check(netcl_op_rotary_embedding(line->in[0], line->in[1], line->in[2], &options, run, results));
}

static void scatter(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_scatter_options options = NETCL_SCATTER_OPTIONS_INIT;
  options.mode = (netcl_scatter_mode)integer(line, "mode", 0);
  check(netcl_op_scatter(line->in[0], line->in[1], line->in[2], axis_of(line), &options, run,
                         results));
}

static void resize(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  int64_t shape[kNumbersMost];
  const uint32_t rank = integers(line, "shape", shape);
  options.mode = (netcl_resize_mode)integer(line, "mode", 0);
  options.coordinates = (netcl_resize_coordinates)integer(line, "coordinates", 0);
  check(netcl_op_resize(line->in[0], rank, shape, &options, run, results));
}

/* ---- Losses and gradients ---------------------------------------------------------------------
 */

static netcl_loss_options loss_of(const Line *line) {
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  options.weights = tensor_option(line, "weights");
  options.has_ignore_index = option(line, "ignore_index") != NULL;
  options.ignore_index = integer(line, "ignore_index", 0);
  options.reduction = (netcl_loss_reduction)integer(line, "reduction", 0);
  return options;
}

static void cross_entropy(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  const netcl_loss_options options = loss_of(line);
  check(netcl_op_cross_entropy(line->in[0], line->in[1], axis_of(line), &options, run, results));
}

static void nll_loss(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  const netcl_loss_options options = loss_of(line);
  check(netcl_op_nll_loss(line->in[0], line->in[1], axis_of(line), &options, run, results));
}

static void gradients(const Line *line, const netcl_run_options *run, netcl_tensor **results) {
  netcl_gradients_options options = NETCL_GRADIENTS_OPTIONS_INIT;
  netcl_tensor *of[kHandlesMost], *seeds[kHandlesMost];
  const uint32_t count = tensors_option(line, "of", of);
  options.seeds_count = tensors_option(line, "seeds", seeds);
  options.seeds = options.seeds_count > 0 ? seeds : NULL;
  options.consume = (uint32_t)integer(line, "consume", 0);
  check(netcl_graph_add_gradients(run->graph, line->in, line->in_count, of, count, &options,
                                  results));
}

static const struct {
  const char *verb;
  OpFunction function;
} kOps[] = {{"slice", slice},
            {"permute", permute},
            {"broadcast", broadcast},
            {"view", view},
            {"reshape", reshape},
            {"elementwise", elementwise},
            {"expression", expression},
            {"expressions", expressions},
            {"bias_add", bias_add},
            {"copy", copy},
            {"contiguous", contiguous},
            {"cast", cast},
            {"fill", fill},
            {"matmul", matmul},
            {"conv2d", conv2d},
            {"reduce", reduce},
            {"scan", scan},
            {"histogram", histogram},
            {"topk", topk},
            {"quantize_linear", quantize_linear},
            {"dequantize_linear", dequantize_linear},
            {"dynamic_quantize_linear", dynamic_quantize_linear},
            {"qlinear_matmul", qlinear_matmul},
            {"softmax", softmax},
            {"log_softmax", log_softmax},
            {"layernorm", layernorm},
            {"rmsnorm", rmsnorm},
            {"batchnorm", batchnorm},
            {"pool", pool},
            {"transpose", transpose},
            {"concat", concat},
            {"pad", pad},
            {"gather", gather},
            {"gather_elements", gather_elements},
            {"embedding", embedding},
            {"scatter", scatter},
            {"rotary_embedding", rotary_embedding},
            {"resize", resize},
            {"cross_entropy", cross_entropy},
            {"nll_loss", nll_loss},
            {"gradients", gradients}};

int run_op(const char *verb, const Line *line, netcl_graph *graph, netcl_tensor **results) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.graph = graph;
  run.into = tensor_option(line, "into");
  for (size_t i = 0; i < sizeof kOps / sizeof *kOps; ++i) {
    if (strcmp(kOps[i].verb, verb) != 0) continue;
    kOps[i].function(line, &run, results);
    return 1;
  }
  return 0;
}
