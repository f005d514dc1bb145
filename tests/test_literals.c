/*
 * Literals of expressions on devices that run them as kernels: their values are arguments, so that
 * expressions which differ in literals alone share one program, and each still has its own values.
 */
#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "support.h"
#include "support_kernel.h"

static uint64_t built(void) { return cache_counters().source_builds; }

/* So many programs at most may have been built since; where ops are no kernels, none. */
static void check_built(const Fixture* fixture, uint64_t before, uint64_t most, const char* what) {
  const uint64_t programs = built() - before;
  CHECK(programs <= (fixture->kernels ? most : 0), "%s built %llu programs, not %llu at most", what,
        (unsigned long long)programs, (unsigned long long)most);
}

static netcl_tensor* evaluate(const char* text, netcl_tensor* const* inputs, uint32_t count,
                              netcl_tensor* into) {
  netcl_tensor* result = into;
  const netcl_run_options run = run_into(into);
  const netcl_status status =
      into != NULL ? netcl_op_expression_text(text, inputs, count, NULL, &run, NULL)
                   : netcl_op_expression_text(text, inputs, count, NULL, NULL, &result);
  CHECK(status == NETCL_OK, "\"%s\": %s", text, netcl_last_error_message());
  return result;
}

/* A number as formulas have it, in any locale. */
static const char *number_text(char text[32], double value) {
  snprintf(text, 32, "%.9g", value);
  char *const comma = strchr(text, ',');
  if (comma != NULL) *comma = '.';
  return text;
}

static float number_value(const char *text) {
  char own[32];
  snprintf(own, sizeof own, "%s", text);
  char *const point = strchr(own, '.');
  if (point != NULL) *point = *localeconv()->decimal_point;
  return strtof(own, NULL);
}

/* A learning rate that changes from step to step, called again now and then: what is replayed has
 * its own value too. */
static void one_program(void** state) {
  Fixture* fixture = *state;
  enum { N = 5000, RATES = 50 };
  static float weights[N], slopes[N];
  const int64_t shape[] = {N};
  fill_random(NETCL_F32, weights, N, 10);
  fill_random(NETCL_F32, slopes, N, 10);
  netcl_tensor* const inputs[] = {make_tensor(fixture->device, NETCL_F32, 1, shape, weights),
                                  make_tensor(fixture->device, NETCL_F32, 1, shape, slopes)};
  float rates[RATES];
  for (int i = 0; i < RATES; ++i) rates[i] = (float)random_real(-3, 3);
  const uint64_t before = built();
  for (int call = 0; call < 4 * RATES; ++call) {
    const float rate = rates[call < RATES ? call : (int)random_in(0, RATES - 1)];
    char text[64];
    char number[32];
    snprintf(text, sizeof text, "v0 - v1 * %s", number_text(number, rate));
    netcl_tensor* const result = evaluate(text, inputs, 2, NULL);
    float* const got = read_tensor(result);
    for (int i = 0; i < N; ++i) {
      const volatile float step = slopes[i] * rate;
      const volatile float wanted = weights[i] - step;
      CHECK(same_element(NETCL_F32, &got[i], (const float*)&wanted),
            "%s of %a and %a is %a, not %a", text, (double)weights[i], (double)slopes[i],
            (double)got[i], (double)wanted);
    }
    free(got);
    netcl_tensor_release(result);
  }
  check_built(fixture, before, 1, "50 learning rates");
  for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
}

