/* The calls of support_replay.h. */
#include "support_replay_options.h"

static netcl_tensor* random_tensor(netcl_device* device, uint32_t rank, const int64_t* shape,
                                   double low, double high) {
  const int64_t count = product(rank, shape);
  float* data = malloc((size_t)count * sizeof *data);
  for (int64_t i = 0; i < count; ++i) data[i] = (float)random_real(low, high);
  netcl_tensor* tensor = make_tensor(device, NETCL_F32, rank, shape, data);
  free(data);
  return tensor;
}

static netcl_tensor* random_indices(netcl_device* device, uint32_t rank, const int64_t* shape) {
  int64_t data[7 * 16];
  const int64_t count = product(rank, shape);
  for (int64_t i = 0; i < count; ++i) data[i] = random_in(0, 15);
  return make_tensor(device, NETCL_I64, rank, shape, data);
}

const char* const kReplayPrimitive = "support_replay";
static void register_primitive(void) {
  static const char* const kAttributes[] = {"slope", "shift"};
  static const double kDefaults[] = {0.5, 0.25};
  static int registered;
  netcl_primitive_options options = NETCL_PRIMITIVE_OPTIONS_INIT;
  if (registered) return;
  options.forward = "v0 * slope + sin(v0) * v1 * shift";
  options.arity = 2;
  options.attributes = kAttributes;
  options.defaults = kDefaults;
  options.attributes_count = options.defaults_count = 2;
  OK(netcl_primitive_register(kReplayPrimitive, &options));
  registered = 1;
}

Set make_set(netcl_device* device) {
  static const int64_t image[4] = {4, 6, 8, 8}, filters[4] = {4, 6, 3, 3}, one[4] = {5, 6, 1, 1};
  static const int64_t channels[1] = {6}, square[2] = {16, 16}, row[1] = {16}, line[1] = {70000};
  static const int64_t indices[2] = {7, 16}, places[1] = {7};
  Set set;
  register_primitive();
  set.image = random_tensor(device, 4, image, -1, 1);
  set.filters = random_tensor(device, 4, filters, -1, 1);
  set.pointwise = random_tensor(device, 4, one, -1, 1);
  set.channels = random_tensor(device, 1, channels, -1, 1);
  set.mean = random_tensor(device, 1, channels, -1, 1);
  set.variance = random_tensor(device, 1, channels, 0.5, 2);
  set.square = random_tensor(device, 2, square, -1, 1);
  set.other = random_tensor(device, 2, square, -1, 1);
  set.row = random_tensor(device, 1, row, -1, 1);
  set.line = random_tensor(device, 1, line, -1, 1);
  set.indices = random_indices(device, 2, indices);
  set.places = random_indices(device, 1, places);
  set.updates = random_tensor(device, 2, indices, -1, 1);
  return set;
}

