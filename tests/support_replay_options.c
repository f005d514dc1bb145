#include "support_replay_options.h"

static netcl_status give_first(netcl_status status, netcl_tensor** result, netcl_tensor* other) {
  if (status == NETCL_OK) {
    netcl_tensor_release(*result);
    *result = other;
  } else {
    netcl_tensor_release(other);
  }
  return status;
}

netcl_status with_expression(const Set* s, const netcl_expression_options* options,
                             netcl_tensor** result) {
  return netcl_op_expression_text("v0 * 2.5 + v1", (netcl_tensor* const[]){s->square, s->row}, 2,
                                  options, NULL, result);
}
netcl_status with_expressions(const Set* s, const netcl_expressions_options* options,
                              netcl_tensor** result) {
  static const char* const kTexts[] = {"v0 - v1", "v0 * 2.5 + v1"};
  netcl_tensor* results[2] = {NULL};
  const netcl_status status = netcl_op_expressions(
      kTexts, 2, (netcl_tensor* const[]){s->square, s->row}, 2, options, NULL, results);
  *result = results[0];
  return give_first(status, result, results[1]);
}
netcl_status with_expressions_into(const Set* s, int given, netcl_tensor** result) {
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  netcl_tensor *into[2] = {NULL}, *made = NULL;
  if (!given) return with_expressions(s, &options, result);
  OK(netcl_op_copy(s->square, NULL, &into[0]));
  OK(netcl_op_copy(s->square, NULL, &into[1]));
  options.results_into = into;
  options.results_into_count = 2;
  const netcl_status status = with_expressions(s, &options, &made);
  netcl_tensor_release(made);
  netcl_tensor_release(into[0]);
  *result = into[1];
  return status;
}
netcl_status with_elementwise(const Set* s, const netcl_elementwise_options* options,
                              netcl_tensor** result) {
  return netcl_op_elementwise(NETCL_ELEMENTWISE_HARD_SIGMOID, &s->square, 1, options, NULL, result);
}
netcl_status with_primitive(const Set* s, const netcl_primitive_call_options* options,
                            netcl_tensor** result) {
  return netcl_op_primitive(kReplayPrimitive, (netcl_tensor* const[]){s->square, s->row}, 2,
                            options, NULL, result);
}
netcl_status with_matmul(const Set* s, const netcl_matmul_options* options,
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
netcl_status with_epilogue(const Set* s, const netcl_epilogue* epilogue,
                           netcl_tensor** result) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  options.epilogue = epilogue;
  return netcl_op_matmul(s->square, s->other, &options, NULL, result);
}
netcl_status with_conv2d(const Set* s, const netcl_conv2d_options* options,
                         netcl_tensor** result) {
  netcl_tensor* w = s->filters;
  netcl_range half[4] = {{0, 4, 1}, {0, 3, 1}, {0, 3, 1}, {0, 3, 1}};
  if (options->groups != 2) return netcl_op_conv2d(s->image, w, options, NULL, result);
  OK(netcl_tensor_slice(s->filters, half, 4, &w));
  const netcl_status status = netcl_op_conv2d(s->image, w, options, NULL, result);
  netcl_tensor_release(w);
  return status;
}
netcl_status with_conv2d_batchnorm(const Set* s, netcl_conv2d_batchnorm* batchnorm,
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
netcl_status with_reduce(const Set* s, const netcl_reduce_options* options,
                         netcl_tensor** result) {
  return netcl_op_reduce(s->square, NETCL_REDUCTION_SUM, options, NULL, result);
}
/* Rows of equal elements have a first and a last largest one. */
netcl_status with_argmax(const Set* s, const netcl_reduce_options* options,
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
netcl_status with_scan(const Set* s, const netcl_scan_options* options,
                       netcl_tensor** result) {
  return netcl_op_scan(s->square, NETCL_REDUCTION_SUM, 1, options, NULL, result);
}
netcl_status with_histogram(const Set* s, const netcl_histogram_options* options,
                            netcl_tensor** result) {
  return netcl_op_histogram(s->line, 10, options, NULL, result);
}
netcl_status with_attention(const Set* s, const netcl_attention_options* options,
                            netcl_tensor** result) {
  return netcl_op_attention(s->image, s->image, s->image, options, NULL, result, NULL);
}
netcl_status with_attention_tensor(const Set* s, size_t member, int which, netcl_tensor** result) {
  static const int64_t kShapes[2][2] = {{8, 8}, {4, 1}};
  static const int32_t kCounts[4] = {5, 8, 3, 6}, kPages[4] = {3, 1, 1, 2};
  netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
  float bias[64];
  unsigned char seen[64];
  netcl_device* device = NULL;
  netcl_tensor *made = NULL, *lengths = NULL;
  for (int i = 0; i < 64; ++i) {
    bias[i] = 0.125f * (float)(i % 7);
    seen[i] = i % 3 != 1;
  }
  OK(netcl_tensor_get_device(s->image, &device));
  if (member == offsetof(netcl_attention_options, bias)) {
    made = which == FIRST ? NULL : make_tensor(device, NETCL_F32, 2, kShapes[0], bias);
    options.bias = made;
  } else if (member == offsetof(netcl_attention_options, mask)) {
    made = which == FIRST ? NULL : make_tensor(device, NETCL_BOOL, 2, kShapes[0], seen);
    options.mask = made;
  } else if (member == offsetof(netcl_attention_options, query_lengths)) {
    made = which == FIRST ? NULL : make_tensor(device, NETCL_I32, 1, kShapes[1], kCounts);
    options.query_lengths = made;
  } else {
    /* Pages are compared with the same lengths without them. */
    options.key_lengths = lengths = make_tensor(device, NETCL_I32, 1, kShapes[1], kCounts);
    if (member == offsetof(netcl_attention_options, key_lengths)) {
      if (which == FIRST) options.key_lengths = NULL;
    } else {
      made = make_tensor(device, NETCL_I32, 2, kShapes[1], kPages);
      if (which != FIRST) options.block_table = made;
    }
  }
  const netcl_status status = with_attention(s, &options, result);
  netcl_tensor_release(made);
  netcl_tensor_release(lengths);
  netcl_device_release(device);
  return status;
}
netcl_status with_attention_sums(const Set* s, int which, netcl_tensor** result) {
  static const int64_t kShape[3] = {4, 6, 8};
  netcl_attention_options options = NETCL_ATTENTION_OPTIONS_INIT;
  netcl_device* device = NULL;
  netcl_tensor *sums = NULL, *made = NULL;
  netcl_status status;
  OK(netcl_tensor_get_device(s->image, &device));
  if (which == FIRST) {
    status = netcl_op_attention(s->image, s->image, s->image, NULL, NULL, &made, &sums);
  } else {
    OK(netcl_tensor_create_zeros(device, NETCL_F32, 3, kShape, NULL, NULL, &sums));
    options.lse_into = sums;
    status = netcl_op_attention(s->image, s->image, s->image, &options, NULL, &made, NULL);
  }
  netcl_device_release(device);
  *result = made;
  return give_first(status, result, sums);
}
/* Caches of a shape, in the memory of the line. */
static netcl_status rotary(const Set* s, uint32_t rank, const int64_t* caches,
                           const netcl_rotary_embedding_options* options, netcl_tensor** result) {
  static const int64_t kRows[3] = {4, 48, 8}, kStrides[3] = {997, 13, 1};
  const int64_t* const strides = kStrides + (3 - rank);
  netcl_tensor *x = NULL, *cosines = NULL, *sines = NULL;
  OK(netcl_tensor_reshape(s->image, 3, kRows, NULL, &x));
  OK(netcl_tensor_view(s->line, rank, caches, strides, 0, &cosines));
  OK(netcl_tensor_view(s->line, rank, caches, strides, 5000, &sines));
  const netcl_status status = netcl_op_rotary_embedding(x, cosines, sines, options, NULL, result);
  netcl_tensor_release(x);
  netcl_tensor_release(cosines);
  netcl_tensor_release(sines);
  return status;
}
netcl_status with_rotary_embedding(const Set* s, const netcl_rotary_embedding_options* options,
                                   netcl_tensor** result) {
  const int64_t size = 8 / options->num_heads;
  const int64_t rotated = options->rotary_embedding_dim;
  const int64_t caches[3] = {4, 48, (rotated > 0 ? rotated : size) / 2};
  return rotary(s, 3, caches, options, result);
}
netcl_status with_rotary_positions(const Set* s, int which, netcl_tensor** result) {
  static const int64_t kWhole[3] = {4, 48, 4}, kListed[2] = {100, 4};
  netcl_rotary_embedding_options options = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
  netcl_device* device = NULL;
  int32_t positions[4 * 48];
  for (int i = 0; i < 4 * 48; ++i) positions[i] = i * 7 % 100;
  options.num_heads = 1;
  if (which == FIRST) return rotary(s, 3, kWhole, &options, result);
  OK(netcl_tensor_get_device(s->image, &device));
  options.position_ids = make_tensor(device, NETCL_I32, 2, kWhole, positions);
  const netcl_status status = rotary(s, 2, kListed, &options, result);
  netcl_tensor_release(options.position_ids);
  netcl_device_release(device);
  return status;
}
netcl_status with_quantized(const Set* s, const netcl_quantized_options* given, size_t differs,
                            int which, netcl_tensor** result) {
  static const int64_t kBytes[2] = {16, 144}, kX[2] = {6, 256};
  netcl_quantized_options options = *given;
  const int nbits = options.format == NETCL_QUANTIZATION_NBITS;
  const int64_t bits = options.bits == 0 ? 4 : options.bits;
  const int64_t block = options.block_size == 0 ? 32 : options.block_size;
  const int64_t shape[2] = {16, nbits ? 1152 / bits / block : 1};
  netcl_device* device = NULL;
  netcl_tensor *codes, *scales, *zeros, *x = NULL;
  unsigned char bytes[16 * 144];
  float numbers[16 * 18], points[16 * 18];
  OK(netcl_tensor_get_device(s->image, &device));
  for (int i = 0; i < 16 * 144; ++i) bytes[i] = (unsigned char)(i * 7 % 120);
  for (int i = 0; i < 16 * 18; ++i) {
    numbers[i] = 0.125f * (float)(i % 7 + 1);
    points[i] = (float)(i % 5);
    if (differs == offsetof(netcl_quantized_options, scales) && which == OTHER) numbers[i] += 1;
  }
  codes = make_tensor(device, NETCL_U8, 2, kBytes, bytes);
  scales = make_tensor(device, NETCL_F32, 2, shape, numbers);
  zeros = make_tensor(device, NETCL_F32, 2, shape, points);
  if (nbits) options.scales = scales;
  if (differs == offsetof(netcl_quantized_options, zero_points) && which == OTHER) {
    options.zero_points = zeros;
  }
  OK(netcl_tensor_reshape(s->image, 2, kX, NULL, &x));
  const netcl_status status =
      differs == offsetof(netcl_quantized_options, epilogue)
          ? netcl_op_matmul_quantized(x, codes, &options, NULL, result)
          : netcl_op_dequantize_weights(codes, &options, NULL, result);
  netcl_tensor_release(codes);
  netcl_tensor_release(scales);
  netcl_tensor_release(zeros);
  netcl_tensor_release(x);
  netcl_device_release(device);
  return status;
}
netcl_status with_quantize(const Set* s, const netcl_quantized_options* options,
                           netcl_tensor** result) {
  netcl_tensor *scales = NULL, *zeros = NULL;
  const netcl_status status =
      netcl_op_quantize_weights(s->square, options, NULL, result, &scales, &zeros);
  netcl_tensor_release(scales);
  netcl_tensor_release(zeros);
  return status;
}
netcl_status with_topk(const Set* s, const netcl_topk_options* options,
                       netcl_tensor** result) {
  return netcl_op_topk(s->square, 3, 1, options, NULL, result, NULL);
}
/* What is compared are the indices: those that were made, or those that were written to. */
netcl_status with_topk_into(const Set* s, int given, netcl_tensor** result) {
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
netcl_status with_layernorm(const Set* s, const netcl_norm_options* options,
                            netcl_tensor** result) {
  return netcl_op_layernorm(s->square, 1, options, NULL, result);
}
/* What is compared is the statistic, which comes to lie with or without gaps. */
netcl_status with_layernorm_statistic(const Set* s, int inverse, int spread,
                                      netcl_tensor** result) {
  static const int64_t kShape[2] = {16, 1}, kWide[2] = {16, 3};
  static const netcl_range kColumn[2] = {{0, 16, 1}, {1, 1, 1}};
  static const float kZeros[48];
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  netcl_device* device = NULL;
  OK(netcl_tensor_get_device(s->square, &device));
  netcl_tensor* column = make_tensor(device, NETCL_F32, 2, spread ? kWide : kShape, kZeros);
  netcl_device_release(device);
  if (spread) {
    netcl_tensor* const whole = column;
    OK(netcl_tensor_slice(whole, kColumn, 2, &column));
    netcl_tensor_release(whole);
  }
  if (inverse) {
    options.inverse_deviation_into = column;
  } else {
    options.mean_into = column;
  }
  return give_first(netcl_op_layernorm(s->square, 1, &options, NULL, result), result, column);
}
/* In training the moved mean is what is compared. */
netcl_status with_batchnorm(const Set* s, const netcl_batchnorm_options* options,
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
/* The labels are 0 and 3, in turn. */
netcl_status with_loss(const Set* s, const netcl_loss_options* options, int half,
                       netcl_tensor** result) {
  static const int64_t kLabels[7] = {0, 3, 0, 3, 0, 3, 0}, kCount = 7;
  netcl_device* device = NULL;
  netcl_tensor* x = NULL;
  OK(netcl_tensor_get_device(s->square, &device));
  netcl_tensor* labels = make_tensor(device, NETCL_I64, 1, &kCount, kLabels);
  netcl_device_release(device);
  OK(netcl_op_cast(s->updates, half ? NETCL_F16 : NETCL_F32, NULL, &x));
  const netcl_status status = netcl_op_cross_entropy(x, labels, 1, options, NULL, result);
  netcl_tensor_release(x);
  netcl_tensor_release(labels);
  return status;
}
netcl_status with_pool(const Set* s, netcl_pooling kind, const netcl_pooling_options* options,
                       netcl_tensor** result) {
  netcl_pooling_options own = *options;
  if (own.window == NULL) {
    own.window = one_size(3);
    own.window_count = 1;
  }
  return netcl_op_pool(s->image, kind, &own, NULL, result);
}
netcl_status roi_pool_of(const Set* s, netcl_roi_pooling kind,
                         const netcl_roi_pool_options* options, const netcl_run_options* run,
                         netcl_tensor** result) {
  static const int64_t kList[2] = {3, 4}, kCount = 3, kImages[3] = {0, 1, 0};
  static const float kRegions[12] = {0, 0, 3, 3, 1, 0, 2, 4, -1, 1, 5, 5};
  netcl_device* device = NULL;
  OK(netcl_tensor_get_device(s->image, &device));
  netcl_tensor *rois = make_tensor(device, NETCL_F32, 2, kList, kRegions),
               *images = make_tensor(device, NETCL_I64, 1, &kCount, kImages);
  netcl_device_release(device);
  const netcl_status status = netcl_op_roi_pool(s->image, rois, images, kind, options, run, result);
  netcl_tensor_release(rois);
  netcl_tensor_release(images);
  return status;
}
netcl_status with_pad(const Set* s, const netcl_pad_options* options,
                      netcl_tensor** result) {
  static const int64_t kPads[4] = {1, 2, 0, 3};
  return netcl_op_pad(s->square, kPads, 4, options, NULL, result);
}
netcl_status with_scatter(const Set* s, const netcl_scatter_options* options,
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
netcl_status with_resize(const Set* s, const netcl_resize_options* options,
                         netcl_tensor** result) {
  static const int64_t kShape[2] = {24, 11};
  return netcl_op_resize(s->square, 2, kShape, options, NULL, result);
}

netcl_status matmul_of_halves(const Set* s, const netcl_matmul_options* options,
                              netcl_tensor** result) {
  netcl_tensor *a = NULL, *b = NULL;
  OK(netcl_op_cast(s->square, NETCL_F16, NULL, &a));
  OK(netcl_op_cast(s->other, NETCL_F16, NULL, &b));
  const netcl_status status = netcl_op_matmul(a, b, options, NULL, result);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  return status;
}
netcl_status matmul_of_bytes(const Set* s, int of_b, int which, netcl_tensor** result) {
  static const uint32_t kTurned[2] = {1, 0};
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_tensor *a = NULL, *b = NULL, *zero = NULL;
  OK(netcl_op_cast(s->indices, NETCL_I8, NULL, &a));
  OK(netcl_tensor_permute(a, kTurned, 2, &b));
  OK(netcl_op_cast(s->places, NETCL_I8, NULL, &zero));
  if (which != FIRST) *(of_b ? &options.b_zero_point : &options.a_zero_point) = zero;
  const netcl_status status = netcl_op_matmul(a, b, &options, NULL, result);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(zero);
  return status;
}
netcl_status conv2d_normalised(const Set* s, int which, netcl_tensor** result) {
  netcl_conv2d_batchnorm batchnorm = NETCL_CONV2D_BATCHNORM_INIT;
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  if (which == FIRST) return with_conv2d(s, &options, result);
  return with_conv2d_batchnorm(s, &batchnorm, result);
}
