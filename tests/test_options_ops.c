/* The rules of struct_size and reserved members for the options of ops: a row each, and one for how
 * the op runs. */
#include "support.h"

static const int64_t kMatrix[] = {4, 4}, kImages[] = {1, 2, 4, 4}, kFilters[] = {2, 2, 1, 1};
static const int64_t kAngles[] = {1, 4, 2};
static const int64_t kPads[4] = {1, 0, 0, 1};
static const float kValue = 1;
static netcl_tensor *places, *matrix, *vector, *indices, *labels, *images, *filters, *angles;
static const int64_t kCodes[] = {2, 18}, kColumns[] = {2, 32};
static netcl_tensor *rows_of_codes, *columns;
static netcl_tensor *other, *states[2], *count, *number, *found;
static netcl_tensor *bytes, *byte_images, *byte_filters, *regions, *region_images, *image_indices;
static netcl_expression* expression;

/* Ops with another number of results than one. */
static netcl_status fill(const netcl_run_options* run, netcl_tensor** result) {
  const netcl_status status = netcl_op_fill(matrix, &kValue, run);
  if (status == NETCL_OK) OK(netcl_op_copy(matrix, NULL, result));
  return status;
}
static netcl_status range(const netcl_run_options* run, netcl_tensor** result) {
  const netcl_status status = netcl_op_range(matrix, &kValue, &kValue, run);
  if (status == NETCL_OK) OK(netcl_op_copy(matrix, NULL, result));
  return status;
}
static netcl_status eye(const netcl_run_options* run, netcl_tensor** result) {
  const netcl_status status = netcl_op_eye(matrix, 0, run);
  if (status == NETCL_OK) OK(netcl_op_copy(matrix, NULL, result));
  return status;
}
static netcl_status topk(const netcl_topk_options* options, const netcl_run_options* run,
                         netcl_tensor** result) {
  netcl_tensor* places = NULL;
  const netcl_status status = netcl_op_topk(matrix, 2, 1, options, run, result, &places);
  assert_true((status == NETCL_OK) == (places != NULL));
  netcl_tensor_release(places);
  return status;
}

/* Calls with the format set: without one there is none. */
static netcl_status quantized(const netcl_quantized_options* given, const netcl_run_options* run,
                              int what, netcl_tensor** result) {
  netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
  unsigned char raw[sizeof options + 64] = {0};
  netcl_tensor *scales = NULL, *points = NULL;
  netcl_status status;
  options.format = NETCL_QUANTIZATION_Q4_0;
  if (given != NULL) {
    memcpy(raw, given, given->struct_size < sizeof raw ? given->struct_size : sizeof raw);
  } else {
    memcpy(raw, &options, sizeof options);
  }
  netcl_quantized_options* const own = (void*)raw;
  own->format = NETCL_QUANTIZATION_Q4_0;
  if (what == 0) {
    status = netcl_op_matmul_quantized(columns, rows_of_codes, own, run, result);
  } else if (what == 1) {
    status = netcl_op_dequantize_weights(rows_of_codes, own, run, result);
  } else {
    status = netcl_op_quantize_weights(columns, own, run, result, &scales, &points);
    assert_true(scales == NULL && points == NULL);
  }
  return status;
}

static netcl_status attention(const netcl_attention_options* options,
                              const netcl_run_options* run, netcl_tensor** result) {
  netcl_tensor* lse = NULL;
  const netcl_status status =
      netcl_op_attention(images, images, images, options, run, result, &lse);
  assert_true((status == NETCL_OK) == (lse != NULL));
  netcl_tensor_release(lse);
  return status;
}

static netcl_status expressions(const netcl_expressions_options* options,
                                const netcl_run_options* run, netcl_tensor** result) {
  static const char* const kTexts[] = {"v0 + 1", "v0 - 1"};
  netcl_tensor* results[2] = {NULL};
  const netcl_status status = netcl_op_expressions(kTexts, 2, &matrix, 1, options, run, results);
  assert_true((status == NETCL_OK) == (results[1] != NULL));
  netcl_tensor_release(results[1]);
  *result = results[0];
  return status;
}

