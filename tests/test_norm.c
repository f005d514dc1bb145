/* Layer and RMS normalisation against extended precision, with the error bounds of the header. */
#include <math.h>

#include "support_norm.h"

typedef struct Case {
  netcl_dtype dtype;
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX];
  uint32_t axis;
  int centred;
  int parameters; /* bit 0: scale, bit 1: bias */
  NormLayout layout;
  int target; /* 0: a new tensor, 1: a strided one, 2: x itself */
  double epsilon;
  int statistics; /* bit 0: the mean, bit 1: 1 / deviation */
} Case;

/* The statistics of one row; NULL where they are not asked for. */
static void check_statistics(const Case* test, int64_t n, long double mean, long double deviation,
                             double most, const double* got_mean, const double* got_inverse) {
  const netcl_dtype dtype = test->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  const double each = (32 + log2((double)n)) * norm_compute_roundoff(test->dtype);
  if (got_mean != NULL) {
    const double bound = each * most + norm_rounding(dtype, (double)mean);
    CHECK(fabs(*got_mean - (double)mean) <= bound, "n = %lld, mean %.9g, not %.9g (bound %g)",
          (long long)n, *got_mean, (double)mean, bound);
  }
  if (got_inverse != NULL) {
    const double wanted = (double)(1 / deviation);
    const double spread = test->centred ? 1 + most / (double)deviation : 1;
    const double bound = each * spread * wanted + norm_rounding(dtype, wanted);
    CHECK(fabs(*got_inverse - wanted) <= bound, "n = %lld, 1 / deviation %.9g, not %.9g (bound %g)",
          (long long)n, *got_inverse, wanted, bound);
  }
}

