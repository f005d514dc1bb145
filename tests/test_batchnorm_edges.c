/* Batch normalisation at its edges: values that are no numbers, the same bits each time, errors. */
#include <math.h>

#include "support_norm.h"

/* NaN and infinities stay in their element at inference, and take their channel in training. */
static void special_values(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {2, 3, 50}, channels[] = {3};
  double values[300];
  for (int i = 0; i < 300; ++i) values[i] = i % 7 - 3;
  values[5] = NAN;
  values[60] = INFINITY;
  values[61] = -INFINITY;
  for (int form = 0; form < 4; ++form) {
    NormTensor x =
        norm_random(fixture, NETCL_F32, 3, shape, form / 2 ? NORM_LAST_FIRST : NORM_PACKED, 0, 1);
    NormTensor mean = norm_random(fixture, NETCL_F32, 1, channels, NORM_PACKED, 0, 1);
    NormTensor variance = norm_random(fixture, NETCL_F32, 1, channels, NORM_PACKED, 2, 1);
    netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
    netcl_tensor* result = NULL;
    norm_write(&x, values);
    options.activation = NETCL_ACTIVATION_RELU;
    options.variant = form % 2 ? NETCL_VARIANT_BATCHNORM_NAIVE : NETCL_VARIANT_BATCHNORM_FUSED;
    for (uint32_t training = 0; training < 2; ++training) {
      options.training = training;
      OK(netcl_op_batchnorm(x.tensor, mean.tensor, variance.tensor, &options, NULL, &result));
      double* got = norm_read(result, NETCL_F32, 300);
      for (int i = 0; i < 300; ++i) {
        const int channel = i / 50 % 3;
        if (training) {
          CHECK(isnan(got[i]) == (channel < 2), "element %d is %g in training", i, got[i]);
        } else {
          const int right = i == 5    ? isnan(got[i])
                            : i == 60 ? got[i] == INFINITY
                                      : isfinite(got[i]);
          CHECK(right, "element %d is %g", i, got[i]);
        }
      }
      free(got);
      netcl_tensor_release(result);
    }
    norm_free(&x);
    norm_free(&mean);
    norm_free(&variance);
  }
}

static netcl_status activate(void* context, netcl_activation activation, netcl_tensor** result) {
  netcl_tensor** const inputs = context;
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  options.epsilon = 1e-12;
  options.activation = activation;
  return netcl_op_batchnorm(inputs[0], inputs[1], inputs[2], &options, NULL, result);
}

static void activation_defaults(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[3] = {1, 1, ACTIVATED}, channels[1] = {1};
  const float zero = 0, one = 1;
  netcl_tensor* inputs[] = {make_tensor(fixture->device, NETCL_F32, 3, shape, kActivated),
                            make_tensor(fixture->device, NETCL_F32, 1, channels, &zero),
                            make_tensor(fixture->device, NETCL_F32, 1, channels, &one)};
  check_activation_defaults(activate, inputs, "options");
  for (size_t i = 0; i < COUNT_OF(inputs); ++i) netcl_tensor_release(inputs[i]);
}

static void same_bits(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4, 20, 60, 60}, channels[] = {20};
  for (int form = 0; form < 2; ++form) {
    NormTensor x =
        norm_random(fixture, NETCL_F32, 4, shape, form ? NORM_LAST_FIRST : NORM_PACKED, 3, 5);
    netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
    void* bits = NULL;
    options.training = 1;
    for (int k = 0; k < 4; ++k) {
      NormTensor mean = norm_random(fixture, NETCL_F32, 1, channels, NORM_PACKED, 0, 0);
      netcl_tensor* result = NULL;
      NormTensor variance = norm_random(fixture, NETCL_F32, 1, channels, NORM_PACKED, 0, 0);
      OK(netcl_op_batchnorm(x.tensor, mean.tensor, variance.tensor, &options, NULL, &result));
      if (bits == NULL) bits = read_tensor(result);
      CHECK_TENSOR(result, bits);
      netcl_tensor_release(result);
      norm_free(&mean);
      norm_free(&variance);
    }
    free(bits);
    norm_free(&x);
  }
}

typedef struct Inputs {
  netcl_tensor *x, *mean, *variance;
} Inputs;
static netcl_status call(Inputs in, const netcl_batchnorm_options* options,
                         const netcl_run_options* run) {
  netcl_tensor* result = NULL;
  const netcl_status status = netcl_op_batchnorm(in.x, in.mean, in.variance, options, run, &result);
  netcl_tensor_release(result);
  return status;
}