static netcl_status dynamic_quantize(const netcl_dynamic_quantize_linear_options* options,
                                     const netcl_run_options* run, netcl_tensor** result) {
  netcl_tensor *scale = NULL, *zero = NULL;
  const netcl_status status =
      netcl_op_dynamic_quantize_linear(matrix, options, run, result, &scale, &zero);
  assert_true((status == NETCL_OK) == (scale != NULL && zero != NULL));
  netcl_tensor_release(scale);
  netcl_tensor_release(zero);
  return status;
}

/* Ops that change their tensors and give none: what is given is a copy. */
static netcl_status changed(netcl_status status, netcl_tensor** result) {
  if (status == NETCL_OK) OK(netcl_op_copy(matrix, NULL, result));
  return status;
}
static netcl_status sgd(const netcl_sgd_options* options, const netcl_run_options* run,
                        netcl_tensor** result) {
  return changed(netcl_op_sgd(&matrix, 1, &other, 1, 0.5, options, run), result);
}
static netcl_status with_precision(const netcl_mixed_precision* given, netcl_tensor** result) {
  netcl_sgd_options options = NETCL_SGD_OPTIONS_INIT;
  options.precision = given;
  return sgd(&options, NULL, result);
}
static netcl_status adam(const netcl_adam_options* options, const netcl_run_options* run,
                         netcl_tensor** result) {
  return changed(netcl_op_adam(&matrix, 1, &other, 1, &states[0], 1, &states[1], 1, count, 0.5,
                               options, run),
                 result);
}
static netcl_status rmsprop(const netcl_rmsprop_options* options, const netcl_run_options* run,
                            netcl_tensor** result) {
  return changed(
      netcl_op_rmsprop(&matrix, 1, &other, 1, &states[0], 1, 0.5, options, run), result);
}
static netcl_status adagrad(const netcl_adagrad_options* options, const netcl_run_options* run,
                            netcl_tensor** result) {
  return changed(
      netcl_op_adagrad(&matrix, 1, &other, 1, &states[0], 1, 0.5, options, run), result);
}
static netcl_status unscale(const netcl_run_options* run, netcl_tensor** result) {
  return changed(netcl_op_unscale(&matrix, 1, NULL, number, run), result);
}
static netcl_status loss_scale(const netcl_loss_scale_options* options,
                               const netcl_run_options* run, netcl_tensor** result) {
  return changed(netcl_op_update_loss_scale(number, count, found, options, run), result);
}

