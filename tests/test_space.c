/* Parameter spaces: values, constraints against brute force, T1 files, configurations. */
#include <math.h>
#include <stdio.h>

#include "sanitizers.h"
#include "support.h"

static void add_ints(netcl_space* space, const char* name, int64_t first, int64_t factor,
                     uint32_t count) {
  int64_t values[16];
  for (uint32_t i = 0; i < count; ++i, first *= factor) values[i] = first;
  OK(netcl_space_add_ints(space, name, values, count));
}

static int64_t int_of(const netcl_config* config, const char* name) {
  int64_t value = -77;
  OK(netcl_config_get_int(config, name, &value));
  return value;
}

/* The constraints written once more in C. */
static int valid(int64_t m, int64_t n, int64_t k, int use, int64_t most) {
  return m * n <= most && (m % n == 0 || n % m == 0) && (!use || k >= 4) && (m + n * k) * 4 <= 4096;
}

static void count_with(uint64_t work_group_size) {
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  capabilities.max_work_group_size = work_group_size;
  netcl_space* space = NULL;
  OK(netcl_space_create(&space));
  add_ints(space, "M", 8, 2, 5);
  add_ints(space, "N", 4, 3, 4);
  add_ints(space, "K", 1, 2, 4);
  OK(netcl_space_add_bool(space, "USE"));
  OK(netcl_space_add_constraint(space, "M * N <= max_local_size * 4"));
  OK(netcl_space_add_constraint(space, "M % N == 0 or N % M == 0"));
  OK(netcl_space_add_constraint(space, "not USE || K >= 4"));
  OK(netcl_space_add_constraint(space, "(M + N * K) * 4 <= 4096"));
  const int64_t most = (int64_t)capabilities.max_work_group_size * 4;
  uint64_t index = 0;
  for (int64_t m = 8; m <= 128; m *= 2) {
    for (int64_t n = 4; n <= 108; n *= 3) {
      for (int64_t k = 1; k <= 8; k *= 2) {
        for (int use = 0; use < 2; ++use) {
          if (!valid(m, n, k, use, most)) continue;
          netcl_config* config = NULL;
          OK(netcl_space_get_config(space, &capabilities, index++, &config));
          CHECK(int_of(config, "M") == m && int_of(config, "N") == n && int_of(config, "K") == k &&
                    int_of(config, "USE") == use,
                "configuration %llu is another", (unsigned long long)index - 1);
          netcl_config_release(config);
        }
      }
    }
  }
  uint64_t count = 0;
  OK(netcl_space_get_count(space, &capabilities, &count));
  assert_int_equal(count, index);
  netcl_config* config = NULL;
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "valid configurations",
             netcl_space_get_config(space, &capabilities, count, &config));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "no parameter or limit max_local_size",
             netcl_space_get_count(space, NULL, &count));
  netcl_space_release(space);
}

static void counts_as_brute_force_does(void** state) {
  (void)state;
  count_with(16);
  count_with(256);
  count_with(4096);
}

/* One parameter X with the values 1 to 8; a formula about it keeps so many of them. */
static uint64_t kept_by(const char* formula) {
  static const int64_t kValues[] = {1, 2, 3, 4, 5, 6, 7, 8};
  netcl_space* space = NULL;
  uint64_t count = 99;
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "X", kValues, 8));
  OK(netcl_space_add_constraint(space, formula));
  OK(netcl_space_get_count(space, NULL, &count));
  netcl_space_release(space);
  return count;
}

