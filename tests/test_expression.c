/* Expressions as text and types: parsing, canonical form, errors with columns, promotion. */
#include <stdio.h>

#include "support.h"

static netcl_status text_call(void *context, char *buffer, size_t capacity, size_t *length) {
  return netcl_expression_get_text(context, buffer, capacity, length);
}

static char *canonical(const char *text) {
  netcl_expression *expression = NULL;
  OK(netcl_expression_create(text, &expression));
  char *result = check_text_rules("netcl_expression_get_text", text_call, expression);
  netcl_expression_release(expression);
  return result;
}

/* Evaluates over i32 scalars v0 = 7, v1 = 3, v2 = -2 and gives the result as i32. */
static int32_t evaluate(Fixture *fixture, const char *text) {
  const int32_t values[] = {7, 3, -2};
  netcl_tensor *inputs[3], *result = NULL;
  netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
  for (int i = 0; i < 3; ++i) {
    inputs[i] = make_tensor(fixture->device, NETCL_I32, 0, NULL, &values[i]);
  }
  options.dtype = NETCL_I32;
  const netcl_status status = netcl_op_expression_text(text, inputs, 3, &options, NULL, &result);
  CHECK(status == NETCL_OK, "\"%s\": %s", text, netcl_last_error_message());
  int32_t *got = read_tensor(result), value = *got;
  free(got);
  netcl_tensor_release(result);
  for (int i = 0; i < 3; ++i) netcl_tensor_release(inputs[i]);
  return value;
}

#define V0 7
#define V1 3
#define V2 (-2)

static void precedence(void **state) {
  Fixture *fixture = *state;
  struct Case {
    const char *text;
    int32_t value;
  } cases[] = {
      {"v0 + v1 * v2", V0 + V1 * V2}, {"(v0 + v1) * v2", (V0 + V1) * V2},
      {"v0 - v1 - v2", V0 - V1 - V2}, {"v0 - (v1 - v2)", V0 - (V1 - V2)},
      {"v0 / v1 * v2", V0 / V1 * V2}, {"v0 % v1 + v2", V0 % V1 + V2},
      {"-v0 + v1", -V0 + V1}, {"- -v0", V0}, {"-(v0 + v1)", -(V0 + V1)}, {"~v0 & 15", ~V0 & 15},
      {"!v0", !V0}, {"!!v0 + 1", !!V0 + 1}, {"v0 << v1 + 1", V0 << (V1 + 1)},
      {"v0 >> 1 & 1", (V0 >> 1) & 1}, {"v2 >> 1", V2 >> 1}, {"v0 & v1 == v1", V0 & (V1 == V1)},
      {"v0 | v1 ^ 5 & 4", V0 | (V1 ^ (5 & 4))}, {"v0 < v1 == v2 < v1", (V0 < V1) == (V2 < V1)},
      {"v0 > v1 && v1 > v2", 1}, {"v0 < v1 || v1 > v2 && v0 < 0", 0}, {"v0 >= 7 && v1 <= 3", 1},
      {"v0 != 7 || v1 != 3", 0}, {"v0 > v1 ? v1 : v2", V1}, {"v0 < v1 ? v1 : v2", V2},
      {"v0 < 0 ? 1 : v1 < 0 ? 2 : 3", 3}, {"v0 ? v1 ? 4 : 5 : 6", 4},
      {"1 ? v0 : v1 + 100", V0}, {"MUL(ADD(v0, v1), 2)", (V0 + V1) * 2},
      {"SUB(v0, v1) + mul(v1, v2)", V0 - V1 + V1 * V2}, {"DIV(v0, v1)", V0 / V1},
      {"RELU(v2) + relu(v0)", V0}, {"max(v0, min(v1, v2))", V0}, {"clamp(v0, v2, v1)", V1},
      {"abs(v2) + sign(v2)", 1}, {"where(v0 > 5, v1, v2)", V1}, {"select(v0 > 9, v1, v2)", V2},
      {"0x1F + v0", 31 + V0}, {"true + v0", 1 + V0}, {"v0+v1", V0 + V1},
      {" \t v0\n+\r\nv1 ", V0 + V1}, {"((((v0))))", V0}, {"square(v1)", V1 * V1},
      {"v0 == 7", 1}, {"shl(v0, 2) - shr(v0, 1)", 28 - 3}, {"bit_xor(v0, v1)", V0 ^ V1},
      {"i32(2.9) + i32(v0)", 2 + V0}, {"u8(v2) + 0", 254}, {"fma(v0, v1, v2)", V0 * V1 + V2}};
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    const int32_t got = evaluate(fixture, cases[i].text);
    CHECK(got == cases[i].value, "\"%s\" is %d, not %d", cases[i].text, got, cases[i].value);
    /* The canonical form is the same expression. */
    char *first = canonical(cases[i].text), *second = canonical(first);
    CHECK(strcmp(first, second) == 0, "\"%s\" becomes \"%s\", then \"%s\"", cases[i].text, first,
          second);
    if (!fixture->opencl) {
      CHECK(evaluate(fixture, first) == cases[i].value, "\"%s\" becomes \"%s\"", cases[i].text,
            first);
    }
    free(first);
    free(second);
  }
}

