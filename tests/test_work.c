/* What ops declare as their work: bytes, the part of them that is written, operations, dtype. */
#include "support.h"

/* Tensors that the ops below work on; f32 unless their name says otherwise. */
static netcl_tensor *image, *weights, *channels, *matrix, *half, *scale, *numbers, *indices;

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

static netcl_status softmax(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_softmax(matrix, 1, run, result);
}

static netcl_status log_softmax(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_log_softmax(half, 1, run, result);
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

static netcl_status pool2d(const netcl_run_options* run, netcl_tensor** result) {
  netcl_pool2d_options options = NETCL_POOL2D_OPTIONS_INIT;
  options.window[0] = options.window[1] = options.strides[0] = options.strides[1] = 2;
  return netcl_op_pool2d(image, NETCL_POOLING_MAX, &options, run, result);
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

static netcl_status transpose(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_transpose(matrix, NULL, 0, run, result);
}

static netcl_status pad(const netcl_run_options* run, netcl_tensor** result) {
  static const int64_t pads[4] = {1, 0, 1, 0};
  return netcl_op_pad(matrix, pads, 4, NULL, run, result);
}

static netcl_status gather(const netcl_run_options* run, netcl_tensor** result) {
  return netcl_op_gather(matrix, indices, 0, run, result);
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
    {"softmax", softmax, 4.0 * 2 * 8192, 4.0 * 8192, 5.0 * 8192, NETCL_F32},
    {"log_softmax", log_softmax, 2.0 * 2 * 4096, 2.0 * 4096, 5.0 * 4096, NETCL_F32},
    {"layernorm", layernorm, 4.0 * (2 * 8192 + 256), 4.0 * 8192, 8.0 * 8192, NETCL_F32},
    {"rmsnorm", rmsnorm, 4.0 * 2 * 8192, 4.0 * 8192, 3.0 * 8192, NETCL_F32},
    {"batchnorm", batchnorm, 4.0 * (2 * 2048 + 16), 4.0 * 2048, 2.0 * 2048, NETCL_F32},
    {"pool2d", pool2d, 4.0 * (2048 + 512), 4.0 * 512, 2048, NETCL_F32},
    {"reduce", reduce, 2.0 * (4096 + 64), 2.0 * 64, 4096, NETCL_F32},
    {"scan", scan, 4.0 * 2 * 256, 4.0 * 256, 256, NETCL_I32},
    {"resize", resize, 4.0 * (2048 + 8192), 4.0 * 8192, 8.0 * 8192, NETCL_F32},
    {"histogram", histogram, 4.0 * 8192 + 80, 80, 3.0 * 8192, NETCL_F32},
    {"topk", topk, 4.0 * 8192 + 12.0 * 256, 12.0 * 256, 8192, NETCL_F32},
    {"compare", compare, 5.0 * 8192, 8192, 8192, NETCL_F32},
    {"transpose", transpose, 4.0 * 2 * 8192, 4.0 * 8192, 0, 0},
    {"pad", pad, 4.0 * (8192 + 66 * 128), 4.0 * 66 * 128, 0, 0},
    {"gather", gather, 4.0 * (2 * 1280 + 10), 4.0 * 1280, 0, 0},
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
  static const int64_t eight = 8, ten = 10, some = 128, more = 256;
  image = tensor(fixture, NETCL_F32, 4, image_shape);
  weights = tensor(fixture, NETCL_F32, 4, weights_shape);
  channels = tensor(fixture, NETCL_F32, 1, &eight);
  matrix = tensor(fixture, NETCL_F32, 2, matrix_shape);
  half = tensor(fixture, NETCL_F16, 2, half_shape);
  scale = tensor(fixture, NETCL_F32, 1, &some);
  numbers = tensor(fixture, NETCL_I32, 1, &more);
  indices = tensor(fixture, NETCL_I32, 1, &ten);
}

static void release_operands(void) {
  netcl_tensor* const all[] = {image, weights, channels, matrix, half, scale, numbers, indices};
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
