/* Options whose 0 stands for a default can be set to 0 itself. */
#include <math.h>

#include "support.h"

enum { CHANNELS = 3, LENGTH = 64 };

/* Rows of numbers so small that an epsilon of 1e-5 would swallow their variance. */
static void small_rows(float* x, double* scales) {
  for (int c = 0; c < CHANNELS; ++c) {
    scales[c] = random_real(1e-5, 1e-4);
    for (int i = 0; i < LENGTH; ++i) {
      x[c * LENGTH + i] = (float)(scales[c] * random_real(-1, 1));
    }
  }
}

static void moments(const float* row, double* mean, double* variance) {
  *mean = *variance = 0;
  for (int i = 0; i < LENGTH; ++i) *mean += row[i] / LENGTH;
  for (int i = 0; i < LENGTH; ++i) *variance += (row[i] - *mean) * (row[i] - *mean) / LENGTH;
}

static void check_rows(netcl_tensor* result, const float* x, double epsilon, int centred) {
  float* got = read_tensor(result);
  for (int c = 0; c < CHANNELS; ++c) {
    double mean, variance;
    moments(x + c * LENGTH, &mean, &variance);
    const double shift = centred ? mean : 0;
    const double spread = centred ? variance : variance + mean * mean;
    for (int i = 0; i < LENGTH; ++i) {
      const double wanted = (x[c * LENGTH + i] - shift) / sqrt(spread + epsilon);
      CHECK(fabs(got[c * LENGTH + i] - wanted) <= 1e-4 * (1 + fabs(wanted)),
            "epsilon %g: row %d has %g at %d, not %g", epsilon, c, got[c * LENGTH + i], i, wanted);
    }
  }
  free(got);
  netcl_tensor_release(result);
}

static void epsilon_of_rows(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[2] = {CHANNELS, LENGTH};
  float x[CHANNELS * LENGTH];
  double scales[CHANNELS];
  small_rows(x, scales);
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 2, shape, x), *result = NULL;
  for (uint32_t has = 0; has < 2; ++has) {
    netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
    options.has_epsilon = has;
    OK(netcl_op_layernorm(tensor, 1, &options, NULL, &result));
    check_rows(result, x, has ? 0 : 1e-5, 1);
    OK(netcl_op_rmsnorm(tensor, 1, &options, NULL, &result));
    check_rows(result, x, has ? 0 : 1e-5, 0);
    options.has_epsilon = 2;
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->has_epsilon is 2",
               netcl_op_layernorm(tensor, 1, &options, NULL, &result));
  }
  netcl_tensor_release(tensor);
}

/* Epsilon, momentum and the parameters of the activation of a batch normalisation. */
static void batchnorm_zeros(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[3] = {1, CHANNELS, LENGTH}, channels[1] = {CHANNELS};
  const float old[CHANNELS] = {5, 6, 7};
  float x[CHANNELS * LENGTH];
  double scales[CHANNELS];
  small_rows(x, scales);
  netcl_tensor *tensor = make_tensor(fixture->device, NETCL_F32, 3, shape, x), *result = NULL;
  for (uint32_t has = 0; has < 2; ++has) {
    netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
    netcl_tensor* mean = make_tensor(fixture->device, NETCL_F32, 1, channels, old);
    netcl_tensor* variance = make_tensor(fixture->device, NETCL_F32, 1, channels, old);
    options.training = 1;
    options.has_epsilon = options.has_momentum = has;
    OK(netcl_op_batchnorm(tensor, mean, variance, &options, NULL, &result));
    check_rows(result, x, has ? 0 : 1e-5, 1);
    float* moved = read_tensor(mean);
    for (int c = 0; c < CHANNELS; ++c) {
      double batch, spread;
      moments(x + c * LENGTH, &batch, &spread);
      const double wanted = has ? batch : 0.9 * old[c] + 0.1 * batch;
      CHECK(fabs(moved[c] - wanted) <= 1e-6 * (1 + fabs(wanted)) * (has ? 1e-4 : 1),
            "has_momentum %u: mean %d is %g, not %g", has, c, moved[c], wanted);
    }
    free(moved);
    options.activation = NETCL_ACTIVATION_LEAKY_RELU;
    options.has_parameters = has;
    OK(netcl_op_batchnorm(tensor, mean, variance, &options, NULL, &result));
    float* active = read_tensor(result);
    int negative = 0;
    for (int i = 0; i < CHANNELS * LENGTH; ++i) negative += active[i] < 0;
    CHECK(has ? negative == 0 : negative > 0, "has_parameters %u: %d numbers below 0", has,
          negative);
    free(active);
    netcl_tensor_release(result);
    netcl_tensor_release(mean);
    netcl_tensor_release(variance);
  }
  netcl_tensor_release(tensor);
}

