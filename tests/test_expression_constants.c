/* What is made of literals alone is worked out beforehand. It has to be what the same operator
 * makes of tensors that hold the same numbers, to the bit. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "support.h"

static const char *const kBinary[] = {"v0 + v1",      "v0 - v1",      "v0 * v1",     "v0 / v1",
                                      "v0 % v1",      "min(v0, v1)",  "max(v0, v1)", "v0 < v1",
                                      "v0 == v1",     "v0 >= v1",     "v0 && v1",    "xor(v0, v1)",
                                      "where(v0, v0, v1)"};
static const char *const kBits[] = {"v0 << v1", "v0 >> v1", "v0 & v1", "v0 | v1", "v0 ^ v1",
                                    "ipow(v0, v1)"};
static const char *const kUnary[] = {"-v0", "abs(v0)", "sign(v0)", "square(v0)", "relu(v0)",
                                     "floor(v0)", "round(v0)", "!v0", "isnan(v0)", "bool(v0)",
                                     "i8(v0)", "u8(v0)", "i32(v0)", "u32(v0)", "i64(v0)", "u64(v0)",
                                     "f16(v0)", "bf16(v0)", "f32(v0)"};

/* Puts a for v0 and b for v1. */
static void substitute(const char *formula, const char *a, const char *b, char *text) {
  for (; *formula != '\0'; ++formula) {
    if (formula[0] == 'v' && (formula[1] == '0' || formula[1] == '1')) {
      text += sprintf(text, "(%s)", formula[1] == '0' ? a : b);
      ++formula;
    } else {
      *text++ = *formula;
    }
  }
  *text = '\0';
}

/* The constant, as dtype, and the same of tensors. False when the constant is refused since it
 * leaves 64 bits, which sums and products of tensors leave by wrapping around. */
static int evaluate(Fixture *fixture, const char *formula, netcl_dtype dtype, const char *a,
                    const char *b, const void *values, unsigned char *constant,
                    unsigned char *computed, netcl_dtype *made) {
  char text[256];
  netcl_tensor *result = NULL, *inputs[2];
  netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
  const size_t size = netcl_dtype_size(dtype);
  memset(constant, POISON, 8);
  memset(computed, POISON, 8);
  for (int i = 0; i < 2; ++i) {
    inputs[i] = make_tensor(fixture->device, dtype, 0, NULL, (const char *)values + i * (int)size);
  }
  OK(netcl_op_expression_text(formula, inputs, 2, NULL, NULL, &result));
  *made = tensor_info(result).dtype;
  OK(netcl_tensor_read(result, computed, netcl_dtype_size(*made), NULL, LONG_WAIT));
  netcl_tensor_release(result);
  substitute(formula, a, b, text);
  options.dtype = *made;
  result = NULL;
  const netcl_status status = netcl_op_expression_text(text, inputs, 1, &options, NULL, &result);
  const char *const message = status == NETCL_OK ? "" : netcl_last_error_message();
  const int refused = strstr(message, "exceeds 64 bits") != NULL ||
                      strstr(message, "does not fit") != NULL;
  CHECK(status == NETCL_OK || refused, "%s: %s", text, message);
  if (status == NETCL_OK) {
    OK(netcl_tensor_read(result, constant, netcl_dtype_size(*made), NULL, LONG_WAIT));
    netcl_tensor_release(result);
  }
  for (int i = 0; i < 2; ++i) netcl_tensor_release(inputs[i]);
  return status == NETCL_OK;
}

static double real_of(netcl_dtype dtype, const unsigned char *bits) {
  if (dtype == NETCL_F64) {
    double value;
    memcpy(&value, bits, sizeof value);
    return value;
  }
  const Value value = load_value(dtype, bits, 0);
  return value.kind == VALUE_SIGNED     ? (double)value.integer
         : value.kind == VALUE_UNSIGNED ? (double)value.natural
                                        : value.real;
}

static void compare(const char *formula, const char *a, const char *b, netcl_dtype dtype,
                    const unsigned char *constant, const unsigned char *computed) {
  const size_t size = netcl_dtype_size(dtype);
  const double x = real_of(dtype, constant), y = real_of(dtype, computed);
  const int same = memcmp(constant, computed, size) == 0 || (isnan(x) && isnan(y));
  CHECK(same, "%s of %s and %s as literals is %.17g, of tensors %.17g (%s)", formula, a, b, x, y,
        netcl_dtype_name(dtype));
}

/* Integers: those around 0, around the width as counts of shifts, and the ends. */
static const char *const kIntegers[] = {"0",  "1",  "-1", "2", "-3", "5",  "7",   "31",
                                        "32", "63", "64", "70", "-70", "1000000007",
                                        "-4611686018427387904", "9223372036854775807"};

static void integers(void **state) {
  Fixture *fixture = *state;
  const int few = rounds(fixture, 5) < 5; /* where each text costs a compilation */
  int refused = 0, same = 0;
  for (size_t f = 0; f < COUNT_OF(kBinary) + COUNT_OF(kBits); ++f) {
    const char *const formula = f < COUNT_OF(kBits) ? kBits[f] : kBinary[f - COUNT_OF(kBits)];
    for (size_t i = 0; i < COUNT_OF(kIntegers); ++i) {
      for (size_t k = 0; k < COUNT_OF(kIntegers); ++k) {
        if (few && (f + 5 * i + 3 * k) % 97 != 0) continue;
        const int64_t values[2] = {strtoll(kIntegers[i], NULL, 10),
                                   strtoll(kIntegers[k], NULL, 10)};
        unsigned char constant[8], computed[8];
        netcl_dtype made = 0;
        if (evaluate(fixture, formula, NETCL_I64, kIntegers[i], kIntegers[k], values, constant,
                     computed, &made)) {
          compare(formula, kIntegers[i], kIntegers[k], made, constant, computed);
          ++same;
        } else {
          CHECK(strpbrk(formula, "+-*<w") != NULL, "%s of %s and %s is refused", formula,
                kIntegers[i], kIntegers[k]);
          ++refused;
        }
      }
    }
  }
  print_message("%d the same, %d beyond 64 bits\n", same, refused);
  assert_true(same > 20 * refused || few);
}

