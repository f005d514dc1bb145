/* What results of measurements are kept under: it is the same in processes that see other amounts
 * of memory, other processors and other numbers of threads, and what 0.1.0 wrote is found. */
#include "support_process.h"
#include "support_tuning.h"

#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>

/* What a child saw. */
typedef struct Seen {
  char part[256];
  unsigned units;
  unsigned long long memory_gib;
  int match;
  int op_match;
  unsigned from_store;
  unsigned long long measured_ns;
} Seen;

/* TEST_ONE_PROCESSOR=1: the child may use one processor only. */
static void take_one_processor(void) {
  cpu_set_t all, one;
  if (getenv("TEST_ONE_PROCESSOR") == NULL || sched_getaffinity(0, sizeof all, &all) != 0) return;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &all)) continue;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

static netcl_status op_result(netcl_device *device, netcl_tuning_database *database, int run,
                              netcl_tuner_result *result) {
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner *tuner = NULL;
  search.samples = 3;
  search.evaluations = 2;
  options.search = &search;
  options.database = database;
  options.in_process = 1;
  netcl_status status = netcl_tuner_create(device, &options, &tuner);
  if (status != NETCL_OK) return status;
  status = netcl_tuner_add_reduction(tuner, 2, 3000, NETCL_F32);
  if (status == NETCL_OK && run) status = netcl_tuner_run(tuner);
  if (status == NETCL_OK) status = netcl_tuner_get_result(tuner, 0, result, NULL);
  netcl_tuner_release(tuner);
  return status;
}

/* Keeps results with TEST_KEEP, and looks for them in any case. */
static int child_look(void) {
  take_one_processor();
  netcl_device *device = NULL;
  netcl_tuning_database *database = NULL;
  netcl_device_capabilities caps = NETCL_DEVICE_CAPABILITIES_INIT;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_tuner_result op = NETCL_TUNER_RESULT_INIT;
  netcl_ceilings *ceilings = NULL;
  netcl_ceilings_info measured = NETCL_CEILINGS_INFO_INIT;
  netcl_ceilings_options quick = NETCL_CEILINGS_OPTIONS_INIT;
  char part[256];
  const int keep = getenv("TEST_KEEP") != NULL;
  quick.budget_ns = SECOND / 20;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_device_get_capabilities(device, &caps));
  CHILD_OK(netcl_device_get_part(device, part, sizeof part, NULL));
  CHILD_OK(netcl_tuning_database_open(NULL, &database));
  netcl_tuning_key key = tuning_key("gemm", 64, 100);
  key.part = key.driver = NULL;
  if (keep) {
    netcl_config *config = NULL;
    record.kind = NETCL_TUNING_RECORD_BEST;
    record.outcome = NETCL_OUTCOME_CORRECT;
    CHILD_OK(netcl_config_create_from_json("{\"TILE\": 5}", 11, &config));
    CHILD_OK(netcl_tuning_database_put(database, device, &key, config, &record));
    netcl_config_release(config);
  }
  CHILD_OK(netcl_tuning_database_lookup(database, device, &key, &record, NULL));
  /* What an op is kept under is made elsewhere; on OpenCL devices it costs seconds of compiling. */
  if (strcmp(test_selector(), "builtin") == 0) {
    CHILD_OK(op_result(device, database, keep, &op));
  } else {
    op.match = NETCL_MATCH_EXACT;
  }
  CHILD_OK(netcl_ceilings_measure(device, &quick, &ceilings));
  CHILD_OK(netcl_ceilings_get_info(ceilings, &measured));
  printf("seen %u %llu %d %d %u %llu %s\n", caps.compute_units,
         (unsigned long long)(caps.global_memory_bytes >> 30), record.match, op.match,
         measured.from_store, (unsigned long long)measured.time_ns, part);
  netcl_ceilings_release(ceilings);
  netcl_tuning_database_release(database);
  netcl_device_release(device);
  return 0;
}

static char folder[PATH_MAX];

static Seen look(const char *first, const char *second) {
  char cache[PATH_MAX + 32];
  snprintf(cache, sizeof cache, "NETCL_CACHE_DIR=%s", folder);
  const char *environment[] = {cache, first, first != NULL ? second : NULL, NULL};
  process_result result;
  Seen seen = {0};
  process_run_self("look", environment, 100, &result);
  process_expect_exit(&result, 0);
  const char *line = strstr(result.output, "seen ");
  CHECK(line != NULL && sscanf(line, "seen %u %llu %d %d %u %llu %255[^\n]", &seen.units,
                               &seen.memory_gib, &seen.match, &seen.op_match, &seen.from_store,
                               &seen.measured_ns, seen.part) == 7,
        "%s", result.output);
  return seen;
}

static unsigned ceilings_files(void) {
  char path[PATH_MAX];
  unsigned count = 0;
  process_join_path(path, sizeof path, folder, "ceilings");
  DIR *const directory = opendir(path);
  if (directory == NULL) return 0;
  for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    count += entry->d_name[0] != '.' && strstr(entry->d_name, "lock") == NULL;
  }
  closedir(directory);
  return count;
}