/* Values that every dtype holds exactly, in one dimension and through a transposed view. */
static void every_dtype(void** state) {
  Fixture* fixture = *state;
  enum { ROWS = 30, COLUMNS = 40, N = ROWS * COLUMNS };
  const int64_t shape[] = {ROWS, COLUMNS};
  const uint32_t axes[] = {1, 0};
  for (int d = 0; d < DTYPES; ++d) {
    const netcl_dtype dtype = kDtypes[d];
    if (dtype == NETCL_BOOL) continue;
    if (dtype == NETCL_F64 && fixture->opencl && !fixture->capabilities.fp64) continue;
    const int real = is_float_dtype(dtype), low = real || is_signed_dtype(dtype) ? -4 : 0;
    unsigned char data[N * 8];
    for (int i = 0; i < N; ++i) store_double(dtype, data, i, (double)random_in(low, 4));
    netcl_tensor* const packed = make_tensor(fixture->device, dtype, 2, shape, data);
    netcl_tensor* turned = NULL;
    OK(netcl_tensor_permute(packed, axes, 2, &turned));
    for (int strided = 0; strided < 2; ++strided) {
      if (rounds(fixture, 5) < 5 && random_in(0, 2) != 0) continue;
      netcl_tensor* const inputs[] = {strided ? turned : packed};
      const uint64_t before = built();
      for (int call = 0; call < 6; ++call) {
        const double unit = real ? 0.25 : 1;
        const double a = unit * (double)(2 * random_in(low / 2, 3) + 1);
        const double b = unit * (double)(2 * random_in(5, 9));
        char text[96];
        char first[32], second[32];
        snprintf(text, sizeof text, "v0 * %s + %s", number_text(first, a), number_text(second, b));
        netcl_tensor* const result = evaluate(text, inputs, 1, NULL);
        assert_int_equal(tensor_info(result).dtype, dtype);
        unsigned char wanted[N * 8];
        for (int i = 0; i < N; ++i) {
          const int at = strided ? i % ROWS * COLUMNS + i / ROWS : i;
          store_double(dtype, wanted, i, load_double(dtype, data, at) * a + b);
        }
        CHECK_TENSOR(result, wanted);
        netcl_tensor_release(result);
      }
      check_built(fixture, before, 1, netcl_dtype_name(dtype));
    }
    netcl_tensor_release(turned);
    netcl_tensor_release(packed);
  }
}

/* Each literal where its value could be taken for another's, as the same number from a tensor. */
static void values_stay_apart(void** state) {
  Fixture* fixture = *state;
  static const struct {
    netcl_dtype dtype;
    const char* form;
    const char* literals[5];
  } kCases[] = {
      {NETCL_F32, "v0 + %s", {"0.0", "-0.0", "1", "inf", "1e-45"}},
      {NETCL_F32, "v0 * %s", {"0.0", "-0.0", "1", "-inf", "2"}},
      {NETCL_F32, "min(v0, %s)", {"0.0", "nan", "1", "inf", "-3.5"}},
      {NETCL_F32, "v0 > %s ? v0 : %s", {"0.0", "-0.5", "1", "inf", "3.25"}},
      {NETCL_F32, "clamp(v0, -2.0, %s)", {"-1", "0", "0.75", "inf", "2"}},
      {NETCL_I32, "v0 + %s", {"0", "1", "-1", "-2147483648", "2147483647"}},
      {NETCL_I32, "v0 << %s", {"0", "1", "31", "32", "-1"}},
      {NETCL_I32, "v0 >> %s", {"0", "1", "31", "32", "-1"}},
      {NETCL_I32, "v0 / %s", {"0", "1", "-1", "3", "-2147483648"}},
      {NETCL_I32, "v0 %% %s", {"0", "1", "-1", "7", "-2147483648"}},
      {NETCL_I32, "v0 & %s", {"0", "1", "-1", "255", "-2147483648"}},
      {NETCL_I32, "pow(v0, %s)", {"0", "1", "-1", "2", "5"}},
      {NETCL_U64, "v0 * %s", {"0", "1", "3", "4294967296", "18446744073709551615"}},
      {NETCL_U8, "v0 ^ %s", {"0", "1", "127", "128", "255"}},
  };
  enum { N = 100 };
  const int64_t shape[] = {N};
  for (size_t c = 0; c < COUNT_OF(kCases); ++c) {
    /* Some of those that cost a compilation each. */
    if (rounds(fixture, 5) < 5 && random_in(0, 4) != 0) continue;
    const netcl_dtype dtype = kCases[c].dtype;
    unsigned char data[N * 8];
    fill_random(dtype, data, N, 100);
    netcl_tensor* inputs[2] = {make_tensor(fixture->device, dtype, 1, shape, data), NULL};
    for (size_t l = 0; l < COUNT_OF(kCases[c].literals); ++l) {
      const char* const literal = kCases[c].literals[l];
      char text[96], general[96];
      snprintf(text, sizeof text, kCases[c].form, literal, literal);
      snprintf(general, sizeof general, kCases[c].form, "v1", "v1");
      unsigned char value[8] = {0};
      const long long whole = literal[0] == '-' ? strtoll(literal, NULL, 10)
                                                : (long long)strtoull(literal, NULL, 10);
      const float single = number_value(literal);
      memcpy(value, dtype == NETCL_F32 ? (const void*)&single : &whole,
             netcl_dtype_size(dtype));
      inputs[1] = make_tensor(fixture->device, dtype, 0, NULL, value);
      netcl_tensor *const got = evaluate(text, inputs, 1, NULL),
                          *const wanted = evaluate(general, inputs, 2, NULL);
      unsigned char *const a = read_tensor(got), *const b = read_tensor(wanted);
      for (size_t i = 0; i < N; ++i) {
        const size_t at = i * netcl_dtype_size(dtype);
        CHECK(same_element(dtype, a + at, b + at), "\"%s\" of %g is %g, with a tensor %g", text,
              load_double(dtype, data, (int64_t)i), load_double(dtype, a, (int64_t)i),
              load_double(dtype, b, (int64_t)i));
      }
      free(a);
      free(b);
      netcl_tensor_release(got);
      netcl_tensor_release(wanted);
      netcl_tensor_release(inputs[1]);
    }
    netcl_tensor_release(inputs[0]);
  }
}

