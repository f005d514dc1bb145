/* What ops declare as their work: bytes, the part of them that is written, operations, dtype. */
#include "support.h"
#include "support_pooling.h"

/* Tensors that the ops below work on; f32 unless their name says otherwise. */
static netcl_tensor *image, *weights, *codes, *channels, *matrix, *half, *scale, *numbers, *indices,
    *labels, *moved[3], *counter, *number, *bytes, *square, *byte_image, *byte_weights, *regions,
    *images, *image_indices, *layers;

typedef netcl_status (*OpCall)(const netcl_run_options* run, netcl_tensor** result);

static netcl_status conv2d(const netcl_run_options* run, netcl_tensor** result) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  options.variant = NETCL_VARIANT_CONV2D_NAIVE;
  epilogue.bias = channels;
  options.epilogue = &epilogue;
  return netcl_op_conv2d(image, weights, &options, run, result);
}

static netcl_status winograd(const netcl_run_options* run, netcl_tensor** result) {
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  options.variant = NETCL_VARIANT_CONV2D_WINOGRAD;
  options.winograd_tile = 4;
  return netcl_op_conv2d(image, weights, &options, run, result);
}

static netcl_status matmul(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_matmul(half, half, NULL, run, result);
}

static netcl_status attention(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_attention(image, image, image, NULL, run, result, NULL);
}

/* Heads of 16, of which 8 are rotated; 16 tokens take a row of the 64 each. */
static netcl_status rotary(const netcl_run_options* run, netcl_tensor** result) {
  netcl_rotary_embedding_options options = NETCL_ROTARY_EMBEDDING_OPTIONS_INIT;
  const int64_t shape[2] = {64, 4}, strides[2] = {128, 1}, ids[2] = {1, 16};
  netcl_device* device = NULL;
  netcl_tensor *cache = NULL, *positions = NULL;
  OK(netcl_tensor_get_device(image, &device));
  OK(netcl_tensor_view(matrix, 2, shape, strides, 0, &cache));
  OK(netcl_tensor_create_zeros(device, NETCL_I32, 2, ids, NULL, NULL, &positions));
  options.position_ids = positions;
  options.rotary_embedding_dim = 8;
  const netcl_status status = netcl_op_rotary_embedding(image, cache, cache, &options, run, result);
  netcl_tensor_release(cache);
  netcl_tensor_release(positions);
  netcl_device_release(device);
  return status;
}

/* Weights of [32, 64]: 32 * 2 blocks of 18 bytes. */
static netcl_status matmul_quantized(const netcl_run_options* run, netcl_tensor** result) {
  netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
  options.format = NETCL_QUANTIZATION_Q4_0;
  return netcl_op_matmul_quantized(half, codes, &options, run, result);
}
static netcl_status dequantize_weights(const netcl_run_options* run, netcl_tensor** result) {
  netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
  options.format = NETCL_QUANTIZATION_Q4_0;
  return netcl_op_dequantize_weights(codes, &options, run, result);
}
static netcl_status quantize_weights(const netcl_run_options* run, netcl_tensor** result) {
  netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
  netcl_tensor *scales = NULL, *zeros = NULL;
  options.format = NETCL_QUANTIZATION_Q8_0;
  return netcl_op_quantize_weights(half, &options, run, result, &scales, &zeros);
}

static netcl_status softmax(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_softmax(matrix, 1, run, result);
}

static netcl_status log_softmax(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_log_softmax(half, 1, run, result);
}

static netcl_status cross_entropy(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_cross_entropy(matrix, labels, 1, NULL, run, result);
}

static netcl_status nll_loss(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_nll_loss(matrix, labels, 1, NULL, run, result);
}

/* Ops that change tensors and give none; `result` stays NULL. */
static netcl_status sgd(const netcl_run_options* run, netcl_tensor** result) {
  (void)result;
  return netcl_op_sgd(&matrix, 1, &moved[0], 1, 0.5, NULL, run);
}

static netcl_status adam(const netcl_run_options* run, netcl_tensor** result) {
  (void)result;
  return netcl_op_adam(&matrix, 1, &moved[0], 1, &moved[1], 1, &moved[2], 1, counter, 0.5, NULL,
                       run);
}

static netcl_status clip_by_norm(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_clip_by_norm(&matrix, 1, 0.5, run, result);
}

static netcl_status layernorm(const netcl_run_options* run, netcl_tensor** result) {
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  options.scale = options.bias = scale;
  return netcl_op_layernorm(matrix, 1, &options, run, result);
}

static netcl_status rmsnorm(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_rmsnorm(matrix, 1, NULL, run, result);
}

