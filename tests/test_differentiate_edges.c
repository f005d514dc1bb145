/* Derivatives of expressions: what holds at kinks, types, how small and how deep they are. */
#include <math.h>
#include <stdio.h>

#include "support.h"

enum { INPUTS_MAX = 16 };

/* Evaluates an expression of f64 numbers; those after the given ones are 1. */
static double evaluate(Fixture *fixture, netcl_expression *expression, const double *given,
                       uint32_t given_count) {
  netcl_tensor *inputs[INPUTS_MAX], *result = NULL;
  const double one = 1;
  uint32_t count = 0;
  OK(netcl_expression_get_arity(expression, &count));
  if (count <= given_count) count = given_count + 1;
  assert_true(count <= INPUTS_MAX);
  for (uint32_t i = 0; i < count; ++i) {
    const double *number = i < given_count ? &given[i] : &one;
    inputs[i] = make_tensor(fixture->device, NETCL_F64, 0, NULL, number);
  }
  netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
  options.dtype = NETCL_F64;
  OK(netcl_op_expression(expression, inputs, count, &options, NULL, &result));
  double *got = read_tensor(result), value = *got;
  free(got);
  netcl_tensor_release(result);
  for (uint32_t i = 0; i < count; ++i) netcl_tensor_release(inputs[i]);
  return value;
}

/* The gradient of input k where that of the result is 1. */
static double at(Fixture *fixture, const char *text, uint32_t k, double x, double y, double z) {
  const double given[3] = {x, y, z};
  netcl_expression *expression = NULL, *gradient = NULL;
  uint32_t arity = 0;
  OK(netcl_expression_create(text, &expression));
  OK(netcl_expression_get_arity(expression, &arity));
  const netcl_status status = netcl_expression_differentiate(expression, k, &gradient);
  CHECK(status == NETCL_OK, "\"%.60s\": %s", text, netcl_last_error_message());
  const double value = evaluate(fixture, gradient, given, arity);
  netcl_expression_release(gradient);
  netcl_expression_release(expression);
  return value;
}

