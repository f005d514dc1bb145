/* The ops and the choice of their kernels; see support_handles.h. */
#include "support_handle_calls.h"

static const int64_t kShape[2] = {2, 2};
static const int64_t kPads[4] = {1, 0, 0, 1};
static const int64_t kParts[2] = {1, 1};
static const uint32_t kAxes[2] = {1, 0};
static const float kValue[4] = {1};
static uint64_t global_size[2];

static const netcl_epilogue *epilogue(void *bias, void *residual) {
  static netcl_epilogue options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.bias = bias;
  options.residual = residual;
  return &options;
}

static const netcl_matmul_options *matmul_options(void *bias, void *residual, void *a_zero,
                                                  void *b_zero) {
  static netcl_matmul_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.epilogue = epilogue(bias, residual);
  options.a_zero_point = a_zero;
  options.b_zero_point = b_zero;
  return &options;
}

static const netcl_conv2d_options *conv2d_options(void *bias, void *mean, void *variance) {
  static netcl_conv2d_batchnorm norm;
  static netcl_conv2d_options options;
  memset(&norm, 0, sizeof norm);
  memset(&options, 0, sizeof options);
  norm.struct_size = sizeof norm;
  norm.mean = mean;
  norm.variance = variance;
  options.struct_size = sizeof options;
  options.epilogue = epilogue(bias, NULL);
  options.batchnorm = &norm;
  return &options;
}

static const netcl_conv2d_shape *conv2d_shape(void) {
  static netcl_conv2d_shape shape;
  shape.struct_size = sizeof shape;
  shape.batch = shape.channels = shape.filters = 1;
  shape.height = shape.width = 8;
  shape.kernel_height = shape.kernel_width = 3;
  return &shape;
}

static const netcl_norm_options *norm_options(void *scale, void *bias, void *mean, void *inverse) {
  static netcl_norm_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.scale = scale;
  options.bias = bias;
  options.mean_into = mean;
  options.inverse_deviation_into = inverse;
  return &options;
}

static const netcl_batchnorm_options *batchnorm_options(void *scale, void *bias) {
  static netcl_batchnorm_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.scale = scale;
  options.bias = bias;
  return &options;
}

static const netcl_pooling_options *pooling_options(void *indices) {
  static netcl_pooling_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.indices_into = indices;
  return &options;
}

static const netcl_topk_options *topk_options(void *indices) {
  static netcl_topk_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.indices_into = indices;
  return &options;
}

static const netcl_quantized_options *quantized_options(void *scales, void *zeros, void *bias,
                                                        void *residual) {
  static netcl_quantized_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.format = NETCL_QUANTIZATION_NBITS;
  options.scales = scales;
  options.zero_points = zeros;
  if (bias != NULL || residual != NULL) options.epilogue = epilogue(bias, residual);
  return &options;
}

/* bias, mask, query_lengths, key_lengths, block_table, lse_into. */
static const netcl_attention_options *attention_options(void *const *h) {
  static netcl_attention_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.bias = h[0];
  options.mask = h[1];
  options.query_lengths = h[2];
  options.key_lengths = h[3];
  options.block_table = h[4];
  options.lse_into = h[5];
  return &options;
}

static const netcl_rotary_embedding_options *rotary_options(void *position_ids) {
  static netcl_rotary_embedding_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.position_ids = position_ids;
  return &options;
}

static const netcl_quantize_linear_options *quantize_options(void *zero) {
  static netcl_quantize_linear_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.zero_point = zero;
  return &options;
}

static const netcl_dequantize_linear_options *dequantize_options(void *zero) {
  static netcl_dequantize_linear_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.zero_point = zero;
  return &options;
}

static const netcl_dynamic_quantize_linear_options *dynamic_options(void *scale, void *zero) {
  static netcl_dynamic_quantize_linear_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.scale_into = scale;
  options.zero_point_into = zero;
  return &options;
}

/* Zero points of a, b and y. */
static const netcl_qlinear_matmul_options *qlinear_matmul_options(void *const *h) {
  static netcl_qlinear_matmul_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.a_zero_point = h[0];
  options.b_zero_point = h[1];
  options.y_zero_point = h[2];
  return &options;
}

