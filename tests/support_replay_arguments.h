/* The arguments of ops that are no options, a row each, for test_replay_options.c alone. */
#ifndef NETCL_TESTS_SUPPORT_REPLAY_ARGUMENTS_H
#define NETCL_TESTS_SUPPORT_REPLAY_ARGUMENTS_H

#include "support_replay_rows.h"

static const uint32_t kOrders[2][4] = {{0, 2, 1, 3}, {1, 0, 2, 3}};
static const int64_t kPads[2][4] = {{1, 0, 0, 2}, {0, 1, 2, 0}};
static const int64_t kRepeats[2][2] = {{2, 1}, {1, 2}};
static const int64_t kExtents[2][2] = {{24, 16}, {16, 24}};
static const netcl_scatter_options kAdding = {sizeof(netcl_scatter_options),
                                              NETCL_SCATTER_ADD, 0};
static const float kFills[2] = {1.5f, -2.5f};

static inline netcl_status filled(const Set* s, const void* value, netcl_tensor** result) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  OK(netcl_op_copy(s->square, NULL, result));
  return netcl_op_fill(*result, value, &run);
}
static inline netcl_status counted(const Set* s, int start, int step, netcl_tensor** result) {
  OK(netcl_op_copy(s->square, NULL, result));
  return netcl_op_range(*result, &kFills[start], &kFills[step], NULL);
}
static inline netcl_status diagonal(const Set* s, int64_t k, netcl_tensor** result) {
  OK(netcl_op_copy(s->square, NULL, result));
  return netcl_op_eye(*result, k, NULL);
}
static inline netcl_status hot(const Set* s, int64_t depth, int32_t axis, netcl_dtype dtype, int on,
                               int off, netcl_tensor** result) {
  return netcl_op_one_hot(s->places, depth, axis, dtype, &kFills[on], &kFills[off], NULL, result);
}
static inline netcl_status topk_of(const Set* s, int64_t k, int32_t axis, netcl_tensor** result) {
  netcl_tensor* places = NULL;
  const netcl_status status = netcl_op_topk(s->square, k, axis, NULL, NULL, result, &places);
  netcl_tensor_release(places);
  return status;
}
/* Places along the first dimension, or along the second of each line, and an update for each. */
static inline netcl_status places_of(const Set* s, int scatters, uint32_t batch_dims,
                                     netcl_tensor** result) {
  const netcl_range first[2] = {{0, 7, 1}, {0, 1, 1}};
  const int64_t line[1] = {7};
  netcl_tensor *places = NULL, *column = NULL, *values = NULL;
  OK(netcl_tensor_slice(s->indices, first, 2, &places));
  OK(netcl_tensor_slice(s->updates, first, 2, &column));
  OK(netcl_tensor_reshape(column, 1, line, NULL, &values));
  const netcl_status status =
      scatters ? netcl_op_scatter_nd(s->updates, places, batch_dims == 0 ? s->updates : values,
                                     batch_dims, &kAdding, NULL, result)
               : netcl_op_gather_nd(s->updates, places, batch_dims, NULL, result);
  netcl_tensor_release(values);
  netcl_tensor_release(column);
  netcl_tensor_release(places);
  return status;
}
/* The images as channels: four of them are a block. */
static inline netcl_status spread(const Set* s, int64_t block, netcl_depth_order order,
                                  netcl_tensor** result) {
  static const int64_t shape[4] = {1, 24, 8, 8};
  netcl_tensor* channels = NULL;
  OK(netcl_tensor_reshape(s->image, 4, shape, NULL, &channels));
  const netcl_status status = netcl_op_depth_to_space(channels, block, order, NULL, result);
  netcl_tensor_release(channels);
  return status;
}
static inline netcl_status joined(const Set* s, int32_t axis, netcl_tensor** result) {
  netcl_tensor* const both[] = {s->square, s->other};
  return netcl_op_concat(both, 2, axis, NULL, result);
}
static inline netcl_status multiplied(const Set* s, const char* equation, netcl_tensor** result) {
  netcl_tensor* const both[] = {s->square, s->other};
  return netcl_op_einsum(equation, both, 2, NULL, result);
}
static inline netcl_status two_of(const Set* s, netcl_elementwise op, netcl_tensor** result) {
  netcl_tensor* const both[] = {s->square, s->other};
  return netcl_op_elementwise(op, both, 2, NULL, NULL, result);
}
static inline netcl_status text_of(const Set* s, const char* text, netcl_tensor** result) {
  netcl_tensor* const both[] = {s->square, s->other};
  return netcl_op_expression_text(text, both, 2, NULL, NULL, result);
}
static inline netcl_status clipped(const Set* s, double norm, netcl_tensor** result) {
  netcl_tensor* tensor = NULL;
  OK(netcl_op_copy(s->square, NULL, &tensor));
  const netcl_status status = netcl_op_clip_by_norm(&tensor, 1, norm, NULL, result);
  netcl_tensor_release(*result);
  *result = tensor;
  return status;
}
/* A step of sgd (0), rmsprop (1), adagrad (2) or adam (3). */
static inline netcl_status step_by(const Set* s, int optimizer, double rate,
                                   netcl_tensor** result) {
  static const int64_t kFirst = 1;
  netcl_tensor *gradient = s->other, *states[2] = {NULL}, *step = NULL;
  netcl_device* device = NULL;
  netcl_status status;
  OK(netcl_tensor_get_device(s->square, &device));
  OK(netcl_op_copy(s->square, NULL, result));
  for (int i = 0; i < 2; ++i) {
    OK(netcl_tensor_create_zeros(device, NETCL_F32, 2, (int64_t[]){16, 16}, NULL, NULL,
                                 &states[i]));
  }
  step = make_tensor(device, NETCL_I64, 0, NULL, &kFirst);
  if (optimizer == 0) {
    status = netcl_op_sgd(result, 1, &gradient, 1, rate, NULL, NULL);
  } else if (optimizer == 1) {
    status = netcl_op_rmsprop(result, 1, &gradient, 1, states, 1, rate, NULL, NULL);
  } else if (optimizer == 2) {
    status = netcl_op_adagrad(result, 1, &gradient, 1, states, 1, rate, NULL, NULL);
  } else {
    status = netcl_op_adam(result, 1, &gradient, 1, states, 1, &states[1], 1, step, rate, NULL,
                           NULL);
  }
  for (int i = 0; i < 2; ++i) netcl_tensor_release(states[i]);
  netcl_tensor_release(step);
  netcl_device_release(device);
  return status;
}
static inline netcl_status quantized_by(const Set* s, int back, int32_t axis,
                                        netcl_tensor** result) {
  static const int64_t kCount = 16;
  float scales[16];
  netcl_device* device = NULL;
  netcl_tensor *scale = NULL, *codes = NULL;
  for (int i = 0; i < 16; ++i) scales[i] = 0.01f * (float)(i + 1);
  OK(netcl_tensor_get_device(s->square, &device));
  scale = make_tensor(device, NETCL_F32, 1, &kCount, scales);
  netcl_status status = netcl_op_quantize_linear(s->square, scale, back ? 0 : axis, NULL, NULL,
                                                 &codes);
  if (status == NETCL_OK && back) {
    status = netcl_op_dequantize_linear(codes, scale, axis, NULL, NULL, result);
    netcl_tensor_release(codes);
  } else {
    *result = codes;
  }
  netcl_tensor_release(scale);
  netcl_device_release(device);
  return status;
}
static inline netcl_status slope_of(const Set* s, uint32_t input, netcl_tensor** result) {
  netcl_tensor* const inputs[] = {s->square, s->other};
  return netcl_op_primitive_gradient(kReplayPrimitive, inputs, 2, input, s->other, NULL, NULL,
                                     NULL, result);
}