static void errors_name_the_column(void **state) {
  (void)state;
  struct Case {
    const char *text;
    int column;
    const char *word;
  } cases[] = {
      {"", 1, "expected"}, {"   ", 4, "expected"}, {"v0 +", 5, "operand"}, {"v0 + )", 6, ")"},
      {"(v0", 4, ")"}, {"v0)", 3, ")"}, {"v0 v1", 4, "operator"}, {"foo(v0)", 1, "foo"},
      {"v64", 1, "v63"}, {"v0 + v100", 6, "v100"}, {"v00", 1, "v00"}, {"v0 + @", 6, "@"},
      {"sin(v0, v1)", 7, "sin"}, {"clamp(v0)", 9, "clamp"}, {"add(v0)", 7, "add"},
      {"v0 ? v1", 8, ":"}, {"v0 : v1", 4, "?"}, {"sin v0", 5, "("}, {"sin()", 5, "operand"},
      {"v0 = v1", 4, "="}, {"1e", 1, "1e"}, {"0x", 1, "0x"}, {"1.2.3 + v0", 1, "1.2.3"},
      {"v0 + \xC3\xA9", 6, "expected"}, {"v0, v1", 3, ","}, {"Sin(v0)", 1, "Sin"},
      {"float(v0)", 1, "a cast such as f32, found \"float\""},
      {"v0 + ;", 6, ";"}, {"[v0]", 1, "["}, {"v0 *", 5, "operand"}, {"* v0", 1, "*"},
      {"v", 1, "v"}, {"v-1", 1, "v"}, {"\"v0\"", 1, "expected"}};
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    netcl_expression *expression = NULL;
    char column[32];
    snprintf(column, sizeof column, "column %d", cases[i].column);
    const netcl_status status = netcl_expression_create(cases[i].text, &expression);
    CHECK(status == NETCL_ERROR_INVALID_ARGUMENT && expression == NULL, "\"%s\" gives %s",
          cases[i].text, netcl_status_name(status));
    const char *message = netcl_last_error_message(), *at = strstr(message, column);
    CHECK(at != NULL && (at[strlen(column)] < '0' || at[strlen(column)] > '9'),
          "\"%s\": \"%s\" does not name %s", cases[i].text, message, column);
    CHECK(strstr(message, cases[i].word) != NULL, "\"%s\": \"%s\" does not hold \"%s\"",
          cases[i].text, message, cases[i].word);
  }
  netcl_expression *expression = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "text", netcl_expression_create(NULL, &expression));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_expression_create("v0", NULL));
}

/* A decimal comma is told what to write. */
static void decimal_commas(void **state) {
  (void)state;
  static const char *const texts[] = {"v0 * 1,5", "(v0 + 1,5)", "exp(1,5)", "v0 ? 1,5 : 2"};
  netcl_expression *expression = NULL;
  for (size_t i = 0; i < COUNT_OF(texts); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "written with a point, as in 1.5",
               netcl_expression_create(texts[i], &expression));
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "found \",\"",
             netcl_expression_create("v0 * 1, 5", &expression));
  CHECK(strstr(netcl_last_error_message(), "point") == NULL, "%s", netcl_last_error_message());
}

/* Long and deep texts end in an error or a result, never in a crash. */
static void limits(void **state) {
  (void)state;
  enum { SIZE = 300000 };
  char *text = malloc(SIZE + 16);
  static const char *const kUnits[] = {"(", "-", "v0+", "sin(", "v0?", "1,", "v0 ? v1 : ", "!", "a",
                                       "9", "v0*(", "["};
  for (size_t u = 0; u < COUNT_OF(kUnits); ++u) {
    for (size_t size = 10; size <= SIZE; size *= 30) {
      size_t at = 0;
      while (at + strlen(kUnits[u]) < size) {
        strcpy(text + at, kUnits[u]);
        at += strlen(kUnits[u]);
      }
      strcpy(text + at, "v0");
      netcl_expression *expression = NULL;
      const netcl_status status = netcl_expression_create(text, &expression);
      CHECK(status == NETCL_OK || status == NETCL_ERROR_INVALID_ARGUMENT, "%zu bytes of \"%s\": %s",
            size, kUnits[u], netcl_status_name(status));
      netcl_expression_release(expression);
    }
  }
  free(text);
}