#define REAL(number) \
  { #number, number }
static const struct {
  const char* text;
  double value; /* no locale has its say */
} kReals[] = {REAL(0.0),     REAL(-0.0),        REAL(1.0),           REAL(-1.0),  REAL(2.5),
              REAL(-2.5),    REAL(0.5),         REAL(-0.5),          REAL(1e300), REAL(-1e300),
              REAL(1e-310),  REAL(3e9),         REAL(-3e9),          REAL(1e19),  REAL(300.7),
              REAL(65504.0), {"inf", INFINITY}, {"-inf", -INFINITY}, {"nan", NAN}};

/* Not all of these can be written as one literal. */
static const char* literal_of(const char* text) {
  return strcmp(text, "inf") == 0    ? "1e308 * 10"
         : strcmp(text, "-inf") == 0 ? "-1e308 * 10"
         : strcmp(text, "nan") == 0  ? "1e308 * 10 - 1e308 * 10"
                                     : text;
}

static void reals(void **state) {
  Fixture *fixture = *state;
  const int few = rounds(fixture, 5) < 5;
  for (size_t f = 0; f < COUNT_OF(kBinary); ++f) {
    for (size_t i = 0; i < COUNT_OF(kReals); ++i) {
      for (size_t k = 0; k < COUNT_OF(kReals); ++k) {
        if (few && (f + 5 * i + 3 * k) % 97 != 0) continue;
        const double values[2] = {kReals[i].value, kReals[k].value};
        unsigned char constant[8], computed[8];
        netcl_dtype made = 0;
        assert_true(evaluate(fixture, kBinary[f], NETCL_F64, literal_of(kReals[i].text),
                             literal_of(kReals[k].text), values, constant, computed, &made));
        compare(kBinary[f], kReals[i].text, kReals[k].text, made, constant, computed);
      }
    }
  }
}

static void of_one_number(void **state) {
  Fixture *fixture = *state;
  const int few = rounds(fixture, 5) < 5;
  for (size_t f = 0; f < COUNT_OF(kUnary); ++f) {
    unsigned char constant[8], computed[8];
    netcl_dtype made = 0;
    for (size_t i = 0; i < COUNT_OF(kReals); ++i) {
      if (few && (f + i) % 7 != 0) continue;
      const double values[2] = {kReals[i].value, 0};
      assert_true(evaluate(fixture, kUnary[f], NETCL_F64, literal_of(kReals[i].text), "0", values,
                           constant, computed, &made));
      compare(kUnary[f], kReals[i].text, "", made, constant, computed);
    }
    for (size_t i = 0; i < COUNT_OF(kIntegers); ++i) {
      if (few && (f + i) % 7 != 0) continue;
      const int64_t values[2] = {strtoll(kIntegers[i], NULL, 10), 0};
      if (!evaluate(fixture, kUnary[f], NETCL_I64, kIntegers[i], "0", values, constant, computed,
                    &made)) {
        CHECK(strcmp(kUnary[f], "square(v0)") == 0, "%s of %s is refused", kUnary[f],
              kIntegers[i]);
        continue;
      }
      compare(kUnary[f], kIntegers[i], "", made, constant, computed);
    }
  }
}

/* A count of the width or more, or one below 0, leaves nothing but a sign. */
static void shifts(void **state) {
  Fixture *fixture = *state;
  static const struct {
    const char *text;
    int64_t value;
  } kCases[] = {{"5 << 70", 0},   {"5 << -1", 0},    {"-5 << 64", 0},     {"5 >> 70", 0},
                {"-5 >> 70", -1}, {"-5 >> -1", -1},  {"-5 >> 1", -3},     {"5 << 3", 40},
                {"1 << 62", (int64_t)1 << 62},       {"(5 << 70) + 7", 7}, {"true << 64", 0},
                {"5 << 18446744073709551615", 0},    {"-1 >> 63", -1},    {"1 >> 64", 0}};
  const int64_t one = 1;
  netcl_tensor *input = make_tensor(fixture->device, NETCL_I64, 0, NULL, &one);
  netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
  options.dtype = NETCL_I64;
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    netcl_tensor *result = NULL;
    int64_t got = 99;
    OK(netcl_op_expression_text(kCases[i].text, &input, 1, &options, NULL, &result));
    OK(netcl_tensor_read(result, &got, sizeof got, NULL, LONG_WAIT));
    CHECK(got == kCases[i].value, "%s is %lld", kCases[i].text, (long long)got);
    netcl_tensor_release(result);
  }
  netcl_tensor *result = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "exceeds 64 bits",
             netcl_op_expression_text("5 << 63", &input, 1, &options, NULL, &result));
  assert_null(result);
  netcl_tensor_release(input);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(shifts), DEVICE_TEST(integers), DEVICE_TEST(reals),
                                     DEVICE_TEST(of_one_number)};
  return cmocka_run_group_tests_name("expression_constants", tests, NULL, NULL);
}