static void processes_find_each_others_results(void **state) {
  Fixture *fixture = *state;
  static const char *const kEnvironments[][2] = {
      {"POCL_MEMORY_LIMIT=1", NULL},       {"POCL_MEMORY_LIMIT=2", "POCL_MAX_PTHREAD_COUNT=1"},
      {"NETCL_NUM_THREADS=1", NULL},       {"NETCL_NUM_THREADS=3", "POCL_MAX_PTHREAD_COUNT=3"},
      {"TEST_ONE_PROCESSOR=1", NULL}};
  process_make_folder(folder, sizeof folder);
  const Seen kept = look("TEST_KEEP=1", NULL);
  assert_int_equal(kept.from_store, 0);
  int other_memory = 0, other_units = 0;
  for (size_t i = 0; i < COUNT_OF(kEnvironments); ++i) {
    const char *const *const environment = kEnvironments[i];
    const Seen seen = look(environment[0], environment[1]);
    CHECK(strcmp(seen.part, kept.part) == 0, "with %s the part is %s instead of %s",
          environment[0], seen.part, kept.part);
    CHECK(seen.match == NETCL_MATCH_EXACT && seen.op_match == NETCL_MATCH_EXACT,
          "with %s the matches are %d and %d", environment[0], seen.match, seen.op_match);
    CHECK(seen.from_store == 1 && seen.measured_ns == kept.measured_ns,
          "with %s the ceilings were measured again", environment[0]);
    other_memory |= seen.memory_gib != kept.memory_gib;
    other_units |= seen.units != kept.units;
  }
  assert_int_equal(ceilings_files(), 1);
  /* Or the processes were no different. The variables are PoCL's. */
  const int pocl = strcmp(fixture->info.platform_name, "Portable Computing Language") == 0;
  assert_true(other_units || !(pocl || !fixture->opencl));
  assert_true(other_memory || !pocl);
  process_remove_folder(folder);
}

/* ---- What 0.1.0 wrote ------------------------------------------------------------------------ */

/* The lines of a file of 0.1.0, with the memory in the part. */
static const char kOldFile[] =
    "{\"v\":1,\"t\":\"best\",\"kernel\":\"gemm\",\"src\":\"0123\",\"flags\":\"\",\"dtypes\":"
    "\"f32\",\"layout\":\"\",\"shape\":[64],\"part\":\"NVIDIA Corporation|NVIDIA "
    "H200|132|140GiB\",\"driver\":\"driver 1\",\"cfg\":{\"TILE\":1},\"st\":\"correct\",\"ns\":{"
    "\"n\":0,\"med\":1000.0,\"lo\":990.0,\"hi\":1010.0,\"default\":2000.0,\"samples\":[]},"
    "\"why\":\"\",\"ts\":1700000001,\"crc\":\"2052615470f1708055b034ac52df3a5c\"}\n"
    "{\"v\":1,\"t\":\"best\",\"kernel\":\"gemm\",\"src\":\"0123\",\"flags\":\"\",\"dtypes\":"
    "\"f32\",\"layout\":\"\",\"shape\":[64],\"part\":\"GenuineIntel|pthread-Some "
    "Processor|2|7GiB\",\"driver\":\"driver 1\",\"cfg\":{\"TILE\":2},\"st\":\"correct\",\"ns\":{"
    "\"n\":0,\"med\":1000.0,\"lo\":990.0,\"hi\":1010.0,\"default\":2000.0,\"samples\":[]},"
    "\"why\":\"\",\"ts\":1700000002,\"crc\":\"7ec368aff77e9295b9e9777924e5a4c6\"}\n"
    "{\"v\":1,\"t\":\"best\",\"kernel\":\"gemm\",\"src\":\"0123\",\"flags\":\"\",\"dtypes\":"
    "\"f32\",\"layout\":\"\",\"shape\":[64],\"part\":\"netcl|netcl built-in CPU (AVX2, 8 "
    "threads)|8|31GiB\",\"driver\":\"driver 1\",\"cfg\":{\"TILE\":3},\"st\":\"correct\",\"ns\":{"
    "\"n\":0,\"med\":1000.0,\"lo\":990.0,\"hi\":1010.0,\"default\":2000.0,\"samples\":[]},"
    "\"why\":\"\",\"ts\":1700000003,\"crc\":\"2e8ccc3ef701c6649b5ee2fb3b33f70f\"}\n";

static netcl_tuning_key old_key(const char *part) {
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  key.kernel = "gemm";
  key.source = "0123";
  key.dtypes = "f32";
  key.part = part;
  key.driver = "driver 1";
  key.shape[0] = 64;
  key.shape_count = 1;
  return key;
}

