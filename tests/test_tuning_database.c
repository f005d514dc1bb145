/* The tuning database: what is put and found again, the look-up ladder, exports, threads. */
#include "support_tuning.h"

#include <pthread.h>
#include <stdatomic.h>

static void keeps_what_is_put(void **state) {
  Fixture *fixture = *state;
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_tuning_key key = tuning_key("gemm", 64, 128);
  tuning_put_best(database, &key, 16);
  tuning_put_best(database, &key, 32);
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_config *config = NULL;
  OK(netcl_tuning_database_lookup(database, NULL, &key, &record, &config));
  assert_int_equal(record.match, NETCL_MATCH_EXACT);
  assert_int_equal(record.kind, NETCL_TUNING_RECORD_BEST);
  assert_int_equal(record.outcome, NETCL_OUTCOME_CORRECT);
  assert_true(record.median == 1032 && record.interval_low == 999 &&
              record.interval_high == 1100 && record.default_median == 2000);
  assert_true(record.timestamp > 1600000000);
  assert_int_equal(record.shape_count, 2);
  assert_true(record.shape[0] == 64 && record.shape[1] == 128);
  assert_string_equal(record.kernel, "gemm");
  assert_string_equal(record.source, "0123");
  assert_string_equal(record.flags, "-DA=1");
  assert_string_equal(record.dtypes, "f32,f32");
  assert_string_equal(record.layout, "nt");
  assert_string_equal(record.part, "part");
  assert_string_equal(record.driver, "driver 1");
  assert_string_equal(record.reason, "faster than \"the\" default");
  char json[64];
  OK(netcl_config_get_json(config, json, sizeof json, NULL));
  assert_string_equal(json, "{\"TILE\": 32, \"MODE\": \"fast\"}");
  netcl_config_release(config);
  netcl_tuning_database_info info = tuning_facts(database);
  assert_int_equal(info.records, 1);
  assert_string_equal(info.path, "");
  assert_string_equal(info.reason, "it lives in memory");
  OK(netcl_tuning_database_get_record(database, 0, &record, NULL));
  assert_true(record.median == 1032);
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "index is 1; the database has 1",
             netcl_tuning_database_get_record(database, 1, &record, NULL));
  /* A device fills in what the key leaves out. */
  char part[256];
  OK(netcl_device_get_part(fixture->device, part, sizeof part, NULL));
  key.part = part;
  key.driver = NULL;
  OK(netcl_config_create_from_json("{\"TILE\": 5}", 11, &config));
  record.kind = NETCL_TUNING_RECORD_BEST;
  OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
  netcl_config_release(config);
  key.part = NULL;
  OK(netcl_tuning_database_lookup(database, fixture->device, &key, &record, NULL));
  assert_int_equal(record.match, NETCL_MATCH_EXACT);
  assert_string_equal(record.part, part);
  netcl_tuning_database_release(database);
}

