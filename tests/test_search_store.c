/* Searches and the database: what is stored, and going on after a run that was killed. */
#include "support_search.h"

#include <math.h>

static double slope(const Machine *machine, int64_t a, int64_t b) {
  (void)machine;
  return 1000.0 + 10.0 * (double)(a + b);
}
static netcl_outcome some_wrong(int64_t a, int64_t b) {
  return a == 0 && b == 1   ? NETCL_OUTCOME_CRASH
         : a == 0 && b == 2 ? NETCL_OUTCOME_COMPILE
                            : NETCL_OUTCOME_CORRECT;
}

static void stores_what_it_found(void **state) {
  (void)state;
  netcl_space *space = search_space(4, 4);
  netcl_tuning_database *database = tuning_open(":memory:");
  const netcl_tuning_key key = tuning_key("k", 64, 64);
  netcl_search *search = search_make(space, 3, 3, NULL);
  Machine machine = {.time = slope, .outcome = some_wrong};
  /* Half way there is no winner to store. */
  search_drive(search, &machine, 30);
  OK(netcl_search_store(search, database, NULL, &key));
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_config *config = NULL;
  OK(netcl_tuning_database_lookup(database, NULL, &key, &record, NULL));
  assert_int_equal(record.match, NETCL_MATCH_NONE);
  search_drive(search, &machine, 1000000);
  OK(netcl_search_store(search, database, NULL, &key));
  OK(netcl_tuning_database_lookup(database, NULL, &key, &record, &config));
  char json[64];
  OK(netcl_config_get_json(config, json, sizeof json, NULL));
  assert_string_equal(json, "{\"A\": 0, \"B\": 0}");
  netcl_config_release(config);
  assert_int_equal(record.match, NETCL_MATCH_EXACT);
  assert_true(record.median == 1000.0 && record.default_median == 1060.0);
  assert_string_equal(record.reason, "the fastest");
  uint64_t kinds[4] = {0};
  for (uint64_t i = 0; netcl_tuning_database_get_record(database, i, &record, NULL) == NETCL_OK;
       ++i) {
    ++kinds[record.kind];
    if (record.kind == NETCL_TUNING_RECORD_QUARANTINE) {
      assert_int_equal(record.outcome, NETCL_OUTCOME_CRASH);
      assert_string_equal(record.reason, "as the script says");
    }
  }
  assert_int_equal(kinds[NETCL_TUNING_RECORD_BEST], 1);
  assert_int_equal(kinds[NETCL_TUNING_RECORD_MEASUREMENT], 16);
  assert_int_equal(kinds[NETCL_TUNING_RECORD_QUARANTINE], 1);
  netcl_search_release(search);
  netcl_tuning_database_release(database);
  netcl_space_release(space);
}

/* Whatever it did: it is what runs without tuning, so nothing may keep it away. Others that did the
 * same are kept away. */
static netcl_outcome g_harm;
static netcl_outcome two_harmful(int64_t a, int64_t b) {
  return a == b ? g_harm : NETCL_OUTCOME_CORRECT;
}

static void the_default_is_never_in_quarantine(void **state) {
  (void)state;
  static const netcl_outcome kHarm[] = {NETCL_OUTCOME_CORRECTNESS, NETCL_OUTCOME_GUARD,
                                        NETCL_OUTCOME_HANG, NETCL_OUTCOME_CRASH};
  const netcl_tuning_key key = tuning_key("k", 64, 64);
  for (size_t i = 0; i < COUNT_OF(kHarm); ++i) {
    netcl_space *space = search_space(2, 2);
    netcl_tuning_database *database = tuning_open(":memory:");
    netcl_search *search = search_make(space, 1, 1, NULL);
    Machine machine = {.time = slope, .outcome = two_harmful};
    g_harm = kHarm[i];
    search_drive(search, &machine, 1000000);
    OK(netcl_search_store(search, database, NULL, &key));
    netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
    netcl_config *config = NULL;
    int measured = 0, quarantined = 0;
    uint64_t k = 0;
    while (netcl_tuning_database_get_record(database, k++, &record, &config) == NETCL_OK) {
      int64_t a = 9, b = 9;
      OK(netcl_config_get_int(config, "A", &a));
      OK(netcl_config_get_int(config, "B", &b));
      netcl_config_release(config);
      /* What came of the default is told as of any other. */
      measured += a == 1 && b == 1 && record.kind == NETCL_TUNING_RECORD_MEASUREMENT &&
                  record.outcome == kHarm[i];
      if (record.kind != NETCL_TUNING_RECORD_QUARANTINE) continue;
      CHECK(a == 0 && b == 0, "outcome %d: A = %d, B = %d is in quarantine", kHarm[i], (int)a,
            (int)b);
      ++quarantined;
    }
    CHECK(measured == 1 && quarantined == 1, "outcome %d: %d measured, %d in quarantine", kHarm[i],
          measured, quarantined);
    netcl_search_release(search);
    netcl_tuning_database_release(database);
    netcl_space_release(space);
  }
}

