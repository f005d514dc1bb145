/* What conv2d refuses and how it says so; that failures leave the outputs alone; and that the
 * number of threads does not change a bit. */
#include <stdio.h>

#include "support.h"
#include "support_process.h"

static netcl_tensor* zeros(Fixture* fixture, netcl_dtype dtype, uint32_t rank, int64_t a, int64_t b,
                           int64_t c, int64_t d) {
  const int64_t shape[4] = {a, b, c, d};
  netcl_tensor* tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, dtype, rank, shape, NULL, NULL, &tensor));
  return tensor;
}

#define INVALID NETCL_ERROR_INVALID_ARGUMENT

/* What the next call gets. */
static netcl_conv2d_options options;
static netcl_epilogue epilogue;
static netcl_conv2d_batchnorm batchnorm;
static netcl_run_options run;

static void reset(void) {
  options = (netcl_conv2d_options)NETCL_CONV2D_OPTIONS_INIT;
  epilogue = (netcl_epilogue)NETCL_EPILOGUE_INIT;
  batchnorm = (netcl_conv2d_batchnorm)NETCL_CONV2D_BATCHNORM_INIT;
  run = (netcl_run_options)NETCL_RUN_OPTIONS_INIT;
}

/* Checks one call that fails: both texts stand in its message. */
#define REFUSED(status, one, other)                                         \
  do {                                                                      \
    netcl_tensor* none_ = NULL;                                             \
    FAILS_WITH(status, one, netcl_op_conv2d(x, w, &options, &run, &none_)); \
    check_message(other, "netcl_op_conv2d", __FILE__, __LINE__);            \
    assert_null(none_);                                                     \
    reset();                                                                \
  } while (0)