static const netcl_conv2d_integer_options *conv2d_integer_options(void *x_zero, void *w_zero) {
  static netcl_conv2d_integer_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.x_zero_point = x_zero;
  options.w_zero_point = w_zero;
  return &options;
}

/* Zero points of x, w and y; the bias. */
static const netcl_qlinear_conv2d_options *qlinear_conv2d_options(void *const *h) {
  static netcl_qlinear_conv2d_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.x_zero_point = h[0];
  options.w_zero_point = h[1];
  options.y_zero_point = h[2];
  options.bias = h[3];
  return &options;
}

static const netcl_loss_options *loss_options(void *weights) {
  static netcl_loss_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.weights = weights;
  return &options;
}

static const char *const kTexts[] = {"v0 + v1", "v0 - v1"};
static const netcl_expressions_options *expressions_options(void *first, void *second) {
  static netcl_expressions_options options;
  static netcl_tensor *into[2];
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  into[0] = first;
  into[1] = second;
  options.results_into = into;
  options.results_into_count = 2;
  return &options;
}

/* Lists of one handle each, several of which a call takes. */
static void *list_of(int place, void *handle) {
  static void *handles[8];
  handles[place] = handle;
  return &handles[place];
}
static const netcl_mixed_precision *precision(void *master, void *scale, void *found_inf) {
  static netcl_mixed_precision options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.masters = master == NULL ? NULL : list_of(4, master);
  options.masters_count = master != NULL;
  options.scale = scale;
  options.found_inf = found_inf;
  return &options;
}
static const netcl_sgd_options *sgd_options(void *buffer, void *step, void *factor, void *master,
                                            void *scale) {
  static netcl_sgd_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.momentum = buffer == NULL ? 0 : 0.5;
  options.momentum_buffers = buffer == NULL ? NULL : list_of(2, buffer);
  options.momentum_buffers_count = buffer != NULL;
  options.step = step;
  options.factor = factor;
  options.precision = precision(master, scale, NULL);
  return &options;
}
static const netcl_adam_options *adam_options(void *most, void *found_inf) {
  static netcl_adam_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.max_square_averages = most == NULL ? NULL : list_of(5, most);
  options.max_square_averages_count = most != NULL;
  options.precision = precision(NULL, NULL, found_inf);
  return &options;
}
static const netcl_rmsprop_options *rmsprop_options(void *buffer, void *average, void *factor) {
  static netcl_rmsprop_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.momentum = buffer == NULL ? 0 : 0.5;
  options.momentum_buffers = buffer == NULL ? NULL : list_of(5, buffer);
  options.momentum_buffers_count = buffer != NULL;
  options.averages = average == NULL ? NULL : list_of(6, average);
  options.averages_count = average != NULL;
  options.factor = factor;
  return &options;
}
static const netcl_adagrad_options *adagrad_options(void *step, void *factor) {
  static netcl_adagrad_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.step = step;
  options.factor = factor;
  return &options;
}

/* Never registered: one of the handles is wrong, or the name is taken. */
static const netcl_primitive_options kBinary = {
    sizeof(netcl_primitive_options), NULL, NULL, NULL, NULL, 2, 0, 0, 0, 0, 0};
static const netcl_primitive_kernels *kernels_of(void *const *h) {
  static netcl_primitive_kernels kernels = NETCL_PRIMITIVE_KERNELS_INIT;
  kernels.forward = KERNEL(0);
  kernels.backward = handle_array(h[1], h[2]);
  kernels.backward_count = 2;
  return &kernels;
}