typedef netcl_status (*Loss)(netcl_tensor*, netcl_tensor*, int32_t, const netcl_loss_options*,
                             const netcl_run_options*, netcl_tensor**);
static inline netcl_status loss_of(const Set* s, Loss loss, int32_t axis, netcl_tensor** result) {
  static const int64_t kLabels[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3}, kCount = 16;
  netcl_device* device = NULL;
  OK(netcl_tensor_get_device(s->square, &device));
  netcl_tensor* labels = make_tensor(device, NETCL_I64, 1, &kCount, kLabels);
  const netcl_status status = loss(s->square, labels, axis, NULL, NULL, result);
  netcl_device_release(device);
  netcl_tensor_release(labels);
  return status;
}

/* X(op, argument, call) */
/* clang-format off */
#define ARGUMENTS(X) \
  X(softmax, axis, netcl_op_softmax(s->square, PICK(0, 1), NULL, result)) \
  X(log_softmax, axis, netcl_op_log_softmax(s->square, PICK(0, 1), NULL, result)) \
  X(layernorm, axis, netcl_op_layernorm(s->image, PICK(2, 3), NULL, NULL, result)) \
  X(rmsnorm, axis, netcl_op_rmsnorm(s->image, PICK(2, 3), NULL, NULL, result)) \
  X(bias_add, axis, netcl_op_bias_add(s->square, s->row, PICK(0, 1), NULL, result)) \
  X(cast, dtype, netcl_op_cast(s->square, PICK(NETCL_F16, NETCL_BF16), NULL, result)) \
  X(fill, value, filled(s, &kFills[which], result)) \
  X(range, start_value, counted(s, which, 0, result)) \
  X(range, step_value, counted(s, 0, which, result)) \
  X(eye, k, diagonal(s, PICK(0, 1), result)) \
  X(elementwise, op, two_of(s, PICK(NETCL_ELEMENTWISE_ADD, NETCL_ELEMENTWISE_MUL), result)) \
  X(expression_text, text, text_of(s, PICK("v0 - v1", "v1 - v0"), result)) \
  X(reduce, kind, netcl_op_reduce(s->square, PICK(NETCL_REDUCTION_SUM, NETCL_REDUCTION_MAX), \
    NULL, NULL, result)) \
  X(scan, kind, netcl_op_scan(s->square, PICK(NETCL_REDUCTION_SUM, NETCL_REDUCTION_MAX), 1, NULL, \
    NULL, result)) \
  X(scan, axis, netcl_op_scan(s->square, NETCL_REDUCTION_SUM, PICK(0, 1), NULL, NULL, result)) \
  X(histogram, bins, netcl_op_histogram(s->square, PICK(8, 9), NULL, NULL, result)) \
  X(topk, k, topk_of(s, PICK(3, 4), 1, result)) \
  X(topk, axis, topk_of(s, 4, PICK(0, 1), result)) \
  X(pool, kind, netcl_op_pool(s->image, PICK(NETCL_POOLING_MAX, NETCL_POOLING_AVERAGE), NULL, \
    NULL, result)) \
  X(max_unpool2d, height, unpooled(s, PICK(5, 4), 7, NULL, NULL, result)) \
  X(max_unpool2d, width, unpooled(s, 5, PICK(7, 6), NULL, NULL, result)) \
  X(roi_pool, kind, roi_pool_of(s, PICK(NETCL_ROI_POOLING_MAX, NETCL_ROI_POOLING_AVERAGE), NULL, \
    NULL, result)) \
  X(cross_entropy, axis, loss_of(s, netcl_op_cross_entropy, PICK(0, 1), result)) \
  X(nll_loss, axis, loss_of(s, netcl_op_nll_loss, PICK(0, 1), result)) \
  X(sgd, learning_rate, step_by(s, 0, PICK(0.5, 0.25), result)) \
  X(rmsprop, learning_rate, step_by(s, 1, PICK(0.5, 0.25), result)) \
  X(adagrad, learning_rate, step_by(s, 2, PICK(0.5, 0.25), result)) \
  X(adam, learning_rate, step_by(s, 3, PICK(0.5, 0.25), result)) \
  X(quantize_linear, axis, quantized_by(s, 0, PICK(0, 1), result)) \
  X(dequantize_linear, axis, quantized_by(s, 1, PICK(0, 1), result)) \
  X(primitive_gradient, input, slope_of(s, PICK(0, 1), result)) \
  X(scatter, axis, netcl_op_scatter(s->square, s->indices, s->updates, PICK(0, 1), &kAdding, NULL, \
    result)) \
  X(clip_by_norm, max_norm, clipped(s, PICK(0.5, 0.25), result)) \
  X(transpose, axes, netcl_op_transpose(s->image, kOrders[which], 4, NULL, result)) \
  X(concat, axis, joined(s, PICK(0, 1), result)) \
  X(pad, pads, netcl_op_pad(s->square, kPads[which], 4, NULL, NULL, result)) \
  X(tile, repeats, netcl_op_tile(s->square, kRepeats[which], 2, NULL, result)) \
  X(trilu, upper, netcl_op_trilu(s->square, PICK(0, 1), 0, NULL, result)) \
  X(trilu, k, netcl_op_trilu(s->square, 1, PICK(0, 1), NULL, result)) \
  X(one_hot, depth, hot(s, PICK(8, 9), -1, NETCL_F32, 0, 1, result)) \
  X(one_hot, axis, hot(s, 8, PICK(0, -1), NETCL_F32, 0, 1, result)) \
  X(one_hot, dtype, hot(s, 8, -1, PICK(NETCL_F32, NETCL_I16), 0, 1, result)) \
  X(one_hot, on_value, hot(s, 16, -1, NETCL_F32, which, 0, result)) \
  X(one_hot, off_value, hot(s, 16, -1, NETCL_F32, 0, which, result)) \
  X(gather, axis, netcl_op_gather(s->square, s->places, PICK(0, 1), NULL, result)) \
  X(gather_elements, axis, netcl_op_gather_elements(s->square, s->indices, PICK(0, 1), NULL, \
    result)) \
  X(einsum, equation, multiplied(s, PICK("ij,jk->ik", "ij,kj->ik"), result)) \
  X(gather_nd, batch_dims, places_of(s, 0, PICK(0, 1), result)) \
  X(scatter_nd, batch_dims, places_of(s, 1, PICK(0, 1), result)) \
  X(depth_to_space, block, spread(s, PICK(1, 2), NETCL_DEPTH_DCR, result)) \
  X(depth_to_space, order, spread(s, 2, PICK(NETCL_DEPTH_DCR, NETCL_DEPTH_CRD), \
    result)) \
  X(space_to_depth, block, netcl_op_space_to_depth(s->image, PICK(2, 4), NETCL_DEPTH_DCR, NULL, \
    result)) \
  X(space_to_depth, order, netcl_op_space_to_depth(s->image, 2, PICK(NETCL_DEPTH_DCR, \
    NETCL_DEPTH_CRD), NULL, result)) \
  X(resize, shape, netcl_op_resize(s->square, 2, kExtents[which], NULL, NULL, result))

#endif
