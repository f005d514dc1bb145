/* Every option of every op is part of what a kept call is known by: calls that differ in one member
 * of an options struct give what each gives when nothing is kept. scripts/check_coverage.py sees to
 * it that each member of the API lock has a row in kRows. */
#include "support_replay.h"

/* The two values of a row's member. */
enum { FIRST = 0, OTHER = 1 };

/* Calls an op with one of the two values. */
typedef netcl_status (*Call)(const Set* set, int which, netcl_tensor** result);

static netcl_status give_first(netcl_status status, netcl_tensor** result, netcl_tensor* other) {
  if (status == NETCL_OK) {
    netcl_tensor_release(*result);
    *result = other;
  } else {
    netcl_tensor_release(other);
  }
  return status;
}

/* ---- How each struct is used ----------------------------------------------------------------- */

static netcl_status with_expression(const Set* s, const netcl_expression_options* options,
                                    netcl_tensor** result) {
  return netcl_op_expression_text("v0 * 2.5 + v1", (netcl_tensor* const[]){s->square, s->row}, 2,
                                  options, NULL, result);
}
static netcl_status with_elementwise(const Set* s, const netcl_elementwise_options* options,
                                     netcl_tensor** result) {
  return netcl_op_elementwise(NETCL_ELEMENTWISE_HARD_SIGMOID, &s->square, 1, options, NULL, result);
}
static netcl_status with_primitive(const Set* s, const netcl_primitive_call_options* options,
                                   netcl_tensor** result) {
  return netcl_op_primitive(kReplayPrimitive, (netcl_tensor* const[]){s->square, s->row}, 2,
                            options, NULL, result);
}
static netcl_status with_matmul(const Set* s, const netcl_matmul_options* options,
                                netcl_tensor** result) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* copy = NULL;
  if (options->has_scale == 0) return netcl_op_matmul(s->square, s->other, options, NULL, result);
  /* beta needs something to scale. */
  OK(netcl_op_copy(s->other, NULL, &copy));
  run.into = copy;
  *result = copy;
  return netcl_op_matmul(s->square, s->other, options, &run, NULL);
}
static netcl_status with_epilogue(const Set* s, const netcl_epilogue* epilogue,
                                  netcl_tensor** result) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  options.epilogue = epilogue;
  return netcl_op_matmul(s->square, s->other, &options, NULL, result);
}
static netcl_status with_conv2d(const Set* s, const netcl_conv2d_options* options,
                                netcl_tensor** result) {
  netcl_tensor* w = s->filters;
  netcl_range half[4] = {{0, 4, 1}, {0, 3, 1}, {0, 3, 1}, {0, 3, 1}};
  if (options->groups != 2) return netcl_op_conv2d(s->image, w, options, NULL, result);
  OK(netcl_tensor_slice(s->filters, half, 4, &w));
  const netcl_status status = netcl_op_conv2d(s->image, w, options, NULL, result);
  netcl_tensor_release(w);
  return status;
}
static netcl_status with_conv2d_batchnorm(const Set* s, netcl_conv2d_batchnorm* batchnorm,
                                          netcl_tensor** result) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_range first[1] = {{0, 4, 1}};
  netcl_tensor *all[4], **places[4] = {&batchnorm->mean, &batchnorm->variance, &batchnorm->scale,
                                       &batchnorm->bias};
  if (batchnorm->mean == NULL) batchnorm->mean = s->mean;
  if (batchnorm->variance == NULL) batchnorm->variance = s->variance;
  for (int i = 0; i < 4; ++i) {
    all[i] = NULL;
    if (*places[i] == NULL) continue;
    OK(netcl_tensor_slice(*places[i], first, 1, &all[i]));
    *places[i] = all[i];
  }
  options.batchnorm = batchnorm;
  const netcl_status status = netcl_op_conv2d(s->image, s->filters, &options, NULL, result);
  for (int i = 0; i < 4; ++i) netcl_tensor_release(all[i]);
  return status;
}
static netcl_status with_reduce(const Set* s, const netcl_reduce_options* options,
                                netcl_tensor** result) {
  return netcl_op_reduce(s->square, NETCL_REDUCTION_SUM, options, NULL, result);
}
/* Rows of equal elements have a first and a last largest one. */
static netcl_status with_argmax(const Set* s, const netcl_reduce_options* options,
                                netcl_tensor** result) {
  static const int32_t kLast[1] = {1};
  netcl_reduce_options own = *options;
  netcl_tensor* flat = NULL;
  OK(netcl_op_expression_text("v0 * 0", &s->indices, 1, NULL, NULL, &flat));
  own.axes = kLast;
  own.axes_count = 1;
  const netcl_status status =
      netcl_op_reduce(flat, NETCL_REDUCTION_ARGMAX, &own, NULL, result);
  netcl_tensor_release(flat);
  return status;
}
static netcl_status with_scan(const Set* s, const netcl_scan_options* options,
                              netcl_tensor** result) {
  return netcl_op_scan(s->square, NETCL_REDUCTION_SUM, 1, options, NULL, result);
}
static netcl_status with_histogram(const Set* s, const netcl_histogram_options* options,
                                   netcl_tensor** result) {
  return netcl_op_histogram(s->line, 10, options, NULL, result);
}
static netcl_status with_topk(const Set* s, const netcl_topk_options* options,
                              netcl_tensor** result) {
  return netcl_op_topk(s->square, 3, 1, options, NULL, result, NULL);
}
/* What is compared are the indices: those that were made, or those that were written to. */
static netcl_status with_topk_into(const Set* s, int given, netcl_tensor** result) {
  const int64_t shape[2] = {16, 3};
  netcl_topk_options options = NETCL_TOPK_OPTIONS_INIT;
  netcl_tensor* places = NULL;
  if (!given) {
    const netcl_status status = netcl_op_topk(s->square, 3, 1, NULL, NULL, result, &places);
    return give_first(status, result, places);
  }
  const int64_t zeros[48] = {0};
  netcl_device* device = NULL;
  OK(netcl_tensor_get_device(s->square, &device));
  options.indices_into = make_tensor(device, NETCL_I64, 2, shape, zeros);
  netcl_device_release(device);
  const netcl_status status = netcl_op_topk(s->square, 3, 1, &options, NULL, result, NULL);
  return give_first(status, result, options.indices_into);
}
static netcl_status with_layernorm(const Set* s, const netcl_norm_options* options,
                                   netcl_tensor** result) {
  return netcl_op_layernorm(s->square, 1, options, NULL, result);
}
/* In training the moved mean is what is compared. */
static netcl_status with_batchnorm(const Set* s, const netcl_batchnorm_options* options,
                                   int moved, netcl_tensor** result) {
  netcl_tensor *mean = NULL, *variance = NULL;
  OK(netcl_op_copy(s->mean, NULL, &mean));
  OK(netcl_op_copy(s->variance, NULL, &variance));
  netcl_status status = netcl_op_batchnorm(s->image, mean, variance, options, NULL, result);
  netcl_tensor_release(variance);
  if (moved) return give_first(status, result, mean);
  netcl_tensor_release(mean);
  return status;
}
static netcl_status with_pool2d(const Set* s, const netcl_pool2d_options* options,
                                netcl_tensor** result) {
  netcl_pool2d_options own = *options;
  if (own.window[0] == 0) own.window[0] = 3;
  if (own.window[1] == 0) own.window[1] = 3;
  return netcl_op_pool2d(s->image, NETCL_POOLING_AVERAGE, &own, NULL, result);
}
static netcl_status with_pad(const Set* s, const netcl_pad_options* options,
                             netcl_tensor** result) {
  static const int64_t kPads[4] = {1, 2, 0, 3};
  return netcl_op_pad(s->square, kPads, 4, options, NULL, result);
}
static netcl_status with_scatter(const Set* s, const netcl_scatter_options* options,
                                 netcl_tensor** result) {
  /* Whole numbers have one sum in any order. */
  netcl_tensor *x = NULL, *updates = NULL;
  OK(netcl_op_expression_text("floor(v0 * 8)", &s->square, 1, NULL, NULL, &x));
  OK(netcl_op_expression_text("floor(v0 * 8)", &s->updates, 1, NULL, NULL, &updates));
  const netcl_status status =
      netcl_op_scatter(x, s->indices, updates, 0, options, NULL, result);
  netcl_tensor_release(x);
  netcl_tensor_release(updates);
  return status;
}
static netcl_status with_resize(const Set* s, const netcl_resize_options* options,
                                netcl_tensor** result) {
  static const int64_t kShape[2] = {24, 11};
  return netcl_op_resize(s->square, 2, kShape, options, NULL, result);
}