#define CONFIG() info(sizeof(netcl_variant_config))
#define CASES(C, R, N)                                                                             \
  N(netcl_variant_name) N(netcl_variant_clear_cache) N(netcl_elementwise_name)                     \
  N(netcl_elementwise_find) N(netcl_primitive_register) N(netcl_primitive_unregister)              \
  N(netcl_primitive_register_function)                                                             \
  C(netcl_primitive_register_kernels, "kkk", "f", kernels_of(h), &kBinary)                         \
  C(netcl_variant_select_matmul, "d", DEVICE(0), 8, 8, 8, NULL, CONFIG())                          \
  C(netcl_variant_select_conv2d, "d", DEVICE(0), conv2d_shape(), NULL, CONFIG())                   \
  C(netcl_variant_select_elementwise, "d", DEVICE(0), 8, NULL, CONFIG())                           \
  C(netcl_variant_select_reduction, "d", DEVICE(0), 8, 8, NULL, CONFIG())                          \
  C(netcl_variant_select_batchnorm, "d", DEVICE(0), 8, 8, 8, 0, 0, NULL, CONFIG())                 \
  C(netcl_op_expression, "xttQTe", EXPRESSION(0), handle_array(h[1], h[2]), 2, NULL,               \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_expression_text, "ttQTe", "v0 + v1", handle_array(h[0], h[1]), 2, NULL,               \
    run_options(h[2], h[3], h[4]), out())                                                          \
  C(netcl_op_expressions, "ttttQTe", kTexts, 2, handle_array(h[0], h[1]), 2,                       \
    expressions_options(h[2], h[3]), run_options(h[4], h[5], h[6]), out())                         \
  C(netcl_op_elementwise, "ttQTe", NETCL_ELEMENTWISE_ADD, handle_array(h[0], h[1]), 2, NULL,       \
    run_options(h[2], h[3], h[4]), out())                                                          \
  C(netcl_op_primitive, "ttQTe", "f", handle_array(h[0], h[1]), 2, NULL,                           \
    run_options(h[2], h[3], h[4]), out())                                                          \
  C(netcl_op_primitive_gradient, "tttTQTe", "f", handle_array(h[0], h[1]), 2, 0, TENSOR(2),        \
    TENSOR(3), NULL, run_options(h[4], h[5], h[6]), out())                                         \
  C(netcl_op_bias_add, "ttQTe", TENSOR(0), TENSOR(1), 0, run_options(h[2], h[3], h[4]), out())     \
  C(netcl_op_copy, "tQTe", TENSOR(0), run_options(h[1], h[2], h[3]), out())                        \
  C(netcl_op_contiguous, "tQe", TENSOR(0), run_options(h[1], NULL, h[2]), out())                   \
  C(netcl_op_cast, "tQTe", TENSOR(0), NETCL_F32, run_options(h[1], h[2], h[3]), out())             \
  C(netcl_op_fill, "tQe", TENSOR(0), kValue, run_options(h[1], NULL, h[2]))                        \
  C(netcl_op_range, "tQe", TENSOR(0), kValue, kValue, run_options(h[1], NULL, h[2]))               \
  C(netcl_op_eye, "tQe", TENSOR(0), 1, run_options(h[1], NULL, h[2]))                              \
  C(netcl_op_matmul, "ttTTTTQTe", TENSOR(0), TENSOR(1), matmul_options(h[2], h[3], h[4], h[5]),    \
    run_options(h[6], h[7], h[8]), out())                                                          \
  C(netcl_op_einsum, "ttQTe", "ij,jk", handle_array(h[0], h[1]), 2,                                \
    run_options(h[2], h[3], h[4]), out())                                                          \
  C(netcl_kernel_create_matmul, "d", DEVICE(0), "k", 8, 8, 8, NETCL_F32, NULL, global_size, out()) \
  C(netcl_op_conv2d, "ttTttQTe", TENSOR(0), TENSOR(1), conv2d_options(h[2], h[3], h[4]),           \
    run_options(h[5], h[6], h[7]), out())                                                          \
  C(netcl_op_matmul_quantized, "ttTTTTQTe", TENSOR(0), TENSOR(1),                                  \
    quantized_options(h[2], h[3], h[4], h[5]), run_options(h[6], h[7], h[8]), out())               \
  C(netcl_op_dequantize_weights, "tTTQTe", TENSOR(0), quantized_options(h[1], h[2], NULL, NULL),   \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_quantize_weights, "tQTe", TENSOR(0), quantized_options(NULL, NULL, NULL, NULL),       \
    run_options(h[1], h[2], h[3]), out(), (netcl_tensor **)out() + 1, NULL)                        \
  C(netcl_op_attention, "tttTTTTTTQTe", TENSOR(0), TENSOR(1), TENSOR(2), attention_options(h + 3), \
    run_options(h[9], h[10], h[11]), out(), (netcl_tensor **)out() + 1)                            \
  C(netcl_op_rotary_embedding, "tttTQTe", TENSOR(0), TENSOR(1), TENSOR(2), rotary_options(h[3]),   \
    run_options(h[4], h[5], h[6]), out())                                                          \
  C(netcl_op_reduce, "tQTe", TENSOR(0), NETCL_REDUCTION_SUM, NULL,                                 \
    run_options(h[1], h[2], h[3]), out())                                                          \
  C(netcl_op_scan, "tQTe", TENSOR(0), NETCL_REDUCTION_SUM, 0, NULL,                                \
    run_options(h[1], h[2], h[3]), out())                                                          \
  C(netcl_op_histogram, "tQTe", TENSOR(0), 4, NULL, run_options(h[1], h[2], h[3]), out())          \
  C(netcl_op_topk, "tTQTe", TENSOR(0), 1, 0, topk_options(h[1]), run_options(h[2], h[3], h[4]),    \
    out(), (netcl_tensor **)out() + 1)                                                             \
  C(netcl_op_softmax, "tQTe", TENSOR(0), -1, run_options(h[1], h[2], h[3]), out())                 \
  C(netcl_op_log_softmax, "tQTe", TENSOR(0), -1, run_options(h[1], h[2], h[3]), out())             \
  C(netcl_op_layernorm, "tTTTTQTe", TENSOR(0), -1, norm_options(h[1], h[2], h[3], h[4]),           \
    run_options(h[5], h[6], h[7]), out())                                                          \
  C(netcl_op_rmsnorm, "tTTQTe", TENSOR(0), -1, norm_options(h[1], NULL, NULL, h[2]),               \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_batchnorm, "tttTTQTe", TENSOR(0), TENSOR(1), TENSOR(2),                               \
    batchnorm_options(h[3], h[4]), run_options(h[5], h[6], h[7]), out())                           \
  C(netcl_op_quantize_linear, "ttTQTe", TENSOR(0), TENSOR(1), 0, quantize_options(h[2]),           \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_dequantize_linear, "ttTQTe", TENSOR(0), TENSOR(1), 0, dequantize_options(h[2]),       \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_dynamic_quantize_linear, "tTTQTe", TENSOR(0), dynamic_options(h[1], h[2]),            \
    run_options(h[3], h[4], h[5]), out(), (netcl_tensor **)out() + 1, (netcl_tensor **)out() + 2)  \
  C(netcl_op_qlinear_matmul, "tttttTTTQTe", TENSOR(0), TENSOR(1), TENSOR(2), TENSOR(3), TENSOR(4), \
    qlinear_matmul_options(h + 5), run_options(h[8], h[9], h[10]), out())                          \
  C(netcl_op_conv2d_integer, "ttTTQTe", TENSOR(0), TENSOR(1), conv2d_integer_options(h[2], h[3]),  \
    run_options(h[4], h[5], h[6]), out())                                                          \
  C(netcl_op_qlinear_conv2d, "tttttTTTTQTe", TENSOR(0), TENSOR(1), TENSOR(2), TENSOR(3),           \
    TENSOR(4), qlinear_conv2d_options(h + 5), run_options(h[9], h[10], h[11]), out())              \
  C(netcl_op_pool, "tTQTe", TENSOR(0), NETCL_POOLING_MAX, pooling_options(h[1]),                  \
    run_options(h[2], h[3], h[4]), out())                                                          \
  C(netcl_op_max_unpool2d, "ttQTe", TENSOR(0), TENSOR(1), 4, 4, NULL,                              \
    run_options(h[2], h[3], h[4]), out())                                                          \
  C(netcl_op_roi_pool, "tttQTe", TENSOR(0), TENSOR(1), TENSOR(2), NETCL_ROI_POOLING_MAX, NULL,     \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_cross_entropy, "ttTQTe", TENSOR(0), TENSOR(1), -1, loss_options(h[2]),                \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_nll_loss, "ttTQTe", TENSOR(0), TENSOR(1), -1, loss_options(h[2]),                     \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_sgd, "ttTTTTTQe", list_of(0, h[0]), 1, list_of(1, h[1]), 1, 0.5,                      \
    sgd_options(h[2], h[3], h[4], h[5], h[6]), run_options(h[7], NULL, h[8]))                      \
  C(netcl_op_adam, "tttttTTQe", list_of(0, h[0]), 1, list_of(1, h[1]), 1, list_of(2, h[2]), 1,     \
    list_of(3, h[3]), 1, TENSOR(4), 0.5, adam_options(h[5], h[6]), run_options(h[7], NULL, h[8]))  \
  C(netcl_op_rmsprop, "tttTTTQe", list_of(0, h[0]), 1, list_of(1, h[1]), 1, list_of(2, h[2]), 1,   \
    0.5, rmsprop_options(h[3], h[4], h[5]), run_options(h[6], NULL, h[7]))                         \
  C(netcl_op_adagrad, "tttTTQe", list_of(0, h[0]), 1, list_of(1, h[1]), 1, list_of(2, h[2]), 1,    \
    0.5, adagrad_options(h[3], h[4]), run_options(h[5], NULL, h[6]))                               \
  C(netcl_op_clip_by_norm, "ttQTe", handle_array(h[0], h[1]), 2, 0.5,                              \
    run_options(h[2], h[3], h[4]), out())                                                          \
  C(netcl_op_unscale, "ttTtQe", handle_array(h[0], h[1]), 2, TENSOR(2), TENSOR(3),                 \
    run_options(h[4], NULL, h[5]))                                                                 \
  C(netcl_op_update_loss_scale, "tttQe", TENSOR(0), TENSOR(1), TENSOR(2), NULL,                    \
    run_options(h[3], NULL, h[4]))                                                                 \
  C(netcl_op_transpose, "tQTe", TENSOR(0), kAxes, 2, run_options(h[1], h[2], h[3]), out())         \
  C(netcl_op_concat, "ttQTe", handle_array(h[0], h[1]), 2, 0, run_options(h[2], h[3], h[4]),       \
    out())                                                                                         \
  C(netcl_tensor_split, "t", TENSOR(0), 0, kParts, 2, out())                                       \
  C(netcl_op_pad, "tQTe", TENSOR(0), kPads, 4, NULL, run_options(h[1], h[2], h[3]), out())         \
  C(netcl_op_tile, "tQTe", TENSOR(0), kPads, 2, run_options(h[1], h[2], h[3]), out())              \
  C(netcl_op_trilu, "tQTe", TENSOR(0), 1, 0, run_options(h[1], h[2], h[3]), out())                 \
  C(netcl_op_one_hot, "tQTe", TENSOR(0), 4, -1, NETCL_F32, kValue, kValue,                         \
    run_options(h[1], h[2], h[3]), out())                                                          \
  C(netcl_op_gather, "ttQTe", TENSOR(0), TENSOR(1), 0, run_options(h[2], h[3], h[4]), out())       \
  C(netcl_op_gather_elements, "ttQTe", TENSOR(0), TENSOR(1), 0, run_options(h[2], h[3], h[4]),     \
    out())                                                                                         \
  C(netcl_op_embedding, "ttQTe", TENSOR(0), TENSOR(1), run_options(h[2], h[3], h[4]), out())       \
  C(netcl_op_scatter, "tttQTe", TENSOR(0), TENSOR(1), TENSOR(2), 0, NULL,                          \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_depth_to_space, "tQTe", TENSOR(0), 1, NETCL_DEPTH_DCR,                                \
    run_options(h[1], h[2], h[3]), out())                                                          \
  C(netcl_op_space_to_depth, "tQTe", TENSOR(0), 1, NETCL_DEPTH_DCR,                                \
    run_options(h[1], h[2], h[3]), out())                                                          \
  C(netcl_op_gather_nd, "ttQTe", TENSOR(0), TENSOR(1), 0, run_options(h[2], h[3], h[4]), out())    \
  C(netcl_op_scatter_nd, "tttQTe", TENSOR(0), TENSOR(1), TENSOR(2), 0, NULL,                       \
    run_options(h[3], h[4], h[5]), out())                                                          \
  C(netcl_op_resize, "tQTe", TENSOR(0), 2, kShape, NULL, run_options(h[1], h[2], h[3]), out())

CASES(CALL_STATUS, CALL_RELEASE, CALL_NOTHING)

const HandleCase kHandleOpCases[] = {CASES(ROW_STATUS, ROW_RELEASE, ROW_NOTHING)};
const size_t kHandleOpCasesCount = COUNT_OF(kHandleOpCases);
