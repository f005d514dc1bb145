/* Derivatives of expressions: every function of the language against central differences in f64. */
#include <math.h>
#include <stdio.h>

#include "support.h"

enum { POINTS = 48, INPUTS_MAX = 4 };

/* Evaluates an expression in f64 over columns of POINTS values. */
static void evaluate(netcl_device *device, netcl_expression *expression, double (*columns)[POINTS],
                     uint32_t count, double *values) {
  const int64_t shape[1] = {POINTS};
  netcl_tensor *inputs[INPUTS_MAX], *result = NULL;
  netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
  options.dtype = NETCL_F64;
  for (uint32_t i = 0; i < count; ++i) {
    inputs[i] = make_tensor(device, NETCL_F64, 1, shape, columns[i]);
  }
  OK(netcl_op_expression(expression, inputs, count, &options, NULL, &result));
  double *got = read_tensor(result);
  memcpy(values, got, POINTS * sizeof *values);
  free(got);
  netcl_tensor_release(result);
  for (uint32_t i = 0; i < count; ++i) netcl_tensor_release(inputs[i]);
}

/* The text of a derivative gives the same derivative again. */
static void check_text(netcl_expression *gradient) {
  static char text[70000], again[70000];
  netcl_expression *parsed = NULL;
  OK(netcl_expression_get_text(gradient, text, sizeof text, NULL));
  OK(netcl_expression_create(text, &parsed));
  OK(netcl_expression_get_text(parsed, again, sizeof again, NULL));
  CHECK(strcmp(text, again) == 0, "\"%s\" becomes \"%s\"", text, again);
  netcl_expression_release(parsed);
}

/* The derivative to each of `count` inputs is what central differences say. The step is so small
 * that a function of slopes up to 10 agrees to 1e-8. */
static void check_derivatives(netcl_device *device, const char *text, uint32_t count,
                              double (*columns)[POINTS]) {
  const double step = 1e-5;
  netcl_expression *expression = NULL, *gradient = NULL;
  double moved[INPUTS_MAX][POINTS], above[POINTS], below[POINTS], got[POINTS];
  OK(netcl_expression_create(text, &expression));
  for (int i = 0; i < POINTS; ++i) columns[count][i] = random_real(-2, 2);
  for (uint32_t k = 0; k < count; ++k) {
    memcpy(moved, columns, sizeof moved);
    for (int i = 0; i < POINTS; ++i) moved[k][i] = columns[k][i] + step;
    evaluate(device, expression, moved, count, above);
    for (int i = 0; i < POINTS; ++i) moved[k][i] = columns[k][i] - step;
    evaluate(device, expression, moved, count, below);
    OK(netcl_expression_differentiate(expression, k, &gradient));
    evaluate(device, gradient, columns, count + 1, got);
    check_text(gradient);
    for (int i = 0; i < POINTS; ++i) {
      const double wanted = columns[count][i] * (above[i] - below[i]) / (2 * step);
      CHECK(fabs(got[i] - wanted) <= 1e-7 * (1 + fabs(wanted)),
            "\"%s\" at v0 = %.17g, v1 = %.17g, v2 = %.17g: v%u has gradient %.17g, not %.17g", text,
            columns[0][i], columns[1][i], columns[2][i], k, got[i], wanted);
    }
    netcl_expression_release(gradient);
  }
  netcl_expression_release(expression);
}

typedef struct Row {
  const char *text;
  double low[3], high[3];  /* of each input, away from kinks and poles */
} Row;