static void ladder(void **state) {
  (void)state;
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_match match;
  netcl_tuning_key key = tuning_key("gemm", 64, 100);
  assert_int_equal(tuning_look(database, &key, &match), 0);
  tuning_put_best(database, &key, 16);
  assert_int_equal(tuning_look(database, &key, &match), 16);
  assert_int_equal(match, NETCL_MATCH_EXACT);
  key.driver = "driver 2";
  assert_int_equal(tuning_look(database, &key, &match), 16);
  assert_int_equal(match, NETCL_MATCH_OTHER_DRIVER);
  tuning_put_best(database, &key, 17);
  assert_int_equal(tuning_look(database, &key, &match), 17);
  assert_int_equal(match, NETCL_MATCH_EXACT);
  key.driver = "driver 1";
  assert_int_equal(tuning_look(database, &key, &match), 16);
  /* The nearest shape in log space; of two as near the smaller one. */
  netcl_tuning_key larger = tuning_key("gemm", 256, 100);
  tuning_put_best(database, &larger, 64);
  netcl_tuning_key asked = tuning_key("gemm", 128, 100);
  assert_int_equal(tuning_look(database, &asked, &match), 16);
  assert_int_equal(match, NETCL_MATCH_NEAREST_SHAPE);
  asked = tuning_key("gemm", 130, 100);
  assert_int_equal(tuning_look(database, &asked, &match), 64);
  asked = tuning_key("gemm", 1024, 100);
  assert_int_equal(tuning_look(database, &asked, &match), 64);
  /* A factor of 4 is near, whichever numbers it is between. */
  netcl_tuning_key five = tuning_key("four", 5, 100);
  tuning_put_best(database, &five, 5);
  asked = tuning_key("four", 20, 25);
  assert_int_equal(tuning_look(database, &asked, &match), 5);
  asked = tuning_key("four", 21, 25);
  assert_int_equal(tuning_look(database, &asked, &match), 0);
  asked = tuning_key("gemm", 1025, 100);
  assert_int_equal(tuning_look(database, &asked, &match), 0);
  assert_int_equal(match, NETCL_MATCH_NONE);
  asked = tuning_key("gemm", 0, 100);
  assert_int_equal(tuning_look(database, &asked, &match), 0);
  asked = tuning_key("gemm", 64, 100);
  asked.shape_count = 1;
  assert_int_equal(tuning_look(database, &asked, &match), 0);
  /* Everything else has to agree. */
  for (int i = 0; i < 6; ++i) {
    asked = tuning_key("gemm", 64, 100);
    const char **members[] = {&asked.kernel, &asked.source, &asked.flags,
                              &asked.dtypes, &asked.layout, &asked.part};
    *members[i] = "other";
    assert_int_equal(tuning_look(database, &asked, &match), 0);
  }
  netcl_tuning_database_release(database);
}

static void quarantine(void **state) {
  (void)state;
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_match match;
  netcl_tuning_key key = tuning_key("gemm", 64, 100), other = tuning_key("gemm", 128, 100);
  tuning_put_best(database, &key, 16);
  tuning_put_best(database, &other, 8);
  OK(tuning_put(database, &other, 16, NETCL_TUNING_RECORD_QUARANTINE));
  /* What crashed for one shape is out for all of them, and the next step of the ladder answers. */
  assert_int_equal(tuning_look(database, &key, &match), 8);
  assert_int_equal(match, NETCL_MATCH_NEAREST_SHAPE);
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  OK(netcl_tuning_database_get_record(database, 2, &record, NULL));
  assert_int_equal(record.kind, NETCL_TUNING_RECORD_QUARANTINE);
  assert_int_equal(record.outcome, NETCL_OUTCOME_CRASH);
  key.driver = "driver 2";
  assert_int_equal(tuning_look(database, &key, &match), 16);
  netcl_tuning_database_release(database);
}

