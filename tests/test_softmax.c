/* Softmax and log-softmax against extended precision, with the error bounds of the header. */
#include <math.h>

#include "support_norm.h"

typedef struct Case {
  netcl_dtype dtype;
  uint32_t rank;
  int64_t shape[NETCL_RANK_MAX];
  int axis;
  int logarithm;
  NormLayout layout;
  int target; /* 0: a new tensor, 1: a strided one, 2: x itself */
} Case;

/* One row of n elements, `step` apart from each other in both arrays. */
static void check_row(const Case* test, const double* x, const double* got, int64_t n,
                      int64_t step) {
  const double u = norm_compute_roundoff(test->dtype);
  double m = -INFINITY;
  int nan = 0;
  long double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    nan |= isnan(x[i * step]) || x[i * step] == INFINITY;
    if (x[i * step] > m) m = x[i * step];
  }
  nan |= m == -INFINITY;
  for (int64_t i = 0; !nan && i < n; ++i) sum += expl((long double)x[i * step] - (long double)m);
  for (int64_t i = 0; i < n; ++i) {
    const double value = got[i * step];
    if (nan) {
      CHECK(isnan(value), "element %lld of a row without numbers is %g", (long long)i, value);
      continue;
    }
    const double far = m - x[i * step];
    const double wanted = test->logarithm ? (double)(-(long double)far - logl(sum))
                                          : (double)(expl(-(long double)far) / sum);
    double bound;
    if (test->logarithm) {
      if (isinf(wanted)) {
        CHECK(value == wanted, "element %lld is %g, not %g", (long long)i, value, wanted);
        continue;
      }
      bound = 8 * u * (far + log((double)n) + 1);
    } else {
      bound = (8 + log2((double)n)) * norm_ulp(test->dtype, wanted);
      if (wanted > 0) bound += 2 * far * u * wanted;
    }
    bound += norm_rounding(test->dtype, wanted);
    CHECK(fabs(value - wanted) <= bound,
          "%s of %s, n = %lld, element %lld: %.9g, not %.9g (bound %g, x %g, max %g)",
          test->logarithm ? "log_softmax" : "softmax", netcl_dtype_name(test->dtype), (long long)n,
          (long long)i, value, wanted, bound, x[i * step], m);
  }
}

static void check_rows(const Case* test, const double* x, const double* got) {
  const int64_t n = test->shape[test->axis];
  const int64_t inner =
      product(test->rank - (uint32_t)test->axis - 1, test->shape + test->axis + 1);
  const int64_t outer = product((uint32_t)test->axis, test->shape);
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < inner; ++i) {
      check_row(test, x + o * n * inner + i, got + o * n * inner + i, n, inner);
    }
  }
}

static void run_softmax(const Case* test, netcl_tensor* x, const netcl_run_options* run,
                        netcl_tensor** result) {
  const int32_t axis = random_in(0, 1) ? test->axis : test->axis - (int32_t)test->rank;
  OK(test->logarithm ? netcl_op_log_softmax(x, axis, run, result)
                     : netcl_op_softmax(x, axis, run, result));
}

/* Runs the op on x and checks every element; `values` replace the random ones of x when set. */
static void check_case(Fixture* fixture, const Case* test, const double* values) {
  const double spread = random_in(0, 3) == 0 ? 60 : 4;
  NormTensor x = norm_random(fixture, test->dtype, test->rank, test->shape, test->layout,
                             random_in(0, 2) == 0 ? 100 : 0, spread);
  if (values != NULL) norm_write(&x, values);
  double* before = norm_values(&x);
  NormTensor into = norm_random(fixture, test->dtype, test->rank, test->shape,
                                test->target == 1 ? NORM_VIEW : NORM_PACKED, 0, 1);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_tensor* result = NULL;
  if (test->target == 1) run.into = into.tensor;
  if (test->target == 2) run.into = x.tensor;
  run_softmax(test, x.tensor, &run, test->target == 0 ? &result : NULL);
  double* got = norm_read(test->target == 0 ? result : run.into, test->dtype,
                          product(test->rank, test->shape));
  check_rows(test, before, got);
  free(got);
  free(before);
  netcl_tensor_release(result);
  norm_free(&into);
  norm_free(&x);
}