static void kinks(void **state) {
  Fixture *fixture = *state;
  static const struct {
    const char *text;
    uint32_t input;
    double x, y, z, wanted;
  } kCases[] = {
      {"abs(v0)", 0, 0, 0, 0, 0},
      {"relu(v0)", 0, 0, 0, 0, 0},
      {"max(v0, v1)", 0, 2, 2, 0, 0.5},
      {"max(v0, v1)", 1, 2, 2, 0, 0.5},
      {"min(v0, v1)", 0, 2, 2, 0, 0.5},
      {"min(v0, v1)", 1, 2, 2, 0, 0.5},
      {"max(v0, v0)", 0, 2, 0, 0, 1},
      {"clamp(v0, v1, v2)", 0, 1, 1, 2, 1},
      {"clamp(v0, v1, v2)", 0, 2, 1, 2, 1},
      {"clamp(v0, v1, v2)", 1, 1, 1, 2, 0},
      {"clamp(v0, v1, v2)", 2, 2, 1, 2, 0},
      {"clamp(v0, v1, v2)", 2, 0, 2, 1, 1},
      {"clamp(v0, v1, v2)", 1, 0, 2, 1, 0},
      {"leaky_relu(v0, v1)", 0, 0, 0.25, 0, 0.25},
      {"elu(v0, v1)", 0, 0, 0.25, 0, 0.25},
      {"round(v0)", 0, 0.5, 0, 0, 0},
      {"sign(v0)", 0, 0, 0, 0, 0},
      {"pow(v0, v1)", 0, 0, 0, 0, 0},
      {"pow(v0, v1)", 0, 0, 1, 0, 1},
      {"pow(v0, v1)", 1, 0, 0, 0, 0},
      {"pow(v0, v1)", 1, 0, 2, 0, 0},
      {"pow(v0, 3)", 0, -2, 0, 0, 12},
      {"sqrt(v0)", 0, 0, 0, 0, INFINITY},
      {"reciprocal(v0)", 0, 0, 0, 0, -INFINITY},
      {"sqrt(v0)", 0, -1, 0, 0, NAN},
      /* What a conditional did not take has no gradient, also where its derivative is no number. */
      {"v0 > 0 ? sqrt(v0) : 0", 0, 0, 0, 0, 0},
      {"v0 > 0 ? sqrt(v0) : 0", 0, -1, 0, 0, 0},
      {"v0 > 0 ? log(v0) : v0", 0, -1, 0, 0, 1},
      {"v0 <= 0 ? v0 : log(v0)", 0, 0, 0, 0, 1},
      {"where(v0 > 0, 1, 2) / v0", 0, 2, 0, 0, -0.25},
      {"relu(log(v0))", 0, 0, 0, 0, 0},
      {"max(sqrt(v0), v1)", 0, 0, 1, 0, 0},
      {"clamp(log(v0), -1, 1)", 0, 0, 0, 0, 0},
      {"silu(v0)", 0, 800, 0, 0, 1},
      {"silu(v0)", 0, -800, 0, 0, 0},
      {"softplus(v0)", 0, 800, 0, 0, 1},
      {"mish(v0)", 0, 800, 0, 0, 1},
      {"gelu(v0)", 0, -800, 0, 0, 0},
      {"i32(v0) * 2", 0, 1.5, 0, 0, 0},
      {"v0 * i32(v0)", 0, 2.5, 0, 0, 2},
  };
  if (!fixture->capabilities.fp64) SKIP("the device has no f64");
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    const double got = at(fixture, kCases[i].text, kCases[i].input, kCases[i].x, kCases[i].y,
                          kCases[i].z);
    const double wanted = kCases[i].wanted;
    CHECK(isnan(wanted) ? isnan(got) : got == wanted || fabs(got - wanted) <= 1e-14,
          "\"%s\" at (%g, %g, %g): input %u has gradient %.17g, not %g", kCases[i].text,
          kCases[i].x, kCases[i].y, kCases[i].z, kCases[i].input, got, wanted);
  }
}

/* A function of a float and an integer computes in floats, and so does its derivative. */
static void mixed_types(void **state) {
  Fixture *fixture = *state;
  static const struct {
    const char *text;
    double x;
    int integer;
    double wanted;
  } kCases[] = {
      {"atan2(v0, v1)", 3, 200, 200.0 / (9 + 40000)},
      {"atan2(v1, v0)", 3, 200, -200.0 / (9 + 40000)},
      {"pow(v0, v1)", 0.5, 0, 0},
      {"pow(v0, v1)", 1.5, 3, 3 * 2.25},
      {"pow(v1, v0)", 1.5, 3, 5.196152422706632 * 1.0986122886681098},
      {"v0 / v1", 3, 200, 1.0 / 200},
      {"v1 / v0", 0.5, 200, -800},
      {"mod(v1, v0)", 3.3, 200, -60},
      {"max(v0, v1)", 3, 200, 0},
      {"clamp(v0, v1, 255)", 201, 200, 1},
      {"v0 * (v1 + 100)", 3, 200, 44},
      {"elu(v0, v1)", -0.5, 200, 200 * 0.6065306597126334},
  };
  if (!fixture->capabilities.fp64) SKIP("the device has no f64");
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    const uint8_t integer = (uint8_t)kCases[i].integer;
    const double one = 1;
    netcl_expression *expression = NULL, *gradient = NULL;
    netcl_tensor *result = NULL;
    netcl_tensor *inputs[3] = {make_tensor(fixture->device, NETCL_F64, 0, NULL, &kCases[i].x),
                               make_tensor(fixture->device, NETCL_U8, 0, NULL, &integer),
                               make_tensor(fixture->device, NETCL_F64, 0, NULL, &one)};
    OK(netcl_expression_create(kCases[i].text, &expression));
    OK(netcl_expression_differentiate(expression, 0, &gradient));
    OK(netcl_op_expression(gradient, inputs, 3, NULL, NULL, &result));
    double *got = read_tensor(result);
    CHECK(fabs(*got - kCases[i].wanted) <= 1e-13 * (1 + fabs(kCases[i].wanted)),
          "\"%s\" with v0 = %g and v1 = %d: gradient %.17g, not %.17g", kCases[i].text, kCases[i].x,
          integer, *got, kCases[i].wanted);
    free(got);
    netcl_tensor_release(result);
    for (int k = 0; k < 3; ++k) netcl_tensor_release(inputs[k]);
    netcl_expression_release(gradient);
    netcl_expression_release(expression);
  }
}

