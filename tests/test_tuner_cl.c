/* Tuning kernels, in this process and in the worker: who wins, who does not, the registry. */
#include "support_process.h"
#include "support_tuner.h"

#include <limits.h>
#include <stdio.h>

static netcl_space *macro_space(const char *name, const int64_t *values, uint32_t count) {
  netcl_space *space = NULL;
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, name, values, count));
  return space;
}

static int64_t int_of(const netcl_config *config, const char *name) {
  int64_t value = -1;
  OK(netcl_config_get_int(config, name, &value));
  return value;
}

static void finds_the_fast_one(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const int64_t kWork[] = {200, 1, 600};
  static const uint64_t kLocal[] = {16, 64};
  char slow[2048];
  snprintf(slow, sizeof slow, "#ifndef WORK\n#define WORK 300\n#endif\n%s", kTunedSource);
  for (uint32_t in_process = 0; in_process < 2; ++in_process) {
    TunedCase made = tuned_case(fixture->device, slow);
    netcl_tuning_database *database = tuning_open(":memory:");
    netcl_space *space = macro_space("WORK", kWork, 3);
    netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
    netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
    netcl_config *config = NULL;
    netcl_search *search = NULL;
    netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
    tuning.space = space;
    tuning.local_sizes = kLocal;
    tuning.local_sizes_count = 2;
    /* A busy machine takes its time. */
    netcl_search_options patient = NETCL_SEARCH_OPTIONS_INIT;
    patient.budget_ns = 600 * SECOND;
    options.run_limit_ns = 100 * SECOND; /* PoCL compiles for a local size at its first launch */
    options.search = &patient;
    options.database = database;
    options.in_process = in_process;
    OK(netcl_kernel_autotune(made.kernel, &made.global, 1, made.args, 4, &tuning, &options, &config,
                             &search));
    assert_int_equal(int_of(config, "WORK"), 1);
    assert_true(int_of(config, "LOCAL_X") == 16 || int_of(config, "LOCAL_X") == 64);
    OK(netcl_search_get_result(search, &result));
    /* Six, and the default, which sets no macro. */
    CHECK(result.evaluations == 7, "%d evaluations of %d, stop %d, %d correct, %d slow",
          (int)result.evaluations, (int)result.configurations, result.stop,
          (int)result.counts[NETCL_OUTCOME_CORRECT], (int)result.counts[NETCL_OUTCOME_SLOW]);
    /* A GPU waits longer for the launch than for the work. */
    assert_true(result.is_default == 0 || fixture->info.type == NETCL_DEVICE_GPU);
    assert_true(result.gain > 1.5 || fixture->info.type == NETCL_DEVICE_GPU);
    check_still_poisoned(made.out);
    netcl_tuning_database_info info = NETCL_TUNING_DATABASE_INFO_INIT;
    OK(netcl_tuning_database_get_info(database, &info));
    assert_int_equal(info.records, 8);
    netcl_config_release(config);
    netcl_search_release(search);
    netcl_space_release(space);
    netcl_tuning_database_release(database);
    free_tuned_case(&made);
  }
}

static void wrong_ones_do_not_win(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const int64_t kModes[] = {1, 2, 3};
  static const uint64_t kLocal[] = {64};
  for (uint32_t in_process = 0; in_process < 2; ++in_process) {
    TunedCase made = tuned_case(fixture->device, kTunedSource);
    netcl_tuning_database *database = tuning_open(":memory:");
    netcl_space *space = macro_space("MODE", kModes, 3);
    netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
    netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
    netcl_config *config = NULL;
    netcl_search *search = NULL;
    netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
    char text[512];
    tuning.space = space;
    tuning.local_sizes = kLocal;
    tuning.local_sizes_count = 1;
    /* A busy machine takes its time. */
    netcl_search_options patient = NETCL_SEARCH_OPTIONS_INIT;
    patient.budget_ns = 600 * SECOND;
    options.run_limit_ns = 100 * SECOND; /* PoCL compiles for a local size at its first launch */
    options.search = &patient;
    options.database = database;
    options.in_process = in_process;
    OK(netcl_kernel_autotune(made.kernel, &made.global, 1, made.args, 4, &tuning, &options, &config,
                             &search));
    int64_t mode = 0;
    FAILS(NETCL_ERROR_NOT_FOUND, netcl_config_get_int(config, "MODE", &mode));
    OK(netcl_search_get_result(search, &result));
    assert_int_equal(result.is_default, 1);
    assert_int_equal(result.counts[NETCL_OUTCOME_CORRECT], 1);
    assert_int_equal(result.counts[NETCL_OUTCOME_CORRECTNESS], 1);
    assert_int_equal(result.counts[NETCL_OUTCOME_COMPILE], 1);
    assert_int_equal(result.counts[NETCL_OUTCOME_GUARD], 1);
    OK(netcl_search_get_failure(search, NETCL_OUTCOME_CORRECTNESS, text, sizeof text, NULL));
    CHECK(strstr(text, "\"MODE\": 1") != NULL && strstr(text, "element") != NULL, "%s", text);
    OK(netcl_search_get_failure(search, NETCL_OUTCOME_COMPILE, text, sizeof text, NULL));
    CHECK(strstr(text, "no such mode") != NULL, "%s", text);
    netcl_config_release(config);
    netcl_search_release(search);
    netcl_space_release(space);
    netcl_tuning_database_release(database);
    free_tuned_case(&made);
  }
}