/* The parameters of an epilogue's activation. */
static void epilogue_zeros(void** state) {
  Fixture* fixture = *state;
  const int64_t square[2] = {2, 2};
  const float identity[4] = {1, 0, 0, 1}, values[4] = {-2, 3, -4, 5};
  const float kept[4] = {-0.02f, 3, -0.04f, 5}, cut[4] = {0, 3, 0, 5}, none[4] = {0, 0, 0, 0};
  netcl_tensor* a = make_tensor(fixture->device, NETCL_F32, 2, square, identity);
  netcl_tensor *b = make_tensor(fixture->device, NETCL_F32, 2, square, values), *result = NULL;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  options.epilogue = &epilogue;
  epilogue.activation = NETCL_ACTIVATION_LEAKY_RELU;
  for (uint32_t has = 0; has < 2; ++has) {
    epilogue.has_parameters = has;
    OK(netcl_op_matmul(a, b, &options, NULL, &result));
    float* got = read_tensor(result);
    for (int i = 0; i < 4; ++i) {
      CHECK(fabsf(got[i] - (has ? cut : kept)[i]) <= 1e-6f, "has_parameters %u: %g at %d", has,
            got[i], i);
    }
    free(got);
    netcl_tensor_release(result);
    result = NULL;
  }
  epilogue.activation = NETCL_ACTIVATION_CLIP;
  OK(netcl_op_matmul(a, b, &options, NULL, &result));
  CHECK_TENSOR(result, none);
  netcl_tensor_release(result);
  result = NULL;
  epilogue.has_parameters = 0;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->epilogue->has_parameters",
             netcl_op_matmul(a, b, &options, NULL, &result));
  epilogue.has_parameters = 7;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->epilogue->has_parameters is 7",
             netcl_op_matmul(a, b, &options, NULL, &result));
  netcl_tensor_release(a);
  netcl_tensor_release(b);
}

static void conv2d_epsilon(void** state) {
  Fixture* fixture = *state;
  const int64_t image[4] = {1, 1, 1, LENGTH}, one[4] = {1, 1, 1, 1}, channel[1] = {1};
  float x[LENGTH];
  const float weight = 1, mean_value = 0, variance_value = 1e-8f;
  for (int i = 0; i < LENGTH; ++i) x[i] = (float)random_real(-1e-4, 1e-4);
  netcl_tensor* tensor = make_tensor(fixture->device, NETCL_F32, 4, image, x);
  netcl_tensor* w = make_tensor(fixture->device, NETCL_F32, 4, one, &weight);
  netcl_tensor* mean = make_tensor(fixture->device, NETCL_F32, 1, channel, &mean_value);
  netcl_tensor* variance = make_tensor(fixture->device, NETCL_F32, 1, channel, &variance_value);
  netcl_conv2d_batchnorm batchnorm = NETCL_CONV2D_BATCHNORM_INIT;
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  options.batchnorm = &batchnorm;
  batchnorm.mean = mean;
  batchnorm.variance = variance;
  for (uint32_t has = 0; has < 2; ++has) {
    batchnorm.has_epsilon = has;
    OK(netcl_op_conv2d(tensor, w, &options, NULL, &result));
    float* got = read_tensor(result);
    for (int i = 0; i < LENGTH; ++i) {
      const double wanted = x[i] / sqrt((double)variance_value + (has ? 0 : 1e-5));
      CHECK(fabs(got[i] - wanted) <= 1e-4 * (1 + fabs(wanted)), "has_epsilon %u: %g, not %g", has,
            got[i], wanted);
    }
    free(got);
    netcl_tensor_release(result);
    result = NULL;
  }
  batchnorm.epsilon = NAN;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->batchnorm->epsilon is",
             netcl_op_conv2d(tensor, w, &options, NULL, &result));
  netcl_tensor_release(tensor);
  netcl_tensor_release(w);
  netcl_tensor_release(mean);
  netcl_tensor_release(variance);
}

int main(void) {
  seed_random("option_zeros");
  static const struct CMUnitTest kTests[] = {
      DEVICE_TEST(epsilon_of_rows),
      DEVICE_TEST(batchnorm_zeros),
      DEVICE_TEST(epilogue_zeros),
      DEVICE_TEST(conv2d_epsilon),
  };
  return cmocka_run_group_tests_name("option_zeros", kTests, NULL, NULL);
}