static void derivatives_are_small(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t input;
    const char *wanted;
  } kCases[] = {
      {"v0 + v1", 0, "v2"}, {"v0 - v1", 1, "-v2"}, {"v0 * v1", 0, "v2 * v1"},
      {"v0 * v0", 0, "v1 * v0 * 2"}, {"3 * v0", 0, "v1 * 3"}, {"v0 / 4", 0, "v1 / 4"},
      {"exp(v0)", 0, "v1 * exp(v0)"}, {"floor(v0)", 0, "0"}, {"v0 > v1", 0, "0"},
      {"relu(v0)", 0, "where(v0 > 0, v1, 0)"}, {"-(-v0)", 0, "v1"},
      {"pow(v0, 2)", 0, "v1 * v0 * 2"},
      {"pow(v0, 1)", 0, "v1"}, {"-sin(v0)", 0, "-(v1 * cos(v0))"}, {"v1 * 2", 0, "0"},
      {"v0 > 0 ? v0 * 3 : v0 * 4", 0, "where(v0 > 0, v1 * 3, v1 * 4)"},
      {"f16(v0)", 0, "v1"}, {"v0 - v0", 0, "0"},
  };
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    netcl_expression *expression = NULL, *gradient = NULL;
    char text[256];
    OK(netcl_expression_create(kCases[i].text, &expression));
    OK(netcl_expression_differentiate(expression, kCases[i].input, &gradient));
    OK(netcl_expression_get_text(gradient, text, sizeof text, NULL));
    CHECK(strcmp(text, kCases[i].wanted) == 0, "the derivative of \"%s\" is \"%s\", not \"%s\"",
          kCases[i].text, text, kCases[i].wanted);
    netcl_expression_release(gradient);
    netcl_expression_release(expression);
  }
}

/* Derivatives of derivatives, up to where the limits of expressions end it with an error. */
static void higher_orders(void **state) {
  Fixture *fixture = *state;
  netcl_expression *expression = NULL, *first = NULL, *second = NULL;
  if (!fixture->capabilities.fp64) SKIP("the device has no f64");
  OK(netcl_expression_create("sin(v0 * v0)", &expression));
  OK(netcl_expression_differentiate(expression, 0, &first));
  OK(netcl_expression_differentiate(first, 0, &second));
  for (int i = 0; i < 20; ++i) {
    const double x = random_real(-2, 2), wanted = 2 * cos(x * x) - 4 * x * x * sin(x * x);
    const double got = evaluate(fixture, second, &x, 1);
    CHECK(fabs(got - wanted) <= 1e-12 * (1 + fabs(wanted)), "at %g: %.17g, not %.17g", x, got,
          wanted);
  }
  netcl_expression_release(second);
  netcl_expression_release(first);
  netcl_expression_release(expression);

  OK(netcl_expression_create("mish(gelu_tanh(mish(gelu_tanh(v0))))", &expression));
  netcl_status status = NETCL_OK;
  for (int order = 1; order <= 12 && status == NETCL_OK; ++order) {
    netcl_expression *next = NULL;
    status = netcl_expression_differentiate(expression, 0, &next);
    if (status == NETCL_OK) {
      netcl_expression_release(expression);
      expression = next;
    } else {
      assert_null(next);
      check_message("expression", "netcl_expression_differentiate", __FILE__, __LINE__);
    }
  }
  assert_int_equal(status, NETCL_ERROR_INVALID_ARGUMENT);
  netcl_expression_release(expression);
}