static void check_row(const Case* test, const double* x, const double* scale, const double* bias,
                      const double* got, int64_t n, const double* got_mean,
                      const double* got_inverse) {
  const double u = norm_compute_roundoff(test->dtype);
  long double mean = 0, squares = 0;
  double most = 0;
  int finite = 1;
  for (int64_t i = 0; i < n; ++i) {
    mean += (long double)x[i] / n;
    finite &= isfinite(x[i]);
    if (fabs(x[i]) > most) most = fabs(x[i]);
  }
  if (!test->centred) mean = 0;
  for (int64_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const long double deviation = sqrtl(squares / n + (test->epsilon == 0 ? 1e-5 : test->epsilon));
  if (n == 0) {
    CHECK(got_mean == NULL || isnan(*got_mean), "the mean of nothing is %g", *got_mean);
    CHECK(got_inverse == NULL || isnan(*got_inverse), "of nothing, 1 / deviation is %g",
          *got_inverse);
  } else if (finite) {
    check_statistics(test, n, mean, deviation, most, got_mean, got_inverse);
  }
  for (int64_t i = 0; i < n; ++i) {
    if (!finite) {
      CHECK(isnan(got[i]) || !test->centred, "element %lld is %g", (long long)i, got[i]);
      continue;
    }
    const double s = scale == NULL ? 1 : scale[i], b = bias == NULL ? 0 : bias[i];
    const double plain = (double)((x[i] - mean) / deviation * s);
    const double wanted = (double)((x[i] - mean) / deviation * s + b);
    double bound = (32 + log2((double)n)) * u * fabs(plain);
    if (test->centred) bound += (32 + log2((double)n)) * u * fabs(s) * most / (double)deviation;
    bound += norm_rounding(test->dtype, wanted) + fabs(wanted) * u;
    CHECK(fabs(got[i] - wanted) <= bound,
          "%s of %s, n = %lld, element %lld: %.9g, not %.9g (bound %g)",
          test->centred ? "layernorm" : "rmsnorm", netcl_dtype_name(test->dtype), (long long)n,
          (long long)i, got[i], wanted, bound);
  }
}

/* A parameter over the normalised axes: whole, of fewer dimensions, or with extents of 1. */
static NormTensor make_parameter(Fixture* fixture, const Case* test, double** spread) {
  int64_t shape[NETCL_RANK_MAX];
  const uint32_t inner = test->rank - test->axis;
  const uint32_t lead = random_in(0, 3) == 0 ? (uint32_t)random_in(0, inner) : 0;
  for (uint32_t d = lead; d < inner; ++d) {
    shape[d - lead] = random_in(0, 4) == 0 ? 1 : test->shape[test->axis + d];
  }
  const netcl_dtype dtype = random_in(0, 1) ? NETCL_F32 : test->dtype;
  NormTensor made = norm_random(fixture, dtype, inner - lead, shape,
                                random_in(0, 1) ? NORM_PACKED : NORM_BROADCAST, 0.5, 2);
  NormTensor whole = made;
  whole.model = model_broadcast(&made.model, inner, test->shape + test->axis);
  *spread = norm_values(&whole);
  return made;
}

static void check_case(Fixture* fixture, const Case* test, const double* values) {
  NormTensor x = norm_random(fixture, test->dtype, test->rank, test->shape, test->layout,
                             random_in(0, 2) == 0 ? 20 : 0, 3);
  if (values != NULL) norm_write(&x, values);
  double *before = norm_values(&x), *scale = NULL, *bias = NULL;
  NormTensor scales = {0}, biases = {0};
  if (test->parameters & 1) scales = make_parameter(fixture, test, &scale);
  if (test->parameters & 2) biases = make_parameter(fixture, test, &bias);
  NormTensor into = norm_random(fixture, test->dtype, test->rank, test->shape,
                                test->target == 1 ? NORM_VIEW : NORM_PACKED, 0, 1);
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* made = NULL;
  NormTensor statistics[2];
  int64_t single[NETCL_RANK_MAX];
  for (uint32_t d = 0; d < test->rank; ++d) single[d] = d < test->axis ? test->shape[d] : 1;
  const netcl_dtype wide = test->dtype == NETCL_F64 ? NETCL_F64 : NETCL_F32;
  for (int i = 0; i < 2; ++i) {
    statistics[i] = norm_random(fixture, wide, test->rank, single,
                                random_in(0, 1) ? NORM_VIEW : NORM_PACKED, 100, 1);
  }
  if (test->statistics & 1) options.mean_into = statistics[0].tensor;
  if (test->statistics & 2) options.inverse_deviation_into = statistics[1].tensor;
  options.scale = scales.tensor;
  options.bias = biases.tensor;
  options.epsilon = test->epsilon;
  if (test->target != 0) run.into = test->target == 1 ? into.tensor : x.tensor;
  netcl_tensor** const result = test->target == 0 ? &made : NULL;
  const int32_t axis = (int32_t)test->axis - (random_in(0, 1) ? (int32_t)test->rank : 0);
  OK(test->centred ? netcl_op_layernorm(x.tensor, axis, &options, &run, result)
                   : netcl_op_rmsnorm(x.tensor, axis, &options, &run, result));
  const int64_t n = product(test->rank - test->axis, test->shape + test->axis);
  const int64_t rows = product(test->axis, test->shape);
  double* got = norm_read(made != NULL ? made : run.into, test->dtype, rows * n);
  double* of_rows[2] = {NULL, NULL};
  for (int i = 0; i < 2; ++i) {
    if (test->statistics >> i & 1) of_rows[i] = norm_read(statistics[i].tensor, wide, rows);
  }
  for (int64_t row = 0; row < rows; ++row) {
    check_row(test, before + row * n, scale, bias, got + row * n, n,
              of_rows[0] != NULL ? of_rows[0] + row : NULL,
              of_rows[1] != NULL ? of_rows[1] + row : NULL);
  }
  for (int i = 0; i < 2; ++i) {
    free(of_rows[i]);
    norm_free(&statistics[i]);
  }
  free(got);
  free(before);
  free(scale);
  free(bias);
  netcl_tensor_release(made);
  if (scales.tensor != NULL) norm_free(&scales);
  if (biases.tensor != NULL) norm_free(&biases);
  norm_free(&into);
  norm_free(&x);
}

static void random_cases(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 300); ++round) {
    Case test = {
        norm_float_dtype(fixture),   (uint32_t)random_in(1, 5), {0}, 0, (int)random_in(0, 1), 0,
        (NormLayout)random_in(0, 3), (int)random_in(0, 2),      0,   0};
    for (uint32_t d = 0; d < test.rank; ++d) {
      test.shape[d] = random_in(round % 20 == 0 ? 0 : 1, test.rank > 3 ? 6 : 30);
    }
    test.axis = (uint32_t)random_in(0, test.rank - 1);
    test.parameters = (int)random_in(0, test.centred ? 3 : 1);
    if (random_in(0, 1)) test.statistics = test.centred ? (int)random_in(1, 3) : 2;
    if (random_in(0, 3) == 0) test.epsilon = random_real(1e-6, 2);
    if (test.target == 2 && test.layout == NORM_BROADCAST) test.layout = NORM_VIEW;
    check_case(fixture, &test, NULL);
  }
}

