/* Batch normalisation against extended precision: inference, training with running statistics,
 * activations, both variants, both orders of memory. */
#include <math.h>

#include "support_norm.h"

typedef struct Case {
  netcl_dtype dtype;
  netcl_dtype parameters; /* the dtype of the [C] tensors */
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX];
  NormLayout layout;
  netcl_activation activation;
  netcl_variant variant;
  int training;
  int with;   /* bit 0: scale, bit 1: bias */
  int target; /* 0: a new tensor, 1: a strided one, 2: x itself */
  double epsilon;
  double momentum;
} Case;

static const double kAlpha = 0.3, kBeta = 0.6;

/* The activation, and how much it can enlarge an error at most. */
static double activated(netcl_activation kind, double x, double* slope) {
  *slope = 1.2;
  switch (kind) {
    case NETCL_ACTIVATION_RELU:
      return x > 0 || isnan(x) ? x : 0;
    case NETCL_ACTIVATION_LEAKY_RELU:
      return x < 0 ? kAlpha * x : x;
    case NETCL_ACTIVATION_ELU:
      return x < 0 ? kAlpha * expm1(x) : x;
    case NETCL_ACTIVATION_SIGMOID:
      return 1 / (1 + exp(-x));
    case NETCL_ACTIVATION_TANH:
      return tanh(x);
    case NETCL_ACTIVATION_SILU:
      return x / (1 + exp(-x));
    case NETCL_ACTIVATION_GELU:
      return 0.5 * x * erfc(-x * sqrt(0.5));
    case NETCL_ACTIVATION_GELU_TANH:
      return 0.5 * x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
    case NETCL_ACTIVATION_SOFTPLUS:
      return fmax(x, 0) + log1p(exp(-fabs(x)));
    case NETCL_ACTIVATION_HARD_SIGMOID:
      return fmin(fmax(kAlpha * x + kBeta, 0), 1);
    case NETCL_ACTIVATION_HARD_SWISH:
      return x * fmin(fmax(x / 6 + 0.5, 0), 1);
    case NETCL_ACTIVATION_CLIP:
      return fmin(fmax(x, kAlpha), kBeta);
    default:
      *slope = 1;
      return x;
  }
}

typedef struct Channel {
  long double mean, variance;
  double most;
  int64_t count;
} Channel;

static Channel statistics(const double* x, const Case* test, int64_t c) {
  const int64_t inner = product(test->rank - 2, test->shape + 2), channels = test->shape[1];
  Channel s = {0, 0, 0, test->shape[0] * inner};
  for (int64_t k = 0; k < s.count; ++k) {
    const double v = x[(k / inner * channels + c) * inner + k % inner];
    s.mean += (long double)v / s.count;
    if (fabs(v) > s.most) s.most = fabs(v);
  }
  for (int64_t k = 0; k < s.count; ++k) {
    const long double d = x[(k / inner * channels + c) * inner + k % inner] - s.mean;
    s.variance += d * d / s.count;
  }
  return s;
}

typedef struct Parameters {
  NormTensor tensor[4]; /* mean, variance, scale, bias */
  double* before[4];
} Parameters;

static Parameters make_parameters(Fixture* fixture, const Case* test) {
  static const double kCenters[] = {0.5, 1.5, 1, 0};
  Parameters made;
  for (int i = 0; i < 4; ++i) {
    made.tensor[i] =
        norm_random(fixture,
                    i % 2             ? test->parameters
                    : random_in(0, 1) ? NETCL_F32
                                      : test->dtype,
                    1, test->shape + 1, random_in(0, 2) ? NORM_PACKED : NORM_VIEW, kCenters[i], 1);
    made.before[i] = norm_values(&made.tensor[i]);
  }
  return made;
}

static void free_parameters(Parameters* parameters) {
  for (int i = 0; i < 4; ++i) {
    norm_free(&parameters->tensor[i]);
    free(parameters->before[i]);
  }
}

/* The running statistics after the call: moved in training, else as they were. */
static void check_running(const Case* test, const Parameters* parameters, const double* x) {
  const int64_t channels = test->shape[1];
  const double keep = test->momentum == 0 ? 0.9 : test->momentum;
  for (int i = 0; i < 2; ++i) {
    const netcl_dtype dtype = parameters->tensor[i].model.dtype;
    double* after = norm_read(parameters->tensor[i].tensor, dtype, channels);
    for (int64_t c = 0; c < channels; ++c) {
      const double old = parameters->before[i][c];
      if (!test->training) {
        CHECK(after[c] == old, "statistic %d of channel %lld was changed", i, (long long)c);
        continue;
      }
      const Channel s = statistics(x, test, c);
      const double wanted = (double)(old * keep + (i == 0 ? s.mean : s.variance) * (1 - keep));
      const double size = fabs(old) + (i == 0 ? s.most : (double)s.variance + s.most * 1e-3);
      const double bound =
          64 * norm_compute_roundoff(test->dtype) * size + norm_rounding(dtype, wanted);
      CHECK(fabs(after[c] - wanted) <= bound, "statistic %d of channel %lld is %.9g, not %.9g", i,
            (long long)c, after[c], wanted);
    }
    free(after);
  }
}

