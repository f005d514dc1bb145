/* The members of all options of ops, a row each, for test_replay_options.c alone. */
#ifndef NETCL_TESTS_SUPPORT_REPLAY_ROWS_H
#define NETCL_TESTS_SUPPORT_REPLAY_ROWS_H

#include "support_replay_options.h"

/* X(struct, member, kind, how, call): `how` sets the member of the options `o` by `which`. The two
 * results differ where the kind is DIFFERS. */
enum { SAME = 0, DIFFERS = 1 };
#define PICK(a, b) (which == FIRST ? (a) : (b))
#define BY(name) with_##name(s, at, which, result)
#define POOLED_MEANS with_pool(s, NETCL_POOLING_AVERAGE, &o, result)
static const int32_t kAxes[2] = {1, 0};
static const netcl_dtype kFloats[2] = {NETCL_F32, NETCL_F32}, kIntegers[2] = {NETCL_F32, NETCL_I32};
static const char* const kAttributes[2] = {"slope", "shift"};
static const double kValues[2] = {1.5, -2.5};
static const float kNumbers[2] = {1.5f, -2.5f};
/* Regions; their second halves are scales too. */
static const double kResizeRoi[2][4] = {{-0.25, 0, 0.75, 1.25}, {0.125, -0.5, 1.5, 1}};
static const netcl_epilogue kRelu = {
    sizeof(netcl_epilogue), NULL, NULL, 0.0, 0.0, NETCL_ACTIVATION_RELU, 0};