static void random_text(void **state) {
  (void)state;
  static const char *const kTokens[] = {
      "v0", "v1", "v63", "v64", "(", ")", "+", "-", "*", "/", "%", "<<", ">>", "<", "<=", "==",
      "!=", "&&", "||", "&", "|", "^", "?", ":", ",", "!", "~", "sin", "max", "MUL", "clamp", "f16",
      "bool", "1", "2.5f", "1e-3", "0x1F", "inf", "nan", "pi", " ", "1e999", "v", "@", "where"};
  int parsed = 0;
  for (int round = 0; round < 20000; ++round) {
    char text[400] = "";
    for (int64_t n = random_in(1, 12); n > 0; --n) {
      strcat(text, kTokens[random_in(0, (int64_t)COUNT_OF(kTokens) - 1)]);
      if (random_in(0, 2) == 0) strcat(text, " ");
    }
    netcl_expression *expression = NULL;
    const netcl_status status = netcl_expression_create(text, &expression);
    if (status == NETCL_OK) {
      char *first = check_text_rules("netcl_expression_get_text", text_call, expression);
      char *second = canonical(first);
      CHECK(strcmp(first, second) == 0, "\"%s\": \"%s\", then \"%s\"", text, first, second);
      free(first);
      free(second);
      ++parsed;
    } else {
      CHECK(status == NETCL_ERROR_INVALID_ARGUMENT &&
                strstr(netcl_last_error_message(), "column") != NULL,
            "\"%s\": %s", text, netcl_last_error_message());
    }
    netcl_expression_release(expression);
  }
  CHECK(parsed > 200, "only %d texts were expressions", parsed);
}

static void arity(void **state) {
  Fixture *fixture = *state;
  struct Case {
    const char *text;
    uint32_t arity;
  } cases[] = {{"1", 0}, {"v0", 1}, {"v0 + v0", 1}, {"v3", 4}, {"v63 + v1", 64}};
  for (size_t i = 0; i < COUNT_OF(cases); ++i) {
    netcl_expression *expression = NULL;
    uint32_t got = 77;
    OK(netcl_expression_create(cases[i].text, &expression));
    OK(netcl_expression_get_arity(expression, &got));
    assert_int_equal(got, cases[i].arity);
    FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_expression_get_arity(expression, NULL));
    OK(netcl_expression_retain(expression));
    netcl_expression_release(expression);
    netcl_expression_release(expression);
  }
  /* All 64 inputs at once. */
  char text[600] = "v0";
  netcl_tensor *inputs[64], *sum = NULL;
  for (int32_t i = 0; i < 64; ++i) {
    if (i > 0) snprintf(text + strlen(text), 8, "+v%d", i);
    const int32_t value = i * i;
    inputs[i] = make_tensor(fixture->device, NETCL_I32, 0, NULL, &value);
  }
  OK(netcl_op_expression_text(text, inputs, 64, NULL, NULL, &sum));
  const int32_t wanted = 63 * 64 * 127 / 6;
  CHECK_TENSOR(sum, &wanted);
  netcl_tensor_release(sum);
  for (int i = 0; i < 64; ++i) netcl_tensor_release(inputs[i]);
}

/* The header's rule for what two dtypes meet in, written down on its own. */
static netcl_dtype meet(netcl_dtype a, netcl_dtype b) {
  if (a == b) return a;
  if (a == NETCL_BOOL) return b;
  if (b == NETCL_BOOL) return a;
  const size_t size_a = netcl_dtype_size(a), size_b = netcl_dtype_size(b);
  if (is_float_dtype(a) && is_float_dtype(b)) {
    return size_a == size_b ? NETCL_F32 : size_a > size_b ? a : b;
  }
  if (is_float_dtype(a)) return a;
  if (is_float_dtype(b)) return b;
  if (is_signed_dtype(a) == is_signed_dtype(b)) return size_a > size_b ? a : b;
  const size_t size_signed = is_signed_dtype(a) ? size_a : size_b;
  const size_t size_unsigned = is_signed_dtype(a) ? size_b : size_a;
  static const netcl_dtype kSigned[] = {0, NETCL_I8, NETCL_I16, 0, NETCL_I32, 0, 0, 0, NETCL_I64};
  if (size_signed > size_unsigned) return kSigned[size_signed];
  return kSigned[size_unsigned == 8 ? 8 : 2 * size_unsigned];
}

