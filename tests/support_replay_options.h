/* Calls of ops for test_replay_options: with the options that are given, and all else fixed. */
#ifndef NETCL_TESTS_SUPPORT_REPLAY_OPTIONS_H
#define NETCL_TESTS_SUPPORT_REPLAY_OPTIONS_H

#include "support_replay.h"

/* The two values of a row's member. */
enum { FIRST = 0, OTHER = 1 };

netcl_status with_expression(const Set* s, const netcl_expression_options* options,
                             netcl_tensor** result);
/* The second result of two. */
netcl_status with_expressions(const Set* s, const netcl_expressions_options* options,
                              netcl_tensor** result);
/* The same, made by the call or given to it. */
netcl_status with_expressions_into(const Set* s, int given, netcl_tensor** result);
netcl_status with_elementwise(const Set* s, const netcl_elementwise_options* options,
                              netcl_tensor** result);
netcl_status with_primitive(const Set* s, const netcl_primitive_call_options* options,
                            netcl_tensor** result);
netcl_status with_matmul(const Set* s, const netcl_matmul_options* options,
                         netcl_tensor** result);
netcl_status with_epilogue(const Set* s, const netcl_epilogue* epilogue,
                           netcl_tensor** result);
netcl_status with_conv2d(const Set* s, const netcl_conv2d_options* options,
                         netcl_tensor** result);
netcl_status with_conv2d_batchnorm(const Set* s, netcl_conv2d_batchnorm* batchnorm,
                                   netcl_tensor** result);
netcl_status with_attention(const Set* s, const netcl_attention_options* options,
                            netcl_tensor** result);
/* With a tensor as the member at an offset of the options, or without for FIRST. */
netcl_status with_attention_tensor(const Set* s, size_t member, int which, netcl_tensor** result);
/* Given by the caller, or made: the log-sum-exp is what is compared. */
netcl_status with_attention_sums(const Set* s, int which, netcl_tensor** result);
/* On [4, 6 * 8, 8]: [batch, tokens, heads * size]. */
netcl_status with_rotary_embedding(const Set* s, const netcl_rotary_embedding_options* options,
                                   netcl_tensor** result);
/* Without positions, or with some. */
netcl_status with_rotary_positions(const Set* s, int which, netcl_tensor** result);
/* Weights of 144 bytes a row: made whole, or with an epilogue in a product. With NBITS there are
 * scales, of other numbers for OTHER where the member at `differs` is that of scales, and zero
 * points for OTHER where it is theirs. */
netcl_status with_quantized(const Set* s, const netcl_quantized_options* options, size_t differs,
                            int which, netcl_tensor** result);
netcl_status with_quantize(const Set* s, const netcl_quantized_options* options,
                           netcl_tensor** result);
netcl_status with_reduce(const Set* s, const netcl_reduce_options* options,
                         netcl_tensor** result);
netcl_status with_argmax(const Set* s, const netcl_reduce_options* options,
                         netcl_tensor** result);
netcl_status with_scan(const Set* s, const netcl_scan_options* options,
                       netcl_tensor** result);
netcl_status with_histogram(const Set* s, const netcl_histogram_options* options,
                            netcl_tensor** result);
netcl_status with_topk(const Set* s, const netcl_topk_options* options,
                       netcl_tensor** result);
netcl_status with_topk_into(const Set* s, int given, netcl_tensor** result);
netcl_status with_layernorm(const Set* s, const netcl_norm_options* options,
                            netcl_tensor** result);
netcl_status with_layernorm_statistic(const Set* s, int inverse, int spread,
                                      netcl_tensor** result);
netcl_status with_batchnorm(const Set* s, const netcl_batchnorm_options* options,
                            int moved, netcl_tensor** result);
/* On f32, or on f16 for `half`. */
netcl_status with_loss(const Set* s, const netcl_loss_options* options, int half,
                       netcl_tensor** result);
netcl_status with_pool(const Set* s, netcl_pooling kind, const netcl_pooling_options* options,
                       netcl_tensor** result);
/* Of three regions. */
netcl_status with_pool_indices(const Set* s, int column_major, int spread,
                                 netcl_tensor** result);
netcl_status unpooled(const Set* s, int64_t height, int64_t width,
                      const netcl_max_unpool2d_options* options, const netcl_run_options* run,
                      netcl_tensor** result);
netcl_status roi_pool_of(const Set* s, netcl_roi_pooling kind,
                         const netcl_roi_pool_options* options, const netcl_run_options* run,
                         netcl_tensor** result);
static inline netcl_status roi_averages(const Set* s, const netcl_roi_pool_options* options,
                                        netcl_tensor** result) {
  return roi_pool_of(s, NETCL_ROI_POOLING_AVERAGE, options, NULL, result);
}
netcl_status with_pad(const Set* s, const netcl_pad_options* options,
                      netcl_tensor** result);
netcl_status with_scatter(const Set* s, const netcl_scatter_options* options,
                          netcl_tensor** result);
netcl_status with_resize(const Set* s, const netcl_resize_options* options,
                         netcl_tensor** result);
netcl_status with_precision(const Set* s, const netcl_mixed_precision* precision,
                            netcl_tensor** result);
netcl_status with_sgd(const Set* s, const netcl_sgd_options* options, netcl_tensor** result);
netcl_status with_adam(const Set* s, const netcl_adam_options* options, netcl_tensor** result);
netcl_status with_rmsprop(const Set* s, const netcl_rmsprop_options* options,
                          netcl_tensor** result);
netcl_status with_adagrad(const Set* s, const netcl_adagrad_options* options,
                          netcl_tensor** result);
netcl_status with_loss_scale(const Set* s, const netcl_loss_scale_options* options, int finds,
                             netcl_tensor** result);
netcl_status matmul_of_halves(const Set* s, const netcl_matmul_options* options,
                              netcl_tensor** result);
/* Products of i8: without zero points, or with one of a or b for OTHER. */
netcl_status matmul_of_bytes(const Set* s, int of_b, int which, netcl_tensor** result);
/* With one of two values of the member at an offset of the options; support_replay_quantization.c.
 * Of the dynamic one a scalar is compared, which the caller gave or the op made. */
netcl_status with_quantize_linear(const Set* s, size_t at, int which, netcl_tensor** result);
netcl_status with_dequantize_linear(const Set* s, size_t at, int which, netcl_tensor** result);
netcl_status with_dynamic_quantize_linear(const Set* s, size_t at, int which,
                                          netcl_tensor** result);
netcl_status with_qlinear_matmul(const Set* s, size_t at, int which, netcl_tensor** result);
netcl_status with_conv2d_integer(const Set* s, size_t at, int which, netcl_tensor** result);
netcl_status with_qlinear_conv2d(const Set* s, size_t at, int which, netcl_tensor** result);
netcl_status conv2d_normalised(const Set* s, int which, netcl_tensor** result);

#endif