static void formulas(void** state) {
  (void)state;
  static const struct {
    const char* text;
    uint64_t kept;
  } kCases[] = {{"X > 3", 5},
                {"2 < X <= 5", 3},
                {"X in [1, 4, 9]", 2},
                {"X in range(2, 8, 3)", 2},
                {"X in [2 ** i for i in range(6) if i != 1]", 3},
                {"not X == 3", 7},
                {"!(X == 3)", 7},
                {"X % 2 == 0 and X > 2", 3},
                {"X % 2 == 0 && X > 2 || X == 1", 4},
                {"X / 2 == 1.5", 1},
                {"X // 2 == 1", 2},
                {"-X // 2 == -2", 2},
                {"-X % 3 == 1", 3},
                {"-2 ** 2 + X == 0", 1},
                {"2 ** 3 ** 0 == 2 and X == 1", 1},
                {"min(X, 5, 9) == 5", 4},
                {"max(X, 3) == 3", 3},
                {"abs(X - 4) <= 1", 3},
                {"ceil_div(X, 3) == 2", 3},
                {"round_up(X, 4) == 8", 4},
                {"(2 if X > 4 else 1) == 2", 4},
                {"True", 8},
                {"X in (1, 2)", 2},
                {"X in (3,)", 1},
                {"X in ()", 0},
                {"X not in (1, 2)", 6},
                {"not X not in (1, 2)", 2},
                {"X in (1, 2,) + (5,)", 3},
                {"X in tuple(range(3))", 2},
                {"(X) in ((1, 2))", 2},
                {"X in [i for i in (1, 7)]", 2},
                {"X == 1e0", 1},
                {"X * 0.5 < 1", 1},
                {"'a' < 'b' and X == 2", 1},
                {"\"x\" + 'y' == 'xy'", 8},
                {"X != X", 0},
                {"1 < 2 < X", 6}};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    const uint64_t kept = kept_by(kCases[i].text);
    CHECK(kept == kCases[i].kept, "%s keeps %llu", kCases[i].text, (unsigned long long)kept);
  }
}

static void refused_formulas(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } kParse[] = {{"", "formula column 1: expected an operand, found the end"},
                {"X >", "formula column 4: expected an operand, found the end"},
                {"(X", "formula column 3: expected \")\", found the end"},
                {"X X", "formula column 3: expected the end, found \"X\""},
                {"sin(X)", "formula column 1: there is no function sin"},
                {"1 if X", "expected else"},
                {"'a", "without its closing quote"},
                {"12abc", "runs into"},
                {"ceil_div(X)", "ceil_div has 1 arguments"},
                {"X = 3", "expected the end, found \"=\""},
                {"__import__('os')", "there is no function __import__"},
                {"X.y", "expected the end"},
                {"[1, 2", "expected \"]\""},
                {"(1, 2", "expected \")\""},
                {"(, 1)", "column 2: expected an operand"},
                {"X < 0,5", "column 6: expected the end, found \",\"; decimal numbers are written "
                            "with a point, as in 1.5"},
                {"abs(0,5) < X", "abs has 2 arguments; decimal numbers are written with a point"},
                {"tuple(3)", "tuple takes a list"},
                {"lambda: 1", "expected the end, found \":\""}};
  static const struct {
    const char *text, *message;
  } kValue[] = {{"Y > 1", "formula column 1: there is no parameter or limit Y, in \"Y > 1\""},
                {"X / 0", "formula column 3: division by zero"},
                {"X // 0", "division by zero"},
                {"0 ** -X", "division by zero"},
                {"0.0 ** (0 - X)", "division by zero"},
                {"ceil(X / 0) > 1", "division by zero"},
                {"floor(1e300) > X", "the result does not fit 64 bits"},
                {"ceil('a') > X", "a text stands where a number is needed"},
                {"X % 0", "division by zero"},
                {"X * 9223372036854775807 > 1", "does not fit 64 bits"},
                {"10 ** 40 > X", "does not fit 64 bits"},
                {"'a' > X", "have no order"},
                {"'a' * X", "a text stands where a number is needed"},
                {"[1, 2]", "a list stands where one value is needed"},
                {"X < (0,5)", "a list stands where one value is needed"},
                {"X in 5", "expected a list"},
                {"X in range(1, 9, 0)", "the step of range is 0"},
                {"X in range(10000000)", "more than 65536 values"}};
  netcl_space* space = NULL;
  OK(netcl_space_create(&space));
  for (size_t i = 0; i < COUNT_OF(kParse); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kParse[i].message,
               netcl_space_add_constraint(space, kParse[i].text));
  }
  netcl_space_release(space);
  for (size_t i = 0; i < COUNT_OF(kValue); ++i) {
    const int64_t value = 3;
    uint64_t count = 99;
    OK(netcl_space_create(&space));
    OK(netcl_space_add_ints(space, "X", &value, 1));
    OK(netcl_space_add_constraint(space, kValue[i].text));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kValue[i].message,
               netcl_space_get_count(space, NULL, &count));
    assert_int_equal(count, 99);
    netcl_space_release(space);
  }
  char deep[600];
  memset(deep, '(', sizeof deep - 1);
  deep[sizeof deep - 1] = '\0';
  OK(netcl_space_create(&space));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "nested too deeply",
             netcl_space_add_constraint(space, deep));
  netcl_space_release(space);
}