/* X(name, struct, where its reserved member is or NONE, call): `given` are the options. */
#define NONE 0
#define AT(type) offsetof(type, reserved)
#define RUN(X, name, call) X(name##_run, netcl_run_options, AT(netcl_run_options), call)
/* clang-format off */
#define ROWS(X) \
  X(expression, netcl_expression_options, NONE, \
    netcl_op_expression(expression, &matrix, 1, given, NULL, &made)) \
  RUN(X, expression, netcl_op_expression(expression, &matrix, 1, NULL, given, &made)) \
  X(text, netcl_expression_options, NONE, \
    netcl_op_expression_text("v0 + 1", &matrix, 1, given, NULL, &made)) \
  RUN(X, text, netcl_op_expression_text("v0 + 1", &matrix, 1, NULL, given, &made)) \
  X(expressions, netcl_expressions_options, AT(netcl_expressions_options), \
    expressions(given, NULL, &made)) \
  RUN(X, expressions, expressions(NULL, given, &made)) \
  X(elementwise, netcl_elementwise_options, AT(netcl_elementwise_options), \
    netcl_op_elementwise(NETCL_ELEMENTWISE_ABS, &matrix, 1, given, NULL, &made)) \
  RUN(X, elementwise, \
      netcl_op_elementwise(NETCL_ELEMENTWISE_ABS, &matrix, 1, NULL, given, &made)) \
  X(primitive, netcl_primitive_call_options, NONE, \
    netcl_op_primitive("options", &matrix, 1, given, NULL, &made)) \
  RUN(X, primitive, netcl_op_primitive("options", &matrix, 1, NULL, given, &made)) \
  X(primitive_gradient, netcl_primitive_call_options, NONE, \
    netcl_op_primitive_gradient("options", &matrix, 1, 0, matrix, NULL, given, NULL, &made)) \
  RUN(X, primitive_gradient, \
    netcl_op_primitive_gradient("options", &matrix, 1, 0, matrix, NULL, NULL, given, &made)) \
  RUN(X, bias_add, netcl_op_bias_add(matrix, vector, 0, given, &made)) \
  RUN(X, copy, netcl_op_copy(matrix, given, &made)) \
  RUN(X, contiguous, netcl_op_contiguous(matrix, given, &made)) \
  RUN(X, cast, netcl_op_cast(matrix, NETCL_F16, given, &made)) \
  RUN(X, fill, fill(given, &made)) \
  RUN(X, range, range(given, &made)) \
  RUN(X, eye, eye(given, &made)) \
  X(matmul, netcl_matmul_options, NONE, \
    netcl_op_matmul(matrix, matrix, given, NULL, &made)) \
  RUN(X, matmul, netcl_op_matmul(matrix, matrix, NULL, given, &made)) \
  X(conv2d, netcl_conv2d_options, NONE, netcl_op_conv2d(images, filters, given, NULL, &made)) \
  RUN(X, conv2d, netcl_op_conv2d(images, filters, NULL, given, &made)) \
  X(matmul_quantized, netcl_quantized_options, AT(netcl_quantized_options), \
    quantized(given, NULL, 0, &made)) \
  RUN(X, matmul_quantized, quantized(NULL, given, 0, &made)) \
  X(dequantize_weights, netcl_quantized_options, AT(netcl_quantized_options), \
    quantized(given, NULL, 1, &made)) \
  RUN(X, dequantize_weights, quantized(NULL, given, 1, &made)) \
  X(quantize_weights, netcl_quantized_options, AT(netcl_quantized_options), \
    quantized(given, NULL, 2, &made)) \
  RUN(X, quantize_weights, quantized(NULL, given, 2, &made)) \
  X(attention, netcl_attention_options, AT(netcl_attention_options), \
    attention(given, NULL, &made)) \
  RUN(X, attention, attention(NULL, given, &made)) \
  X(rotary_embedding, netcl_rotary_embedding_options, NONE, \
    netcl_op_rotary_embedding(images, angles, angles, given, NULL, &made)) \
  RUN(X, rotary_embedding, netcl_op_rotary_embedding(images, angles, angles, NULL, given, &made)) \
  X(reduce, netcl_reduce_options, AT(netcl_reduce_options), \
    netcl_op_reduce(matrix, NETCL_REDUCTION_SUM, given, NULL, &made)) \
  RUN(X, reduce, netcl_op_reduce(matrix, NETCL_REDUCTION_SUM, NULL, given, &made)) \
  X(scan, netcl_scan_options, NONE, \
    netcl_op_scan(matrix, NETCL_REDUCTION_SUM, 1, given, NULL, &made)) \
  RUN(X, scan, netcl_op_scan(matrix, NETCL_REDUCTION_SUM, 1, NULL, given, &made)) \
  X(histogram, netcl_histogram_options, NONE, netcl_op_histogram(matrix, 2, given, NULL, &made)) \
  RUN(X, histogram, netcl_op_histogram(matrix, 2, NULL, given, &made)) \
  X(topk, netcl_topk_options, AT(netcl_topk_options), topk(given, NULL, &made)) \
  RUN(X, topk, topk(NULL, given, &made)) \
  RUN(X, softmax, netcl_op_softmax(matrix, 1, given, &made)) \
  RUN(X, log_softmax, netcl_op_log_softmax(matrix, 1, given, &made)) \
  X(layernorm, netcl_norm_options, AT(netcl_norm_options), \
    netcl_op_layernorm(matrix, 1, given, NULL, &made)) \
  RUN(X, layernorm, netcl_op_layernorm(matrix, 1, NULL, given, &made)) \
  X(rmsnorm, netcl_norm_options, AT(netcl_norm_options), \
    netcl_op_rmsnorm(matrix, 1, given, NULL, &made)) \
  RUN(X, rmsnorm, netcl_op_rmsnorm(matrix, 1, NULL, given, &made)) \
  X(batchnorm, netcl_batchnorm_options, NONE, \
    netcl_op_batchnorm(matrix, vector, vector, given, NULL, &made)) \
  RUN(X, batchnorm, netcl_op_batchnorm(matrix, vector, vector, NULL, given, &made)) \
  X(quantize_linear, netcl_quantize_linear_options, NONE, \
    netcl_op_quantize_linear(matrix, number, 0, given, NULL, &made)) \
  RUN(X, quantize_linear, netcl_op_quantize_linear(matrix, number, 0, NULL, given, &made)) \
  X(dequantize_linear, netcl_dequantize_linear_options, AT(netcl_dequantize_linear_options), \
    netcl_op_dequantize_linear(bytes, number, 0, given, NULL, &made)) \
  RUN(X, dequantize_linear, netcl_op_dequantize_linear(bytes, number, 0, NULL, given, &made)) \
  X(dynamic_quantize_linear, netcl_dynamic_quantize_linear_options, NONE, \
    dynamic_quantize(given, NULL, &made)) \
  RUN(X, dynamic_quantize_linear, dynamic_quantize(NULL, given, &made)) \
  X(qlinear_matmul, netcl_qlinear_matmul_options, AT(netcl_qlinear_matmul_options), \
    netcl_op_qlinear_matmul(bytes, number, bytes, number, number, given, NULL, &made)) \
  RUN(X, qlinear_matmul, \
    netcl_op_qlinear_matmul(bytes, number, bytes, number, number, NULL, given, &made)) \
  X(conv2d_integer, netcl_conv2d_integer_options, NONE, \
    netcl_op_conv2d_integer(byte_images, byte_filters, given, NULL, &made)) \
  RUN(X, conv2d_integer, netcl_op_conv2d_integer(byte_images, byte_filters, NULL, given, &made)) \
  X(qlinear_conv2d, netcl_qlinear_conv2d_options, AT(netcl_qlinear_conv2d_options), \
    netcl_op_qlinear_conv2d(byte_images, number, byte_filters, number, number, given, NULL, \
                            &made)) \
  RUN(X, qlinear_conv2d, \
    netcl_op_qlinear_conv2d(byte_images, number, byte_filters, number, number, NULL, given, \
                            &made)) \
  X(pool, netcl_pooling_options, AT(netcl_pooling_options), \
    netcl_op_pool(images, NETCL_POOLING_MAX, given, NULL, &made)) \
  RUN(X, pool, netcl_op_pool(images, NETCL_POOLING_MAX, NULL, given, &made)) \
  X(max_unpool2d, netcl_max_unpool2d_options, AT(netcl_max_unpool2d_options), \
    netcl_op_max_unpool2d(images, image_indices, 8, 8, given, NULL, &made)) \
  RUN(X, max_unpool2d, netcl_op_max_unpool2d(images, image_indices, 8, 8, NULL, given, &made)) \
  X(roi_pool, netcl_roi_pool_options, AT(netcl_roi_pool_options), \
    netcl_op_roi_pool(images, regions, region_images, NETCL_ROI_POOLING_MAX, given, NULL, &made)) \
  RUN(X, roi_pool, \
    netcl_op_roi_pool(images, regions, region_images, NETCL_ROI_POOLING_MAX, NULL, given, &made)) \
  X(cross_entropy, netcl_loss_options, AT(netcl_loss_options), \
    netcl_op_cross_entropy(matrix, labels, 1, given, NULL, &made)) \
  RUN(X, cross_entropy, netcl_op_cross_entropy(matrix, labels, 1, NULL, given, &made)) \
  X(nll_loss, netcl_loss_options, AT(netcl_loss_options), \
    netcl_op_nll_loss(matrix, labels, 1, given, NULL, &made)) \
  RUN(X, nll_loss, netcl_op_nll_loss(matrix, labels, 1, NULL, given, &made)) \
  X(mixed_precision, netcl_mixed_precision, AT(netcl_mixed_precision), \
    with_precision(given, &made)) \
  X(netcl_op_sgd, netcl_sgd_options, NONE, sgd(given, NULL, &made)) \
  RUN(X, netcl_op_sgd, sgd(NULL, given, &made)) \
  X(netcl_op_adam, netcl_adam_options, AT(netcl_adam_options), adam(given, NULL, &made)) \
  RUN(X, netcl_op_adam, adam(NULL, given, &made)) \
  X(netcl_op_rmsprop, netcl_rmsprop_options, NONE, rmsprop(given, NULL, &made)) \
  RUN(X, netcl_op_rmsprop, rmsprop(NULL, given, &made)) \
  X(netcl_op_adagrad, netcl_adagrad_options, NONE, adagrad(given, NULL, &made)) \
  RUN(X, netcl_op_adagrad, adagrad(NULL, given, &made)) \
  RUN(X, clip_by_norm, netcl_op_clip_by_norm(&matrix, 1, 0.5, given, &made)) \
  RUN(X, unscale, unscale(given, &made)) \
  X(loss_scale, netcl_loss_scale_options, NONE, loss_scale(given, NULL, &made)) \
  RUN(X, loss_scale, loss_scale(NULL, given, &made)) \
  RUN(X, transpose, netcl_op_transpose(matrix, NULL, 0, given, &made)) \
  RUN(X, einsum, netcl_op_einsum("ij->ji", &matrix, 1, given, &made)) \
  RUN(X, concat, netcl_op_concat(&matrix, 1, 0, given, &made)) \
  X(pad, netcl_pad_options, AT(netcl_pad_options), \
    netcl_op_pad(matrix, kPads, 4, given, NULL, &made)) \
  RUN(X, pad, netcl_op_pad(matrix, kPads, 4, NULL, given, &made)) \
  RUN(X, tile, netcl_op_tile(matrix, kColumns, 2, given, &made)) \
  RUN(X, trilu, netcl_op_trilu(matrix, 1, 0, given, &made)) \
  RUN(X, depth_to_space, \
    netcl_op_depth_to_space(images, 1, NETCL_DEPTH_DCR, given, &made)) \
  RUN(X, space_to_depth, \
    netcl_op_space_to_depth(images, 2, NETCL_DEPTH_CRD, given, &made)) \
  RUN(X, one_hot, \
    netcl_op_one_hot(indices, 4, -1, NETCL_F32, &kValue, &kValue, given, &made)) \
  RUN(X, gather, netcl_op_gather(matrix, indices, 0, given, &made)) \
  RUN(X, gather_elements, netcl_op_gather_elements(matrix, indices, 0, given, &made)) \
  RUN(X, embedding, netcl_op_embedding(matrix, indices, given, &made)) \
  X(scatter, netcl_scatter_options, NONE, \
    netcl_op_scatter(matrix, indices, matrix, 0, given, NULL, &made)) \
  RUN(X, scatter, netcl_op_scatter(matrix, indices, matrix, 0, NULL, given, &made)) \
  RUN(X, gather_nd, netcl_op_gather_nd(vector, places, 0, given, &made)) \
  X(scatter_nd, netcl_scatter_options, NONE, \
    netcl_op_scatter_nd(vector, places, vector, 0, given, NULL, &made)) \
  RUN(X, scatter_nd, netcl_op_scatter_nd(vector, places, vector, 0, NULL, given, &made)) \
  X(resize, netcl_resize_options, NONE, \
    netcl_op_resize(matrix, 2, kMatrix, given, NULL, &made)) \
  RUN(X, resize, netcl_op_resize(matrix, 2, kMatrix, NULL, given, &made))