/* scripts/check_coverage.py sees to it that every function of the language stands here. */
static const Row kRows[] = {
    {"add(v0, v1)", {-2, -2}, {2, 2}},
    {"sub(v0, v1)", {-2, -2}, {2, 2}},
    {"mul(v0, v1)", {-2, -2}, {2, 2}},
    {"div(v0, v1)", {-2, 0.5}, {2, 3}},
    {"mod(v0, v1)", {2.2, 0.95}, {2.8, 1.05}},
    {"mod(v0, v1)", {-2.8, 0.95}, {-2.2, 1.05}},
    {"neg(v0)", {-2}, {2}},
    {"abs(v0)", {-2}, {-0.1}},
    {"abs(v0)", {0.1}, {2}},
    {"sign(v0)", {0.1}, {2}},
    {"square(v0)", {-2}, {2}},
    {"relu(v0)", {0.1}, {2}},
    {"relu(v0)", {-2}, {-0.1}},
    {"floor(v0)", {1.1}, {1.9}},
    {"ceil(v0)", {1.1}, {1.9}},
    {"round(v0)", {0.6}, {1.4}},
    {"trunc(v0)", {1.1}, {1.9}},
    {"min(v0, v1)", {0, 1.1}, {1, 2}},
    {"min(v0, v1)", {1.1, 0}, {2, 1}},
    {"max(v0, v1)", {0, 1.1}, {1, 2}},
    {"max(v0, v1)", {1.1, 0}, {2, 1}},
    {"clamp(v0, v1, v2)", {0, -2, 1.1}, {1, -0.1, 2}},
    {"clamp(v0, v1, v2)", {-3, -2, 1.1}, {-2.1, -0.1, 2}},
    {"clamp(v0, v1, v2)", {3, -2, 1.1}, {4, -0.1, 2}},
    {"clamp(v0, v1, v2)", {-1, 3.1, 1.1}, {5, 4, 3}},
    {"fma(v0, v1, v2)", {-2, -2, -2}, {2, 2, 2}},
    {"sqrt(v0)", {0.2}, {4}},
    {"rsqrt(v0)", {0.5}, {4}},
    {"reciprocal(v0)", {0.5}, {4}},
    {"reciprocal(v0)", {-4}, {-0.5}},
    {"exp(v0)", {-3}, {2}},
    {"exp2(v0)", {-3}, {2}},
    {"expm1(v0)", {-3}, {2}},
    {"log(v0)", {0.2}, {4}},
    {"log2(v0)", {0.2}, {4}},
    {"log10(v0)", {0.2}, {4}},
    {"log1p(v0)", {-0.5}, {4}},
    {"pow(v0, v1)", {0.3, -2}, {2, 2}},
    {"pow(v0, 3)", {-2}, {2}},
    {"pow(v0, 2)", {-2}, {2}},
    {"pow(v0, 1)", {-2}, {2}},
    {"pow(v0, 0)", {-2}, {2}},
    {"pow(v0, -1.5)", {0.5}, {2}},
    {"pow(2.5, v0)", {-2}, {2}},
    {"pow(v0, i32(v1))", {0.3, 3.1}, {2, 3.8}},
    {"sin(v0)", {-4}, {4}},
    {"cos(v0)", {-4}, {4}},
    {"tan(v0)", {-1}, {1}},
    {"asin(v0)", {-0.9}, {0.9}},
    {"acos(v0)", {-0.9}, {0.9}},
    {"atan(v0)", {-4}, {4}},
    {"atan2(v0, v1)", {-2, 0.5}, {2, 2}},
    {"atan2(v0, v1)", {0.3, -2}, {2, -0.5}},
    {"sinh(v0)", {-2}, {2}},
    {"cosh(v0)", {-2}, {2}},
    {"tanh(v0)", {-3}, {3}},
    {"asinh(v0)", {-4}, {4}},
    {"acosh(v0)", {1.3}, {4}},
    {"atanh(v0)", {-0.9}, {0.9}},
    {"erf(v0)", {-3}, {3}},
    {"erfc(v0)", {-3}, {3}},
    {"sigmoid(v0)", {-6}, {6}},
    {"silu(v0)", {-6}, {6}},
    {"gelu(v0)", {-5}, {5}},
    {"gelu_tanh(v0)", {-5}, {5}},
    {"softplus(v0)", {-6}, {6}},
    {"softsign(v0)", {0.1}, {4}},
    {"softsign(v0)", {-4}, {-0.1}},
    {"mish(v0)", {-6}, {6}},
    {"leaky_relu(v0, v1)", {0.1, -2}, {2, 2}},
    {"leaky_relu(v0, v1)", {-2, -2}, {-0.1, 2}},
    {"elu(v0, v1)", {0.1, -2}, {2, 2}},
    {"elu(v0, v1)", {-2, -2}, {-0.1, 2}},
    {"v0 * eq(v0, v1)", {0, 2}, {1, 3}},
    {"v0 * ne(v0, v1)", {0, 2}, {1, 3}},
    {"v0 * lt(v0, v1)", {0, 2}, {1, 3}},
    {"v0 * le(v0, v1)", {0, 2}, {1, 3}},
    {"v0 * gt(v0, v1)", {0, 2}, {1, 3}},
    {"v0 * ge(v0, v1)", {0, 2}, {1, 3}},
    {"v0 * and(v0, v1)", {0.1, 2}, {1, 3}},
    {"v0 * or(v0, v1)", {0.1, 2}, {1, 3}},
    {"v0 * xor(v0, v1)", {0.1, 2}, {1, 3}},
    {"v0 + not(v0)", {0.1}, {1}},
    {"v0 * bit_and(i32(v0), 3)", {5.1}, {5.9}},
    {"v0 * bit_or(i32(v0), 3)", {5.1}, {5.9}},
    {"v0 * bit_xor(i32(v0), 3)", {5.1}, {5.9}},
    {"v0 * bit_not(i32(v0))", {5.1}, {5.9}},
    {"v0 * shl(i32(v0), 2)", {5.1}, {5.9}},
    {"v0 * shr(i32(v0), 1)", {5.1}, {5.9}},
    {"v0 * ipow(i32(v0), 2)", {2.1}, {2.9}},
    {"v0 + isnan(v0)", {-2}, {2}},
    {"v0 + isinf(v0)", {-2}, {2}},
    {"v0 * isfinite(v0)", {-2}, {2}},
    {"where(v0 > v1, v0 * v1, v1 / v0)", {1, 2.1}, {2, 3}},
    {"where(v0 > v1, v0 * v1, v1 / v0)", {2.1, 1}, {3, 2}},
    {"f64(v0) * v0", {-2}, {2}},
    {"v0 > 0 && v1 > 0 ? sin(v0 * v1) : v0", {0.1, 0.1}, {2, 2}},
    {"MUL(ADD(v0, v1), 2.0) / (1 + exp(-v0))", {-2, -2}, {2, 2}},
    {"log(sigmoid(v0 * v1) + square(v2)) - v0 * 3", {-2, -2, 0.5}, {2, 2, 2}},
    {"tanh(v0 + gelu(v1 * tanh(v0 + gelu(v1))))", {-2, -2}, {2, 2}},
};