static netcl_status batchnorm(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_batchnorm(image, channels, channels, NULL, run, result);
}

static netcl_status pool(const netcl_run_options* run, netcl_tensor** result) {
  const netcl_pooling_options options = pooling_of(one_size(2), one_size(2));
  return netcl_op_pool(image, NETCL_POOLING_MAX, &options, run, result);
}

/* Every element of the result is written, and none computed. */
static netcl_status max_unpool2d(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_max_unpool2d(image, image_indices, 16, 32, NULL, run, result);
}

/* Four samples of each of four bins, and eight operations for each. */
static netcl_status roi_pool(const netcl_run_options* run, netcl_tensor** result) {
  netcl_roi_pool_options options = NETCL_ROI_POOL_OPTIONS_INIT;
  options.bins[0] = options.bins[1] = options.samples = 2;
  return netcl_op_roi_pool(image, regions, images, NETCL_ROI_POOLING_AVERAGE, &options, run,
                           result);
}

static netcl_status reduce(const netcl_run_options* run, netcl_tensor** result) {
  static const int32_t axis = 1;
  netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
  options.axes = &axis;
  options.axes_count = 1;
  return netcl_op_reduce(half, NETCL_REDUCTION_SUM, &options, run, result);
}

static netcl_status scan(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_scan(numbers, NETCL_REDUCTION_SUM, 0, NULL, run, result);
}

static netcl_status resize(const netcl_run_options* run, netcl_tensor** result) {
  static const int64_t shape[4] = {1, 8, 32, 32};
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  options.mode = NETCL_RESIZE_LINEAR;
  return netcl_op_resize(image, 4, shape, &options, run, result);
}

static netcl_status cubic(const netcl_run_options* run, netcl_tensor** result) {
  static const int64_t shape[4] = {1, 64, 32, 32};
  netcl_resize_options options = NETCL_RESIZE_OPTIONS_INIT;
  options.mode = NETCL_RESIZE_CUBIC;
  return netcl_op_resize(layers, 4, shape, &options, run, result);
}

static netcl_status histogram(const netcl_run_options* run, netcl_tensor** result) {
  netcl_histogram_options options = NETCL_HISTOGRAM_OPTIONS_INIT;
  options.high = 1;
  return netcl_op_histogram(matrix, 10, &options, run, result);
}

static netcl_status topk(const netcl_run_options* run, netcl_tensor** result) {
  netcl_tensor* places = NULL;
  const netcl_status status = netcl_op_topk(matrix, 4, 1, NULL, run, result, &places);
  netcl_tensor_release(places);
  return status;
}

static netcl_status compare(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_expression_text("v0 > 0.5", &matrix, 1, NULL, run, result);
}

static netcl_status expressions(const netcl_run_options* run, netcl_tensor** result) {
  static const char* const kTexts[] = {"v0 + v1", "(v0 + v1) * v0"};
  netcl_tensor *const inputs[] = {matrix, scale}, *results[2] = {NULL};
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  netcl_run_options own = *run;
  netcl_tensor* const into[] = {run->into, moved[0]};
  own.into = NULL;
  options.results_into = into;
  options.results_into_count = run->into == NULL ? 0 : 2;
  const netcl_status status = netcl_op_expressions(kTexts, 2, inputs, 2, &options, &own, results);
  netcl_tensor_release(results[1]);
  if (result == NULL) {
    netcl_tensor_release(results[0]);
  } else {
    *result = results[0];
  }
  return status;
}

static netcl_status transpose(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_transpose(matrix, NULL, 0, run, result);
}

static netcl_status pad(const netcl_run_options* run, netcl_tensor** result) {
  static const int64_t pads[4] = {1, 0, 1, 0};
  return netcl_op_pad(matrix, pads, 4, NULL, run, result);
}

static netcl_status range(const netcl_run_options* run, netcl_tensor** result) {
  static const float kOne = 1;
  netcl_run_options own = *run;
  netcl_tensor* const into = own.into != NULL ? own.into : matrix;
  own.into = NULL;
  if (result != NULL) {
    netcl_tensor_retain(into);
    *result = into;
  }
  return netcl_op_range(into, &kOne, &kOne, &own);
}

static netcl_status tile(const netcl_run_options* run, netcl_tensor** result) {
  static const int64_t repeats[2] = {2, 3};
  return netcl_op_tile(matrix, repeats, 2, run, result);
}
static netcl_status trilu(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_trilu(matrix, 1, 0, run, result);
}
static netcl_status one_hot(const netcl_run_options* run, netcl_tensor** result) {
  static const float kOne = 1, kZero = 0;
  return netcl_op_one_hot(indices, 100, -1, NETCL_F32, &kOne, &kZero, run, result);
}
static netcl_status gather(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_gather(matrix, indices, 0, run, result);
}