/* clang-format on */

/* A call gives back at once what it made; a failing one must leave its output NULL. */
#define CALL(name, type, reserved, call)                                       \
  static netcl_status call_##name(Fixture* fixture, const void* given) {       \
    netcl_tensor* made = NULL;                                                 \
    (void)fixture;                                                             \
    const netcl_status status = call;                                          \
    CHECK((status == NETCL_OK) == (made != NULL), "%s: output with %s", #name, \
          netcl_status_name(status));                                          \
    netcl_tensor_release(made);                                                \
    return status;                                                             \
  }
ROWS(CALL)

#define ROW(name, type, reserved, call) {#name, call_##name, SIZES(type), reserved},
static const struct {
  const char* name;
  OptionsCall call;
  size_t first, size;
  size_t reserved;
} kRows[] = {ROWS(ROW)};

static netcl_tensor* zeros(Fixture* fixture, netcl_dtype dtype, uint32_t rank,
                           const int64_t* shape) {
  netcl_tensor* made = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, dtype, rank, shape, NULL, NULL, &made));
  return made;
}

/* Calls of which an option has no default say so, and by which name to look the options up. */
static void without_options(netcl_device* device) {
  static const char kQuantized[] = "options is NULL; a netcl_quantized_options is needed";
  static const char kPrimitive[] = "options is NULL; a netcl_primitive_options is needed";
  netcl_tensor *made = NULL, *scales = NULL, *points = NULL;
  netcl_primitive_kernels kernels = NETCL_PRIMITIVE_KERNELS_INIT;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kQuantized,
             netcl_op_matmul_quantized(columns, rows_of_codes, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kQuantized,
             netcl_op_dequantize_weights(rows_of_codes, NULL, NULL, &made));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kQuantized,
             netcl_op_quantize_weights(columns, NULL, NULL, &made, &scales, &points));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kPrimitive, netcl_primitive_register("none", NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kPrimitive,
             netcl_primitive_register_kernels("none", &kernels, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT,
             "kernels is NULL; a netcl_primitive_kernels is needed",
             netcl_primitive_register_kernels("none", NULL, &(netcl_primitive_options){
                 .struct_size = sizeof(netcl_primitive_options), .arity = 1}));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "info is NULL; a netcl_tensor_info is needed",
             netcl_tensor_get_info(matrix, NULL));
  netcl_kernel* kernel = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options is NULL; a netcl_kernel_options is needed",
             netcl_kernel_create(device, "none", NULL, &kernel));
  assert_null(kernel);
  assert_true(made == NULL && scales == NULL && points == NULL);
}