/* More literals than a kernel has arguments for. */
static void many_literals(void** state) {
  Fixture* fixture = *state;
  enum { N = 16, LITERALS = 40 };
  const int64_t shape[] = {N};
  int32_t data[N];
  for (int i = 0; i < N; ++i) data[i] = (int32_t)random_in(-100, 100);
  netcl_tensor* const input = make_tensor(fixture->device, NETCL_I32, 1, shape, data);
  int32_t literals[LITERALS];
  for (int round = 0; round < 3; ++round) {
    /* Each time other values of one in front and one behind, all of them different. */
    for (int i = 0; i < LITERALS && round == 0; ++i) literals[i] = 1000 * i + 17;
    literals[2] = 2000 + round;
    literals[LITERALS - 1] = 90000 + round;
    char text[2000] = "v0";
    int32_t wanted[N];
    for (int i = 0; i < LITERALS; ++i) {
      snprintf(text + strlen(text), 40, " %c %d", i % 2 == 0 ? '+' : '^', literals[i]);
    }
    for (int n = 0; n < N; ++n) {
      /* Sums bind closer than ^, which goes from left to right. */
      int32_t value = data[n] + literals[0];
      for (int i = 1; i + 1 < LITERALS; i += 2) value ^= literals[i] + literals[i + 1];
      wanted[n] = value ^ literals[LITERALS - 1];
    }
    netcl_tensor* const result = evaluate(text, &input, 1, NULL);
    CHECK_TENSOR(result, wanted);
    netcl_tensor_release(result);
  }
  netcl_tensor_release(input);
}

/* What ops make of their parameters are such literals as well. */
static void parameters_of_ops(void** state) {
  Fixture* fixture = *state;
  enum { N = 2000 };
  static float data[N], wanted[N];
  const int64_t shape[] = {N};
  fill_random(NETCL_F32, data, N, 10);
  netcl_tensor* const input = make_tensor(fixture->device, NETCL_F32, 1, shape, data);
  const uint64_t before = built();
  for (int call = 0; call < 10; ++call) {
    netcl_elementwise_options options = NETCL_ELEMENTWISE_OPTIONS_INIT;
    options.has_parameters = 1;
    options.alpha = (double)(float)random_real(0.01, 0.9);
    netcl_tensor* result = NULL;
    OK(netcl_op_elementwise(NETCL_ELEMENTWISE_LEAKY_RELU, &input, 1, &options, NULL, &result));
    for (int i = 0; i < N; ++i) {
      wanted[i] = data[i] > 0 ? data[i] : (float)options.alpha * data[i];
    }
    CHECK_TENSOR(result, wanted);
    netcl_tensor_release(result);
  }
  check_built(fixture, before, 1, "10 slopes of a leaky rectifier");
  netcl_tensor_release(input);
}

int main(void) {
  /* CPUs of OpenCL would compile nothing. */
  take_kernels();
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(one_program),   DEVICE_TEST(every_dtype),       DEVICE_TEST(values_stay_apart),
      DEVICE_TEST(many_literals), DEVICE_TEST(parameters_of_ops),
  };
  seed_random("literals");
  return cmocka_run_group_tests_name("literals", tests, NULL, NULL);
}