static void errors(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {2, 3, 4}, three[] = {3}, four[] = {4}, one[] = {1};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_F32, 3, shape, NORM_PACKED, 0, 1);
  NormTensor whole = norm_random(fixture, NETCL_I16, 3, shape, NORM_PACKED, 0, 1);
  NormTensor mean = norm_random(fixture, NETCL_F32, 1, three, NORM_PACKED, 0, 1);
  NormTensor variance = norm_random(fixture, NETCL_F32, 1, three, NORM_PACKED, 2, 1);
  NormTensor wrong = norm_random(fixture, NETCL_F32, 1, four, NORM_PACKED, 0, 1);
  NormTensor half = norm_random(fixture, NETCL_F16, 1, three, NORM_PACKED, 0, 1);
  NormTensor single = norm_random(fixture, NETCL_F32, 1, one, NORM_PACKED, 0, 1);
  netcl_tensor* repeated = NULL;
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  const Inputs good = {x.tensor, mean.tensor, variance.tensor};
  OK(netcl_tensor_broadcast(single.tensor, 1, three, &repeated));
  OK(call((Inputs){x.tensor, repeated, variance.tensor}, &options, NULL));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is i16; batchnorm",
             call((Inputs){whole.tensor, mean.tensor, variance.tensor}, NULL, NULL));
  FAILS_WITH(invalid, "x has rank 1",
             call((Inputs){mean.tensor, mean.tensor, variance.tensor}, NULL, NULL));
  FAILS_WITH(invalid, "mean has shape [4] and x has shape [2, 3, 4]; it has shape [3]",
             call((Inputs){x.tensor, wrong.tensor, variance.tensor}, NULL, NULL));
  FAILS_WITH(invalid, "variance has shape [2, 3, 4]",
             call((Inputs){x.tensor, mean.tensor, x.tensor}, NULL, NULL));
  FAILS_WITH(invalid, "mean is f16 and x is f32",
             call((Inputs){x.tensor, half.tensor, variance.tensor}, NULL, NULL));
  options.scale = wrong.tensor;
  FAILS_WITH(invalid, "options->scale has shape [4]", call(good, &options, NULL));
  options.scale = NULL;
  options.bias = half.tensor;
  FAILS_WITH(invalid, "options->bias is f16 and x is f32", call(good, &options, NULL));
  options.bias = NULL;
  options.activation = 13;
  FAILS_WITH(invalid, "options->activation is 13", call(good, &options, NULL));
  options.activation = 0;
  options.epsilon = -1;
  FAILS_WITH(invalid, "options->epsilon is -1", call(good, &options, NULL));
  options.epsilon = 0;
  options.momentum = 2;
  FAILS_WITH(invalid, "options->momentum is 2", call(good, &options, NULL));
  options.momentum = 0;
  options.variant = NETCL_VARIANT_MATMUL_TILED;
  FAILS_WITH(invalid, "matmul_tiled", call(good, &options, NULL));
  options.variant = 0;
  options.training = 2;
  FAILS_WITH(invalid, "options->training is 2", call(good, &options, NULL));
  options.training = 1;
  FAILS_WITH(invalid, "mean", call((Inputs){x.tensor, repeated, variance.tensor}, &options, NULL));
  FAILS_WITH(invalid, "mean shares its memory with variance",
             call((Inputs){x.tensor, mean.tensor, mean.tensor}, &options, NULL));
  options.scale = variance.tensor;
  FAILS_WITH(invalid, "variance shares its memory with options->scale", call(good, &options, NULL));
  options.scale = NULL;
  options.training = 0;
  run.into = whole.tensor;
  FAILS_WITH(invalid, "run->into is i16", call(good, &options, &run));
  netcl_tensor_release(repeated);
  NormTensor* const all[] = {&x, &whole, &mean, &variance, &wrong, &half, &single};
  for (size_t i = 0; i < COUNT_OF(all); ++i) norm_free(all[i]);
}

int main(void) {
  static const struct CMUnitTest kTests[] = {DEVICE_TEST(special_values), DEVICE_TEST(same_bits),
                                             DEVICE_TEST(errors), DEVICE_TEST(activation_defaults),
                                             DEVICE_TEST(as_kernels)};
  seed_random("batchnorm_edges");
  return cmocka_run_group_tests_name("batchnorm_edges", kTests, NULL, NULL);
}