static netcl_status matmul_of_halves(const Set* s, const netcl_matmul_options* options,
                                     netcl_tensor** result) {
  netcl_tensor *a = NULL, *b = NULL;
  OK(netcl_op_cast(s->square, NETCL_F16, NULL, &a));
  OK(netcl_op_cast(s->other, NETCL_F16, NULL, &b));
  const netcl_status status = netcl_op_matmul(a, b, options, NULL, result);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  return status;
}
static netcl_status conv2d_normalised(const Set* s, int which, netcl_tensor** result) {
  netcl_conv2d_batchnorm batchnorm = NETCL_CONV2D_BATCHNORM_INIT;
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  if (which == FIRST) return with_conv2d(s, &options, result);
  return with_conv2d_batchnorm(s, &batchnorm, result);
}

/* ---- The rows -------------------------------------------------------------------------------- */

/* X(struct, member, kind, how, call): `how` sets the member of the options `o` by `which`. The two
 * results differ where the kind is DIFFERS. */
enum { SAME = 0, DIFFERS = 1 };
#define PICK(a, b) (which == FIRST ? (a) : (b))
static const int32_t kAxes[2] = {1, 0};
static const char* const kAttributes[2] = {"slope", "shift"};
static const double kValues[2] = {1.5, -2.5};
static const float kNumbers[2] = {1.5f, -2.5f};
static const netcl_epilogue kRelu = {
    sizeof(netcl_epilogue), NULL, NULL, 0.0, 0.0, NETCL_ACTIVATION_RELU, 0};