static void operands(void** state) {
  Fixture* fixture = *state;
  reset();
  netcl_tensor* image = zeros(fixture, NETCL_F32, 4, 2, 6, 8, 9);
  netcl_tensor* filters = zeros(fixture, NETCL_F32, 4, 4, 6, 3, 3);
  netcl_tensor* half = zeros(fixture, NETCL_F16, 4, 4, 6, 3, 3);
  netcl_tensor* whole = zeros(fixture, NETCL_I32, 4, 2, 6, 8, 9);
  netcl_tensor* flat = zeros(fixture, NETCL_F32, 3, 6, 8, 9, 0);
  netcl_tensor* few = zeros(fixture, NETCL_F32, 4, 4, 3, 3, 3);
  netcl_tensor* tall = zeros(fixture, NETCL_F32, 4, 4, 6, 9, 3);
  netcl_tensor* none = zeros(fixture, NETCL_F32, 4, 4, 6, 0, 3);
  netcl_tensor *x = image, *w = half;
  REFUSED(INVALID, "x is f32", "w is f16");
  x = whole;
  w = filters;
  REFUSED(NETCL_ERROR_UNSUPPORTED, "i32", "f16, bf16, f32 and f64");
  x = flat;
  REFUSED(INVALID, "x has shape [6, 8, 9]", "[N, C, H, W]");
  x = image;
  w = flat;
  REFUSED(INVALID, "w has shape [6, 8, 9]", "[F, C / groups, KH, KW]");
  w = few;
  REFUSED(INVALID, "[4, 3, 3, 3]", "[2, 6, 8, 9]");
  options.groups = 5;
  REFUSED(INVALID, "6 channels", "groups = 5");
  options.groups = 3;
  REFUSED(INVALID, "4 filters", "groups = 3");
  options.groups = -1;
  REFUSED(INVALID, "options->groups", "-1; it is 0 or more");
  w = tall;
  REFUSED(INVALID, "height 8", "height 9");
  w = filters;
  options.dilations[1] = 5;
  REFUSED(INVALID, "width 9", "spans 11");
  w = none;
  REFUSED(INVALID, "[4, 6, 0, 3]", "height is 0");
  w = filters;
  options.strides[1] = -2;
  REFUSED(INVALID, "options->strides[1]", "-2; it is 0 to ");
  options.dilations[0] = -1;
  REFUSED(INVALID, "options->dilations[0]", "-1");
  netcl_conv2d_shape asked = {sizeof asked, 1, 4, 8, 8, 4, 3, 3, {1, -1}, {1, 1}, {0, 0, 0, 0}, 1};
  netcl_variant_config chosen = NETCL_VARIANT_CONFIG_INIT;
  FAILS_WITH(INVALID, "shape->strides[1] is -1; it is at least 0",
             netcl_variant_select_conv2d(fixture->device, &asked, NULL, &chosen));
  options.padding[3] = -7;
  REFUSED(INVALID, "options->padding[3]", "-7");
  options.padding[2] = INT64_MAX;
  REFUSED(INVALID, "options->padding[2]", "9223372036854775807");
  netcl_tensor* const all[] = {image, filters, half, whole, flat, few, tall, none};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

static void epilogues(void** state) {
  Fixture* fixture = *state;
  reset();
  netcl_tensor* x = zeros(fixture, NETCL_F32, 4, 2, 6, 8, 9);
  netcl_tensor* w = zeros(fixture, NETCL_F32, 4, 4, 6, 3, 3);
  netcl_tensor* four = zeros(fixture, NETCL_F32, 1, 4, 0, 0, 0);
  netcl_tensor* five = zeros(fixture, NETCL_F32, 1, 5, 0, 0, 0);
  netcl_tensor* half = zeros(fixture, NETCL_F16, 1, 4, 0, 0, 0);
  netcl_tensor* into = zeros(fixture, NETCL_F32, 4, 2, 4, 6, 7);
  netcl_tensor* slice = NULL;
  const netcl_range part[4] = {{0, 2, 1}, {0, 4, 1}, {0, 6, 1}, {6, 7, -1}};
  OK(netcl_tensor_slice(into, part, 4, &slice));
  options.epilogue = &epilogue;
  epilogue.bias = five;
  REFUSED(INVALID, "options->epilogue->bias has shape [5]", "4 filters");
  options.epilogue = &epilogue;
  epilogue.bias = half;
  REFUSED(INVALID, "options->epilogue->bias is f16", "f32");
  options.epilogue = &epilogue;
  epilogue.residual = x;
  REFUSED(INVALID, "options->epilogue->residual has shape [2, 6, 8, 9]", "[2, 4, 6, 7]");
  options.epilogue = &epilogue;
  epilogue.residual = slice;
  run.into = into;
  REFUSED(INVALID, "run->into", "options->epilogue->residual");
  options.epilogue = &epilogue;
  epilogue.activation = 13;
  REFUSED(INVALID, "options->epilogue->activation", "13");
  options.epilogue = &epilogue;
  epilogue.has_parameters = 2;
  REFUSED(INVALID, "options->epilogue->has_parameters", "2");
  options.epilogue = &epilogue;
  epilogue.struct_size = 3;
  REFUSED(INVALID, "options->epilogue", "struct_size");
  options.batchnorm = &batchnorm;
  REFUSED(NETCL_ERROR_INVALID_HANDLE, "options->batchnorm->mean", "NULL");
  options.batchnorm = &batchnorm;
  batchnorm.mean = four;
  REFUSED(NETCL_ERROR_INVALID_HANDLE, "options->batchnorm->variance", "NULL");
  options.batchnorm = &batchnorm;
  batchnorm.mean = four;
  batchnorm.variance = five;
  REFUSED(INVALID, "options->batchnorm->variance has shape [5]", "4 filters");
  options.batchnorm = &batchnorm;
  batchnorm.mean = batchnorm.variance = four;
  batchnorm.epsilon = -1;
  REFUSED(INVALID, "options->batchnorm->epsilon", "-1");
  run.into = x;
  REFUSED(INVALID, "run->into", "x");
  run.into = w;
  REFUSED(INVALID, "run->into", "w");
  netcl_tensor* const all[] = {x, w, four, five, half, into, slice};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

static void variants(void** state) {
  Fixture* fixture = *state;
  reset();
  netcl_tensor* x = zeros(fixture, NETCL_F32, 4, 2, 6, 8, 9);
  netcl_tensor* w = zeros(fixture, NETCL_F32, 4, 4, 6, 3, 3);
  options.variant = NETCL_VARIANT_MATMUL_TILED;
  REFUSED(INVALID, "matmul_tiled", "conv2d_winograd");
  options.variant = 99;
  REFUSED(INVALID, "99", "conv2d_naive");
  options.variant = NETCL_VARIANT_CONV2D_WINOGRAD;
  options.strides[0] = 2;
  REFUSED(NETCL_ERROR_UNSUPPORTED, "conv2d_winograd", "3 x 3");
  options.variant = NETCL_VARIANT_CONV2D_WINOGRAD;
  options.winograd_tile = 3;
  REFUSED(INVALID, "options->winograd_tile is 3", "2 or 4");
  options.winograd_tile = 2;
  REFUSED(INVALID, "options->winograd_tile is 2", "auto");
  netcl_tensor_release(x);
  netcl_tensor_release(w);
}

/* ---- Bits ------------------------------------------------------------------------------------ */

/* Prints a hash of the results of all variants of a few layers. */
static int print_bits(void) {
  static const int64_t layers[][7] = {/* batch, channels, filters, size, kernel, stride, groups */
                                      {2, 20, 40, 30, 3, 1, 1},
                                      {1, 600, 100, 7, 1, 1, 1},
                                      {3, 24, 36, 28, 5, 2, 2},
                                      {1, 16, 16, 60, 3, 1, 16},
                                      {1, 64, 300, 7, 3, 1, 1}};
  netcl_device* device = NULL;
  CHILD_OK(netcl_device_open("builtin", NULL, &device));
  for (size_t i = 0; i < sizeof layers / sizeof layers[0]; ++i) {
    const int64_t* layer = layers[i];
    const int64_t xs[4] = {layer[0], layer[1], layer[3], layer[3]};
    const int64_t ws[4] = {layer[2], layer[1] / layer[6], layer[4], layer[4]};
    netcl_tensor *x = NULL, *w = NULL;
    CHILD_OK(netcl_tensor_create_random(device, NETCL_F32, 4, xs, NULL, NULL, NULL, &x));
    CHILD_OK(netcl_tensor_create_random(device, NETCL_F32, 4, ws, NULL, NULL, NULL, &w));
    for (int v = 0; v < 7; ++v) {
      netcl_tensor* y = NULL;
      reset();
      options.variant = v == 0 ? 0 : v == 6 ? NETCL_VARIANT_CONV2D_WINOGRAD : 16 + v;
      options.winograd_tile = v == 5 ? 4 : v == 6 ? 2 : 0;
      options.strides[0] = options.strides[1] = layer[5];
      options.groups = layer[6];
      for (int p = 0; p < 4; ++p) options.padding[p] = layer[4] / 2;
      if (netcl_op_conv2d(x, w, &options, NULL, &y) == NETCL_ERROR_UNSUPPORTED) continue;
      netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
      CHILD_CHECK(y != NULL);
      CHILD_OK(netcl_tensor_get_info(y, &info));
      unsigned char* bytes = malloc(info.byte_count);
      uint64_t hash = 1469598103934665603u;
      CHILD_OK(netcl_tensor_read(y, bytes, info.byte_count, NULL, NETCL_WAIT_FOREVER));
      for (uint64_t k = 0; k < info.byte_count; ++k) hash = (hash ^ bytes[k]) * 1099511628211u;
      printf("%zu %d %016llx\n", i, v, (unsigned long long)hash);
      free(bytes);
      netcl_tensor_release(y);
    }
    netcl_tensor_release(x);
    netcl_tensor_release(w);
  }
  netcl_device_release(device);
  return 0;
}

static void same_bits(void** state) {
  Fixture* fixture = *state;
  static const char* const one[] = {"NETCL_NUM_THREADS=1", NULL};
  static const char* const others[][2] = {
      {"NETCL_NUM_THREADS=2", NULL}, {"NETCL_NUM_THREADS=5", NULL}, {"NETCL_NUM_THREADS=2", NULL}};
  static process_result first, next;
  if (fixture->opencl) SKIP("threads are the built-in device's");
  process_run_self("bits", one, 120, &first);
  process_expect_exit(&first, 0);
  CHECK(strstr(first.output, "4 6 ") != NULL, "the child printed too little:\n%s", first.output);
  for (size_t i = 0; i < COUNT_OF(others) && !only_sanitized(); ++i) {
    process_run_self("bits", others[i], 120, &next);
    process_expect_exit(&next, 0);
    assert_string_equal(first.output, next.output);
  }
}

int main(int argc, char** argv) {
  static const process_mode modes[] = {{"bits", print_bits}};
  const int code = process_child_main(argc, argv, modes, 1);
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {DEVICE_TEST(operands), DEVICE_TEST(epilogues),
                                     DEVICE_TEST(variants), DEVICE_TEST(same_bits)};
  return cmocka_run_group_tests_name("conv2d_errors", tests, NULL, NULL);
}