static void refused_parameters(void** state) {
  (void)state;
  netcl_space* space = NULL;
  const int64_t twice[] = {1, 2, 1};
  const double nothing = NAN;
  const char* text = NULL;
  OK(netcl_space_create(&space));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "\"1x\"", netcl_space_add_ints(space, "1x", twice, 1));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "values[2] of A is 1, as values[0]",
             netcl_space_add_ints(space, "A", twice, 3));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "A has 0 values",
             netcl_space_add_ints(space, "A", NULL, 0));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "values is NULL",
             netcl_space_add_ints(space, "A", NULL, 1));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "values[0] of A is nan; only finite",
             netcl_space_add_floats(space, "A", &nothing, 1));
  const double zeros[] = {0.0, -0.0}, endless = INFINITY;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "values[1] of A is -0, as values[0]",
             netcl_space_add_floats(space, "A", zeros, 2));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "values[0] of A is inf; only finite",
             netcl_space_add_floats(space, "A", &endless, 1));
  const char* bytes = "\xff\xfe";
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "which is no UTF-8",
             netcl_space_add_texts(space, "A", &bytes, 1));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "name is \"if\"", netcl_space_add_bool(space, "if"));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "values[0] is NULL",
             netcl_space_add_texts(space, "A", &text, 1));
  OK(netcl_space_add_ints(space, "A", twice, 2));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "has a parameter A already",
             netcl_space_add_bool(space, "A"));
  netcl_space_release(space);
}

/* Six parameters of a hundred values each, and formulas about some of them. */
static netcl_space* huge_space(const char* const* formulas, size_t count) {
  netcl_space* space = NULL;
  int64_t values[100];
  for (int i = 0; i < 100; ++i) values[i] = i;
  OK(netcl_space_create(&space));
  for (char name[2] = "A"; name[0] <= 'F'; ++name[0]) {
    OK(netcl_space_add_ints(space, name, values, 100));
  }
  for (size_t i = 0; i < count; ++i) OK(netcl_space_add_constraint(space, formulas[i]));
  return space;
}

/* 10^12 combinations: what is not constrained is not walked, and what cannot be walked says so. */
static void huge_spaces(void** state) {
  (void)state;
  static const char* const kPairs[] = {"A == F", "B + C < 10", "D * E == 99 * 99"};
  static const char* const kNothing[] = {"E + F < 0"};
  static const char* const kAll[] = {"A + B + C + D + E + F < 0"};
  netcl_config* config = NULL;
  netcl_search* search = NULL;
  uint64_t count = 0;
  netcl_space* space = huge_space(NULL, 0);
  OK(netcl_space_get_count(space, NULL, &count));
  assert_int_equal(count, 1000000000000);
  OK(netcl_space_get_config(space, NULL, count - 1, &config));
  assert_int_equal(int_of(config, "A") + int_of(config, "F"), 198);
  netcl_config_release(config);
  OK(netcl_space_get_config(space, NULL, 20304050607, &config));
  assert_int_equal(int_of(config, "A") * 10000 + int_of(config, "B") * 100 + int_of(config, "C"),
                   20304);
  assert_int_equal(int_of(config, "D") * 10000 + int_of(config, "E") * 100 + int_of(config, "F"),
                   50607);
  netcl_config_release(config);
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "has 1000000000000 valid",
             netcl_space_get_config(space, NULL, count, &config));
  OK(netcl_search_create(space, NULL, NULL, NULL, &search));
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  OK(netcl_search_get_result(search, &result));
  assert_int_equal(result.configurations, count);
  netcl_search_release(search);
  netcl_space_release(space);

  space = huge_space(kPairs, 3);
  OK(netcl_space_get_count(space, NULL, &count));
  assert_int_equal(count, 100 * 55);
  OK(netcl_space_get_config(space, NULL, 55 + 54, &config));
  assert_int_equal(int_of(config, "A") + int_of(config, "F"), 2);
  assert_int_equal(int_of(config, "B"), 9);
  netcl_config_release(config);
  OK(netcl_search_create(space, NULL, NULL, NULL, &search));
  netcl_search_release(search);
  netcl_space_release(space);

  space = huge_space(kNothing, 1);
  OK(netcl_space_get_count(space, NULL, &count));
  assert_int_equal(count, 0);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "no valid configuration",
             netcl_search_create(space, NULL, NULL, NULL, &search));
  netcl_space_release(space);

  if (HAS_ASAN) return; /* the steps take a minute there */
  space = huge_space(kAll, 1);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "not tried after 16777216 steps",
             netcl_space_get_count(space, NULL, &count));
  netcl_space_release(space);
}