static netcl_status gather_nd(const netcl_run_options* run, netcl_tensor** result) {
  static const int64_t shape[2] = {10, 1};
  netcl_tensor* places = NULL;
  OK(netcl_tensor_reshape(indices, 2, shape, NULL, &places));
  const netcl_status status = netcl_op_gather_nd(matrix, places, 0, run, result);
  netcl_tensor_release(places);
  return status;
}
static netcl_status space_to_depth(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_space_to_depth(image, 2, NETCL_DEPTH_DCR, run, result);
}

static netcl_status quantize(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_quantize_linear(matrix, scale, 1, NULL, run, result);
}

static netcl_status dequantize(const netcl_run_options* run, netcl_tensor** result) {
  netcl_dequantize_linear_options options = NETCL_DEQUANTIZE_LINEAR_OPTIONS_INIT;
  options.dtype = NETCL_F16;
  return netcl_op_dequantize_linear(bytes, scale, 1, &options, run, result);
}

static netcl_status dynamic(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_dynamic_quantize_linear(matrix, NULL, run, result, NULL, NULL);
}

static netcl_status qlinear(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_qlinear_matmul(square, number, square, number, number, NULL, run, result);
}

static netcl_status conv2d_integer(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_conv2d_integer(byte_image, byte_weights, NULL, run, result);
}

static netcl_status qlinear_conv2d(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_qlinear_conv2d(byte_image, number, byte_weights, number, number, NULL, run,
                                 result);
}