/* clang-format off */
#define ROWS(X) \
  X(netcl_expression_options, dtype, DIFFERS, o.dtype = PICK(NETCL_F32, NETCL_I32), \
    with_expression(s, &o, result)) \
  X(netcl_expression_options, variant, SAME, o.variant = PICK(0, \
    NETCL_VARIANT_ELEMENTWISE_SCALAR), \
    with_expression(s, &o, result)) \
  X(netcl_elementwise_options, alpha, DIFFERS, \
    (o.has_parameters = 1, o.beta = 0.25, o.alpha = PICK(0.5, -0.25)), \
    with_elementwise(s, &o, result)) \
  X(netcl_elementwise_options, beta, DIFFERS, \
    (o.has_parameters = 1, o.alpha = 0.25, o.beta = PICK(0.5, 0.25)), \
    with_elementwise(s, &o, result)) \
  X(netcl_elementwise_options, dtype, DIFFERS, o.dtype = PICK(NETCL_F32, NETCL_I32), \
    with_elementwise(s, &o, result)) \
  X(netcl_elementwise_options, variant, SAME, \
    o.variant = PICK(0, NETCL_VARIANT_ELEMENTWISE_SCALAR), with_elementwise(s, &o, result)) \
  X(netcl_elementwise_options, has_parameters, DIFFERS, o.has_parameters = PICK(0u, 1u), \
    with_elementwise(s, &o, result)) \
  X(netcl_primitive_call_options, attributes, DIFFERS, (o.values = kValues, o.values_count = 1, \
    o.attributes_count = 1, o.attributes = PICK(&kAttributes[0], &kAttributes[1])), \
    with_primitive(s, &o, result)) \
  X(netcl_primitive_call_options, values, DIFFERS, (o.attributes = kAttributes, \
    o.attributes_count = o.values_count = 1, o.values = PICK(&kValues[0], &kValues[1])), \
    with_primitive(s, &o, result)) \
  X(netcl_primitive_call_options, attributes_count, DIFFERS, (o.attributes = kAttributes, \
    o.values = kValues, o.values_count = o.attributes_count = PICK(1u, 2u)), \
    with_primitive(s, &o, result)) \
  X(netcl_primitive_call_options, values_count, DIFFERS, (o.attributes = kAttributes, \
    o.values = kValues, o.attributes_count = o.values_count = PICK(0u, 1u)), \
    with_primitive(s, &o, result)) \
  X(netcl_epilogue, bias, DIFFERS, o.bias = PICK(NULL, s->row), with_epilogue(s, &o, result)) \
  X(netcl_epilogue, residual, DIFFERS, o.residual = PICK(NULL, s->square), \
    with_epilogue(s, &o, result)) \
  X(netcl_epilogue, alpha, DIFFERS, \
    (o.activation = NETCL_ACTIVATION_LEAKY_RELU, o.alpha = PICK(0.5, 0.25)), \
    with_epilogue(s, &o, result)) \
  X(netcl_epilogue, beta, DIFFERS, \
    (o.activation = NETCL_ACTIVATION_CLIP, o.alpha = -0.5, o.beta = PICK(0.5, 0.25)), \
    with_epilogue(s, &o, result)) \
  X(netcl_epilogue, activation, DIFFERS, \
    o.activation = PICK(NETCL_ACTIVATION_RELU, NETCL_ACTIVATION_TANH), \
    with_epilogue(s, &o, result)) \
  X(netcl_epilogue, has_parameters, DIFFERS, \
    (o.activation = NETCL_ACTIVATION_LEAKY_RELU, o.has_parameters = PICK(0u, 1u)), \
    with_epilogue(s, &o, result)) \
  X(netcl_matmul_options, epilogue, DIFFERS, o.epilogue = PICK(NULL, &kRelu), \
    with_matmul(s, &o, result)) \
  X(netcl_matmul_options, alpha, DIFFERS, (o.has_scale = 1, o.alpha = PICK(1.0, 2.0)), \
    with_matmul(s, &o, result)) \
  X(netcl_matmul_options, beta, DIFFERS, \
    (o.has_scale = 1, o.alpha = 1, o.beta = PICK(0.5, 2.0)), with_matmul(s, &o, result)) \
  X(netcl_matmul_options, dtype, DIFFERS, o.dtype = PICK(NETCL_F16, NETCL_F32), \
    matmul_of_halves(s, &o, result)) \
  X(netcl_matmul_options, has_scale, DIFFERS, o.has_scale = PICK(0u, 1u), \
    with_matmul(s, &o, result)) \
  X(netcl_matmul_options, variant, SAME, o.variant = PICK(0, NETCL_VARIANT_MATMUL_NAIVE), \
    with_matmul(s, &o, result)) \
  X(netcl_conv2d_batchnorm, scale, DIFFERS, o.scale = PICK(NULL, s->channels), \
    with_conv2d_batchnorm(s, &o, result)) \
  X(netcl_conv2d_batchnorm, bias, DIFFERS, o.bias = PICK(NULL, s->channels), \
    with_conv2d_batchnorm(s, &o, result)) \
  X(netcl_conv2d_batchnorm, mean, DIFFERS, o.mean = PICK(s->mean, s->channels), \
    with_conv2d_batchnorm(s, &o, result)) \
  X(netcl_conv2d_batchnorm, variance, DIFFERS, o.variance = PICK(NULL, s->channels), \
    with_conv2d_batchnorm(s, &o, result)) \
  X(netcl_conv2d_batchnorm, epsilon, DIFFERS, o.epsilon = PICK(0.25, 0.75), \
    with_conv2d_batchnorm(s, &o, result)) \
  X(netcl_conv2d_batchnorm, has_epsilon, DIFFERS, o.has_epsilon = PICK(0u, 1u), \
    with_conv2d_batchnorm(s, &o, result)) \
  X(netcl_conv2d_options, epilogue, DIFFERS, o.epilogue = PICK(NULL, &kRelu), \
    with_conv2d(s, &o, result)) \
  X(netcl_conv2d_options, batchnorm, DIFFERS, (void)which, conv2d_normalised(s, which, result)) \
  X(netcl_conv2d_options, strides, DIFFERS, o.strides[1] = PICK(1, 2), with_conv2d(s, &o, result)) \
  X(netcl_conv2d_options, dilations, DIFFERS, o.dilations[0] = PICK(1, 2), \
    with_conv2d(s, &o, result)) \
  X(netcl_conv2d_options, padding, DIFFERS, (o.padding[2] = PICK(0, 1), o.padding[0] = PICK(1, \
    0)), \
    with_conv2d(s, &o, result)) \
  X(netcl_conv2d_options, groups, DIFFERS, o.groups = PICK(1, 2), with_conv2d(s, &o, result)) \
  X(netcl_conv2d_options, variant, SAME, o.variant = PICK(0, NETCL_VARIANT_CONV2D_NAIVE), \
    with_conv2d(s, &o, result)) \
  X(netcl_conv2d_options, winograd_tile, SAME, \
    (o.variant = NETCL_VARIANT_CONV2D_WINOGRAD, o.winograd_tile = PICK(2u, 4u)), \
    with_conv2d(s, &o, result)) \
  X(netcl_reduce_options, axes, DIFFERS, (o.axes_count = 1, o.axes = PICK(&kAxes[0], &kAxes[1])), \
    with_reduce(s, &o, result)) \
  X(netcl_reduce_options, axes_count, DIFFERS, (o.axes = kAxes, o.axes_count = PICK(1u, 2u)), \
    with_reduce(s, &o, result)) \
  X(netcl_reduce_options, keepdims, DIFFERS, o.keepdims = PICK(0u, 1u), with_reduce(s, &o, \
    result)) \
  X(netcl_reduce_options, dtype, DIFFERS, o.dtype = PICK(NETCL_F32, NETCL_F64), \
    with_reduce(s, &o, result)) \
  X(netcl_reduce_options, variant, SAME, o.variant = PICK(0, NETCL_VARIANT_REDUCTION_SEQUENTIAL), \
    with_reduce(s, &o, result)) \
  X(netcl_reduce_options, select_last, DIFFERS, o.select_last = PICK(0u, 1u), \
    with_argmax(s, &o, result)) \
  X(netcl_scan_options, exclusive, DIFFERS, o.exclusive = PICK(0u, 1u), with_scan(s, &o, result)) \
  X(netcl_scan_options, reverse, DIFFERS, o.reverse = PICK(0u, 1u), with_scan(s, &o, result)) \
  X(netcl_histogram_options, low, DIFFERS, (o.high = 1, o.low = PICK(-1.0, 0.0)), \
    with_histogram(s, &o, result)) \
  X(netcl_histogram_options, high, DIFFERS, (o.low = -1, o.high = PICK(1.0, 0.5)), \
    with_histogram(s, &o, result)) \
  X(netcl_topk_options, indices_into, SAME, (void)o, with_topk_into(s, which, result)) \
  X(netcl_topk_options, smallest, DIFFERS, o.smallest = PICK(0u, 1u), with_topk(s, &o, result)) \
  X(netcl_norm_options, scale, DIFFERS, o.scale = PICK(NULL, s->row), \
    with_layernorm(s, &o, result)) \
  X(netcl_norm_options, bias, DIFFERS, o.bias = PICK(NULL, s->row), with_layernorm(s, &o, result)) \
  X(netcl_norm_options, epsilon, DIFFERS, o.epsilon = PICK(0.25, 0.75), \
    with_layernorm(s, &o, result)) \
  X(netcl_norm_options, has_epsilon, DIFFERS, o.has_epsilon = PICK(0u, 1u), \
    with_layernorm(s, &o, result)) \
  X(netcl_batchnorm_options, scale, DIFFERS, o.scale = PICK(NULL, s->channels), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_batchnorm_options, bias, DIFFERS, o.bias = PICK(NULL, s->channels), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_batchnorm_options, epsilon, DIFFERS, o.epsilon = PICK(0.25, 0.75), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_batchnorm_options, momentum, DIFFERS, (o.training = 1, o.momentum = PICK(0.5, 0.75)), \
    with_batchnorm(s, &o, 1, result)) \
  X(netcl_batchnorm_options, alpha, DIFFERS, \
    (o.activation = NETCL_ACTIVATION_LEAKY_RELU, o.alpha = PICK(0.5, 0.25)), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_batchnorm_options, beta, DIFFERS, \
    (o.activation = NETCL_ACTIVATION_CLIP, o.alpha = -0.5, o.beta = PICK(0.5, 0.25)), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_batchnorm_options, activation, DIFFERS, \
    o.activation = PICK(NETCL_ACTIVATION_NONE, NETCL_ACTIVATION_RELU), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_batchnorm_options, variant, SAME, o.variant = PICK(0, NETCL_VARIANT_BATCHNORM_NAIVE), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_batchnorm_options, training, DIFFERS, o.training = PICK(0u, 1u), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_batchnorm_options, has_epsilon, DIFFERS, o.has_epsilon = PICK(0u, 1u), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_batchnorm_options, has_momentum, DIFFERS, \
    (o.training = 1, o.has_momentum = PICK(0u, 1u)), with_batchnorm(s, &o, 1, result)) \
  X(netcl_batchnorm_options, has_parameters, DIFFERS, \
    (o.activation = NETCL_ACTIVATION_LEAKY_RELU, o.has_parameters = PICK(0u, 1u)), \
    with_batchnorm(s, &o, 0, result)) \
  X(netcl_pool2d_options, window, DIFFERS, o.window[1] = PICK(2, 3), with_pool2d(s, &o, result)) \
  X(netcl_pool2d_options, strides, DIFFERS, o.strides[0] = PICK(1, 2), with_pool2d(s, &o, result)) \
  X(netcl_pool2d_options, dilations, DIFFERS, o.dilations[0] = PICK(1, 2), \
    with_pool2d(s, &o, result)) \
  X(netcl_pool2d_options, padding, DIFFERS, \
    (o.padding[0] = PICK(1, 0), o.padding[2] = PICK(0, 1)), with_pool2d(s, &o, result)) \
  X(netcl_pool2d_options, ceil_mode, DIFFERS, (o.strides[0] = 2, o.ceil_mode = PICK(0u, 1u)), \
    with_pool2d(s, &o, result)) \
  X(netcl_pool2d_options, count_include_pad, DIFFERS, \
    (o.padding[0] = 1, o.count_include_pad = PICK(0u, 1u)), with_pool2d(s, &o, result)) \
  X(netcl_pad_options, value, DIFFERS, o.value = PICK(&kNumbers[0], &kNumbers[1]), \
    with_pad(s, &o, result)) \
  X(netcl_pad_options, mode, DIFFERS, o.mode = PICK(NETCL_PAD_CONSTANT, NETCL_PAD_EDGE), \
    with_pad(s, &o, result)) \
  X(netcl_scatter_options, mode, DIFFERS, o.mode = PICK(NETCL_SCATTER_ADD, NETCL_SCATTER_ASSIGN), \
    with_scatter(s, &o, result)) \
  X(netcl_scatter_options, atomics, SAME, \
    (o.mode = NETCL_SCATTER_ADD, o.atomics = PICK(0u, 1u)), with_scatter(s, &o, result)) \
  X(netcl_resize_options, mode, DIFFERS, o.mode = PICK(NETCL_RESIZE_NEAREST, NETCL_RESIZE_LINEAR), \
    with_resize(s, &o, result)) \
  X(netcl_resize_options, coordinates, DIFFERS, \
    (o.mode = NETCL_RESIZE_LINEAR, \
     o.coordinates = PICK(NETCL_RESIZE_HALF_PIXEL, NETCL_RESIZE_ASYMMETRIC)), \
    with_resize(s, &o, result))