static void random_cases(void** state) {
  Fixture* fixture = *state;
  for (int round = 0; round < rounds(fixture, 400); ++round) {
    Case test = {norm_float_dtype(fixture),
                 (uint32_t)random_in(1, 5),
                 {0},
                 0,
                 (int)random_in(0, 1),
                 NORM_PACKED,
                 (int)random_in(0, 2)};
    for (uint32_t d = 0; d < test.rank; ++d) {
      test.shape[d] = random_in(round % 20 == 0 ? 0 : 1, test.rank > 3 ? 6 : 40);
    }
    test.axis = (int)random_in(0, test.rank - 1);
    test.layout = (NormLayout)random_in(0, 3);
    /* Elements that repeat cannot be written. */
    if (test.target == 2 && test.layout == NORM_BROADCAST) test.layout = NORM_VIEW;
    check_case(fixture, &test, NULL);
  }
}

/* Lengths on both sides of every limit between kernels. */
static void lengths(void** state) {
  Fixture* fixture = *state;
  static const int64_t kLengths[] = {1,    2,    3,    15,   16,   17,    31,    64,    127,
                                     128,  129,  255,  257,  509,  1000,  1023,  1024,  1025,
                                     2048, 4093, 4096, 4100, 8192, 16384, 16385, 32768, 40001};
  for (size_t i = 0; i < COUNT_OF(kLengths); ++i) {
    for (int logarithm = 0; logarithm < 2; ++logarithm) {
      const int64_t n = kLengths[i];
      Case test = {i % 3 == 0 ? norm_float_dtype(fixture) : NETCL_F32,
                   2,
                   {n > 5000 ? 2 : 5, n},
                   1,
                   logarithm,
                   NORM_PACKED,
                   i % 2 ? 2 : 0};
      check_case(fixture, &test, NULL);
      if (n % 4 == 0) {
        test.layout = NORM_VIEW;
        check_case(fixture, &test, NULL);
      }
    }
  }
}

/* One row that many threads or groups share, and few rows of that kind. */
static void long_rows(void** state) {
  Fixture* fixture = *state;
  for (int logarithm = 0; logarithm < 2; ++logarithm) {
    Case test = {NETCL_F32, 2, {1, 300007}, 1, logarithm, NORM_PACKED, 0};
    check_case(fixture, &test, NULL);
    test.dtype = NETCL_BF16;
    test.shape[0] = 2;
    test.shape[1] = 140000;
    test.target = 1;
    check_case(fixture, &test, NULL);
    if (!fixture->capabilities.fp64) continue;
    test.dtype = NETCL_F64;
    test.target = 2;
    check_case(fixture, &test, NULL);
  }
}

/* Axes that are not the last one, with rows beside each other that do and do not fill vectors. */
static void across(void** state) {
  Fixture* fixture = *state;
  static const int64_t kWidths[] = {2, 5, 16, 17, 33, 64, 100};
  for (size_t i = 0; i < COUNT_OF(kWidths); ++i) {
    for (int length = 1; length <= 300; length = length * 4 + 3) {
      Case test = {i % 2 ? norm_float_dtype(fixture) : NETCL_F32,
                   3,
                   {3, length, kWidths[i]},
                   1,
                   (int)(i + (size_t)length) % 2,
                   NORM_PACKED,
                   (int)random_in(0, 2)};
      check_case(fixture, &test, NULL);
      test.layout = NORM_VIEW;
      check_case(fixture, &test, NULL);
    }
  }
}

/* NaN, infinities, results that are denormal or 0, and rows of one value. */
static void special_values(void** state) {
  Fixture* fixture = *state;
  static const double kRows[][4] = {{1, NAN, 2, 3},
                                    {1, INFINITY, 2, 3},
                                    {INFINITY, INFINITY, 1, 2},
                                    {-INFINITY, -INFINITY, -INFINITY, -INFINITY},
                                    {-INFINITY, 0, 1, -INFINITY},
                                    {0, -87, -95, -103},
                                    {0, -104, -1000, -60000},
                                    {30000, -30000, 0, 29999},
                                    {NAN, NAN, NAN, NAN},
                                    {0, 0, 0, 0},
                                    {-60000, -60000, -60001, -INFINITY},
                                    {1e-40, -1e-40, 0, 1e-45}};
  enum { ROWS = (int)COUNT_OF(kRows) };
  static const int64_t kLengths[] = {4, 9, 40, 1100, 20000};
  for (size_t k = 0; k < COUNT_OF(kLengths); ++k) {
    const int64_t n = kLengths[k];
    double* values = malloc((size_t)(ROWS * n) * sizeof *values);
    assert_non_null(values);
    for (int form = 0; form < 12; ++form) {
      Case test = {form < 4 ? NETCL_F32 : norm_float_dtype(fixture), 2, {ROWS, n}, 1, form % 2,
                   form % 3 == 0 ? NORM_VIEW : NORM_PACKED,          0};
      const int turned = form % 4 >= 2;
      /* The special values stand at random places of a row that repeats its first one. */
      for (int64_t i = 0; i < ROWS * n; ++i) values[i] = kRows[i / n][0];
      for (int64_t row = 0; row < ROWS; ++row) {
        if (isinf(kRows[row][0]) && kRows[row][0] > 0) values[row * n] = 0;
        for (int v = 0; v < 4; ++v)
          values[row * n + random_in(v * n / 4, (v + 1) * n / 4 - 1)] = kRows[row][v];
      }
      if (turned) {
        double* other = malloc((size_t)(ROWS * n) * sizeof *values);
        assert_non_null(other);
        for (int64_t i = 0; i < ROWS * n; ++i) other[i % n * ROWS + i / n] = values[i];
        memcpy(values, other, (size_t)(ROWS * n) * sizeof *values);
        free(other);
        test.shape[0] = n;
        test.shape[1] = ROWS;
        test.axis = 0;
      }
      check_case(fixture, &test, values);
    }
    free(values);
  }
}