static void lengths(void** state) {
  Fixture* fixture = *state;
  static const int64_t kLengths[] = {1,    2,    15,   16,   17,   33,   127,   128,   256,  1000,
                                     1023, 1024, 1025, 4093, 4096, 8192, 16384, 16388, 40001};
  for (size_t i = 0; i < COUNT_OF(kLengths); ++i) {
    for (int centred = 0; centred < 2; ++centred) {
      Case test = {i % 3 == 0 ? norm_float_dtype(fixture) : NETCL_F32,
                   2,
                   {5, kLengths[i]},
                   1,
                   centred,
                   centred ? 3 : 1,
                   NORM_PACKED,
                   i % 2 ? 2 : 0,
                   0,
                   i % 3 == 1 ? 0
                   : centred  ? 3
                              : 2};
      check_case(fixture, &test, NULL);
    }
  }
}

/* A large offset costs what the bound says and no more; one value alone has no deviation. */
static void offsets(void** state) {
  Fixture* fixture = *state;
  enum { N = 3000 };
  double values[N];
  Case test = {NETCL_F32, 2, {1, N}, 1, 1, 0, NORM_PACKED, 0, 0, 3};
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < N; ++i) values[i] = (double)(float)(1e4 + random_real(-1, 1));
    if (k == 1) values[0] = -3e5;
    if (k == 2)
      for (int i = 0; i < N; ++i) values[i] = 12345;
    if (k == 3)
      for (int i = 0; i < N; ++i) values[i] = i % 2 ? 1e17 : -1e17;
    check_case(fixture, &test, values);
    test.centred = k != 2;
    test.statistics = test.centred ? 3 : 2;
    check_case(fixture, &test, values);
    test.centred = 1;
    test.statistics = 3;
  }
  values[7] = NAN;
  check_case(fixture, &test, values);
  values[7] = INFINITY;
  check_case(fixture, &test, values);
}

/* An infinity makes RMS normalisation 0 everywhere else and NaN in its place. */
static void infinite_square(void** state) {
  Fixture* fixture = *state;
  enum { N = 700 };
  const int64_t shape[] = {N};
  double values[N];
  for (int i = 0; i < N; ++i) values[i] = i - 300;
  values[11] = -INFINITY;
  NormTensor x = norm_random(fixture, NETCL_F32, 1, shape, NORM_PACKED, 0, 1);
  netcl_tensor* result = NULL;
  norm_write(&x, values);
  OK(netcl_op_rmsnorm(x.tensor, 0, NULL, NULL, &result));
  double* got = norm_read(result, NETCL_F32, N);
  for (int i = 0; i < N; ++i) {
    CHECK(i == 11 ? isnan(got[i]) : got[i] == 0, "element %d is %g", i, got[i]);
  }
  free(got);
  netcl_tensor_release(result);
  norm_free(&x);
}

static void same_bits(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShapes[][2] = {{40, 1000}, {3, 5000}, {1, 100000}, {2000, 7}};
  for (size_t i = 0; i < COUNT_OF(kShapes); ++i) {
    NormTensor x = norm_random(fixture, NETCL_F32, 2, kShapes[i], NORM_PACKED, 0, 5);
    netcl_tensor* first = NULL;
    OK(netcl_op_layernorm(x.tensor, 1, NULL, NULL, &first));
    void* bits = read_tensor(first);
    for (int k = 0; k < 3; ++k) {
      netcl_tensor* again = NULL;
      OK(netcl_op_layernorm(x.tensor, 1, NULL, NULL, &again));
      CHECK_TENSOR(again, bits);
      netcl_tensor_release(again);
    }
    free(bits);
    netcl_tensor_release(first);
    norm_free(&x);
  }
}