static void promotion(void **state) {
  Fixture *fixture = *state;
  const int64_t shape[] = {3};
  netcl_tensor *ones[DTYPES];
  for (int t = 0; t < DTYPES; ++t) {
    unsigned char data[24];
    for (int i = 0; i < 3; ++i) store_double(kDtypes[t], data, i, 1);
    ones[t] = make_tensor(fixture->device, kDtypes[t], 1, shape, data);
  }
  for (int a = 0; a < DTYPES; ++a) {
    for (int b = 0; b < DTYPES; ++b) {
      if (rounds(fixture, 5) < 5 && random_in(0, 9) > 0) continue;
      netcl_tensor *const both[] = {ones[a], ones[b]};
      netcl_tensor *sum = NULL;
      netcl_dtype wanted = meet(kDtypes[a], kDtypes[b]);
      if (wanted == NETCL_F64 && !fixture->capabilities.fp64) {
        FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "f64",
                   netcl_op_expression_text("max(v0, v1)", both, 2, NULL, NULL, &sum));
        continue;
      }
      if (wanted == NETCL_BOOL) wanted = NETCL_I32;  /* bool counts */
      OK(netcl_op_expression_text("v0 + v1", both, 2, NULL, NULL, &sum));
      CHECK(tensor_info(sum).dtype == wanted, "%s + %s is %s, not %s", netcl_dtype_name(a + 1),
            netcl_dtype_name(b + 1), netcl_dtype_name(tensor_info(sum).dtype),
            netcl_dtype_name(wanted));
      unsigned char *got = read_tensor(sum);
      CHECK(load_double(wanted, got, 2) == 2, "1 + 1 is %g in %s", load_double(wanted, got, 2),
            netcl_dtype_name(wanted));
      free(got);
      netcl_tensor_release(sum);
      OK(netcl_op_expression_text("v0 <= v1", both, 2, NULL, NULL, &sum));
      assert_int_equal(tensor_info(sum).dtype, NETCL_BOOL);
      netcl_tensor_release(sum);
    }
  }
  /* Literals take the type of what they meet; only a fraction lifts an integer. */
  for (int t = 0; t < DTYPES; ++t) {
    const netcl_dtype dtype = kDtypes[t];
    const int floating = is_float_dtype(dtype);
    if (dtype == NETCL_F64 && !fixture->capabilities.fp64) continue;
    if (rounds(fixture, 5) < 5 && random_in(0, 5) > 0) continue;
    struct Case {
      const char *text;
      netcl_dtype result;
    } cases[] = {{"v0 + 1", dtype == NETCL_BOOL ? NETCL_I32 : dtype},
                 {"v0 * 1.5", floating ? dtype : NETCL_F32},
                 {"exp(v0)", floating ? dtype : NETCL_F32},
                 {"v0 > 0.5", NETCL_BOOL},
                 {"i16(v0)", NETCL_I16},
                 {"where(v0 > 0, v0, 0)", dtype == NETCL_BOOL ? NETCL_I32 : dtype},
                 {"v0", dtype}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
      netcl_tensor *result = NULL;
      OK(netcl_op_expression_text(cases[i].text, &ones[t], 1, NULL, NULL, &result));
      CHECK(tensor_info(result).dtype == cases[i].result, "\"%s\" of %s is %s, not %s",
            cases[i].text, netcl_dtype_name(dtype), netcl_dtype_name(tensor_info(result).dtype),
            netcl_dtype_name(cases[i].result));
      netcl_tensor_release(result);
    }
    for (int to = 0; to < DTYPES; ++to) {
      netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
      netcl_tensor *result = NULL;
      if (kDtypes[to] == NETCL_F64 && !fixture->capabilities.fp64) continue;
      options.dtype = kDtypes[to];
      OK(netcl_op_expression_text("v0 + 2", &ones[t], 1, &options, NULL, &result));
      assert_int_equal(tensor_info(result).dtype, kDtypes[to]);
      unsigned char *got = read_tensor(result);
      const double wanted = kDtypes[to] == NETCL_BOOL ? 1 : 3;
      CHECK(load_double(kDtypes[to], got, 0) == wanted, "1 + 2 is %g",
            load_double(kDtypes[to], got, 0));
      free(got);
      netcl_tensor_release(result);
    }
  }
  for (int t = 0; t < DTYPES; ++t) netcl_tensor_release(ones[t]);
}