static void configurations(void** state) {
  (void)state;
  static const char kJson[] =
      "{\"TILE\": 16, \"ALPHA\": 0.5, \"FAST\": true, \"MODE\": \"a\\\"b\"}";
  netcl_config* config = NULL;
  char text[128];
  int64_t integer = 0;
  double real = 0;
  size_t length = 0;
  OK(netcl_config_create_from_json(kJson, strlen(kJson), &config));
  assert_int_equal(int_of(config, "TILE"), 16);
  assert_int_equal(int_of(config, "FAST"), 1);
  OK(netcl_config_get_float(config, "ALPHA", &real));
  assert_true(real == 0.5);
  OK(netcl_config_get_float(config, "TILE", &real));
  assert_true(real == 16.0);
  OK(netcl_config_get_text(config, "MODE", text, sizeof text, &length));
  assert_string_equal(text, "a\"b");
  assert_int_equal(length, 3);
  OK(netcl_config_get_json(config, text, sizeof text, NULL));
  assert_string_equal(text, kJson);
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "no \"NONE\"; it has TILE, ALPHA, FAST, MODE",
             netcl_config_get_int(config, "NONE", &integer));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "ALPHA is 0.5, which is no integer",
             netcl_config_get_int(config, "ALPHA", &integer));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "which is no text",
             netcl_config_get_text(config, "TILE", text, sizeof text, NULL));
  netcl_config_release(config);
  /* Names are texts like others. */
  static const char kNames[] = "{\"A\\\"b\": 1, \"\\u001b[31m\": 2}";
  OK(netcl_config_create_from_json(kNames, strlen(kNames), &config));
  OK(netcl_config_get_json(config, text, sizeof text, NULL));
  assert_string_equal(text, kNames);
  netcl_config_release(config);
  static const char* const kWrong[][2] = {{"{", "is no JSON"},
                                          {"{\"constraints\": 0,5}",
                                           "; decimal numbers are written with a point, as in 1.5"},
                                          {"[1]", "but no object"},
                                          {"{\"A\": [1]}", "member \"A\" is no"},
                                          {"{\"A\": 1, \"A\": 2}", "twice"},
                                          {"{\"A\": null}", "member \"A\" is no"}};
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    config = NULL;
    FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, kWrong[i][1],
               netcl_config_create_from_json(kWrong[i][0], strlen(kWrong[i][0]), &config));
    assert_null(config);
  }
}