static void same_bits(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShapes[][2] = {{40, 1000}, {3, 5000}, {1, 200000}, {2000, 7}};
  for (size_t i = 0; i < COUNT_OF(kShapes); ++i) {
    NormTensor x = norm_random(fixture, NETCL_F32, 2, kShapes[i], NORM_PACKED, 0, 5);
    netcl_tensor* first = NULL;
    OK(netcl_op_softmax(x.tensor, -1, NULL, &first));
    void* bits = read_tensor(first);
    for (int k = 0; k < 3; ++k) {
      netcl_tensor* again = NULL;
      OK(netcl_op_softmax(x.tensor, -1, NULL, &again));
      CHECK_TENSOR(again, bits);
      netcl_tensor_release(again);
    }
    free(bits);
    netcl_tensor_release(first);
    norm_free(&x);
  }
}

static void errors(void** state) {
  Fixture* fixture = *state;
  const int64_t shape[] = {4, 6}, other_shape[] = {6, 4};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  NormTensor x = norm_random(fixture, NETCL_F32, 2, shape, NORM_PACKED, 0, 1);
  NormTensor whole = norm_random(fixture, NETCL_I32, 2, shape, NORM_PACKED, 0, 9);
  NormTensor other = norm_random(fixture, NETCL_F32, 2, other_shape, NORM_PACKED, 0, 1);
  NormTensor half = norm_random(fixture, NETCL_F16, 2, shape, NORM_PACKED, 0, 1);
  NormTensor scalar = norm_random(fixture, NETCL_F32, 0, shape, NORM_PACKED, 0, 1);
  netcl_tensor *result = NULL, *turned = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_range ranges[] = {{3, 4, -1}, {0, 6, 1}};
  FAILS_WITH(invalid, "axis is 2; the tensor has rank 2",
             netcl_op_softmax(x.tensor, 2, NULL, &result));
  FAILS_WITH(invalid, "axis is -3", netcl_op_log_softmax(x.tensor, -3, NULL, &result));
  FAILS_WITH(invalid, "rank 0", netcl_op_softmax(scalar.tensor, 0, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is i32; softmax",
             netcl_op_softmax(whole.tensor, 0, NULL, &result));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "x is i32; log_softmax",
             netcl_op_log_softmax(whole.tensor, 0, NULL, &result));
  run.into = other.tensor;
  FAILS_WITH(invalid, "[6, 4]", netcl_op_softmax(x.tensor, 0, &run, NULL));
  run.into = half.tensor;
  FAILS_WITH(invalid, "f16", netcl_op_softmax(x.tensor, 0, &run, NULL));
  OK(netcl_tensor_slice(x.tensor, ranges, 2, &turned));
  run.into = turned;
  FAILS_WITH(invalid, "shares its memory with x", netcl_op_softmax(x.tensor, 0, &run, NULL));
  FAILS_WITH(invalid, "result is NULL", netcl_op_softmax(x.tensor, 0, NULL, NULL));
  assert_null(result);
  netcl_tensor_release(turned);
  norm_free(&x);
  norm_free(&whole);
  norm_free(&other);
  norm_free(&half);
  norm_free(&scalar);
}

int main(void) {
  static const struct CMUnitTest kTests[] = {DEVICE_TEST(random_cases),   DEVICE_TEST(lengths),
                                             DEVICE_TEST(long_rows),      DEVICE_TEST(across),
                                             DEVICE_TEST(special_values), DEVICE_TEST(same_bits),
                                             DEVICE_TEST(errors),         DEVICE_TEST(as_kernels)};
  seed_random("softmax");
  return cmocka_run_group_tests_name("softmax", kTests, NULL, NULL);
}