/* clang-format on */

#define CALL(type, member, kind, how, call)                                                    \
  static netcl_status type##_##member(const Set* s, int which, netcl_tensor** result) {        \
    type o;                                                                                    \
    memset(&o, 0, sizeof o);                                                                   \
    o.struct_size = sizeof o;                                                                  \
    how;                                                                                       \
    return call;                                                                               \
  }
ROWS(CALL)

#define ROW(type, member, kind, how, call) {#type "." #member, kind, type##_##member},
static const struct {
  const char* name;
  int kind;
  Call call;
} kRows[] = {ROWS(ROW)};

typedef struct Bytes {
  unsigned char* data;
  size_t size;
} Bytes;

/* Shape and elements of the result; UNSUPPORTED, on a device that cannot do a case, gives none. */
static Bytes bytes_of(size_t row, const Set* set, int which) {
  Bytes bytes = {NULL, 0};
  netcl_tensor* result = NULL;
  const netcl_status status = kRows[row].call(set, which, &result);
  if (status == NETCL_ERROR_UNSUPPORTED) return bytes;
  check_status(status, NETCL_OK, kRows[row].name, __FILE__, __LINE__);
  const netcl_tensor_info info = tensor_info(result);
  unsigned char* elements = read_tensor(result);
  bytes.size = sizeof info.shape + (size_t)info.byte_count;
  bytes.data = malloc(bytes.size);
  memcpy(bytes.data, info.shape, sizeof info.shape);
  memcpy(bytes.data + sizeof info.shape, elements, (size_t)info.byte_count);
  free(elements);
  netcl_tensor_release(result);
  return bytes;
}