/* Rows without elements, rows that are not there, and what is asked for alone. */
static void empty_statistics(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShapes[][3] = {{4, 0, 3}, {0, 5, 3}, {4, 5, 0}};
  for (size_t i = 0; i < COUNT_OF(kShapes); ++i) {
    for (int form = 0; form < 4; ++form) {
      Case test = {NETCL_F32, 3, {0}, 1, form > 0, 0, NORM_PACKED, 0, 0, form == 0 ? 2 : form};
      memcpy(test.shape, kShapes[i], sizeof kShapes[i]);
      check_case(fixture, &test, NULL);
    }
  }
}

static void statistics_refused(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4, 6}, one[] = {4, 1}, flat[] = {4};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_F32, 2, shape, NORM_PACKED, 0, 1);
  NormTensor good = norm_random(fixture, NETCL_F32, 2, one, NORM_PACKED, 7, 0);
  NormTensor lines = norm_random(fixture, NETCL_F32, 1, flat, NORM_PACKED, 0, 1);
  NormTensor half = norm_random(fixture, NETCL_F16, 2, one, NORM_PACKED, 0, 1);
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor *result = NULL, *part = NULL, *repeated = NULL;
  const netcl_range first[] = {{0, 4, 1}, {0, 1, 1}};
  OK(netcl_tensor_slice(x.tensor, first, 2, &part));
  options.mean_into = lines.tensor;
  FAILS_WITH(invalid, "options->mean_into has shape [4]; statistics of x have [4, 1]",
             netcl_op_layernorm(x.tensor, 1, &options, NULL, &result));
  options.mean_into = half.tensor;
  FAILS_WITH(invalid, "options->mean_into is f16; statistics of f32 are f32",
             netcl_op_layernorm(x.tensor, 1, &options, NULL, &result));
  options.mean_into = good.tensor;
  FAILS_WITH(invalid, "options->mean_into is set; rmsnorm has no mean",
             netcl_op_rmsnorm(x.tensor, 1, &options, NULL, &result));
  options.inverse_deviation_into = good.tensor;
  FAILS_WITH(invalid, "mean_into shares its memory with options->inverse_deviation_into",
             netcl_op_layernorm(x.tensor, 1, &options, NULL, &result));
  options.inverse_deviation_into = part;
  FAILS_WITH(invalid, "options->inverse_deviation_into shares its memory with x",
             netcl_op_layernorm(x.tensor, 1, &options, NULL, &result));
  options.mean_into = NULL;
  options.inverse_deviation_into = lines.tensor;
  FAILS_WITH(invalid, "options->inverse_deviation_into has shape [4]",
             netcl_op_rmsnorm(x.tensor, 1, &options, NULL, &result));
  NormTensor y = norm_random(fixture, NETCL_F32, 2, shape, NORM_PACKED, 0, 1);
  NormTensor scale = norm_random(fixture, NETCL_F32, 2, one, NORM_PACKED, 0, 1);
  netcl_tensor_release(part);
  OK(netcl_tensor_slice(y.tensor, first, 2, &part));
  options.inverse_deviation_into = part;
  run.into = y.tensor;
  FAILS_WITH(invalid, "options->inverse_deviation_into shares its memory with run->into",
             netcl_op_layernorm(x.tensor, 1, &options, &run, NULL));
  options.inverse_deviation_into = scale.tensor;
  options.scale = scale.tensor;
  FAILS_WITH(invalid, "options->inverse_deviation_into shares its memory with options->scale",
             netcl_op_layernorm(x.tensor, 0, &options, &run, NULL));
  options.scale = NULL;
  const int64_t single[] = {1, 1};
  NormTensor element = norm_random(fixture, NETCL_F32, 2, single, NORM_PACKED, 0, 1);
  OK(netcl_tensor_broadcast(element.tensor, 2, one, &repeated));
  options.inverse_deviation_into = repeated;
  FAILS_WITH(invalid, "options->inverse_deviation_into",
             netcl_op_layernorm(x.tensor, 1, &options, NULL, &result));
  assert_null(result);
  double* kept = norm_read(good.tensor, NETCL_F32, 4);
  for (int i = 0; i < 4; ++i) CHECK(kept[i] == 7, "row %d was written to", i);
  free(kept);
  netcl_tensor_release(part);
  netcl_tensor_release(repeated);
  NormTensor* const all[] = {&x, &good, &lines, &half, &y, &scale, &element};
  for (size_t i = 0; i < COUNT_OF(all); ++i) norm_free(all[i]);
}