static void goes_on_where_it_was(void **state) {
  (void)state;
  netcl_space *space = search_space(6, 6);
  netcl_tuning_database *database = tuning_open(":memory:");
  const netcl_tuning_key key = tuning_key("k", 64, 64);
  netcl_search *search = search_make(space, 5, 5, NULL);
  Machine first = {.time = slope, .outcome = some_wrong};
  search_drive(search, &first, 50);
  OK(netcl_search_store(search, database, NULL, &key));
  netcl_search_release(search);
  search = search_make(space, 5, 5, NULL);
  uint64_t known = 0;
  OK(netcl_search_resume(search, database, NULL, &key, &known));
  assert_true(known > 8);
  Machine second = {.time = slope, .outcome = some_wrong};
  search_drive(search, &second, 1000000);
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  OK(netcl_search_get_result(search, &result));
  assert_int_equal(result.known, known);
  assert_int_equal(result.evaluations, 36);
  assert_int_equal(result.counts[NETCL_OUTCOME_CRASH], 1);
  /* What crashed or did not compile is not tried again; the default is, and so are finalists. */
  assert_int_equal(second.asked[1], 0);
  assert_int_equal(second.asked[2], 0);
  assert_true(second.asked[5 * 64 + 5] > 0);
  assert_int_equal(second.asked[1 * 64 + 4], 0);
  netcl_config *config = NULL;
  int64_t a = 9, b = 9;
  OK(netcl_search_get_best(search, &config));
  OK(netcl_config_get_int(config, "A", &a));
  OK(netcl_config_get_int(config, "B", &b));
  assert_true(a == 0 && b == 0);
  netcl_config_release(config);
  netcl_search_release(search);
  /* Another space knows nothing of it, and neither does another key. */
  netcl_space *other = search_space(6, 7);
  search = search_make(other, 0, 0, NULL);
  OK(netcl_search_resume(search, database, NULL, &key, &known));
  assert_int_equal(known, 0);
  netcl_search_release(search);
  netcl_space_release(other);
  const netcl_tuning_key elsewhere = tuning_key("k", 64, 65);
  search = search_make(space, 0, 0, NULL);
  OK(netcl_search_resume(search, database, NULL, &elsewhere, &known));
  assert_int_equal(known, 0);
  netcl_search_release(search);
  netcl_tuning_database_release(database);
  netcl_space_release(space);
}