/* Repeats `open` and `close` around `inner`; each %d is the number of the level. */
static char *nested(const char *open, const char *inner, const char *close, int levels) {
  char *text = calloc(1, 65536);
  for (int i = 0; i < levels; ++i) sprintf(text + strlen(text), open, i);
  strcat(text, inner);
  for (int i = 0; i < levels; ++i) strcat(text, close);
  return text;
}

/* Conditions and functions in each other, about as deep as the text of derivatives allows; nothing
 * of that is on the stack. */
static void deep(void **state) {
  Fixture *fixture = *state;
  static const struct {
    const char *open, *inner, *close;
    int levels;
    double x, wanted;
  } kCases[] = {
      {"relu(", "v0 * v0", ")", 100, 3, 6},
      {"relu(", "v0", ")", 100, -3, 0},
      {"min(max(", "v0 * 2", ", -9), 9)", 30, 3, 2},
      {"clamp(", "v0 * v0", ", 0, 100)", 50, 3, 6},
      {"v0 > -%d ? (", "v0 * v0", ") : 0", 95, 3, 6},
      {"v0 < -%d ? 0 : (", "sqrt(v0)", ")", 95, 4, 0.25},
      {"v0 > 90 - %d ? v0 * 2 : (", "v0 * v0", ")", 40, 50.5, 101},
      {"v0 > 90 - %d ? v0 * 2 : (", "v0 * v0", ")", 40, 70.5, 2},
      {"sin(", "v0", ")", 100, 0, 1},
  };
  if (!fixture->capabilities.fp64) SKIP("the device has no f64");
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    char *text = nested(kCases[i].open, kCases[i].inner, kCases[i].close, kCases[i].levels);
    const double got = at(fixture, text, 0, kCases[i].x, 0, 0);
    CHECK(fabs(got - kCases[i].wanted) <= 1e-12, "\"%.40s...\" at %g: %.17g, not %g", text,
          kCases[i].x, got, kCases[i].wanted);
    free(text);
  }
  /* A derivative that is no expression any more is refused. */
  netcl_expression *expression = NULL, *gradient = NULL;
  char *text = nested("gelu(", "v0", ")", 198);
  OK(netcl_expression_create(text, &expression));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "expression",
             netcl_expression_differentiate(expression, 0, &gradient));
  assert_null(gradient);
  netcl_expression_release(expression);
  free(text);
}

static void bad_calls(void **state) {
  (void)state;
  netcl_expression *expression = NULL, *gradient = NULL;
  OK(netcl_expression_create("v0 * v2", &expression));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "input is 3; the expression has 3 inputs",
             netcl_expression_differentiate(expression, 3, &gradient));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "gradient is NULL",
             netcl_expression_differentiate(expression, 0, NULL));
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_expression_differentiate(NULL, 0, &gradient));
  netcl_expression_release(expression);
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_expression_differentiate(expression, 0, &gradient));
  OK(netcl_expression_create("1 + 2", &expression));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "has 0 inputs",
             netcl_expression_differentiate(expression, 0, &gradient));
  netcl_expression_release(expression);
  OK(netcl_expression_create("v63", &expression));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "v63",
             netcl_expression_differentiate(expression, 0, &gradient));
  netcl_expression_release(expression);
  assert_null(gradient);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(kinks),         DEVICE_TEST(mixed_types), DEVICE_TEST(derivatives_are_small),
      DEVICE_TEST(higher_orders), DEVICE_TEST(deep),        DEVICE_TEST(bad_calls),
  };
  seed_random("differentiate_edges");
  return cmocka_run_group_tests_name("differentiate_edges", tests, NULL, NULL);
}