static const struct {
  const char* name;
  OpCall call;
  double bytes, written, operations;
  netcl_dtype dtype;
} kOps[] = {
    /* The image is [1, 8, 16, 16], the weights [8, 8, 3, 3], the matrix [64, 128]. */
    {"conv2d", conv2d, 4.0 * (2048 + 576 + 8 + 1568), 4.0 * 1568, 2.0 * 1568 * 72, NETCL_F32},
    {"winograd", winograd, 4.0 * (2048 + 576 + 1568), 4.0 * 1568, 2.0 * 1568 * 72 / 4, NETCL_F32},
    {"matmul", matmul, 2.0 * 3 * 4096, 2.0 * 4096, 2.0 * 64 * 64 * 64, NETCL_F32},
    {"matmul_quantized", matmul_quantized, 2.0 * (4096 + 2048) + 1152, 2.0 * 2048,
     2.0 * 64 * 32 * 64, NETCL_F32},
    {"dequantize_weights", dequantize_weights, 4.0 * 2048 + 1152, 4.0 * 2048, 2.0 * 2048,
     NETCL_F32},
    {"quantize_weights", quantize_weights, 2.0 * 4096 + 64 * 68, 64 * 68, 4.0 * 4096, NETCL_F32},
    {"softmax", softmax, 4.0 * 2 * 8192, 4.0 * 8192, 5.0 * 8192, NETCL_F32},
    {"log_softmax", log_softmax, 2.0 * 2 * 4096, 2.0 * 4096, 5.0 * 4096, NETCL_F32},
    {"cross_entropy", cross_entropy, 4.0 * 8192 + 8 * 64 + 4, 4, 4.0 * 8192, NETCL_F32},
    {"nll_loss", nll_loss, 12.0 * 64 + 4, 4, 64, NETCL_F32},
    {"sgd", sgd, 4.0 * 3 * 8192, 4.0 * 8192, 2.0 * 8192, NETCL_F32},
    {"adam", adam, 4.0 * 7 * 8192, 4.0 * 3 * 8192, 13.0 * 8192, NETCL_F32},
    {"clip_by_norm", clip_by_norm, 4.0 * 3 * 8192, 4.0 * 8192, 3.0 * 8192, NETCL_F32},
    {"layernorm", layernorm, 4.0 * (2 * 8192 + 256), 4.0 * 8192, 8.0 * 8192, NETCL_F32},
    {"rmsnorm", rmsnorm, 4.0 * 2 * 8192, 4.0 * 8192, 3.0 * 8192, NETCL_F32},
    {"batchnorm", batchnorm, 4.0 * (2 * 2048 + 16), 4.0 * 2048, 2.0 * 2048, NETCL_F32},
    {"pool", pool, 4.0 * (2048 + 512), 4.0 * 512, 2048, NETCL_F32},
    {"max_unpool2d", max_unpool2d, 12.0 * 2048 + 4.0 * 4096, 4.0 * 4096, 0, 0},
    {"roi_pool", roi_pool, 4.0 * (2048 + 12 + 3 + 96), 4.0 * 96, 96.0 * 4 * 8, NETCL_F32},
    {"reduce", reduce, 2.0 * (4096 + 64), 2.0 * 64, 4096, NETCL_F32},
    {"attention", attention, 4.0 * 4 * 2048, 4.0 * 2048, 4.0 * 8 * 16 * 16 * 16, NETCL_F32},
    {"rotary_embedding", rotary, 4.0 * (2 * 2048 + 16 + 2 * 16 * 4), 4.0 * 2048, 6.0 * 8 * 16 * 4,
     NETCL_F32},
    {"quantize", quantize, 5.0 * 8192 + 4 * 128, 8192, 3.0 * 8192, NETCL_F32},
    {"dequantize", dequantize, 3.0 * 8192 + 4 * 128, 2.0 * 8192, 2.0 * 8192, NETCL_F32},
    {"dynamic", dynamic, 9.0 * 8192, 8192, 5.0 * 8192, NETCL_F32},
    {"qlinear", qlinear, 3.0 * 4096 + 12, 4096, 2.0 * 64 * 64 * 64, NETCL_I32},
    {"conv2d_integer", conv2d_integer, 2048 + 576 + 4.0 * 1568, 4.0 * 1568, 2.0 * 1568 * 72,
     NETCL_I32},
    {"qlinear_conv2d", qlinear_conv2d, 2048 + 576 + 1568 + 12, 1568, 2.0 * 1568 * 72, NETCL_I32},
    {"scan", scan, 4.0 * 2 * 256, 4.0 * 256, 256, NETCL_I32},
    {"resize", resize, 4.0 * (2048 + 8192), 4.0 * 8192, 8.0 * 8192, NETCL_F32},
    /* 120 weights for 32 places. */
    {"resize", cubic, 32.0 * (2048 + 8192), 32.0 * 8192, 60.0 * (4096 + 8192), NETCL_F32},
    {"histogram", histogram, 4.0 * 8192 + 80, 80, 3.0 * 8192, NETCL_F32},
    {"topk", topk, 4.0 * 8192 + 12.0 * 256, 12.0 * 256, 8192, NETCL_F32},
    {"compare", compare, 5.0 * 8192, 8192, 8192, NETCL_F32},
    {"expressions", expressions, 4.0 * (3 * 8192 + 128), 4.0 * 2 * 8192, 2.0 * 8192, NETCL_F32},
    {"transpose", transpose, 4.0 * 2 * 8192, 4.0 * 8192, 0, 0},
    {"pad", pad, 4.0 * (8192 + 66 * 128), 4.0 * 66 * 128, 0, 0},
    {"range", range, 4.0 * 8192, 4.0 * 8192, 2.0 * 8192, NETCL_F32},
    {"tile", tile, 4.0 * 7 * 8192, 4.0 * 6 * 8192, 0, 0},
    {"trilu", trilu, 4.0 * 2 * 8192, 4.0 * 8192, 0, 0},
    {"one_hot", one_hot, 4.0 * (10 + 1000), 4.0 * 1000, 0, 0},
    {"gather", gather, 4.0 * (2 * 1280 + 10), 4.0 * 1280, 0, 0},
    {"gather_nd", gather_nd, 4.0 * (2 * 1280 + 10), 4.0 * 1280, 0, 0},
    {"space_to_depth", space_to_depth, 4.0 * 2 * 2048, 4.0 * 2048, 0, 0},
};

typedef struct TimedOp {
  OpCall call;
  netcl_tensor* into; /* made by the first call and written again by the others */
} TimedOp;

static netcl_status run_op(netcl_queue* queue, void* user_data) {
  TimedOp* const op = user_data;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.into = op->into;
  return op->call(&run, op->into == NULL ? &op->into : NULL);
}

static netcl_tensor* tensor(Fixture* fixture, netcl_dtype dtype, uint32_t rank,
                            const int64_t* shape) {
  netcl_tensor* made = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, dtype, rank, shape, NULL, NULL, &made));
  return made;
}