static void old_records_are_found(void **state) {
  (void)state;
  static const struct {
    const char *part;
    int tile;
  } kAsked[] = {{"NVIDIA Corporation|NVIDIA H200|132", 1},
                {"NVIDIA Corporation|NVIDIA H200|132|139GiB", 1},
                {"GenuineIntel|pthread-Some Processor", 2},
                {"GenuineIntel|pthread-Some Processor|8|3GiB", 0},
                {"netcl|netcl built-in CPU (AVX2)|Some Processor", 3},
                {"netcl|netcl built-in CPU (AVX3)|Some Processor", 0},
                {"NVIDIA Corporation|NVIDIA H200|66", 0},
                {"NVIDIA Corporation|NVIDIA H100|132", 0},
                {"AuthenticAMD|pthread-Some Processor", 0}};
  char path[PATH_MAX];
  process_make_folder(folder, sizeof folder);
  process_join_path(path, sizeof path, folder, "old.jsonl");
  FILE *const file = fopen(path, "w");
  assert_non_null(file);
  assert_true(fputs(kOldFile, file) >= 0);
  assert_int_equal(fclose(file), 0);
  netcl_tuning_database *database = tuning_open(path);
  for (size_t i = 0; i < COUNT_OF(kAsked); ++i) {
    const netcl_tuning_key key = old_key(kAsked[i].part);
    netcl_match match = NETCL_MATCH_NONE;
    const int64_t tile = tuning_look(database, &key, &match);
    CHECK(tile == kAsked[i].tile && match == (tile != 0 ? NETCL_MATCH_EXACT : NETCL_MATCH_NONE),
          "%s gives tile %d, match %d", kAsked[i].part, (int)tile, match);
  }
  /* The later word wins, and takes the place of an old record of the same part. */
  netcl_tuning_key key = old_key(kAsked[2].part);
  tuning_put_best(database, &key, 20);
  assert_int_equal(tuning_look(database, &key, NULL), 20);
  key = old_key(kAsked[0].part);
  tuning_put_best(database, &key, 10);
  assert_int_equal(tuning_look(database, &key, NULL), 10);
  assert_int_equal(tuning_facts(database).records, 4);
  netcl_tuning_database_release(database);
  process_remove_folder(folder);
}

/* ---- Near misses ----------------------------------------------------------------------------- */

static int logged(uint64_t *after, const char *text) {
  netcl_log_record record = NETCL_LOG_RECORD_INIT;
  int found = 0;
  while (netcl_log_read(*after, &record) == NETCL_OK) {
    *after = record.sequence;
    found += strstr(record.message, text) != NULL;
  }
  return found;
}

static void near_misses_are_logged(void **state) {
  Fixture *fixture = *state;
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_match match = NETCL_MATCH_NONE;
  uint64_t after = 0;
  OK(netcl_log_set_level(NETCL_LOG_INFO));
  (void)logged(&after, "");
  netcl_tuning_key key = old_key("vendor|card|10");
  tuning_put_best(database, &key, 7);
  assert_int_equal(tuning_look(database, &key, &match), 7);
  assert_int_equal(logged(&after, "tuning: "), 0);
  key.part = "vendor|card|12";
  assert_int_equal(tuning_look(database, &key, &match), 0);
  assert_int_equal(logged(&after, "tuned on \"vendor|card|10\", not on \"vendor|card|12\""), 1);
  key = old_key("vendor|card|10");
  key.source = "4567";
  assert_int_equal(tuning_look(database, &key, &match), 0);
  assert_int_equal(logged(&after, "its source has changed since"), 1);
  key.source = "0123";
  key.shape[0] = 128;
  assert_int_equal(tuning_look(database, &key, &match), 7);
  assert_int_equal(logged(&after, "takes what was found for 64"), 1);
  /* Once, and nothing where nothing is near. */
  netcl_tuning_key other = old_key("vendor|card|10");
  other.kernel = "other";
  tuning_put_best(database, &other, 7);
  assert_int_equal(tuning_look(database, &key, &match), 7);
  other.shape[0] = 4096;
  assert_int_equal(tuning_look(database, &other, &match), 0);
  assert_int_equal(logged(&after, "tuning: "), 0);
  /* The same by a record in hand. */
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  key.part = key.driver = NULL;
  netcl_config *config = NULL;
  record.kind = NETCL_TUNING_RECORD_BEST;
  OK(netcl_config_create_from_json("{\"TILE\": 5}", 11, &config));
  OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
  OK(netcl_tuning_database_lookup(database, fixture->device, &key, &record, NULL));
  OK(netcl_device_match_record(fixture->device, &record, &match));
  assert_int_equal(match, NETCL_MATCH_EXACT);
  strcpy(record.driver, "another");
  OK(netcl_device_match_record(fixture->device, &record, &match));
  assert_int_equal(match, NETCL_MATCH_OTHER_DRIVER);
  strcpy(record.part, "vendor|card|10");
  OK(netcl_device_match_record(fixture->device, &record, &match));
  assert_int_equal(match, NETCL_MATCH_OTHER_PART);
  netcl_config_release(config);
  netcl_tuning_database_release(database);
}

static const process_mode kModes[] = {{"look", child_look}};

int main(int argc, char **argv) {
  const int code = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(processes_find_each_others_results), DEVICE_TEST(old_records_are_found),
      DEVICE_TEST(near_misses_are_logged)};
  return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
