/* Spaces as other tools write them, and spaces that are too large to be listed. */
#include <stdio.h>

#include "support.h"

static netcl_space *from_t1(const char *parameters) {
  char text[1024];
  netcl_space *space = NULL;
  snprintf(text, sizeof text, "{\"ConfigurationSpace\": {\"TuningParameters\": [%s]}}", parameters);
  OK(netcl_space_create_from_t1(text, strlen(text), &space));
  return space;
}

/* The values of the only parameter P in their order, "[16, 32]". */
static void check_values(const char *parameter, const char *wanted) {
  char got[512] = "[", one[128];
  uint64_t count = 0;
  netcl_space *space = from_t1(parameter);
  OK(netcl_space_get_count(space, NULL, &count));
  for (uint64_t i = 0; i < count; ++i) {
    netcl_config *config = NULL;
    OK(netcl_space_get_config(space, NULL, i, &config));
    OK(netcl_config_get_json(config, one, sizeof one, NULL));
    netcl_config_release(config);
    const char *const value = strchr(one, ':') + 2;
    snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s", i == 0 ? "" : ", ",
             (int)strlen(value) - 1, value);
  }
  strcat(got, "]");
  CHECK(strcmp(got, wanted) == 0, "%s gives %s instead of %s", parameter, got, wanted);
  netcl_space_release(space);
}

#define P(type, values) "{\"Name\": \"P\", \"Type\": \"" type "\", \"Values\": " values "}"
#define D(type, values, standard)                                                  \
  "{\"Name\": \"P\", \"Type\": \"" type "\", \"Values\": " values ", \"Default\": " \
  standard "}"

static void t1_forms(void **state) {
  (void)state;
  check_values(P("int", "\"[1, 2] + [4, 8]\""), "[1, 2, 4, 8]");
  check_values(P("int", "\"[1] + [2*i for i in range(1, 3)] + list(range(8, 11))\""),
               "[1, 2, 4, 8, 9, 10]");
  check_values(P("int", "\"list(range(4))\""), "[0, 1, 2, 3]");
  check_values(P("int", "\"[i for i in list(range(2)) + [7]]\""), "[0, 1, 7]");
  check_values(P("int", "\"(1, 2, 4)\""), "[1, 2, 4]");
  check_values(P("int", "\"(3,)\""), "[3]");
  check_values(P("float", "\"(1, 0.5) + tuple(range(2, 4))\""), "[1, 0.5, 2, 3]");
  check_values(P("string", "\"('a', 'b')\""), "[\"a\", \"b\"]");
  check_values(D("int", "\"(1, 2, 4, 8)\"", "4"), "[4, 1, 2, 8]");
  check_values(D("int", "\"[1, 2, 4, 8]\"", "4"), "[4, 1, 2, 8]");
  check_values(D("int", "[1, 2, 4]", "\"2**2\""), "[4, 1, 2]");
  check_values(D("int", "[1, 2, 4]", "1"), "[1, 2, 4]");
  check_values(D("int", "[1, 2]", "null"), "[1, 2]");
  check_values(D("string", "\"['a', 'b']\"", "\"b\""), "[\"b\", \"a\"]");
  check_values(D("bool", "\"[0, 1]\"", "true"), "[true, false]");
  check_values(P("int", "[16.0, 32.0]"), "[16, 32]");
  check_values(P("int", "\"[0.5, 1.0, 2]\""), "[0.5, 1, 2]");
  static const char *const kWrong[][2] = {
      {P("int", "\"list(3)\""), "list takes a list"},
      {P("int", "\"(3)\""), "expected a list"},
      {P("int", "\"(1, (2, 3))\""), "a list stands where one value is needed"},
      {P("int", "\"[1] + 2\""), "expected a list"},
      {P("int", "\"[1] - [2]\""), "expected a list"},
      {P("int", "\"list(range(2)\""), "expected \")\""},
      {D("int", "[1, 2]", "3"), "Default is 3, which is none of its values"},
      {D("int", "[1, 2]", "\"x\""), "Default"},
      {P("int", "[1, [2]]"), "a value of TuningParameters[0].Values is no number"},
      {D("int", "[1, 2]", "[1]"), "TuningParameters[0].Default is no number, text or truth"}};
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    char text[512];
    netcl_space *space = NULL;
    snprintf(text, sizeof text, "{\"ConfigurationSpace\": {\"TuningParameters\": [%s]}}",
             kWrong[i][0]);
    FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, kWrong[i][1],
               netcl_space_create_from_t1(text, strlen(text), &space));
    assert_null(space);
  }
}

/* ---- Work sizes ------------------------------------------------------------------------------ */