static void refuses_nonsense(void **state) {
  (void)state;
  netcl_space *space = search_space(3, 3), *empty = search_space(2, 2), *large = NULL;
  netcl_search *search = NULL;
  netcl_config *config = NULL;
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  OK(netcl_config_create_from_json("{\"A\": 7, \"B\": 0}", 16, &config));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "not in the space: A = 7 is none of its values",
             netcl_search_create(space, NULL, config, NULL, &search));
  netcl_config_release(config);
  OK(netcl_space_add_constraint(empty, "A > 5"));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "the space has no valid configuration",
             netcl_search_create(empty, NULL, NULL, NULL, &search));
  OK(netcl_space_create(&large));
  int64_t values[64];
  for (int64_t i = 0; i < 64; ++i) values[i] = i;
  static const char *const kNames[] = {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"};
  for (int i = 0; i < 4; ++i) OK(netcl_space_add_ints(large, kNames[i], values, 64));
  options.strategy = NETCL_SEARCH_EXHAUSTIVE;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "about 16777216 valid configurations; the limit is",
             netcl_search_create(large, NULL, NULL, &options, &search));
  for (int i = 4; i < 11; ++i) OK(netcl_space_add_ints(large, kNames[i], values, 64));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "more than 2^64 combinations",
             netcl_search_create(large, NULL, NULL, NULL, &search));
  const struct {
    size_t offset;
    double value;
    const char *message;
  } kWrong[] = {
      {offsetof(netcl_search_options, precision), -1, "options->precision is -1"},
      {offsetof(netcl_search_options, precision), (double)NAN, "options->precision is "},
      {offsetof(netcl_search_options, drop_factor), -3, "options->drop_factor is -3"},
      {offsetof(netcl_search_options, roof_ns), -1, "options->roof_ns is -1"},
      {offsetof(netcl_search_options, threshold_pct), 0.9,
       "options->threshold_pct is 0.9; it is 0 or lies between 1 and 1000; write 90 for 90 %"}};
  for (size_t i = 0; i < COUNT_OF(kWrong); ++i) {
    netcl_search_options wrong = NETCL_SEARCH_OPTIONS_INIT;
    memcpy((char *)&wrong + kWrong[i].offset, &kWrong[i].value, sizeof(double));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kWrong[i].message,
               netcl_search_create(space, NULL, NULL, &wrong, &search));
  }
  options.strategy = 6;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->strategy is 6",
             netcl_search_create(space, NULL, NULL, &options, &search));
  assert_null(search);
  OK(netcl_search_create(space, NULL, NULL, NULL, &search));
  const double times[2] = {1.0, -1.0};
  uint32_t candidate;
  uint64_t samples;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "candidate is 0; 0 were asked for",
             netcl_search_tell(search, 0, times, 1));
  OK(netcl_search_ask(search, &candidate, &samples, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "samples[1] is -1",
             netcl_search_tell(search, 0, times, 2));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "candidate is 1; 1 were asked for",
             netcl_search_tell_failure(search, 1, NETCL_OUTCOME_CRASH, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "outcome is 1, which is no failure",
             netcl_search_tell_failure(search, 0, NETCL_OUTCOME_CORRECT, NULL));
  char text[8];
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_search_get_failure(search, 99, text, 8, NULL));
  /* Whatever is told, a message is a line of UTF-8. */
  netcl_config *none = NULL;
  OK(netcl_search_tell_failure(search, 0, NETCL_OUTCOME_CRASH, "\xff\xfe\n\xc2\x85."));
  OK(netcl_search_ask(search, &candidate, &samples, NULL));
  assert_int_not_equal(netcl_search_get_best(search, &none), NETCL_OK);
  CHECK(strstr(netcl_last_error_message(), ": ??   .)") != NULL, "%s", netcl_last_error_message());
  netcl_search_release(search);
  netcl_space_release(large);
  netcl_space_release(empty);
  netcl_space_release(space);
}

static netcl_space *g_space;
static netcl_status create_call(Fixture *fixture, const void *options) {
  netcl_search *search = NULL;
  (void)fixture;
  const netcl_status status = netcl_search_create(g_space, NULL, NULL, options, &search);
  CHECK((status == NETCL_OK) == (search != NULL), "output with %s", netcl_status_name(status));
  netcl_search_release(search);
  return status;
}
static netcl_status result_call(void *context, void *info) {
  return netcl_search_get_result(context, info);
}
static netcl_status candidate_call(void *context, void *info) {
  return netcl_search_get_candidate(context, 0, info, NULL);
}
static netcl_status event_call(void *context, void *info) {
  return netcl_search_read_event(context, 0, 0, info);
}

static void structs(void **state) {
  Fixture *fixture = *state;
  g_space = search_space(2, 2);
  const netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  const size_t reserved = offsetof(netcl_search_options, reserved);
  check_options_rules(fixture, "netcl_search_options", create_call, &options,
                      SIZES(netcl_search_options), &reserved, 1);
  netcl_search *search = search_make(g_space, 0, 0, NULL);
  Machine machine = {.time = slope};
  search_drive(search, &machine, 1000);
  check_info_rules("netcl_search_result", result_call, search, sizeof(netcl_search_result), 0, 0);
  check_info_rules("netcl_search_candidate", candidate_call, search,
                   sizeof(netcl_search_candidate), 0, 0);
  check_info_rules("netcl_search_event", event_call, search, sizeof(netcl_search_event), 0, 0);
  netcl_search_release(search);
  netcl_space_release(g_space);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(stores_what_it_found),
      DEVICE_TEST(the_default_is_never_in_quarantine),
      DEVICE_TEST(goes_on_where_it_was),
      DEVICE_TEST(refuses_nonsense),
      DEVICE_TEST(structs),
  };
  seed_random("search_store");
  return cmocka_run_group_tests_name("search_store", tests, NULL, NULL);
}