static int equal(Bytes a, Bytes b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* What a call gives when nothing is kept of it. */
static Bytes plain_bytes(size_t row, const Set* set, int which) {
  OK(netcl_program_cache_clear(0));
  OK(netcl_variant_clear_cache());
  return bytes_of(row, set, which);
}

static void each_member(void** state) {
  Fixture* fixture = *state;
  Set set = make_set(fixture->device);
  for (size_t row = 0; row < COUNT_OF(kRows); ++row) {
    const Bytes plain[2] = {plain_bytes(row, &set, FIRST), plain_bytes(row, &set, OTHER)};
    if (kRows[row].kind == DIFFERS && plain[0].size + plain[1].size > 0) {
      CHECK(!equal(plain[0], plain[1]), "%s: both values give the same", kRows[row].name);
    }
    /* A call is noted when it comes again, and repeated from then on. */
    static const int kOrder[] = {FIRST, FIRST, FIRST, OTHER, OTHER, OTHER, FIRST, OTHER};
    for (size_t i = 0; i < COUNT_OF(kOrder); ++i) {
      const Bytes got = bytes_of(row, &set, kOrder[i]);
      CHECK(equal(got, plain[kOrder[i]]), "%s: call %zu, with value %d, gives other bits",
            kRows[row].name, i, kOrder[i]);
      free(got.data);
    }
    free(plain[0].data);
    free(plain[1].data);
  }
  release_set(&set);
}

int main(void) {
  seed_random("replay_options");
  const struct CMUnitTest tests[] = {DEVICE_TEST(each_member), DEVICE_TEST(as_kernels)};
  return cmocka_run_group_tests_name("replay_options", tests, NULL, NULL);
}