static void exports(void **state) {
  (void)state;
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_tuning_key key = tuning_key("a,\"b\"", 64, 1);
  tuning_put_best(database, &key, 1);
  OK(tuning_put(database, &key, 2, NETCL_TUNING_RECORD_MEASUREMENT));
  key = tuning_key("other", 64, 1);
  OK(tuning_put(database, &key, 3, NETCL_TUNING_RECORD_MEASUREMENT));
  char text[8192];
  OK(netcl_tuning_database_export(database, "a,\"b\"", NETCL_FORMAT_JSON, text, sizeof text, NULL));
  static const char *const kT4[] = {"\"schema_version\"", "\"results\"", "\"configuration\"",
                                    "\"TILE\": 2", "\"times\"", "\"compilation_time\"",
                                    "\"runtimes\"", "\"framework\"", "\"search_algorithm\"",
                                    "\"validation\"", "\"invalidity\": \"correct\"",
                                    "\"correctness\": 1", "\"unit\": \"ms\"", "\"objectives\"",
                                    "\"timestamp\"", "0.001002"};
  for (size_t i = 0; i < COUNT_OF(kT4); ++i) {
    CHECK(strstr(text, kT4[i]) != NULL, "T4 lacks %s:\n%s", kT4[i], text);
  }
  assert_null(strstr(text, "\"TILE\": 3"));
  /* A search can be replayed on what was measured of one problem. */
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  netcl_replay_result replayed = NETCL_REPLAY_RESULT_INIT;
  OK(netcl_search_replay(text, strlen(text), &options, &replayed));
  assert_int_equal(replayed.recorded, 1);
  OK(netcl_tuning_database_export(database, NULL, NETCL_FORMAT_JSON, text, sizeof text, NULL));
  FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "several problems",
             netcl_search_replay(text, strlen(text), &options, &replayed));
  OK(netcl_tuning_database_export(database, "a,\"b\"", NETCL_FORMAT_JSON, text, sizeof text, NULL));
  /* Of what was cancelled nobody knows whether it is right: it is no result. */
  netcl_tuning_record cancelled = NETCL_TUNING_RECORD_INIT;
  netcl_config *config = NULL;
  cancelled.kind = NETCL_TUNING_RECORD_MEASUREMENT;
  cancelled.outcome = NETCL_OUTCOME_CANCELLED;
  key = tuning_key("stopped", 64, 1);
  OK(netcl_config_create_from_json("{\"TILE\": 77}", 12, &config));
  OK(netcl_tuning_database_put(database, NULL, &key, config, &cancelled));
  netcl_config_release(config);
  char stopped[1024];
  OK(netcl_tuning_database_export(database, "stopped", NETCL_FORMAT_JSON, stopped, sizeof stopped,
                                  NULL));
  CHECK(strstr(stopped, "77") == NULL && strstr(stopped, "correct") == NULL, "%s", stopped);
  OK(netcl_tuning_database_clear(database, "stopped"));
  assert_null(strstr(text, "\"TILE\": 1"));
  /* One with a work size, in two dimensions and without a local one. */
  netcl_tuning_record sized = NETCL_TUNING_RECORD_INIT;
  sized.kind = NETCL_TUNING_RECORD_BEST;
  sized.outcome = NETCL_OUTCOME_CORRECT;
  OK(netcl_config_create_from_json("{\"TILE\": 5}", 11, &config));
  for (int i = 0; i < 2; ++i) {
    key = tuning_key("sized", 64, 1 + i);
    sized.global[0] = 4096;
    sized.global[1] = 12;
    sized.local[0] = i == 0 ? 64 : 0;
    sized.local[1] = i == 0 ? 3 : 0;
    OK(netcl_tuning_database_put(database, NULL, &key, config, &sized));
  }
  netcl_config_release(config);
  OK(netcl_tuning_database_export(database, "sized", NETCL_FORMAT_CSV, text, sizeof text, NULL));
  CHECK(strstr(text, ",reason,scalars,global,local\n") != NULL &&
            strstr(text, ",4096x12,64x3\n") != NULL && strstr(text, ",4096x12,\n") != NULL,
        "%s", text);
  OK(netcl_tuning_database_clear(database, "sized"));
  OK(netcl_tuning_database_export(database, NULL, NETCL_FORMAT_CSV, text, sizeof text, NULL));
  CHECK(strstr(text, ",,,\n") != NULL, "%s", text);
  int lines = 0;
  for (const char *at = text; *at != '\0'; ++at) lines += *at == '\n';
  assert_int_equal(lines, 4);
  assert_non_null(
      strstr(text, "best,\"a,\"\"b\"\"\",0123,-DA=1,\"f32,f32\",nt,64x1,part,driver 1,"));
  FAILS(NETCL_ERROR_UNSUPPORTED,
        netcl_tuning_database_export(database, NULL, NETCL_FORMAT_TEXT, text, 1, NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_tuning_database_export(database, NULL, 9, text, 1, NULL));
  netcl_tuning_database_release(database);
}