void release_set(Set* set) {
  netcl_tensor* const all[] = {set->image,  set->filters,  set->pointwise, set->channels,
                               set->mean,   set->variance, set->square,    set->other,
                               set->row,    set->line,     set->indices,   set->places,
                               set->updates};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

/* ---- The calls ------------------------------------------------------------------------------- */

static netcl_status matmul(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  epilogue.bias = s->row;
  epilogue.residual = s->other;
  epilogue.activation = NETCL_ACTIVATION_LEAKY_RELU;
  epilogue.alpha = 0.25;
  options.epilogue = &epilogue;
  return netcl_op_matmul(s->square, s->other, &options, run, result);
}
static netcl_status matmul_packed(const Set* s, const netcl_run_options* run,
                                  netcl_tensor** result) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  options.variant = NETCL_VARIANT_MATMUL_REGISTER_TILED;
  return netcl_op_matmul(s->square, s->other, &options, run, result);
}
static netcl_status convolve(const Set* s, netcl_tensor* w, int64_t padding, netcl_variant variant,
                             int normalise, const netcl_run_options* run, netcl_tensor** result) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_conv2d_batchnorm batchnorm = NETCL_CONV2D_BATCHNORM_INIT;
  netcl_range first[1] = {{0, 4, 1}};
  for (int i = 0; i < 4; ++i) options.padding[i] = padding;
  options.variant = variant;
  if (!normalise) return netcl_op_conv2d(s->image, w, &options, run, result);
  netcl_tensor *mean, *variance;
  OK(netcl_tensor_slice(s->mean, first, 1, &mean));
  OK(netcl_tensor_slice(s->variance, first, 1, &variance));
  batchnorm.mean = mean;
  batchnorm.variance = variance;
  options.batchnorm = &batchnorm;
  const netcl_status status = netcl_op_conv2d(s->image, w, &options, run, result);
  netcl_tensor_release(mean);
  netcl_tensor_release(variance);
  return status;
}
static netcl_status conv2d(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return convolve(s, s->filters, 1, 0, 0, run, result);
}
static netcl_status conv2d_normed(const Set* s, const netcl_run_options* run,
                                  netcl_tensor** result) {
  return convolve(s, s->filters, 1, 0, 1, run, result);
}
static netcl_status conv2d_im2col(const Set* s, const netcl_run_options* run,
                                  netcl_tensor** result) {
  return convolve(s, s->filters, 0, NETCL_VARIANT_CONV2D_IM2COL, 0, run, result);
}
static netcl_status conv2d_implicit(const Set* s, const netcl_run_options* run,
                                    netcl_tensor** result) {
  return convolve(s, s->pointwise, 0, NETCL_VARIANT_CONV2D_IMPLICIT_GEMM, 0, run, result);
}
static netcl_status conv2d_winograd(const Set* s, const netcl_run_options* run,
                                    netcl_tensor** result) {
  return convolve(s, s->filters, 1, NETCL_VARIANT_CONV2D_WINOGRAD, 0, run, result);
}
static netcl_status reduce(netcl_tensor* x, netcl_reduction kind, int32_t axis,
                           netcl_variant variant, netcl_dtype dtype, const netcl_run_options* run,
                           netcl_tensor** result) {
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  options.axes = &axis;
  options.axes_count = 1;
  options.variant = variant;
  options.dtype = dtype;
  return netcl_op_reduce(x, kind, &options, run, result);
}
static netcl_status sum(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return reduce(s->line, NETCL_REDUCTION_SUM, 0, NETCL_VARIANT_REDUCTION_WORKGROUP, 0, run, result);
}
static netcl_status mean(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return reduce(s->image, NETCL_REDUCTION_MEAN, 1, 0, 0, run, result);
}
static netcl_status columns(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return reduce(s->square, NETCL_REDUCTION_L2, 0, NETCL_VARIANT_REDUCTION_PARALLEL, 0, run, result);
}
static netcl_status log_sum_exp(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return reduce(s->square, NETCL_REDUCTION_LOG_SUM_EXP, 1, 0, 0, run, result);
}
static netcl_status largest(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return reduce(s->square, NETCL_REDUCTION_MAX, 1, 0, NETCL_F64, run, result);
}
static netcl_status place(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return reduce(s->line, NETCL_REDUCTION_ARGMAX, 0, NETCL_VARIANT_REDUCTION_WORKGROUP, 0, run,
                result);
}
static netcl_status scan(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_scan(s->line, NETCL_REDUCTION_SUM, 0, NULL, run, result);
}
static netcl_status histogram(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_histogram(s->line, 10, NULL, run, result);
}
static netcl_status softmax(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_softmax(s->image, 1, run, result);
}
static netcl_status softmax_long(const Set* s, const netcl_run_options* run,
                                 netcl_tensor** result) {
  return netcl_op_softmax(s->line, 0, run, result);
}
static netcl_status log_softmax(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_log_softmax(s->square, -1, run, result);
}
static netcl_status cross_entropy(const Set* s, const netcl_run_options* run,
                                  netcl_tensor** result) {
  return netcl_op_cross_entropy(s->updates, s->places, 1, NULL, run, result);
}
static netcl_status losses_across(const Set* s, const netcl_run_options* run,
                                  netcl_tensor** result) {
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  netcl_tensor* columns = NULL;
  options.reduction = NETCL_LOSS_NONE;
  OK(netcl_tensor_permute(s->updates, (const uint32_t[]){1, 0}, 2, &columns));
  const netcl_status status = netcl_op_cross_entropy(columns, s->places, 0, &options, run, result);
  netcl_tensor_release(columns);
  return status;
}
static netcl_status nll_loss(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_loss_options options = NETCL_LOSS_OPTIONS_INIT;
  options.weights = s->row;
  options.reduction = NETCL_LOSS_SUM;
  return netcl_op_nll_loss(s->updates, s->places, 1, &options, run, result);
}
static netcl_status layernorm(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  options.scale = s->row;
  options.bias = s->row;
  return netcl_op_layernorm(s->square, 1, &options, run, result);
}
static netcl_status rmsnorm(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_rmsnorm(s->image, 2, NULL, run, result);
}
static netcl_status batchnorm(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  options.scale = s->channels;
  options.activation = NETCL_ACTIVATION_RELU;
  return netcl_op_batchnorm(s->image, s->mean, s->variance, &options, run, result);
}
static netcl_status batchnorm_training(const Set* s, const netcl_run_options* run,
                                       netcl_tensor** result) {
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  options.training = 1;
  return netcl_op_batchnorm(s->image, s->mean, s->variance, &options, run, result);
}
static netcl_status pool(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  const netcl_pooling_options options = pooling_of(one_size(2), one_size(2));
  return netcl_op_pool(s->image, NETCL_POOLING_AVERAGE, &options, run, result);
}
static netcl_status roi_pool(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return roi_pool_of(s, NETCL_ROI_POOLING_MAX_SAMPLE, NULL, run, result);
}
static netcl_status max_unpool2d(const Set* s, const netcl_run_options* run,
                                 netcl_tensor** result) {
  return unpooled(s, 5, 7, NULL, run, result);
}
static netcl_status transpose(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  static const uint32_t axes[4] = {0, 2, 3, 1};
  return netcl_op_transpose(s->image, axes, 4, run, result);
}
static netcl_status attention(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
  options.causal = 1;
  return netcl_op_attention(s->image, s->image, s->image, &options, run, result, NULL);
}
static netcl_status concat(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_tensor* inputs[3] = {s->square, s->updates, s->other};
  return netcl_op_concat(inputs, 3, 0, run, result);
}
static netcl_status einsum(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_tensor* inputs[2] = {s->updates, s->square};
  return netcl_op_einsum("ij,jk->ki", inputs, 2, run, result);
}
static netcl_status pad(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  static const int64_t pads[8] = {0, 1, 0, 2, 0, 0, 3, 1};
  netcl_pad_options options = NETCL_PAD_OPTIONS_INIT;
  options.mode = NETCL_PAD_EDGE;
  return netcl_op_pad(s->image, pads, 8, &options, run, result);
}
static netcl_status tile(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  static const int64_t repeats[4] = {1, 2, 1, 3};
  return netcl_op_tile(s->image, repeats, 4, run, result);
}
static netcl_status trilu(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_trilu(s->image, 0, 1, run, result);
}
static netcl_status space_to_depth(const Set* s, const netcl_run_options* run,
                                   netcl_tensor** result) {
  return netcl_op_space_to_depth(s->image, 4, NETCL_DEPTH_DCR, run, result);
}
static netcl_status depth_to_space(const Set* s, const netcl_run_options* run,
                                   netcl_tensor** result) {
  static const int64_t shape[4] = {1, 24, 8, 8};
  netcl_tensor* channels = NULL;
  OK(netcl_tensor_reshape(s->image, 4, shape, NULL, &channels));
  const netcl_status status =
      netcl_op_depth_to_space(channels, 2, NETCL_DEPTH_CRD, run, result);
  netcl_tensor_release(channels);
  return status;
}
static netcl_status one_hot(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  const float on = 1, off = -1;
  return netcl_op_one_hot(s->places, 16, -1, NETCL_F32, &on, &off, run, result);
}
static netcl_status resize(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  static const int64_t shape[4] = {4, 6, 5, 11};
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  options.mode = NETCL_RESIZE_LINEAR;
  return netcl_op_resize(s->image, 4, shape, &options, run, result);
}
static netcl_status cast(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_cast(s->image, NETCL_F16, run, result);
}
static netcl_status copy(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_copy(s->image, run, result);
}
static netcl_status gather(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_gather(s->square, s->places, 1, run, result);
}
static netcl_status gather_elements(const Set* s, const netcl_run_options* run,
                                    netcl_tensor** result) {
  return netcl_op_gather_elements(s->square, s->indices, 0, run, result);
}
static netcl_status embedding(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_embedding(s->square, s->places, run, result);
}
static netcl_status scatter(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_scatter_options options = NETCL_SCATTER_OPTIONS_INIT;
  options.mode = NETCL_SCATTER_ADD;
  return netcl_op_scatter(s->square, s->indices, s->updates, 0, &options, run, result);
}
/* Whole lines of the square as places of one dimension. */
static netcl_tensor* lines_of(const Set* s) {
  static const int64_t shape[2] = {7, 1};
  netcl_tensor* lines = NULL;
  OK(netcl_tensor_reshape(s->places, 2, shape, NULL, &lines));
  return lines;
}
static netcl_status gather_nd(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_tensor* lines = lines_of(s);
  const netcl_status status = netcl_op_gather_nd(s->square, lines, 0, run, result);
  netcl_tensor_release(lines);
  return status;
}
static netcl_status scatter_nd(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_scatter_options options = NETCL_SCATTER_OPTIONS_INIT;
  options.mode = NETCL_SCATTER_ADD;
  netcl_tensor* lines = lines_of(s);
  const netcl_status status =
      netcl_op_scatter_nd(s->square, lines, s->updates, 0, &options, run, result);
  netcl_tensor_release(lines);
  return status;
}
static netcl_status elementwise(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_elementwise_options options = NETCL_ELEMENTWISE_OPTIONS_INIT;
  netcl_tensor* inputs[1];
  inputs[0] = s->image;
  options.has_parameters = 1;
  options.alpha = 0.5;
  return netcl_op_elementwise(NETCL_ELEMENTWISE_LEAKY_RELU, inputs, 1, &options, run, result);
}
static netcl_status bias_add(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_bias_add(s->image, s->channels, 1, run, result);
}
static netcl_status expression(const Set* s, const netcl_run_options* run, netcl_tensor** result) {
  netcl_tensor* inputs[3];
  inputs[0] = s->square;
  inputs[1] = s->row;
  inputs[2] = s->other;
  return netcl_op_expression_text("v0 * v1 - exp(v2)", inputs, 3, NULL, run, result);
}