static void errors(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4, 6}, six[] = {6}, five[] = {5}, three[] = {2, 4, 6};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_F32, 2, shape, NORM_PACKED, 0, 1);
  NormTensor whole = norm_random(fixture, NETCL_U8, 2, shape, NORM_PACKED, 9, 9);
  NormTensor good = norm_random(fixture, NETCL_F32, 1, six, NORM_PACKED, 0, 1);
  NormTensor wrong = norm_random(fixture, NETCL_F32, 1, five, NORM_PACKED, 0, 1);
  NormTensor deep = norm_random(fixture, NETCL_F32, 3, three, NORM_PACKED, 0, 1);
  NormTensor half = norm_random(fixture, NETCL_F16, 1, six, NORM_PACKED, 0, 1);
  netcl_norm_options options = NETCL_NORM_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  FAILS_WITH(invalid, "axis is 2", netcl_op_layernorm(x.tensor, 2, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is u8; layernorm",
             netcl_op_layernorm(whole.tensor, 1, NULL, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is u8; rmsnorm",
             netcl_op_rmsnorm(whole.tensor, 1, NULL, NULL, &result));
  options.scale = wrong.tensor;
  FAILS_WITH(invalid, "options->scale has shape [5], which does not broadcast to [6]",
             netcl_op_layernorm(x.tensor, 1, &options, NULL, &result));
  options.scale = deep.tensor;
  FAILS_WITH(invalid, "[2, 4, 6]", netcl_op_layernorm(x.tensor, 0, &options, NULL, &result));
  options.scale = half.tensor;
  FAILS_WITH(invalid, "options->scale is f16 and x is f32",
             netcl_op_rmsnorm(x.tensor, 1, &options, NULL, &result));
  options.scale = good.tensor;
  options.bias = wrong.tensor;
  FAILS_WITH(invalid, "options->bias has shape [5]",
             netcl_op_layernorm(x.tensor, 1, &options, NULL, &result));
  options.bias = good.tensor;
  FAILS_WITH(invalid, "rmsnorm has none", netcl_op_rmsnorm(x.tensor, 1, &options, NULL, &result));
  options.epsilon = -1;
  FAILS_WITH(invalid, "options->epsilon is -1",
             netcl_op_layernorm(x.tensor, 1, &options, NULL, &result));
  options.epsilon = NAN;
  FAILS(invalid, netcl_op_layernorm(x.tensor, 1, &options, NULL, &result));
  options.epsilon = 0;
  run.into = whole.tensor;
  FAILS_WITH(invalid, "u8", netcl_op_layernorm(x.tensor, 1, &options, &run, NULL));
  options.scale = deep.tensor;
  options.bias = NULL;
  run.into = deep.tensor;
  FAILS_WITH(invalid, "shares its memory with options->scale",
             netcl_op_layernorm(deep.tensor, 0, &options, &run, NULL));
  assert_null(result);
  NormTensor* const all[] = {&x, &whole, &good, &wrong, &deep, &half};
  for (size_t i = 0; i < COUNT_OF(all); ++i) norm_free(all[i]);
}

int main(void) {
  static const struct CMUnitTest kTests[] = {
      DEVICE_TEST(random_cases),     DEVICE_TEST(lengths),
      DEVICE_TEST(offsets),          DEVICE_TEST(infinite_square),
      DEVICE_TEST(same_bits),        DEVICE_TEST(errors),
      DEVICE_TEST(empty_statistics), DEVICE_TEST(statistics_refused),
      DEVICE_TEST(as_kernels)};
  seed_random("norm");
  return cmocka_run_group_tests_name("norm", kTests, NULL, NULL);
}