/* The default is what a launch runs untuned: the source with no macro set, whatever the values of
 * the space. What is slower than that does not win, and what differs from it is wrong. */
static void the_default_is_what_runs_untuned(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const int64_t kWork[] = {900, 500}, kModes[] = {1, 0};
  static const uint64_t kLocal[] = {64};
  const struct {
    const char *macro;
    const int64_t *values;
  } kCases[] = {{"WORK", kWork}, {"MODE", kModes}};
  for (uint32_t i = 0; i < 2; ++i) {
    TunedCase made = tuned_case(fixture->device, kTunedSource);
    netcl_tuning_database *database = tuning_open(":memory:");
    netcl_space *space = macro_space(kCases[i].macro, kCases[i].values, 2);
    netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
    netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
    netcl_search_options patient = NETCL_SEARCH_OPTIONS_INIT;
    netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
    netcl_search_candidate first = NETCL_SEARCH_CANDIDATE_INIT;
    netcl_config *config = NULL;
    netcl_search *search = NULL;
    char json[128];
    patient.budget_ns = 600 * SECOND;
    tuning.space = space;
    tuning.local_sizes = kLocal;
    tuning.local_sizes_count = 1;
    options.in_process = 1;
    options.search = &patient;
    options.run_limit_ns = 100 * SECOND;
    options.database = database;
    OK(netcl_kernel_autotune(made.kernel, &made.global, 1, made.args, 4, &tuning, &options, &config,
                             &search));
    netcl_config_release(config);
    OK(netcl_search_get_candidate(search, 0, &first, &config));
    OK(netcl_config_get_json(config, json, sizeof json, NULL));
    assert_string_equal(json, "{\"LOCAL_X\": 64}");
    assert_true(first.place == UINT64_MAX && first.outcome == NETCL_OUTCOME_CORRECT);
    OK(netcl_search_get_result(search, &result));
    assert_int_equal(result.configurations, 3);
    CHECK(result.is_default == 1 && result.gain == 1 && result.median == result.default_median,
          "%s won with %g over %g ns", kCases[i].macro, result.median, result.default_median);
    assert_int_equal(result.counts[NETCL_OUTCOME_CORRECTNESS], i);
    netcl_config_release(config);
    netcl_search_release(search);
    netcl_space_release(space);
    netcl_tuning_database_release(database);
    free_tuned_case(&made);
  }
}

static void other_tuners(Fixture *fixture, TunedCase *made, netcl_tuning_database *database) {
  for (uint32_t force = 0; force < 2; ++force) {
    netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
    netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
    netcl_tuner *tuner = NULL;
    options.database = database;
    options.in_process = 1;
    options.run_limit_ns = 100 * SECOND; /* a busy machine */
    options.force = force;
    OK(netcl_tuner_create(fixture->device, &options, &tuner));
    OK(netcl_tuner_add(tuner, made->kernel, &made->global, 1, made->args, 4, NULL));
    OK(netcl_tuner_run(tuner));
    OK(netcl_tuner_get_result(tuner, 0, &result, NULL));
    /* What is stored is found, and measured again only when that is asked for. */
    assert_true(result.match == NETCL_MATCH_EXACT && result.measured == force);
    netcl_tuner_release(tuner);
  }
}

static void near_sizes_have_no_macros(Fixture *fixture, netcl_tuning_database *database,
                                      netcl_tuner *tuner) {
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  netcl_config *config = NULL;
  netcl_match match = 77;
  char json[64];
  const uint64_t size = 1 << 20, near = 3 << 18;
  OK(netcl_tuning_database_get_record(database, 0, &record, NULL));
  key.kernel = record.kernel;
  key.source = record.source;
  key.flags = record.flags;
  key.dtypes = record.dtypes;
  key.layout = record.layout;
  key.shape[0] = (int64_t)size;
  key.shape_count = 1;
  record.kind = NETCL_TUNING_RECORD_BEST;
  record.outcome = NETCL_OUTCOME_CORRECT;
  OK(netcl_config_create_from_json("{\"LOCAL_X\": 100, \"WORK\": 7}", 27, &config));
  OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
  netcl_config_release(config);
  for (uint32_t i = 0; i < 2; ++i) {
    OK(netcl_tuner_lookup(tuner, "k", i == 0 ? &size : &near, 1, &match, &config));
    OK(netcl_config_get_json(config, json, sizeof json, NULL));
    assert_int_equal(match, i == 0 ? NETCL_MATCH_EXACT : NETCL_MATCH_NEAREST_SHAPE);
    assert_string_equal(json, i == 0 ? "{\"LOCAL_X\": 100, \"WORK\": 7}" : "{\"LOCAL_X\": 96}");
    netcl_config_release(config);
  }
}