static void explanations(void** state) {
  (void)state;
  netcl_space* space = NULL;
  OK(netcl_space_create(&space));
  add_ints(space, "A", 1, 2, 4);
  add_ints(space, "B", 1, 2, 4);
  OK(netcl_space_add_constraint(space, "A * B <= 16"));
  static const char* const kCases[][2] = {
      {"{\"A\": 2, \"B\": 8}", ""},
      {"{\"A\": 3, \"B\": 8}", "A = 3 is none of its values"},
      {"{\"A\": 4}", "parameter B has no value"},
      {"{\"A\": \"\\u001b[31m\\n\", \"B\": 8}", "A = \"\\x1b[31m\\x0a\" is none of its values"},
      {"{\"A\": 8, \"B\": 4}", "constraint \"A * B <= 16\" does not hold with A = 8, B = 4"}};
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    netcl_config* config = NULL;
    char text[200];
    OK(netcl_config_create_from_json(kCases[i][0], strlen(kCases[i][0]), &config));
    OK(netcl_space_explain(space, NULL, config, text, sizeof text, NULL));
    assert_string_equal(text, kCases[i][1]);
    netcl_config_release(config);
  }
  netcl_space_release(space);
}

static void t1_files(void** state) {
  (void)state;
  static const char kText[] =
      "{\"ConfigurationSpace\": {\"TuningParameters\": ["
      "{\"Name\": \"BLOCK\", \"Type\": \"int\", \"Values\": \"[16*i for i in range(1,9)]\"},"
      "{\"Name\": \"UNROLL\", \"Type\": \"int\", \"Values\": \"[2**i for i in range(4)]\"},"
      "{\"Name\": \"SCALE\", \"Type\": \"float\", \"Values\": [1, 0.5]},"
      "{\"Name\": \"LOCAL\", \"Type\": \"bool\", \"Values\": \"[0, 1]\"},"
      "{\"Name\": \"MODE\", \"Type\": \"string\", \"Values\": \"['a', 'b']\"}],"
      "\"Conditions\": [{\"Parameters\": [\"BLOCK\", \"UNROLL\"],"
      " \"Expression\": \"BLOCK % UNROLL == 0 and BLOCK * UNROLL <= 256\"}]},"
      "\"KernelSpecification\": {\"Language\": \"OpenCL\", \"KernelName\": \"k\"}}";
  netcl_space* space = NULL;
  uint64_t count = 0, wanted = 0;
  OK(netcl_space_create_from_t1(kText, strlen(kText), &space));
  for (int i = 1; i < 9; ++i) {
    for (int u = 1; u <= 8; u *= 2) wanted += (16 * i) % u == 0 && 16 * i * u <= 256 ? 8 : 0;
  }
  OK(netcl_space_get_count(space, NULL, &count));
  assert_int_equal(count, wanted);
  netcl_config* config = NULL;
  char text[256];
  OK(netcl_space_get_config(space, NULL, 0, &config));
  OK(netcl_config_get_json(config, text, sizeof text, NULL));
  assert_string_equal(
      text, "{\"BLOCK\": 16, \"UNROLL\": 1, \"SCALE\": 1, \"LOCAL\": false, \"MODE\": \"a\"}");
  netcl_config_release(config);
  netcl_space_release(space);
  static const char* const kWrong[][2] = {
      {"{}", "no member \"ConfigurationSpace\""},
      {"{\"ConfigurationSpace\": 3}", "no member \"TuningParameters\""},
      {"{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"A\"}]}}",
       "TuningParameters[0] has no member \"Type\""},
      {"{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"A\", \"Type\": \"int\","
       " \"Values\": \"open('x')\"}]}}",
       "TuningParameters[0].Values: formula column 1: there is no function open"},
      {"{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"A\", \"Type\": \"int\","
       " \"Values\": \"['a']\"}]}}",
       "holds \"a\", which is no int"},
      {"{\"ConfigurationSpace\": {\"TuningParameters\": [], \"Conditions\": ["
       "{\"Expression\": \"1 +\"}]}}",
       "T1: formula column 4"}};
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    space = NULL;
    FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, kWrong[i][1],
               netcl_space_create_from_t1(kWrong[i][0], strlen(kWrong[i][0]), &space));
    assert_null(space);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_as_brute_force_does),
      cmocka_unit_test(formulas),
      cmocka_unit_test(refused_formulas),
      cmocka_unit_test(refused_parameters),
      cmocka_unit_test(configurations),
      cmocka_unit_test(explanations),
      cmocka_unit_test(t1_files),
      cmocka_unit_test(huge_spaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