static void functions(void **state) {
  Fixture *fixture = *state;
  double columns[INPUTS_MAX][POINTS] = {{0}};
  if (!fixture->capabilities.fp64) SKIP("the device has no f64");
  for (size_t r = 0; r < COUNT_OF(kRows); ++r) {
    const Row *row = &kRows[r];
    uint32_t count = 1;
    while (count < 3 && row->low[count] != row->high[count]) ++count;
    for (uint32_t k = 0; k < count; ++k) {
      for (int i = 0; i < POINTS; ++i) columns[k][i] = random_real(row->low[k], row->high[k]);
    }
    check_derivatives(fixture->device, row->text, count, columns);
  }
}

/* Appends a random smooth expression of values and slopes that stay moderate: pieces around two
 * smaller ones. */
static void random_text(char *text, int depth) {
  static const char *const kPieces[][3] = {
      {"(sin(", ") + ", ")"},     {"(", " + ", ")"},        {"(", " - tanh(", "))"},
      {"sin(", ") * cos(", ")"},  {"(v2 > 0 ? ", " : ", ")"}, {"sigmoid(", ") * atan(", ")"},
      {"erf(", " + asinh(", "))"}};
  if (depth == 0) {
    static const char *const kLeaves[] = {"v0", "v1", "v0", "0.75"};
    strcat(text, kLeaves[random_in(0, COUNT_OF(kLeaves) - 1)]);
    return;
  }
  const char *const *pieces = kPieces[random_in(0, COUNT_OF(kPieces) - 1)];
  strcat(text, pieces[0]);
  random_text(text, depth - 1);
  strcat(text, pieces[1]);
  random_text(text, depth - 1);
  strcat(text, pieces[2]);
}

static void random_expressions(void **state) {
  Fixture *fixture = *state;
  double columns[INPUTS_MAX][POINTS] = {{0}};
  if (!fixture->capabilities.fp64) SKIP("the device has no f64");
  for (int round = 0; round < rounds(fixture, 40); ++round) {
    char text[4096] = "v0 * v1 * v2 + ";
    random_text(text, 4);
    for (int i = 0; i < POINTS; ++i) {
      columns[0][i] = random_real(-2, 2);
      columns[1][i] = random_real(-2, 2);
      columns[2][i] = random_real(0.1, 2) * (random_in(0, 1) == 0 ? 1 : -1);
    }
    check_derivatives(fixture->device, text, 3, columns);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(functions), DEVICE_TEST(random_expressions)};
  seed_random("differentiate");
  return cmocka_run_group_tests_name("differentiate", tests, NULL, NULL);
}