static void check_elements(const Case* test, const Parameters* parameters, const double* x,
                           const double* got) {
  const int64_t inner = product(test->rank - 2, test->shape + 2), channels = test->shape[1];
  const double u = norm_compute_roundoff(test->dtype);
  for (int64_t c = 0; c < channels; ++c) {
    const Channel own = statistics(x, test, c);
    const double mean = test->training ? (double)own.mean : parameters->before[0][c];
    const double spread = test->training ? (double)own.variance : parameters->before[1][c];
    const double deviation = sqrt(spread + (test->epsilon == 0 ? 1e-5 : test->epsilon));
    const double scale = test->with & 1 ? parameters->before[2][c] : 1;
    const double bias = test->with & 2 ? parameters->before[3][c] : 0;
    const double steps = 32 + log2((double)own.count);
    for (int64_t k = 0; k < own.count; ++k) {
      const int64_t at = (k / inner * channels + c) * inner + k % inner;
      const long double part = (x[at] - (test->training ? own.mean : mean)) / deviation * scale;
      double slope;
      const double wanted = activated(test->activation, (double)(part + bias), &slope);
      const double inside = steps * u * ((double)fabsl(part) + fabs(scale) * own.most / deviation) +
                            2 * u * fabs(bias);
      const double bound =
          slope * inside + 64 * u * fabs(wanted) + 8 * u + norm_rounding(test->dtype, wanted);
      const int same = isnan(wanted)   ? isnan(got[at])
                       : isinf(wanted) ? got[at] == wanted
                                       : fabs(got[at] - wanted) <= bound;
      CHECK(same,
            "%s, %s, activation %d, channel %lld of %lld, element %lld of %lld: %.9g, not %.9g "
            "(bound %g)",
            netcl_dtype_name(test->dtype), netcl_variant_name(test->variant), test->activation,
            (long long)c, (long long)channels, (long long)k, (long long)own.count, got[at], wanted,
            bound);
    }
  }
}

static void check_case(Fixture* fixture, const Case* test, const double* values) {
  NormTensor x = norm_random(fixture, test->dtype, test->rank, test->shape, test->layout,
                             random_in(0, 3) == 0 ? 30 : 0, 3);
  if (values != NULL) norm_write(&x, values);
  double* before = norm_values(&x);
  Parameters parameters = make_parameters(fixture, test);
  NormTensor into =
      norm_random(fixture, test->dtype, test->rank, test->shape,
                  test->layout == NORM_LAST_FIRST ? NORM_LAST_FIRST : NORM_VIEW, 0, 1);
  netcl_batchnorm_options options = NETCL_BATCHNORM_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  if (test->with & 1) options.scale = parameters.tensor[2].tensor;
  if (test->with & 2) options.bias = parameters.tensor[3].tensor;
  options.epsilon = test->epsilon;
  options.momentum = test->momentum;
  options.alpha = kAlpha;
  options.beta = kBeta;
  options.activation = test->activation;
  options.variant = test->variant;
  options.training = (uint32_t)test->training;
  if (test->target != 0) run.into = test->target == 1 ? into.tensor : x.tensor;
  OK(netcl_op_batchnorm(x.tensor, parameters.tensor[0].tensor, parameters.tensor[1].tensor,
                        &options, &run, test->target == 0 ? &made : NULL));
  const int64_t count = product(test->rank, test->shape);
  double* got = norm_read(made != NULL ? made : run.into, test->dtype, count);
  if (count > 0) {
    check_elements(test, &parameters, before, got);
    check_running(test, &parameters, before);
  }
  free(got);
  free(before);
  netcl_tensor_release(made);
  free_parameters(&parameters);
  norm_free(&into);
  norm_free(&x);
}