static void registry(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char folder[PATH_MAX], path[PATH_MAX];
  process_make_folder(folder, sizeof folder);
  process_join_path(path, sizeof path, folder, "saved.jsonl");
  TunedCase made = tuned_case(fixture->device, kTunedSource);
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuner *tuner = NULL;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  netcl_config *config = NULL;
  netcl_match match = 77;
  uint32_t count = 0;
  const uint64_t small = 2048, between = 4096;
  options.database = database;
  options.in_process = 1;
  options.run_limit_ns = 100 * SECOND; /* a busy machine */
  OK(netcl_tuner_create(fixture->device, &options, &tuner));
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_tuner_lookup(tuner, "k", &small, 1, &match, &config));
  OK(netcl_tuner_add(tuner, made.kernel, &made.global, 1, made.args, 4, NULL));
  OK(netcl_tuner_add(tuner, made.kernel, &small, 1, made.args, 4, NULL));
  OK(netcl_tuner_add(tuner, made.kernel, &small, 1, made.args, 4, NULL));
  OK(netcl_tuner_get_count(tuner, &count));
  assert_int_equal(count, 2);
  OK(netcl_tuner_get_result(tuner, 0, &result, &config));
  assert_true(result.match == NETCL_MATCH_NONE && result.measured == 0 && config == NULL);
  netcl_search *search = NULL;
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_tuner_get_search(tuner, 0, &search));
  netcl_search_event event = NETCL_SEARCH_EVENT_INIT;
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_tuner_read_event(tuner, 0, NETCL_WAIT_FOREVER, &event));
  OK(netcl_tuner_run(tuner));
  for (uint32_t i = 0; i < 2; ++i) {
    OK(netcl_tuner_get_result(tuner, i, &result, &config));
    CHECK(result.status == NETCL_OK, "%s", result.message);
    assert_true(result.match == NETCL_MATCH_EXACT && result.measured == 1);
    assert_true(result.median > 0 && result.default_median > 0 && result.evaluations > 4);
    assert_string_equal(result.name, "k");
    assert_true(int_of(config, "LOCAL_X") > 0);
    netcl_config_release(config);
  }
  OK(netcl_tuner_get_search(tuner, 1, &search));
  netcl_search_release(search);
  uint64_t last = 0, entries = 0;
  while (netcl_tuner_read_event(tuner, last, 0, &event) == NETCL_OK) {
    assert_int_equal(event.sequence, last + 1);
    last = event.sequence;
    entries |= 1u << event.entry;
  }
  assert_int_equal(entries, 3);
  OK(netcl_tuner_lookup(tuner, "k", &small, 1, &match, &config));
  assert_int_equal(match, NETCL_MATCH_EXACT);
  netcl_config_release(config);
  OK(netcl_tuner_lookup(tuner, "k", &between, 1, &match, &config));
  assert_int_equal(match, NETCL_MATCH_NEAREST_SHAPE);
  netcl_config_release(config);
  other_tuners(fixture, &made, database);
  /* Saved, cleared, loaded. */
  OK(netcl_tuner_save(tuner, path));
  OK(netcl_tuner_clear(tuner));
  OK(netcl_tuner_get_count(tuner, &count));
  assert_int_equal(count, 0);
  netcl_tuning_database_info info = NETCL_TUNING_DATABASE_INFO_INIT;
  OK(netcl_tuning_database_get_info(database, &info));
  assert_int_equal(info.records, 0);
  OK(netcl_tuner_load(tuner, path));
  /* Without an entry what was loaded is found, and near sizes have what a launch takes for them. */
  OK(netcl_tuner_lookup(tuner, "k", &small, 1, &match, &config));
  assert_int_equal(match, NETCL_MATCH_EXACT);
  netcl_config_release(config);
  near_sizes_have_no_macros(fixture, database, tuner);
  OK(netcl_tuner_add(tuner, made.kernel, &small, 1, made.args, 4, NULL));
  OK(netcl_tuner_get_result(tuner, 0, &result, NULL));
  assert_int_equal(result.match, NETCL_MATCH_EXACT);
  netcl_tuner_release(tuner);
  netcl_tuning_database_release(database);
  free_tuned_case(&made);
  process_remove_folder(folder);
}