static void refuses_nonsense(void **state) {
  Fixture *fixture = *state;
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_config *config = NULL;
  OK(netcl_config_create_from_json("{}", 2, &config));
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "key->kernel is NULL",
             netcl_tuning_database_lookup(database, fixture->device, &key, &record, NULL));
  key = tuning_key("k", 1, 1);
  key.shape_count = NETCL_TUNING_SHAPE_MAX + 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "key->shape_count is 25",
             netcl_tuning_database_lookup(database, NULL, &key, &record, NULL));
  key = tuning_key("k", 1, 1);
  key.scalars_count = NETCL_TUNING_SCALARS_MAX + 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "key->scalars_count is 17",
             netcl_tuning_database_lookup(database, NULL, &key, &record, NULL));
  key = tuning_key("k", 1, 1);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "record->kind is 0",
             netcl_tuning_database_put(database, NULL, &key, config, &record));
  record.kind = NETCL_TUNING_RECORD_BEST;
  record.median = -1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "record->median is -1",
             netcl_tuning_database_put(database, NULL, &key, config, &record));
  record.median = 0;
  record.outcome = 99;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "record->outcome is 99",
             netcl_tuning_database_put(database, NULL, &key, config, &record));
  for (netcl_outcome outcome = NETCL_OUTCOME_UNKNOWN; outcome <= NETCL_OUTCOME_CANCELLED;
       ++outcome) {
    record.outcome = outcome;
    if (outcome == NETCL_OUTCOME_UNKNOWN || outcome == NETCL_OUTCOME_CORRECT ||
        outcome == NETCL_OUTCOME_CANCELLED) {
      OK(netcl_tuning_database_put(database, NULL, &key, config, &record));
    } else {
      FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "record->kind is BEST and record->outcome",
                 netcl_tuning_database_put(database, NULL, &key, config, &record));
    }
  }
  record.outcome = NETCL_OUTCOME_CORRECT;
  key.shape[1] = -1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "key->shape[1] is -1",
             netcl_tuning_database_put(database, NULL, &key, config, &record));
  key.shape[1] = 1;
  /* Texts that are no UTF-8 could never be found. */
  static const struct {
    size_t member;
    const char *name;
  } kTexts[] = {{offsetof(netcl_tuning_key, kernel), "key->kernel is"},
                {offsetof(netcl_tuning_key, source), "key->source is"},
                {offsetof(netcl_tuning_key, flags), "key->flags is"},
                {offsetof(netcl_tuning_key, dtypes), "key->dtypes is"},
                {offsetof(netcl_tuning_key, layout), "key->layout is"},
                {offsetof(netcl_tuning_key, part), "key->part is"},
                {offsetof(netcl_tuning_key, driver), "key->driver is"}};
  static const char *const kBad = "-I/caf\xe9";
  for (size_t i = 0; i < sizeof kTexts / sizeof kTexts[0]; ++i) {
    netcl_tuning_key bad = key;
    memcpy((char *)&bad + kTexts[i].member, &kBad, sizeof kBad);
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kTexts[i].name,
               netcl_tuning_database_put(database, NULL, &bad, config, &record));
  }
  strcpy(record.reason, "caf\xe9");
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "record->reason is",
             netcl_tuning_database_put(database, NULL, &key, config, &record));
  static const char *const kNul[] = {"{\"a\": \"x\\u0000y\"}", "{\"a\\u0000b\": 1}"};
  for (size_t i = 0; i < 2; ++i) {
    netcl_config *none = NULL;
    FAILS_WITH(NETCL_ERROR_CORRUPT_DATA, "holds a NUL",
               netcl_config_create_from_json(kNul[i], strlen(kNul[i]), &none));
  }
  netcl_config_release(config);
  netcl_tuning_database_release(database);
}

/* ---- Threads --------------------------------------------------------------------------------- */

typedef struct Shared {
  netcl_tuning_database *database;
  atomic_int stop, failures;
} Shared;