static void options_of_ops(void** state) {
  Fixture* fixture = *state;
  matrix = zeros(fixture, NETCL_F32, 2, kMatrix);
  vector = zeros(fixture, NETCL_F32, 1, kMatrix);
  indices = zeros(fixture, NETCL_I32, 2, kMatrix);
  labels = zeros(fixture, NETCL_I64, 1, kMatrix);
  static const int64_t kPlaces[2] = {4, 1};
  places = zeros(fixture, NETCL_I64, 2, kPlaces);
  rows_of_codes = zeros(fixture, NETCL_U8, 2, kCodes);
  columns = zeros(fixture, NETCL_F32, 2, kColumns);
  images = zeros(fixture, NETCL_F32, 4, kImages);
  angles = zeros(fixture, NETCL_F32, 3, kAngles);
  filters = zeros(fixture, NETCL_F32, 4, kFilters);
  netcl_tensor** const more[] = {&other, &states[0], &states[1]};
  for (size_t i = 0; i < COUNT_OF(more); ++i) *more[i] = zeros(fixture, NETCL_F32, 2, kMatrix);
  count = zeros(fixture, NETCL_I64, 0, NULL);
  number = zeros(fixture, NETCL_F32, 0, NULL);
  found = zeros(fixture, NETCL_F32, 0, NULL);
  bytes = zeros(fixture, NETCL_U8, 2, kMatrix);
  byte_images = zeros(fixture, NETCL_U8, 4, kImages);
  byte_filters = zeros(fixture, NETCL_I8, 4, kFilters);
  static const int64_t kRegions[2] = {1, 4};
  regions = zeros(fixture, NETCL_F32, 2, kRegions);
  region_images = zeros(fixture, NETCL_I64, 1, kRegions);
  image_indices = zeros(fixture, NETCL_I64, 4, kImages);
  OK(netcl_expression_create("v0 * 2", &expression));
  netcl_primitive_options primitive = NETCL_PRIMITIVE_OPTIONS_INIT;
  primitive.forward = "v0 * 2";
  OK(netcl_primitive_register("options", &primitive));
  for (size_t i = 0; i < COUNT_OF(kRows); ++i) {
    /* All members but the size are 0 in the INIT macros of these structs. */
    uint64_t options[32] = {kRows[i].size};
    check_options_rules(fixture, kRows[i].name, kRows[i].call, options, kRows[i].first,
                        kRows[i].size, &kRows[i].reserved, kRows[i].reserved != NONE);
  }
  OK(netcl_primitive_unregister("options"));
  without_options(fixture->device);
  netcl_expression_release(expression);
  netcl_tensor* const last[] = {other, states[0],   states[1],    count,   number,       found,
                                bytes, byte_images, byte_filters, regions, region_images,
                                image_indices};
  for (size_t i = 0; i < COUNT_OF(last); ++i) netcl_tensor_release(last[i]);
  netcl_tensor_release(rows_of_codes);
  netcl_tensor_release(columns);
  netcl_tensor_release(filters);
  netcl_tensor_release(images);
  netcl_tensor_release(angles);
  netcl_tensor_release(labels);
  netcl_tensor_release(places);
  netcl_tensor_release(indices);
  netcl_tensor_release(vector);
  netcl_tensor_release(matrix);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(options_of_ops)};
  seed_random("options_ops");
  return cmocka_run_group_tests_name("options_ops", tests, NULL, NULL);
}