/* Local sizes of two extents are counted by extents, so that no binding can count them wrong. */
static void rows_of_local_sizes(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const uint64_t kGlobal[] = {kTunedItems, 1}, kLocal[] = {16, 1, 64, 1};
  TunedCase made = tuned_case(fixture->device, kTunedSource);
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_config *config = NULL;
  netcl_search *found = NULL;
  search.samples = 1;
  search.budget_ns = 600 * SECOND;
  options.search = &search;
  options.database = database;
  options.in_process = 1;
  options.run_limit_ns = 100 * SECOND;
  tuning.local_sizes = kLocal;
  tuning.local_sizes_count = 3;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "local_sizes_count is 3",
             netcl_kernel_autotune(made.kernel, kGlobal, 2, made.args, 4, &tuning, &options,
                                   &config, &found));
  tuning.local_sizes_count = 4;
  OK(netcl_kernel_autotune(made.kernel, kGlobal, 2, made.args, 4, &tuning, &options, &config,
                           &found));
  assert_int_equal(int_of(config, "LOCAL_Y"), 1);
  uint32_t seen = 0;
  netcl_config *tried = NULL;
  netcl_search_candidate info = NETCL_SEARCH_CANDIDATE_INIT;
  for (uint32_t i = 0; netcl_search_get_candidate(found, i, &info, &tried) == NETCL_OK; ++i) {
    const int64_t local = int_of(tried, "LOCAL_X");
    seen |= local == 16 ? 1 : local == 64 ? 2 : 0;
    netcl_config_release(tried);
  }
  assert_int_equal(seen, 3);
  netcl_config_release(config);
  netcl_search_release(found);
  netcl_tuning_database_release(database);
  free_tuned_case(&made);
}

static void arguments_that_nobody_gave(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuner *tuner = NULL;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  options.database = database;
  options.in_process = 1;
  options.run_limit_ns = 100 * SECOND; /* a busy machine */
  OK(netcl_tuner_create(fixture->device, &options, &tuner));
  char *text = unique_source(kTunedSource);
  TunedCase made = tuned_case(fixture->device, text);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "argument 2, float f, cannot be known",
             netcl_tuner_add(tuner, made.kernel, &made.global, 1, NULL, 0, NULL));
  /* The last launch tells. */
  OK(netcl_kernel_launch(made.kernel, &made.global, 1, NULL, 0, made.args, 4, NULL, NULL));
  OK(netcl_tuner_add(tuner, made.kernel, &made.global, 1, NULL, 0, NULL));
  netcl_kernel *plain = fresh_kernel(
      fixture->device, "p",
      "__kernel void p(__global const float *a, __global float *b) {"
      " b[get_global_id(0)] = a[get_global_id(0)] + 1.0f; }");
  OK(netcl_tuner_add(tuner, plain, &made.global, 1, NULL, 0, NULL));
  OK(netcl_tuner_run(tuner));
  for (uint32_t i = 0; i < 2; ++i) {
    OK(netcl_tuner_get_result(tuner, i, &result, NULL));
    CHECK(result.status == NETCL_OK, "%s", result.message);
    assert_int_equal(result.measured, 1);
  }
  /* Macros that the source never uses. */
  static const int64_t kValues[] = {1, 2};
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  tuning.tile_sizes = kValues;
  tuning.tile_sizes_count = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "never uses the macro TILE_SIZE",
             netcl_tuner_add(tuner, made.kernel, &made.global, 1, made.args, 4, &tuning));
  tuning.tile_macro = "WORK";
  OK(netcl_tuner_add(tuner, made.kernel, &made.global, 1, made.args, 4, &tuning));
  tuning.unroll_factors = kValues;
  tuning.unroll_factors_count = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "never uses the macro UNROLL_FACTOR",
             netcl_tuner_add(tuner, made.kernel, &made.global, 1, made.args, 4, &tuning));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "args_count is 3; kernel k has 4",
             netcl_tuner_add(tuner, made.kernel, &made.global, 1, made.args, 3, NULL));
  netcl_tuner_release(tuner);
  netcl_kernel_release(plain);
  netcl_tuning_database_release(database);
  free_tuned_case(&made);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(finds_the_fast_one),
      DEVICE_TEST(wrong_ones_do_not_win),
      DEVICE_TEST(the_default_is_what_runs_untuned),
      DEVICE_TEST(registry),
      DEVICE_TEST(rows_of_local_sizes),
      DEVICE_TEST(arguments_that_nobody_gave),
  };
  seed_random("tuner_cl");
  return cmocka_run_group_tests_name("tuner_cl", tests, NULL, NULL);
}