static void *reads(void *argument) {
  Shared *shared = argument;
  const netcl_tuning_key key = tuning_key("gemm", 64, 1), none = tuning_key("none", 64, 1);
  while (!atomic_load(&shared->stop)) {
    netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
    netcl_config *config = NULL;
    if (netcl_tuning_database_lookup(shared->database, NULL, &key, &record, &config) != NETCL_OK ||
        record.match != NETCL_MATCH_EXACT) {
      atomic_fetch_add(&shared->failures, 1);
    }
    int64_t tile = 0;
    /* Record and configuration belong together. */
    if (netcl_config_get_int(config, "TILE", &tile) != NETCL_OK ||
        record.median != 1000.0 + (double)tile) {
      atomic_fetch_add(&shared->failures, 1);
    }
    netcl_config_release(config);
    if (netcl_tuning_database_lookup(shared->database, NULL, &none, &record, NULL) != NETCL_OK ||
        record.match != NETCL_MATCH_NONE) {
      atomic_fetch_add(&shared->failures, 1);
    }
  }
  return NULL;
}

static void threads_read_while_one_writes(void **state) {
  (void)state;
  Shared shared = {.database = tuning_open(":memory:")};
  const netcl_tuning_key key = tuning_key("gemm", 64, 1);
  tuning_put_best(shared.database, &key, 1);
  pthread_t threads[4];
  for (size_t i = 0; i < COUNT_OF(threads); ++i) {
    assert_int_equal(pthread_create(&threads[i], NULL, reads, &shared), 0);
  }
  for (int i = 2; i < 400; ++i) tuning_put_best(shared.database, &key, i);
  atomic_store(&shared.stop, 1);
  for (size_t i = 0; i < COUNT_OF(threads); ++i) pthread_join(threads[i], NULL);
  assert_int_equal(atomic_load(&shared.failures), 0);
  netcl_tuning_database_release(shared.database);
}

static netcl_status info_call(void *context, void *info) {
  return netcl_tuning_database_get_info(context, info);
}
static netcl_status record_call(void *context, void *info) {
  return netcl_tuning_database_get_record(context, 0, info, NULL);
}
static netcl_status export_call(void *context, char *buffer, size_t capacity, size_t *length) {
  return netcl_tuning_database_export(context, NULL, NETCL_FORMAT_CSV, buffer, capacity, length);
}
static netcl_status part_call(void *context, char *buffer, size_t capacity, size_t *length) {
  return netcl_device_get_part(context, buffer, capacity, length);
}
static netcl_tuning_database *g_database;
static netcl_status key_call(Fixture *fixture, const void *options) {
  const netcl_tuning_key good = tuning_key("gemm", 64, 1);
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  return netcl_tuning_database_lookup(g_database, fixture->device,
                                      options == NULL ? &good : options, &record, NULL);
}

static void structs(void **state) {
  Fixture *fixture = *state;
  g_database = tuning_open(":memory:");
  const netcl_tuning_key key = tuning_key("gemm", 64, 1);
  tuning_put_best(g_database, &key, 1);
  check_info_rules("netcl_tuning_database_info", info_call, g_database,
                   sizeof(netcl_tuning_database_info), 0, 0);
  check_info_rules("netcl_tuning_record", record_call, g_database, sizeof(netcl_tuning_record), 0,
                   0);
  free(check_text_rules("netcl_tuning_database_export", export_call, g_database));
  free(check_text_rules("netcl_device_get_part", part_call, fixture->device));
  check_options_rules(fixture, "netcl_tuning_key", key_call, &key, SIZES(netcl_tuning_key),
                      NULL, 0);
  netcl_tuning_database_release(g_database);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(keeps_what_is_put), DEVICE_TEST(ladder),
      DEVICE_TEST(quarantine),        DEVICE_TEST(exports),
      DEVICE_TEST(refuses_nonsense),  DEVICE_TEST(threads_read_while_one_writes),
      DEVICE_TEST(structs),
  };
  seed_random("tuning_database");
  return cmocka_run_group_tests_name("tuning_database", tests, NULL, NULL);
}