static void make_operands(Fixture* fixture) {
  static const int64_t image_shape[4] = {1, 8, 16, 16}, weights_shape[4] = {8, 8, 3, 3};
  static const int64_t matrix_shape[2] = {64, 128}, half_shape[2] = {64, 64};
  static const int64_t codes_shape[2] = {32, 36};
  static const int64_t eight = 8, ten = 10, some = 128, more = 256;
  static const int64_t layers_shape[4] = {1, 64, 16, 16};
  image = tensor(fixture, NETCL_F32, 4, image_shape);
  layers = tensor(fixture, NETCL_F32, 4, layers_shape);
  weights = tensor(fixture, NETCL_F32, 4, weights_shape);
  channels = tensor(fixture, NETCL_F32, 1, &eight);
  matrix = tensor(fixture, NETCL_F32, 2, matrix_shape);
  half = tensor(fixture, NETCL_F16, 2, half_shape);
  codes = tensor(fixture, NETCL_U8, 2, codes_shape);
  scale = tensor(fixture, NETCL_F32, 1, &some);
  numbers = tensor(fixture, NETCL_I32, 1, &more);
  indices = tensor(fixture, NETCL_I32, 1, &ten);
  labels = tensor(fixture, NETCL_I64, 1, matrix_shape);
  for (int i = 0; i < 3; i++) moved[i] = tensor(fixture, NETCL_F32, 2, matrix_shape);
  counter = tensor(fixture, NETCL_I64, 0, NULL);
  number = tensor(fixture, NETCL_F32, 0, NULL);
  bytes = tensor(fixture, NETCL_I8, 2, matrix_shape);
  square = tensor(fixture, NETCL_I8, 2, half_shape);
  byte_image = tensor(fixture, NETCL_U8, 4, image_shape);
  byte_weights = tensor(fixture, NETCL_I8, 4, weights_shape);
  static const int64_t regions_shape[2] = {3, 4};
  regions = tensor(fixture, NETCL_F32, 2, regions_shape);
  images = tensor(fixture, NETCL_I32, 1, regions_shape);
  image_indices = tensor(fixture, NETCL_I64, 4, image_shape);
}

static void release_operands(void) {
  netcl_tensor* const all[] = {image,        weights, codes,   channels,      matrix,   half,
                               scale,        numbers, indices, labels,        moved[0], moved[1],
                               moved[2],     counter, number,  bytes,         square,   byte_image,
                               byte_weights, regions, images,  image_indices, layers};
  for (size_t i = 0; i < COUNT_OF(all); i++) netcl_tensor_release(all[i]);
}

static void declared(void** state) {
  Fixture* const fixture = *state;
  netcl_queue* queue = NULL;
  OK(netcl_device_get_queue(fixture->device, &queue));
  make_operands(fixture);
  for (size_t i = 0; i < COUNT_OF(kOps); i++) {
    TimedOp op = {kOps[i].call, NULL};
    netcl_statistics s = NETCL_STATISTICS_INIT;
    netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
    options.warmup_count = options.count = 1;
    OK(netcl_queue_time(queue, run_op, &op, &options, &s));
    netcl_tensor_release(op.into);
    /* An op may send a small table to the device first. */
    CHECK(s.bytes >= kOps[i].bytes && s.bytes <= 1.05 * kOps[i].bytes &&
              s.bytes_written >= kOps[i].written && s.bytes_written <= 1.05 * kOps[i].written,
          "%s: %g bytes, %g of them written", kOps[i].name, s.bytes, s.bytes_written);
    CHECK(s.operations >= kOps[i].operations * 0.999999 &&
              s.operations <= kOps[i].operations * 1.000001 && s.dtype == kOps[i].dtype,
          "%s: %g operations in %s", kOps[i].name, s.operations, netcl_dtype_name(s.dtype));
  }
  release_operands();
  netcl_queue_release(queue);
}

/* Two ops in one iteration add up; operations of two dtypes have none in common. */
static netcl_status run_both(netcl_queue* queue, void* user_data) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  const int other_dtype = *(const int*)user_data;
  run.queue = queue;
  netcl_status status = softmax(&run, &made);
  netcl_tensor_release(made);
  made = NULL;
  if (status == NETCL_OK) status = other_dtype ? scan(&run, &made) : rmsnorm(&run, &made);
  netcl_tensor_release(made);
  return status;
}

static void together(void** state) {
  Fixture* const fixture = *state;
  netcl_queue* queue = NULL;
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  netcl_statistics s = NETCL_STATISTICS_INIT;
  int other_dtype = 0;
  options.warmup_count = options.count = 1;
  OK(netcl_device_get_queue(fixture->device, &queue));
  make_operands(fixture);
  OK(netcl_queue_time(queue, run_both, &other_dtype, &options, &s));
  assert_true(s.operations == 8.0 * 8192 && s.bytes_written == 8.0 * 8192);
  assert_int_equal(s.dtype, NETCL_F32);
  other_dtype = 1;
  OK(netcl_queue_time(queue, run_both, &other_dtype, &options, &s));
  assert_true(s.operations == 5.0 * 8192 + 256);
  assert_int_equal(s.dtype, 0);
  release_operands();
  netcl_queue_release(queue);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(declared), DEVICE_TEST(together)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
