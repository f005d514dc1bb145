/* What tuning stores at work: in the next process, at the first call, for many threads at once. */
#include "support_process.h"
#include "support_tuner.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>

/* ---- Dispatch in another process ------------------------------------------------------------- */

/* What the kernel reveals of its launch. */
static int child_launch(void) {
  netcl_device *device = NULL;
  float value[kTunedItems];
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  TunedCase made = tuned_case(device, kTunedSource);
  if (getenv("TEST_SIZE") != NULL) made.global = (uint64_t)atoi(getenv("TEST_SIZE"));
  made.args[3] = arg_float(1);
  CHILD_OK(netcl_kernel_launch(made.kernel, &made.global, 1, NULL, 0, made.args, 4, NULL, NULL));
  CHILD_OK(netcl_tensor_read(made.out, value, sizeof value, NULL, LONG_WAIT));
  printf("revealed %d\n", (int)value[0]);
  free_tuned_case(&made);
  netcl_device_release(device);
  return 0;
}

/* Tunes, then replaces the winner by one that nobody would choose, so that it can be recognised. */
static int child_tune(void) {
  netcl_device *device = NULL;
  netcl_tuner *tuner = NULL;
  netcl_tuning_database *database = NULL;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  netcl_config *config = NULL;
  options.in_process = 1;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  TunedCase made = tuned_case(device, kTunedSource);
  CHILD_OK(netcl_tuner_create(device, &options, &tuner));
  CHILD_OK(netcl_tuner_add(tuner, made.kernel, &made.global, 1, made.args, 4, NULL));
  CHILD_OK(netcl_tuner_run(tuner));
  CHILD_OK(netcl_tuning_database_open(NULL, &database));
  CHILD_OK(netcl_tuning_database_get_record(database, 0, &record, NULL));
  key.kernel = record.kernel;
  key.source = record.source;
  key.flags = record.flags;
  key.dtypes = record.dtypes;
  key.layout = record.layout;
  key.shape[0] = record.shape[0];
  key.shape_count = 1;
  record.kind = NETCL_TUNING_RECORD_BEST;
  record.outcome = NETCL_OUTCOME_CORRECT;
  CHILD_OK(netcl_config_create_from_json("{\"LOCAL_X\": 2, \"WORK\": 7}", 25, &config));
  CHILD_OK(netcl_tuning_database_put(database, device, &key, config, &record));
  netcl_config_release(config);
  netcl_tuning_database_release(database);
  netcl_tuner_release(tuner);
  free_tuned_case(&made);
  netcl_device_release(device);
  return 0;
}

static int revealed(const char *folder, const char *policy, const char *size) {
  char cache[PATH_MAX + 32], tune[64], global[64];
  process_result result;
  snprintf(cache, sizeof cache, "NETCL_CACHE_DIR=%s", folder);
  snprintf(tune, sizeof tune, "NETCL_TUNE=%s", policy);
  snprintf(global, sizeof global, size == NULL ? "TEST_SIZE" : "TEST_SIZE=%s", size);
  const char *environment[] = {cache, tune, global, NULL};
  process_run_self("launch", environment, 100, &result);
  process_expect_exit(&result, 0);
  const char *at = strstr(result.output, "revealed ");
  CHECK(at != NULL, "%s", result.output);
  return atoi(at + 9);
}

static void the_next_process_uses_it(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char folder[PATH_MAX], cache[PATH_MAX + 32];
  process_result result;
  process_make_folder(folder, sizeof folder);
  const int before = revealed(folder, "cache", NULL);
  assert_int_equal(before % 1000, 1);
  snprintf(cache, sizeof cache, "NETCL_CACHE_DIR=%s", folder);
  const char *environment[] = {cache, NULL};
  process_run_self("tune", environment, 100, &result);
  process_expect_exit(&result, 0);
  assert_int_equal(revealed(folder, "cache", NULL), 2007);
  assert_int_equal(revealed(folder, "first", NULL), 2007);
  assert_int_equal(revealed(folder, "off", NULL), before);
  /* Near that size the local size is used, but macros were checked for that size alone. */
  assert_int_equal(revealed(folder, "cache", "4096"), 2001);
  assert_int_equal(revealed(folder, "cache", "128"), before);
  process_remove_folder(folder);
}

/* ---- One run for all who want it ------------------------------------------------------------- */

typedef struct Flock {
  TunedCase made;
  netcl_device *device;
  netcl_tuning_database *database;
  uint32_t measured[64];
  netcl_status status[64];
  char message[64][300];
} Flock;
typedef struct Bird {
  Flock *flock;
  int index;
  pthread_t thread;
} Bird;

static void *tunes(void *argument) {
  const Bird *bird = argument;
  Flock *flock = bird->flock;
  netcl_tuner *tuner = NULL;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  options.database = flock->database;
  options.in_process = 1;
  netcl_status status = netcl_tuner_create(flock->device, &options, &tuner);
  if (status == NETCL_OK) {
    status = netcl_tuner_add(tuner, flock->made.kernel, &flock->made.global, 1, flock->made.args, 4,
                             NULL);
  }
  if (status == NETCL_OK) status = netcl_tuner_run(tuner);
  if (status == NETCL_OK) status = netcl_tuner_get_result(tuner, 0, &result, NULL);
  if (status != NETCL_OK) {
    snprintf(flock->message[bird->index], sizeof flock->message[0], "%s",
             netcl_last_error_message());
  } else if (result.match != NETCL_MATCH_EXACT) {
    status = NETCL_ERROR_NOT_FOUND;
    snprintf(flock->message[bird->index], sizeof flock->message[0], "the match is %d: %d %s",
             (int)result.match, (int)result.status, result.message);
  }
  flock->measured[bird->index] = result.measured;
  flock->status[bird->index] = status;
  netcl_tuner_release(tuner);
  return NULL;
}

