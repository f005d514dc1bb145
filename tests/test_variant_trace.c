/* What the selector calls a kernel is what a profile shows of the op. */
#include "support_profile.h"

static netcl_tensor *ones(Fixture *fixture, uint32_t rank, const int64_t *shape) {
  const float one = 1;
  netcl_tensor *made = NULL;
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, rank, shape, NULL, &one, NULL, &made));
  OK(netcl_tensor_wait(made, LONG_WAIT));
  return made;
}

/* Ends the profile and looks for the kernel that the selector named. */
static void expect_shown(Fixture *fixture, const netcl_variant_config *config,
                         netcl_tensor *result) {
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  OK(netcl_profile_stop(LONG_WAIT));
  char *const report = profile_report(NETCL_FORMAT_CSV);
  CHECK(strstr(report, config->kernel) != NULL, "%s is no kernel of\n%s", config->kernel, report);
  free(report);
  netcl_tensor_release(result);
}

static void matmul(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {64, 64};
  netcl_tensor *const a = ones(fixture, 2, shape);
  for (netcl_variant v = NETCL_VARIANT_MATMUL_NAIVE; v <= NETCL_VARIANT_MATMUL_VECTORIZED; ++v) {
    netcl_variant_options question = NETCL_VARIANT_OPTIONS_INIT;
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
    netcl_tensor *result = NULL;
    question.variant = options.variant = v;
    OK(netcl_variant_select_matmul(fixture->device, 64, 64, 64, &question, &config));
    profile_start(NULL);
    OK(netcl_op_matmul(a, a, &options, NULL, &result));
    expect_shown(fixture, &config, result);
  }
  netcl_tensor_release(a);
}

static void convolve(Fixture *fixture, int64_t edge, netcl_variant last) {
  const int64_t image[4] = {1, 16, 16, 16}, filters[4] = {16, 16, edge, edge};
  netcl_tensor *const x = ones(fixture, 4, image);
  netcl_tensor *const w = ones(fixture, 4, filters);
  netcl_conv2d_shape shape = NETCL_CONV2D_SHAPE_INIT;
  shape.batch = 1;
  shape.channels = shape.filters = shape.height = shape.width = 16;
  shape.kernel_height = shape.kernel_width = edge;
  for (netcl_variant v = NETCL_VARIANT_CONV2D_NAIVE; v <= last; ++v) {
    netcl_variant_options question = NETCL_VARIANT_OPTIONS_INIT;
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
    netcl_tensor *result = NULL;
    question.variant = options.variant = v;
    OK(netcl_variant_select_conv2d(fixture->device, &shape, &question, &config));
    profile_start(NULL);
    OK(netcl_op_conv2d(x, w, &options, NULL, &result));
    expect_shown(fixture, &config, result);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(w);
}

static void conv2d(void **state) {
  convolve(*state, 3, NETCL_VARIANT_CONV2D_WINOGRAD);
  convolve(*state, 1, NETCL_VARIANT_CONV2D_IMPLICIT_GEMM);
}

static void elementwise(void **state) {
  Fixture *fixture = *state;
  const int64_t count = 5000;
  netcl_tensor *x = ones(fixture, 1, &count);
  for (netcl_variant v = NETCL_VARIANT_ELEMENTWISE_SCALAR;
       v <= NETCL_VARIANT_ELEMENTWISE_VECTORIZED; ++v) {
    netcl_variant_options question = NETCL_VARIANT_OPTIONS_INIT;
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    netcl_elementwise_options options = NETCL_ELEMENTWISE_OPTIONS_INIT;
    netcl_tensor *result = NULL;
    question.variant = options.variant = v;
    OK(netcl_variant_select_elementwise(fixture->device, count, &question, &config));
    profile_start(NULL);
    OK(netcl_op_elementwise(NETCL_ELEMENTWISE_ABS, &x, 1, &options, NULL, &result));
    expect_shown(fixture, &config, result);
  }
  netcl_tensor_release(x);
}

static void reduction(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[2] = {3, 1000};
  const int32_t axis = 1;
  netcl_tensor *const x = ones(fixture, 2, shape);
  for (netcl_variant v = NETCL_VARIANT_REDUCTION_SEQUENTIAL; v <= NETCL_VARIANT_REDUCTION_WORKGROUP;
       ++v) {
    netcl_variant_options question = NETCL_VARIANT_OPTIONS_INIT;
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    netcl_reduce_options options = NETCL_REDUCE_OPTIONS_INIT;
    netcl_tensor *result = NULL;
    question.variant = options.variant = v;
    options.axes = &axis;
    options.axes_count = 1;
    OK(netcl_variant_select_reduction(fixture->device, shape[0], shape[1], &question, &config));
    profile_start(NULL);
    OK(netcl_op_reduce(x, NETCL_REDUCTION_SUM, &options, NULL, &result));
    expect_shown(fixture, &config, result);
  }
  netcl_tensor_release(x);
}

static void batchnorm(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[3] = {2, 3, 50}, channels = 3;
  netcl_tensor *const x = ones(fixture, 3, shape);
  netcl_tensor *const mean = ones(fixture, 1, &channels);
  netcl_tensor *const variance = ones(fixture, 1, &channels);
  for (netcl_variant v = NETCL_VARIANT_BATCHNORM_NAIVE; v <= NETCL_VARIANT_BATCHNORM_FUSED; ++v) {
    netcl_variant_options question = NETCL_VARIANT_OPTIONS_INIT;
    netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
    netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
    netcl_tensor *result = NULL;
    question.variant = options.variant = v;
    options.activation = NETCL_ACTIVATION_RELU;
    OK(netcl_variant_select_batchnorm(fixture->device, 2, 3, 50, 0, 1, &question, &config));
    profile_start(NULL);
    OK(netcl_op_batchnorm(x, mean, variance, &options, NULL, &result));
    expect_shown(fixture, &config, result);
  }
  netcl_tensor_release(x);
  netcl_tensor_release(mean);
  netcl_tensor_release(variance);
}

/* Elements are read by fours where there are whole fours. */
static void width_of_batchnorm(void **state) {
  Fixture *fixture = *state;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  netcl_variant_options options = record_hopper(&info, &capabilities, NETCL_MATRIX_UNITS_NONE);
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  static const struct {
    int64_t channels, spatial;
    netcl_dtype dtype;
    uint32_t width;
  } kCases[] = {{64, 3136, NETCL_F32, 4}, {64, 49, NETCL_F32, 1}, {64, 1, NETCL_F32, 4},
                {30, 1, NETCL_F32, 1},    {64, 48, NETCL_F16, 1}, {64, 48, NETCL_F64, 4}};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    options.dtype = kCases[i].dtype;
    OK(netcl_variant_select_batchnorm(fixture->device, 8, kCases[i].channels, kCases[i].spatial, 0,
                                      0, &options, &config));
    CHECK(config.vector_width == kCases[i].width, "case %zu: %u", i, config.vector_width);
    assert_int_equal(config.use_vectorization, config.vector_width > 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(matmul), DEVICE_TEST(conv2d),
                                     DEVICE_TEST(width_of_batchnorm),
                                     DEVICE_TEST(elementwise), DEVICE_TEST(reduction),
                                     DEVICE_TEST(batchnorm)};
  return cmocka_run_group_tests_name("variant_trace", tests, NULL, NULL);
}