/* The sum over the rows goes through memory of its own. */
static netcl_status primitive_gradient(const Set* s, const netcl_run_options* run,
                                       netcl_tensor** result) {
  netcl_tensor* inputs[2] = {s->square, s->row};
  return netcl_op_primitive_gradient(kReplayPrimitive, inputs, 2, 1, s->other, NULL, NULL, run,
                                     result);
}

const ReplayCase kCases[REPLAY_CASES] = {{"matmul", matmul},
                                         {"einsum", einsum},
                                         {"matmul, packed", matmul_packed},
                                         {"conv2d", conv2d},
                                         {"conv2d with batchnorm", conv2d_normed},
                                         {"conv2d, im2col", conv2d_im2col},
                                         {"conv2d, implicit GEMM", conv2d_implicit},
                                         {"conv2d, Winograd", conv2d_winograd},
                                         {"sum", sum},
                                         {"mean", mean},
                                         {"columns", columns},
                                         {"log_sum_exp", log_sum_exp},
                                         {"largest", largest},
                                         {"place", place},
                                         {"scan", scan},
                                         {"histogram", histogram},
                                         {"softmax", softmax},
                                         {"softmax of a long row", softmax_long},
                                         {"log_softmax", log_softmax},
                                         {"cross_entropy", cross_entropy},
                                         {"losses across memory", losses_across},
                                         {"nll_loss", nll_loss},
                                         {"layernorm", layernorm},
                                         {"rmsnorm", rmsnorm},
                                         {"batchnorm", batchnorm},
                                         {"batchnorm, training", batchnorm_training},
                                         {"pool", pool},
                                         {"roi_pool", roi_pool},
                                         {"max_unpool2d", max_unpool2d},
                                         {"transpose", transpose},
                                         {"gather", gather},
                                         {"gather_elements", gather_elements},
                                         {"embedding", embedding},
                                         {"scatter", scatter},
                                         {"gather_nd", gather_nd},
                                         {"scatter_nd", scatter_nd},
                                         {"elementwise", elementwise},
                                         {"bias_add", bias_add},
                                         {"expression", expression},
                                         {"primitive_gradient", primitive_gradient},
                                         {"attention", attention},
                                         {"concat", concat},
                                         {"pad", pad},
                                         {"tile", tile},
                                         {"trilu", trilu},
                                         {"depth_to_space", depth_to_space},
                                         {"space_to_depth", space_to_depth},
                                         {"one_hot", one_hot},
                                         {"resize", resize},
                                         {"cast", cast},
                                         {"copy", copy}};