static Case random_case(Fixture* fixture) {
  static const netcl_variant kVariants[] = {NETCL_VARIANT_AUTO, NETCL_VARIANT_BATCHNORM_NAIVE,
                                            NETCL_VARIANT_BATCHNORM_FUSED};
  Case test = {norm_float_dtype(fixture),
               0,
               (uint32_t)random_in(2, 5),
               {0},
               (NormLayout)random_in(0, 3),
               0,
               kVariants[random_in(0, 2)],
               (int)random_in(0, 1),
               (int)random_in(0, 3),
               (int)random_in(0, 2),
               0,
               0};
  test.parameters = random_in(0, 1) ? test.dtype : NETCL_F32;
  if (random_in(0, 3) == 0) test.epsilon = random_real(1e-4, 1);
  if (random_in(0, 2) == 0) test.momentum = random_real(0.01, 1);
  if (test.target == 2 && test.layout == NORM_BROADCAST) test.layout = NORM_VIEW;
  return test;
}

static void random_cases(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 300); ++round) {
    Case test = random_case(fixture);
    for (uint32_t d = 0; d < test.rank; ++d) {
      test.shape[d] = random_in(round % 20 == 0 ? 0 : 1, d == 1 ? 40 : test.rank > 3 ? 7 : 40);
    }
    /* Half of the cases have no activation or ReLU; others cost a compilation each. */
    test.activation = random_in(0, 1) ? (int)random_in(0, 1)
                                      : (int)random_in(0, rounds(fixture, 5) == 5 ? 12 : 3);
    check_case(fixture, &test, NULL);
  }
}

static void activations(void** state) {
  Fixture* fixture = *state;
  for (netcl_activation activation = 0; activation <= NETCL_ACTIVATION_CLIP; ++activation) {
    for (int form = 0; form < 4; ++form) {
      Case test = {form == 3 ? NETCL_F16 : NETCL_F32,
                   NETCL_F32,
                   4,
                   {2, 5, 7, 9},
                   NORM_PACKED,
                   activation,
                   form % 2 ? NETCL_VARIANT_BATCHNORM_NAIVE : NETCL_VARIANT_BATCHNORM_FUSED,
                   0,
                   3,
                   form == 1 ? 2 : 0,
                   0,
                   0};
      if (form == 2) test.layout = NORM_LAST_FIRST;
      check_case(fixture, &test, NULL);
    }
  }
}

/* Sizes around the pieces and slices of every kernel, both orders of memory. */
static void sizes(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShapes[][4] = {{1, 1, 1, 1},     {1, 1, 1, 70001}, {3, 2, 100, 101},
                                       {2, 64, 28, 28},  {7, 33, 1, 513},  {2, 3, 64, 512},
                                       {5000, 16, 1, 1}, {600, 17, 3, 1},  {1, 4, 1, 20004},
                                       {2, 100, 5, 4},   {1, 700, 1, 1},   {129, 4, 4, 4}};
  for (size_t i = 0; i < COUNT_OF(kShapes); ++i) {
    for (int form = 0; form < 4; ++form) {
      Case test = {form == 3 ? norm_float_dtype(fixture) : NETCL_F32,
                   NETCL_F32,
                   4,
                   {0},
                   form % 2 ? NORM_LAST_FIRST : NORM_PACKED,
                   form / 2,
                   NETCL_VARIANT_AUTO,
                   (int)((size_t)form + i) % 2,
                   3,
                   0,
                   0,
                   0};
      memcpy(test.shape, kShapes[i], sizeof kShapes[i]);
      check_case(fixture, &test, NULL);
    }
  }
}

/* A mean far from 0 and one outlier: the variance comes from centred values. */
static void offsets(void** state) {
  Fixture* fixture = *state;
  enum { N = 4, C = 3, S = 2500 };
  double* values = malloc(N * C * S * sizeof *values);
  assert_non_null(values);
  for (int form = 0; form < 8; ++form) {
    Case test = {NETCL_F32,
                 NETCL_F32,
                 3,
                 {N, C, S},
                 form % 2 ? NORM_LAST_FIRST : NORM_PACKED,
                 0,
                 NETCL_VARIANT_AUTO,
                 1,
                 0,
                 0,
                 0,
                 0};
    for (int i = 0; i < N * C * S; ++i) {
      values[i] = (double)(float)(1000 * (1 + i / S % C) + random_real(-1, 1));
      if (form / 2 == 1) values[i] = 777;
    }
    if (form / 2 == 2) values[0] = -5e5;
    if (form / 2 == 3) values[S * C - 1] = 5e5;
    check_case(fixture, &test, values);
  }
  free(values);
}

int main(void) {
  static const struct CMUnitTest kTests[] = {DEVICE_TEST(random_cases), DEVICE_TEST(activations),
                                             DEVICE_TEST(sizes), DEVICE_TEST(offsets),
                                             DEVICE_TEST(as_kernels)};
  seed_random("batchnorm");
  return cmocka_run_group_tests_name("batchnorm", kTests, NULL, NULL);
}