static void bad_calls(void **state) {
  Fixture *fixture = *state;
  const int64_t two[] = {2}, three[] = {3}, pair[] = {2, 2};
  netcl_tensor *a = NULL, *b = NULL, *f = NULL, *c = NULL, *result = NULL;
  netcl_device *d = fixture->device;
  OK(netcl_tensor_create_zeros(d, NETCL_I32, 1, two, NULL, NULL, &a));
  OK(netcl_tensor_create_zeros(d, NETCL_I32, 1, three, NULL, NULL, &b));
  OK(netcl_tensor_create_zeros(d, NETCL_F32, 1, two, NULL, NULL, &f));
  OK(netcl_tensor_create_zeros(d, NETCL_I32, 2, pair, NULL, NULL, &c));
  netcl_tensor *const mixed[] = {a, b}, *const same[] = {a, a}, *const holes[] = {a, NULL};
  const netcl_status invalid = NETCL_ERROR_INVALID_ARGUMENT;
  netcl_expression_options options = NETCL_EXPRESSION_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  FAILS_WITH(invalid, "3", netcl_op_expression_text("v0 + v1", mixed, 2, NULL, NULL, &result));
  FAILS_WITH(invalid, "inputs_count",
             netcl_op_expression_text("v0 + v1", &a, 1, NULL, NULL, &result));
  FAILS_WITH(invalid, "inputs", netcl_op_expression_text("v0", NULL, 1, NULL, NULL, &result));
  FAILS_WITH(invalid, "text", netcl_op_expression_text(NULL, &a, 1, NULL, NULL, &result));
  FAILS_WITH(invalid, "column 6", netcl_op_expression_text("v0 + ", &a, 1, NULL, NULL, &result));
  FAILS(invalid, netcl_op_expression_text("v0", &a, 1, NULL, NULL, NULL));
  FAILS(NETCL_ERROR_INVALID_HANDLE,
        netcl_op_expression_text("v0 + v1", holes, 2, NULL, NULL, &result));
  FAILS_WITH(invalid, "f32", netcl_op_expression_text("v0 & 1", &f, 1, NULL, NULL, &result));
  FAILS_WITH(invalid, "f32", netcl_op_expression_text("v0 << 1", &f, 1, NULL, NULL, &result));
  options.dtype = 999;
  FAILS_WITH(invalid, "999", netcl_op_expression_text("v0", &a, 1, &options, NULL, &result));
  run.into = b;
  FAILS_WITH(invalid, "into", netcl_op_expression_text("v0 + v1", same, 2, NULL, &run, NULL));
  run.into = f;
  options.dtype = NETCL_I32;
  FAILS_WITH(invalid, "into", netcl_op_expression_text("v0", &a, 1, &options, &run, NULL));
  /* A broadcast view is no place to write to. */
  netcl_tensor *wide = NULL;
  OK(netcl_tensor_broadcast(a, 2, pair, &wide));
  run.into = wide;
  FAILS_WITH(invalid, "into", netcl_op_expression_text("v0 + 1", &c, 1, NULL, &run, NULL));
  netcl_tensor_release(wide);
  assert_null(result);
  netcl_tensor *const all[] = {a, b, f, c};
  for (size_t i = 0; i < COUNT_OF(all); ++i) netcl_tensor_release(all[i]);
}

/* What is kept of an expression on one device is not that of another, though it may lie in the same
 * place once the first is gone. */
static void devices_come_and_go(void **state) {
  (void)state;
  static const float kValues[] = {1, 2, 3};
  const int64_t count = 3;
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  options.separate = 1;
  for (int i = 0; i < 24; ++i) {
    netcl_device *device = NULL;
    netcl_tensor *made = NULL;
    OK(netcl_device_open(i / 2 % 2 ? test_selector() : "builtin", &options, &device));
    netcl_tensor *x = make_tensor(device, NETCL_F32, 1, &count, kValues);
    OK(netcl_op_expression_text("v0 * 2 + 1", &x, 1, NULL, NULL, &made));
    CHECK_TENSOR(made, ((float[]){3, 5, 7}));
    netcl_tensor_release(x);
    netcl_tensor_release(made);
    netcl_device_release(device);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(precedence), DEVICE_TEST(errors_name_the_column), DEVICE_TEST(decimal_commas),
      DEVICE_TEST(limits),
      DEVICE_TEST(random_text), DEVICE_TEST(arity),                 DEVICE_TEST(promotion),
      DEVICE_TEST(bad_calls),  DEVICE_TEST(devices_come_and_go),
      DEVICE_TEST(as_kernels),
  };
  seed_random("expression");
  return cmocka_run_group_tests_name("expression", tests, NULL, NULL);
}