static netcl_mixed_precision scaled = NETCL_MIXED_PRECISION_INIT;
/* clang-format off */
#define ROWS(X) \
  X(netcl_expression_options, dtype, DIFFERS, o.dtype = PICK(NETCL_F32, NETCL_I32), \
    with_expression(s, &o, result)) \
  X(netcl_expression_options, variant, SAME, o.variant = PICK(0, \
    NETCL_VARIANT_ELEMENTWISE_SCALAR), \
    with_expression(s, &o, result)) \
  X(netcl_expressions_options, dtypes, DIFFERS, (o.dtypes_count = 2, \
    o.dtypes = PICK(kFloats, kIntegers)), with_expressions(s, &o, result)) \
  X(netcl_expressions_options, dtypes_count, DIFFERS, (o.dtypes = kIntegers, \
    o.dtypes_count = PICK(0u, 2u)), with_expressions(s, &o, result)) \
  X(netcl_expressions_options, results_into, SAME, (void)o, \
    with_expressions_into(s, which, result)) \
  X(netcl_expressions_options, results_into_count, SAME, (void)o, \
    with_expressions_into(s, which, result)) \
  X(netcl_expressions_options, variant, SAME, o.variant = PICK(0, \
    NETCL_VARIANT_ELEMENTWISE_SCALAR), with_expressions(s, &o, result)) \
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
  X(netcl_matmul_options, precision, SAME, \
    o.precision = PICK(NETCL_PRECISION_STRICT, NETCL_PRECISION_SPLIT), with_matmul(s, &o, result)) \
  X(netcl_matmul_options, a_zero_point, DIFFERS, (void)o, matmul_of_bytes(s, 0, which, result)) \
  X(netcl_matmul_options, b_zero_point, DIFFERS, (void)o, matmul_of_bytes(s, 1, which, result)) \
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
  X(netcl_quantized_options, scales, DIFFERS, o.format = NETCL_QUANTIZATION_NBITS, \
    with_quantized(s, &o, offsetof(netcl_quantized_options, scales), which, result)) \
  X(netcl_quantized_options, zero_points, DIFFERS, o.format = NETCL_QUANTIZATION_NBITS, \
    with_quantized(s, &o, offsetof(netcl_quantized_options, zero_points), which, result)) \
  X(netcl_quantized_options, epilogue, DIFFERS, (o.format = NETCL_QUANTIZATION_Q4_0, \
    o.epilogue = PICK(NULL, &kRelu)), \
    with_quantized(s, &o, offsetof(netcl_quantized_options, epilogue), which, result)) \
  X(netcl_quantized_options, k, DIFFERS, (o.format = NETCL_QUANTIZATION_NBITS, \
    o.k = PICK(0, 287)), \
    with_quantized(s, &o, offsetof(netcl_quantized_options, k), which, result)) \
  X(netcl_quantized_options, format, DIFFERS, o.format = PICK(NETCL_QUANTIZATION_Q4_0, \
    NETCL_QUANTIZATION_Q4_K), \
    with_quantized(s, &o, offsetof(netcl_quantized_options, format), which, result)) \
  X(netcl_quantized_options, bits, DIFFERS, (o.format = NETCL_QUANTIZATION_NBITS, \
    o.block_size = 16, o.bits = PICK(4u, 8u)), \
    with_quantized(s, &o, offsetof(netcl_quantized_options, bits), which, result)) \
  X(netcl_quantized_options, block_size, DIFFERS, (o.format = NETCL_QUANTIZATION_NBITS, \
    o.block_size = PICK(16u, 32u)), \
    with_quantized(s, &o, offsetof(netcl_quantized_options, block_size), which, result)) \
  X(netcl_quantized_options, dtype, DIFFERS, (o.format = NETCL_QUANTIZATION_NBITS, \
    o.dtype = PICK(NETCL_F32, NETCL_F16)), \
    with_quantized(s, &o, offsetof(netcl_quantized_options, dtype), which, result)) \
  X(netcl_quantized_options, has_zero_points, DIFFERS, (o.format = NETCL_QUANTIZATION_NBITS, \
    o.block_size = 16, o.has_zero_points = PICK(0u, 1u)), \
    with_quantize(s, &o, result)) \
  X(netcl_attention_options, bias, DIFFERS, (void)o, \
    with_attention_tensor(s, offsetof(netcl_attention_options, bias), which, result)) \
  X(netcl_attention_options, mask, DIFFERS, (void)o, \
    with_attention_tensor(s, offsetof(netcl_attention_options, mask), which, result)) \
  X(netcl_attention_options, query_lengths, DIFFERS, (void)o, \
    with_attention_tensor(s, offsetof(netcl_attention_options, query_lengths), which, result)) \
  X(netcl_attention_options, key_lengths, DIFFERS, (void)o, \
    with_attention_tensor(s, offsetof(netcl_attention_options, key_lengths), which, result)) \
  X(netcl_attention_options, block_table, DIFFERS, (void)o, \
    with_attention_tensor(s, offsetof(netcl_attention_options, block_table), which, result)) \
  X(netcl_attention_options, lse_into, SAME, (void)o, with_attention_sums(s, which, result)) \
  X(netcl_attention_options, scale, DIFFERS, o.scale = PICK(0.0, 0.75), \
    with_attention(s, &o, result)) \
  X(netcl_attention_options, softcap, DIFFERS, o.softcap = PICK(0.0, 0.5), \
    with_attention(s, &o, result)) \
  X(netcl_attention_options, position, DIFFERS, (o.causal = o.has_position = 1, \
    o.position = PICK(0, 2)), with_attention(s, &o, result)) \
  X(netcl_attention_options, window_before, DIFFERS, (o.has_window = 1, o.window_after = -1, \
    o.window_before = PICK(1, 2)), with_attention(s, &o, result)) \
  X(netcl_attention_options, window_after, DIFFERS, (o.has_window = 1, o.window_before = -1, \
    o.window_after = PICK(1, 2)), with_attention(s, &o, result)) \
  X(netcl_attention_options, has_scale, DIFFERS, o.has_scale = PICK(0u, 1u), \
    with_attention(s, &o, result)) \
  X(netcl_attention_options, has_position, DIFFERS, (o.causal = 1, o.position = 3, \
    o.has_position = PICK(0u, 1u)), with_attention(s, &o, result)) \
  X(netcl_attention_options, has_window, DIFFERS, o.has_window = PICK(0u, 1u), \
    with_attention(s, &o, result)) \
  X(netcl_attention_options, causal, DIFFERS, o.causal = PICK(0u, 1u), \
    with_attention(s, &o, result)) \
  X(netcl_attention_options, variant, SAME, o.variant = PICK(0, NETCL_VARIANT_ATTENTION_PORTABLE), \
    with_attention(s, &o, result)) \
  X(netcl_rotary_embedding_options, position_ids, DIFFERS, (void)o, \
    with_rotary_positions(s, which, result)) \
  X(netcl_rotary_embedding_options, num_heads, DIFFERS, o.num_heads = PICK(1, 2), \
    with_rotary_embedding(s, &o, result)) \
  X(netcl_rotary_embedding_options, rotary_embedding_dim, DIFFERS, \
    (o.num_heads = 1, o.rotary_embedding_dim = PICK(4, 8)), with_rotary_embedding(s, &o, result)) \
  X(netcl_rotary_embedding_options, interleaved, DIFFERS, \
    (o.num_heads = 1, o.interleaved = PICK(0u, 1u)), with_rotary_embedding(s, &o, result)) \
  X(netcl_rotary_embedding_options, inverse, DIFFERS, \
    (o.num_heads = 1, o.inverse = PICK(0u, 1u)), with_rotary_embedding(s, &o, result)) \
  X(netcl_quantize_linear_options, zero_point, DIFFERS, (void)o, BY(quantize_linear)) \
  X(netcl_quantize_linear_options, block_size, DIFFERS, (void)o, BY(quantize_linear)) \
  X(netcl_quantize_linear_options, dtype, DIFFERS, (void)o, BY(quantize_linear)) \
  X(netcl_quantize_linear_options, precision, DIFFERS, (void)o, BY(quantize_linear)) \
  X(netcl_dequantize_linear_options, zero_point, DIFFERS, (void)o, BY(dequantize_linear)) \
  X(netcl_dequantize_linear_options, block_size, DIFFERS, (void)o, BY(dequantize_linear)) \
  X(netcl_dequantize_linear_options, dtype, DIFFERS, (void)o, BY(dequantize_linear)) \
  X(netcl_dynamic_quantize_linear_options, scale_into, SAME, (void)o, BY(dynamic_quantize_linear)) \
  X(netcl_dynamic_quantize_linear_options, zero_point_into, SAME, (void)o, \
    BY(dynamic_quantize_linear)) \
  X(netcl_qlinear_matmul_options, a_zero_point, DIFFERS, (void)o, BY(qlinear_matmul)) \
  X(netcl_qlinear_matmul_options, b_zero_point, DIFFERS, (void)o, BY(qlinear_matmul)) \
  X(netcl_qlinear_matmul_options, y_zero_point, DIFFERS, (void)o, BY(qlinear_matmul)) \
  X(netcl_qlinear_matmul_options, dtype, DIFFERS, (void)o, BY(qlinear_matmul)) \
  X(netcl_conv2d_integer_options, x_zero_point, DIFFERS, (void)o, BY(conv2d_integer)) \
  X(netcl_conv2d_integer_options, w_zero_point, DIFFERS, (void)o, BY(conv2d_integer)) \
  X(netcl_conv2d_integer_options, strides, DIFFERS, (void)o, BY(conv2d_integer)) \
  X(netcl_conv2d_integer_options, dilations, DIFFERS, (void)o, BY(conv2d_integer)) \
  X(netcl_conv2d_integer_options, padding, DIFFERS, (void)o, BY(conv2d_integer)) \
  X(netcl_conv2d_integer_options, groups, DIFFERS, (void)o, BY(conv2d_integer)) \
  X(netcl_qlinear_conv2d_options, x_zero_point, DIFFERS, (void)o, BY(qlinear_conv2d)) \
  X(netcl_qlinear_conv2d_options, w_zero_point, DIFFERS, (void)o, BY(qlinear_conv2d)) \
  X(netcl_qlinear_conv2d_options, y_zero_point, DIFFERS, (void)o, BY(qlinear_conv2d)) \
  X(netcl_qlinear_conv2d_options, bias, DIFFERS, (void)o, BY(qlinear_conv2d)) \
  X(netcl_qlinear_conv2d_options, strides, DIFFERS, (void)o, BY(qlinear_conv2d)) \
  X(netcl_qlinear_conv2d_options, dilations, DIFFERS, (void)o, BY(qlinear_conv2d)) \
  X(netcl_qlinear_conv2d_options, padding, DIFFERS, (void)o, BY(qlinear_conv2d)) \
  X(netcl_qlinear_conv2d_options, groups, DIFFERS, (void)o, BY(qlinear_conv2d)) \
  X(netcl_qlinear_conv2d_options, dtype, DIFFERS, (void)o, BY(qlinear_conv2d)) \
  X(netcl_topk_options, indices_into, SAME, (void)o, with_topk_into(s, which, result)) \
  X(netcl_topk_options, smallest, DIFFERS, o.smallest = PICK(0u, 1u), with_topk(s, &o, result)) \
  X(netcl_norm_options, scale, DIFFERS, o.scale = PICK(NULL, s->row), \
    with_layernorm(s, &o, result)) \
  X(netcl_norm_options, bias, DIFFERS, o.bias = PICK(NULL, s->row), with_layernorm(s, &o, result)) \
  X(netcl_norm_options, epsilon, DIFFERS, o.epsilon = PICK(0.25, 0.75), \
    with_layernorm(s, &o, result)) \
  X(netcl_norm_options, has_epsilon, DIFFERS, o.has_epsilon = PICK(0u, 1u), \
    with_layernorm(s, &o, result)) \
  X(netcl_norm_options, mean_into, SAME, (void)o, with_layernorm_statistic(s, 0, which, result)) \
  X(netcl_norm_options, inverse_deviation_into, SAME, (void)o, \
    with_layernorm_statistic(s, 1, which, result)) \
  X(netcl_loss_options, weights, DIFFERS, o.weights = PICK(NULL, s->row), \
    with_loss(s, &o, 0, result)) \
  X(netcl_loss_options, ignore_index, DIFFERS, o.ignore_index = PICK(1, 3), \
    with_loss(s, &o, 0, result)) \
  X(netcl_loss_options, has_ignore_index, DIFFERS, o.has_ignore_index = PICK(0u, 1u), \
    with_loss(s, &o, 0, result)) \
  X(netcl_loss_options, reduction, DIFFERS, o.reduction = PICK(NETCL_LOSS_MEAN, NETCL_LOSS_SUM), \
    with_loss(s, &o, 0, result)) \
  X(netcl_loss_options, dtype, DIFFERS, o.dtype = PICK(0, NETCL_F32), \
    with_loss(s, &o, 1, result)) \
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
  X(netcl_pooling_options, window, DIFFERS, \
    (o.window = one_size(PICK(2, 3)), o.window_count = 1), POOLED_MEANS) \
  X(netcl_pooling_options, strides, DIFFERS, \
    (o.strides = one_size(PICK(1, 2)), o.strides_count = 1), POOLED_MEANS) \
  X(netcl_pooling_options, dilations, DIFFERS, \
    (o.dilations = one_size(PICK(1, 2)), o.dilations_count = 1), POOLED_MEANS) \
  X(netcl_pooling_options, padding, DIFFERS, \
    (o.padding = one_size(PICK(1, 2)), o.padding_count = 1), POOLED_MEANS) \
  X(netcl_pooling_options, window_count, DIFFERS, \
    (o.window = one_size(1), o.window_count = PICK(1u, 2u)), POOLED_MEANS) \
  X(netcl_pooling_options, strides_count, DIFFERS, \
    (o.strides = one_size(2), o.strides_count = PICK(0u, 1u)), POOLED_MEANS) \
  X(netcl_pooling_options, dilations_count, DIFFERS, \
    (o.dilations = one_size(2), o.dilations_count = PICK(0u, 1u)), POOLED_MEANS) \
  X(netcl_pooling_options, padding_count, DIFFERS, \
    (o.padding = one_size(1), o.padding_count = PICK(0u, 1u)), POOLED_MEANS) \
  X(netcl_pooling_options, ceil_mode, DIFFERS, \
    (o.strides = one_size(2), o.strides_count = 1, o.ceil_mode = PICK(0u, 1u)), POOLED_MEANS) \
  X(netcl_pooling_options, count_include_pad, DIFFERS, \
    (o.padding = one_size(1), o.padding_count = 1, o.count_include_pad = PICK(0u, 1u)), \
    POOLED_MEANS) \
  X(netcl_pooling_options, p, DIFFERS, o.p = PICK(1, 3), \
    with_pool(s, NETCL_POOLING_LP, &o, result)) \
  X(netcl_pooling_options, indices_into, SAME, (void)o, with_pool_indices(s, 0, which, result)) \
  X(netcl_pooling_options, column_major, DIFFERS, (void)o, with_pool_indices(s, which, 0, result)) \
  X(netcl_max_unpool2d_options, column_major, DIFFERS, o.column_major = PICK(0u, 1u), \
    unpooled(s, 5, 7, &o, NULL, result)) \
  X(netcl_roi_pool_options, bins, DIFFERS, o.bins[1] = PICK(2, 3), roi_averages(s, &o, result)) \
  X(netcl_roi_pool_options, samples, DIFFERS, o.samples = PICK(1, 3), \
    roi_averages(s, &o, result)) \
  X(netcl_roi_pool_options, scale, DIFFERS, o.scale = PICK(0.5, 1.0), \
    roi_averages(s, &o, result)) \
  X(netcl_roi_pool_options, half_pixel, DIFFERS, o.half_pixel = PICK(0u, 1u), \
    roi_averages(s, &o, result)) \
  X(netcl_pad_options, value, DIFFERS, o.value = PICK(&kNumbers[0], &kNumbers[1]), \
    with_pad(s, &o, result)) \
  X(netcl_pad_options, mode, DIFFERS, o.mode = PICK(NETCL_PAD_CONSTANT, NETCL_PAD_EDGE), \
    with_pad(s, &o, result)) \
  X(netcl_scatter_options, mode, DIFFERS, o.mode = PICK(NETCL_SCATTER_ADD, NETCL_SCATTER_ASSIGN), \
    with_scatter(s, &o, result)) \
  X(netcl_scatter_options, atomics, SAME, \
    (o.mode = NETCL_SCATTER_ADD, o.atomics = PICK(0u, 1u)), with_scatter(s, &o, result)) \
  X(netcl_mixed_precision, masters, DIFFERS, (o.masters_count = 1, o.masters = \
    PICK(&s->square, &s->other)), with_precision(s, &o, result)) \
  X(netcl_mixed_precision, scale, DIFFERS, o.scale = PICK(s->row, s->line), \
    with_precision(s, &o, result)) \
  X(netcl_mixed_precision, found_inf, DIFFERS, o.found_inf = PICK(NULL, s->row), \
    with_precision(s, &o, result)) \
  X(netcl_mixed_precision, masters_count, DIFFERS, (o.masters = PICK(NULL, &s->square), \
    o.masters_count = PICK(0u, 1u)), with_precision(s, &o, result)) \
  X(netcl_sgd_options, momentum_buffers, DIFFERS, (o.momentum = 0.5, \
    o.momentum_buffers_count = 1, o.momentum_buffers = PICK(&s->square, &s->other)), \
    with_sgd(s, &o, result)) \
  X(netcl_sgd_options, step, DIFFERS, (o.momentum = o.dampening = 0.5, \
    o.momentum_buffers_count = 1, o.momentum_buffers = &s->square, o.step = PICK(s->places, \
    s->row)), with_sgd(s, &o, result)) \
  X(netcl_sgd_options, factor, DIFFERS, o.factor = PICK(s->row, s->line), \
    with_sgd(s, &o, result)) \
  X(netcl_sgd_options, precision, DIFFERS, (scaled.scale = s->row, o.precision = PICK(NULL, \
    &scaled)), with_sgd(s, &o, result)) \
  X(netcl_sgd_options, momentum, DIFFERS, (o.momentum_buffers_count = 1, o.momentum_buffers \
    = &s->square, o.momentum = PICK(0.5, 0.75)), with_sgd(s, &o, result)) \
  X(netcl_sgd_options, dampening, DIFFERS, (o.momentum = 0.5, o.step = s->places, \
    o.momentum_buffers_count = 1, o.momentum_buffers = &s->square, o.dampening = PICK(0.25, \
    0.75)), with_sgd(s, &o, result)) \
  X(netcl_sgd_options, weight_decay, DIFFERS, o.weight_decay = PICK(0.0, 0.25), \
    with_sgd(s, &o, result)) \
  X(netcl_sgd_options, momentum_buffers_count, DIFFERS, (o.momentum = PICK(0.0, 0.5), \
    o.momentum_buffers = PICK(NULL, &s->square), o.momentum_buffers_count = PICK(0u, 1u)), \
    with_sgd(s, &o, result)) \
  X(netcl_sgd_options, nesterov, DIFFERS, (o.momentum = 0.5, o.momentum_buffers_count = 1, \
    o.momentum_buffers = &s->square, o.nesterov = PICK(0u, 1u)), with_sgd(s, &o, result)) \
  X(netcl_adam_options, max_square_averages, DIFFERS, (o.max_square_averages_count = 1, \
    o.max_square_averages = PICK(&s->square, &s->other)), with_adam(s, &o, result)) \
  X(netcl_adam_options, factor, DIFFERS, o.factor = PICK(s->row, s->line), \
    with_adam(s, &o, result)) \
  X(netcl_adam_options, precision, DIFFERS, (scaled.scale = s->row, o.precision = \
    PICK(NULL, &scaled)), with_adam(s, &o, result)) \
  X(netcl_adam_options, beta1, DIFFERS, o.beta1 = PICK(0.25, 0.75), with_adam(s, &o, result)) \
  X(netcl_adam_options, beta2, DIFFERS, o.beta2 = PICK(0.25, 0.75), with_adam(s, &o, result)) \
  X(netcl_adam_options, epsilon, DIFFERS, o.epsilon = PICK(0.25, 0.75), \
    with_adam(s, &o, result)) \
  X(netcl_adam_options, weight_decay, DIFFERS, o.weight_decay = PICK(0.25, 0.75), \
    with_adam(s, &o, result)) \
  X(netcl_adam_options, max_square_averages_count, DIFFERS, (o.max_square_averages = \
    PICK(NULL, &s->other), o.max_square_averages_count = PICK(0u, 1u)), \
    with_adam(s, &o, result)) \
  X(netcl_adam_options, has_betas, DIFFERS, o.has_betas = PICK(0u, 1u), \
    with_adam(s, &o, result)) \
  X(netcl_adam_options, decoupled, DIFFERS, (o.weight_decay = 0.5, o.decoupled = PICK(0u, \
    1u)), with_adam(s, &o, result)) \
  X(netcl_rmsprop_options, momentum_buffers, DIFFERS, (o.momentum = 0.5, \
    o.momentum_buffers_count = 1, o.momentum_buffers = PICK(&s->square, &s->other)), \
    with_rmsprop(s, &o, result)) \
  X(netcl_rmsprop_options, averages, DIFFERS, (o.averages_count = 1, o.averages = \
    PICK(&s->square, &s->other)), with_rmsprop(s, &o, result)) \
  X(netcl_rmsprop_options, factor, DIFFERS, o.factor = PICK(s->row, s->line), \
    with_rmsprop(s, &o, result)) \
  X(netcl_rmsprop_options, precision, DIFFERS, (scaled.scale = s->row, o.precision = \
    PICK(NULL, &scaled)), with_rmsprop(s, &o, result)) \
  X(netcl_rmsprop_options, alpha, DIFFERS, o.alpha = PICK(0.25, 0.75), \
    with_rmsprop(s, &o, result)) \
  X(netcl_rmsprop_options, epsilon, DIFFERS, o.epsilon = PICK(0.25, 0.75), \
    with_rmsprop(s, &o, result)) \
  X(netcl_rmsprop_options, momentum, DIFFERS, (o.momentum_buffers_count = 1, \
    o.momentum_buffers = &s->square, o.momentum = PICK(0.5, 0.75)), with_rmsprop(s, &o, result)) \
  X(netcl_rmsprop_options, weight_decay, DIFFERS, o.weight_decay = PICK(0.0, 0.25), \
    with_rmsprop(s, &o, result)) \
  X(netcl_rmsprop_options, momentum_buffers_count, DIFFERS, (o.momentum = PICK(0.0, 0.5), \
    o.momentum_buffers = PICK(NULL, &s->square), o.momentum_buffers_count = PICK(0u, 1u)), \
    with_rmsprop(s, &o, result)) \
  X(netcl_rmsprop_options, averages_count, DIFFERS, (o.averages = PICK(NULL, &s->other), \
    o.averages_count = PICK(0u, 1u)), with_rmsprop(s, &o, result)) \
  X(netcl_adagrad_options, step, DIFFERS, (o.learning_rate_decay = 0.5, o.step = \
    PICK(s->places, s->row)), with_adagrad(s, &o, result)) \
  X(netcl_adagrad_options, factor, DIFFERS, o.factor = PICK(s->row, s->line), \
    with_adagrad(s, &o, result)) \
  X(netcl_adagrad_options, precision, DIFFERS, (scaled.scale = s->row, o.precision = \
    PICK(NULL, &scaled)), with_adagrad(s, &o, result)) \
  X(netcl_adagrad_options, learning_rate_decay, DIFFERS, (o.step = s->places, \
    o.learning_rate_decay = PICK(0.25, 0.75)), with_adagrad(s, &o, result)) \
  X(netcl_adagrad_options, epsilon, DIFFERS, o.epsilon = PICK(0.25, 0.75), \
    with_adagrad(s, &o, result)) \
  X(netcl_adagrad_options, weight_decay, DIFFERS, o.weight_decay = PICK(0.0, 0.25), \
    with_adagrad(s, &o, result)) \
  X(netcl_loss_scale_options, growth_factor, DIFFERS, (o.growth_interval = 4, \
    o.growth_factor = PICK(3.0, 5.0)), with_loss_scale(s, &o, 0, result)) \
  X(netcl_loss_scale_options, backoff_factor, DIFFERS, o.backoff_factor = PICK(0.25, 0.75), \
    with_loss_scale(s, &o, 1, result)) \
  X(netcl_loss_scale_options, growth_interval, DIFFERS, o.growth_interval = PICK(4, 5), \
    with_loss_scale(s, &o, 0, result)) \
  X(netcl_resize_options, mode, DIFFERS, o.mode = PICK(NETCL_RESIZE_NEAREST, NETCL_RESIZE_LINEAR), \
    with_resize(s, &o, result)) \
  X(netcl_resize_options, coordinates, DIFFERS, \
    (o.mode = NETCL_RESIZE_LINEAR, \
     o.coordinates = PICK(NETCL_RESIZE_HALF_PIXEL, NETCL_RESIZE_ASYMMETRIC)), \
    with_resize(s, &o, result)) \
  X(netcl_resize_options, rounding, DIFFERS, \
    o.rounding = PICK(NETCL_RESIZE_ROUND_PREFER_FLOOR, NETCL_RESIZE_CEIL), \
    with_resize(s, &o, result)) \
  X(netcl_resize_options, antialias, DIFFERS, \
    (o.mode = NETCL_RESIZE_LINEAR, o.antialias = PICK(0u, 1u)), with_resize(s, &o, result)) \
  X(netcl_resize_options, exclude_outside, DIFFERS, \
    (o.mode = NETCL_RESIZE_CUBIC, o.exclude_outside = PICK(0u, 1u)), with_resize(s, &o, result)) \
  X(netcl_resize_options, has_cubic_coeff, DIFFERS, \
    (o.mode = NETCL_RESIZE_CUBIC, o.has_cubic_coeff = PICK(0u, 1u)), with_resize(s, &o, result)) \
  X(netcl_resize_options, cubic_coeff, DIFFERS, \
    (o.mode = NETCL_RESIZE_CUBIC, o.cubic_coeff = PICK(-0.5, -0.25)), \
    with_resize(s, &o, result)) \
  X(netcl_resize_options, extrapolation_value, DIFFERS, \
    (o.coordinates = NETCL_RESIZE_TF_CROP_AND_RESIZE, o.roi = kResizeRoi[0], o.roi_count = 4, \
     o.extrapolation_value = PICK(2.0, 3.0)), with_resize(s, &o, result)) \
  X(netcl_resize_options, scales, DIFFERS, \
    (o.scales_count = 2, o.scales = PICK(kResizeRoi[0] + 2, kResizeRoi[1] + 2)), \
    with_resize(s, &o, result)) \
  X(netcl_resize_options, roi, DIFFERS, \
    (o.coordinates = NETCL_RESIZE_TF_CROP_AND_RESIZE, o.roi_count = 4, \
     o.roi = PICK(kResizeRoi[0], kResizeRoi[1])), with_resize(s, &o, result)) \
  X(netcl_resize_options, scales_count, DIFFERS, \
    (o.scales = kResizeRoi[1] + 2, o.scales_count = PICK(0u, 2u)), with_resize(s, &o, result)) \
  X(netcl_resize_options, roi_count, DIFFERS, \
    (o.coordinates = NETCL_RESIZE_TF_CROP_AND_RESIZE, o.roi = kResizeRoi[1], \
     o.roi_count = PICK(0u, 4u)), with_resize(s, &o, result))
/* clang-format on */

#endif