static void many_threads_make_one_run(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static Flock flock;
  flock = (Flock){.device = fixture->device};
  Bird birds[64];
  uint32_t measured = 0;
  flock.made = tuned_case(fixture->device, kTunedSource);
  flock.database = tuning_open(":memory:");
  for (int i = 0; i < 64; ++i) {
    birds[i].flock = &flock;
    birds[i].index = i;
    assert_int_equal(pthread_create(&birds[i].thread, NULL, tunes, &birds[i]), 0);
  }
  for (int i = 0; i < 64; ++i) {
    pthread_join(birds[i].thread, NULL);
    CHECK(flock.status[i] == NETCL_OK, "thread %d: %s", i, flock.message[i]);
    measured += flock.measured[i];
  }
  assert_int_equal(measured, 1);
  netcl_tuning_database_release(flock.database);
  free_tuned_case(&flock.made);
}

static int child_first(void) {
  netcl_device *device = NULL;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_tuning_database *database = NULL;
  netcl_tuning_database_info info = NETCL_TUNING_DATABASE_INFO_INIT;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  TunedCase made = tuned_case(device, kTunedSource);
  netcl_kernel_release(made.kernel);
  options.source = kTunedSource;
  options.tune = NETCL_TUNE_FIRST_CALL;
  CHILD_OK(netcl_kernel_create(device, "k", &options, &made.kernel));
  for (int i = 0; i < 3; ++i) {
    CHILD_OK(netcl_kernel_launch(made.kernel, &made.global, 1, NULL, 0, made.args, 4, NULL, NULL));
  }
  CHILD_OK(netcl_tuning_database_open(NULL, &database));
  CHILD_OK(netcl_tuning_database_get_info(database, &info));
  printf("lines %d records %d\n", (int)info.lines, (int)info.records);
  netcl_tuning_database_release(database);
  free_tuned_case(&made);
  netcl_device_release(device);
  return 0;
}

static void tunes_at_the_first_call(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char folder[PATH_MAX], cache[PATH_MAX + 32];
  process_result result;
  int lines = -1, records = -1, more = -1;
  process_make_folder(folder, sizeof folder);
  snprintf(cache, sizeof cache, "NETCL_CACHE_DIR=%s", folder);
  const struct {
    const char *policy;
    int measures;
  } kSteps[] = {{"NETCL_TUNE=cache", 0}, {"NETCL_TUNE=first", 1}, {"NETCL_TUNE=first", 0},
                {"NETCL_TUNE=force", 1}};
  int before = 0;
  for (size_t i = 0; i < COUNT_OF(kSteps); ++i) {
    const char *environment[] = {cache, kSteps[i].policy, NULL};
    process_run_self("first", environment, 100, &result);
    process_expect_exit(&result, 0);
    const char *at = strstr(result.output, "lines ");
    CHECK(at != NULL && sscanf(at, "lines %d records %d", &lines, &records) == 2, "%s",
          result.output);
    more = lines - before;
    CHECK((more > 0) == kSteps[i].measures, "%s: %d lines more", kSteps[i].policy, more);
    before = lines;
  }
  assert_true(records > 4);
  process_remove_folder(folder);
}

/* ---- Twenty kernels -------------------------------------------------------------------------- */

static void tunes_twenty_kernels(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner *tuner = NULL;
  static const uint64_t kLocal[] = {16, 64, 256};
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  tuning.local_sizes = kLocal;
  tuning.local_sizes_count = 3;
  search.samples = 5;
  options.search = &search;
  options.database = database;
  options.in_process = 1;
  options.warmup_count = 1;
  OK(netcl_tuner_create(fixture->device, &options, &tuner));
  TunedCase made = tuned_case(fixture->device, kTunedSource);
  for (uint64_t i = 0; i < 20; ++i) {
    const uint64_t global = 256 * (i + 1);
    OK(netcl_tuner_add(tuner, made.kernel, &global, 1, made.args, 4, &tuning));
  }
  const double begin = process_now();
  OK(netcl_tuner_run(tuner));
  uint32_t count = 0;
  OK(netcl_tuner_get_count(tuner, &count));
  print_message("tuned %u kernels in %.0f ms\n", count, (process_now() - begin) * 1e3);
  for (uint32_t i = 0; i < count; ++i) {
    netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
    OK(netcl_tuner_get_result(tuner, i, &result, NULL));
    CHECK(result.status == NETCL_OK, "%s", result.message);
  }
  netcl_tuner_release(tuner);
  netcl_tuning_database_release(database);
  free_tuned_case(&made);
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {
      {"launch", child_launch}, {"tune", child_tune}, {"first", child_first}};
  const int child = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(the_next_process_uses_it),
      DEVICE_TEST(many_threads_make_one_run),
      DEVICE_TEST(tunes_at_the_first_call),
      DEVICE_TEST(tunes_twenty_kernels),
  };
  seed_random("tuner_dispatch_cl");
  return cmocka_run_group_tests_name("tuner_dispatch_cl", tests, NULL, NULL);
}