/* What a formula is wrong in is said with the extent, and what was set before stays. */
static void work_sizes(void **state) {
  (void)state;
  netcl_space *space = from_t1(P("int", "[1, 2]"));
  OK(netcl_space_set_work_size(space, "ceil(global_x / P) * 16, max(P, 2)", "16, 1"));
  OK(netcl_space_set_work_size(space, NULL, ""));
  static const char *const kWrong[][2] = {{"P +", "global_size, extent 0: formula column 4"},
                                          {"P, P *, 1", "global_size, extent 1: formula column 4"},
                                          {"P,", "global_size, extent 1"},
                                          {"1, 2, 3, 4", "which has 4 extents"},
                                          {"(P", "expected \")\""},
                                          {"system(P)", "there is no function system"}};
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kWrong[i][1],
               netcl_space_set_work_size(space, kWrong[i][0], "16"));
  }
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "local_size, extent 0",
             netcl_space_set_work_size(space, "P", "P P"));
  netcl_space_release(space);
  static const char *const kT1[][2] = {
      {"{\"GlobalSize\": {\"Y\": \"1\"}}", "GlobalSize has no member \"X\""},
      {"5", "KernelSpecification is no object"},
      {"{\"GlobalSize\": {\"X\": 1.5}}", "GlobalSize.X is neither a text nor an integer"},
      {"{\"GlobalSize\": {\"X\": \"P +\"}}", "global_size, extent 0"},
      {"{\"LocalSize\": {\"X\": \"P +\"}}", "local_size, extent 0"},
      {"{\"GlobalSizeType\": \"CUDA\", \"GlobalSize\": {\"X\": \"P\"}}", "there is no LocalSize"}};
  for (size_t i = 0; i < COUNT_OF(kT1); ++i) {
    char text[512];
    snprintf(text, sizeof text,
             "{\"ConfigurationSpace\": {\"TuningParameters\": [%s]}, \"KernelSpecification\": %s}",
             P("int", "[1, 2]"), kT1[i][0]);
    space = NULL;
    FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, kT1[i][1],
               netcl_space_create_from_t1(text, strlen(text), &space));
    assert_null(space);
  }
}

/* A search knows no work size that it could store beside the winner. */
static void searches_do_not_store_without_a_size(void **state) {
  (void)state;
  netcl_space *space = from_t1(P("int", "[1, 2]"));
  netcl_search *search = NULL;
  netcl_tuning_database *database = NULL;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  key.kernel = "k";
  OK(netcl_space_set_work_size(space, "global_x / P", NULL));
  OK(netcl_search_create(space, NULL, NULL, NULL, &search));
  OK(netcl_tuning_database_open(":memory:", &database));
  FAILS_WITH(NETCL_ERROR_UNSUPPORTED, "a space with a work size",
             netcl_search_store(search, database, NULL, &key));
  netcl_tuning_database_release(database);
  netcl_search_release(search);
  netcl_space_release(space);
}

/* ---- Millions of configurations -------------------------------------------------------------- */

enum { kParameters = 7, kValues = 12 };

static int64_t value_of(const netcl_config *config, int p) {
  const char name[2] = {(char)('A' + p), 0};
  int64_t value = -1;
  OK(netcl_config_get_int(config, name, &value));
  return value;
}

/* 1 at values of 7 everywhere, and slower the farther away. */
static double time_of(const netcl_config *config) {
  double time = 1;
  for (int p = 0; p < kParameters; ++p) {
    const double away = (double)(value_of(config, p) - 7);
    time += 0.05 * away * away;
  }
  return time * 1e6;
}

static netcl_space *large_space(void) {
  netcl_space *space = NULL;
  int64_t values[kValues];
  OK(netcl_space_create(&space));
  for (int i = 0; i < kValues; ++i) values[i] = i;
  for (int p = 0; p < kParameters; ++p) {
    const char name[2] = {(char)('A' + p), 0};
    OK(netcl_space_add_ints(space, name, values, kValues));
  }
  OK(netcl_space_add_constraint(space, "A + B >= 3"));
  OK(netcl_space_add_constraint(space, "C * D % 2 == 1 or D > 2"));
  return space;
}

static void large_spaces_are_sampled(void **state) {
  (void)state;
  netcl_space *space = large_space();
  uint64_t count = 0;
  OK(netcl_space_get_count(space, NULL, &count));
  assert_true(count > 10000000);
  for (netcl_search_strategy s = NETCL_SEARCH_AUTO; s <= NETCL_SEARCH_GENETIC; ++s) {
    netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
    netcl_search *search = NULL;
    options.strategy = s;
    options.evaluations = 400;
    options.patience = 100000;
    options.seed = 3;
    if (s == NETCL_SEARCH_EXHAUSTIVE) {
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "take another strategy",
                 netcl_search_create(space, NULL, NULL, &options, &search));
      continue;
    }
    OK(netcl_search_create(space, NULL, NULL, &options, &search));
    for (;;) {
      uint32_t candidate = 0;
      uint64_t samples = 0;
      netcl_config *config = NULL;
      char why[256] = "";
      OK(netcl_search_ask(search, &candidate, &samples, &config));
      if (samples == 0) break;
      OK(netcl_space_explain(space, NULL, config, why, sizeof why, NULL));
      CHECK(why[0] == '\0', "strategy %d proposes what is not valid: %s", s, why);
      double times[64];
      assert_true(samples <= COUNT_OF(times));
      for (uint64_t i = 0; i < samples; ++i) times[i] = time_of(config);
      OK(netcl_search_tell(search, candidate, times, samples));
      netcl_config_release(config);
    }
    netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
    OK(netcl_search_get_result(search, &result));
    assert_int_equal(result.evaluations, 400);
    assert_int_equal(result.stop, NETCL_STOP_COUNT);
    assert_int_equal(result.configurations, count);
    netcl_search_candidate first = NETCL_SEARCH_CANDIDATE_INIT;
    OK(netcl_search_get_candidate(search, 0, &first, NULL));
    assert_true(first.place == UINT64_MAX);
    const double most = s == NETCL_SEARCH_RANDOM ? 8 : 1.5;
    CHECK(result.median <= most * 1e6, "strategy %d finds %g", s, result.median * 1e-6);
    netcl_search_release(search);
  }
  netcl_space_release(space);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(t1_forms), DEVICE_TEST(work_sizes),
                                     DEVICE_TEST(searches_do_not_store_without_a_size),
                                     DEVICE_TEST(large_spaces_are_sampled)};
  return cmocka_run_group_tests_name("space_forms", tests, NULL, NULL);
}
