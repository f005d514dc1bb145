/* Which problem a result of tuning is for: its size and its integer arguments. And that tuning goes
 * on with what is stored. */
#include "support_process.h"
#include "support_tuner.h"

#include <limits.h>
#include <stdio.h>

enum { kItems = 1024 };

/* With reveal it tells local size * 1000 + WORK. */
static const char kSource[] =
    "#ifndef WORK\n#define WORK 1\n#endif\n"
    "__kernel void k(__global float *out, int n, __local float *spare, float reveal) {\n"
    "  const int i = get_global_id(0);\n"
    "  spare[0] = 0;\n"
    "  if (i < n || reveal != 0.0f)\n"
    "    out[i] = reveal != 0.0f ? (float)(get_local_size(0) * 1000 + WORK) : (float)(i + n);\n"
    "}\n";

typedef struct Case {
  netcl_kernel *kernel;
  netcl_tensor *out;
  netcl_arg args[4];
  netcl_tuning_database *database;
} Case;

static Case make_case(netcl_device *device, const uint32_t *free_args, uint32_t free_args_count) {
  Case made = {0};
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.source = kSource;
  options.free_args = free_args;
  options.free_args_count = free_args_count;
  OK(netcl_kernel_create(device, "k", &options, &made.kernel));
  made.out = poisoned_tensor(device, NETCL_F32, kItems);
  made.args[0] = arg_tensor(made.out);
  made.args[1] = arg_int(kItems);
  made.args[2] = arg_local(64);
  made.args[3] = arg_float(0);
  made.database = tuning_open(NULL);
  OK(netcl_tuning_database_clear(made.database, NULL));
  return made;
}

static void free_case(Case *made) {
  netcl_tuning_database_release(made->database);
  netcl_tensor_release(made->out);
  netcl_kernel_release(made->kernel);
}

static netcl_tuner_options quick(const netcl_search_options *search) {
  netcl_tuner_options how = NETCL_TUNER_OPTIONS_INIT;
  how.search = search;
  how.in_process = 1;
  how.run_limit_ns = 100 * SECOND; /* a busy machine */
  return how;
}

/* The key of a record, which has to live as long. */
static netcl_tuning_key key_of(const netcl_tuning_record *record) {
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  key.kernel = record->kernel;
  key.source = record->source;
  key.flags = record->flags;
  key.dtypes = record->dtypes;
  key.layout = record->layout;
  key.shape[0] = record->shape[0];
  key.shape_count = 1;
  memcpy(key.scalars, record->scalars, sizeof key.scalars);
  key.scalars_count = record->scalars_count;
  return key;
}

/* Tunes, and puts a winner that tells itself apart in the place of what was found. */
static void tune_and_mark(netcl_device *device, Case *made, netcl_tuning_record *record) {
  static const uint64_t kLocal[] = {4};
  const uint64_t global = kItems;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_config *config = NULL;
  search.samples = 1;
  search.budget_ns = 600 * SECOND;
  const netcl_tuner_options how = quick(&search);
  tuning.local_sizes = kLocal;
  tuning.local_sizes_count = 1;
  OK(netcl_kernel_autotune(made->kernel, &global, 1, made->args, 4, &tuning, &how, &config, NULL));
  netcl_config_release(config);
  record->kind = 0;
  for (uint64_t i = 0; record->kind != NETCL_TUNING_RECORD_BEST; ++i) {
    OK(netcl_tuning_database_get_record(made->database, i, record, NULL));
  }
  const netcl_tuning_key key = key_of(record);
  OK(netcl_config_create_from_json("{\"LOCAL_X\": 2, \"WORK\": 7}", 25, &config));
  OK(netcl_tuning_database_put(made->database, device, &key, config, record));
  netcl_config_release(config);
}

static void check_launch(Case *made, const netcl_launch_options *options, netcl_match match,
                         int revealed) {
  const uint64_t global = kItems / 2;
  const uint64_t whole = kItems;
  const uint64_t *size = options != NULL ? &global : &whole;
  float value[kItems];
  netcl_launch_explanation out = NETCL_LAUNCH_EXPLANATION_INIT;
  made->args[3] = arg_float(1);
  OK(netcl_kernel_explain_launch(made->kernel, size, 1, NULL, 0, made->args, 4, options, &out));
  CHECK(out.match == match, "match %d, not %d: %s", out.match, match, out.reason);
  CHECK((strstr(out.macros, "WORK=7") != NULL) == (match == NETCL_MATCH_EXACT), "%s", out.macros);
  OK(netcl_kernel_launch(made->kernel, size, 1, NULL, 0, made->args, 4, options, NULL));
  OK(netcl_tensor_read(made->out, value, sizeof value, NULL, LONG_WAIT));
  const int got = (int)value[kItems / 2];
  if (revealed != 0) CHECK(got == revealed, "ran %d, not %d", got, revealed);
  CHECK(got % 1000 == (match == NETCL_MATCH_EXACT ? 7 : 1), "ran %d", got);
}

static void integers_make_another_problem(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  Case made = make_case(fixture->device, NULL, 0);
  tune_and_mark(fixture->device, &made, &record);
  assert_int_equal(record.scalars_count, 2);
  assert_true(record.scalars[0] == kItems && record.scalars[1] == -65);
  check_launch(&made, NULL, NETCL_MATCH_EXACT, 2007);
  /* A near one is no other than a near size: a local size and no macro. */
  made.args[1] = arg_int(kItems - 1);
  check_launch(&made, NULL, NETCL_MATCH_NEAREST_SHAPE, 2001);
  const int32_t far[] = {kItems * 5, 0, -kItems};
  for (size_t i = 0; i < COUNT_OF(far); ++i) {
    made.args[1] = arg_int(far[i]);
    check_launch(&made, NULL, NETCL_MATCH_NONE, 0);
  }
  /* Untold or told, it is the same integer. */
  made.args[1] = arg_int(kItems);
  made.args[1].dtype = NETCL_I32;
  check_launch(&made, NULL, NETCL_MATCH_EXACT, 2007);
  /* Less local memory may be too little for what was found. */
  made.args[2] = arg_local(32);
  check_launch(&made, NULL, NETCL_MATCH_NONE, 0);
  made.args[2] = arg_local(64);
  /* With an offset nothing was tuned. */
  netcl_launch_options offset = NETCL_LAUNCH_OPTIONS_INIT;
  offset.offset[0] = kItems / 2;
  check_launch(&made, &offset, NETCL_MATCH_NONE, 0);
  OK(netcl_tuning_database_clear(made.database, NULL));
  free_case(&made);
}

static void free_arguments_do_not(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const uint32_t kFree[] = {1, 2};
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  Case made = make_case(fixture->device, kFree, 2);
  tune_and_mark(fixture->device, &made, &record);
  assert_int_equal(record.scalars_count, 0);
  made.args[1] = arg_int(-3);
  made.args[2] = arg_local(32);
  check_launch(&made, NULL, NETCL_MATCH_EXACT, 2007);
  OK(netcl_tuning_database_clear(made.database, NULL));
  free_case(&made);
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  const uint32_t beyond[] = {1, NETCL_ARGS_MAX};
  options.source = kSource;
  options.free_args_count = 2;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "free_args is NULL",
             netcl_kernel_create(fixture->device, "k", &options, &kernel));
  options.free_args = beyond;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "free_args[1] is 64",
             netcl_kernel_create(fixture->device, "k", &options, &kernel));
}

/* What a launch refuses is refused before anything is tuned. */
static void arguments_are_checked(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const uint64_t global = kItems;
  netcl_config *config = NULL;
  const netcl_tuner_options how = quick(NULL);
  Case made = make_case(fixture->device, NULL, 0);
  made.args[1] = arg_float(3);
  made.args[1].dtype = NETCL_F32;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "args[1].dtype is f32; parameter int n",
             netcl_kernel_autotune(made.kernel, &global, 1, made.args, 4, NULL, &how, &config,
                                   NULL));
  made.args[1] = arg_tensor(made.out);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "needs a scalar",
             netcl_kernel_autotune(made.kernel, &global, 1, made.args, 4, NULL, &how, &config,
                                   NULL));
  netcl_tuning_database_info info = NETCL_TUNING_DATABASE_INFO_INIT;
  OK(netcl_tuning_database_get_info(made.database, &info));
  assert_int_equal(info.records, 0);
  free_case(&made);
}

static void autotune_goes_on(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const uint64_t kLocal[] = {4, 16};
  const uint64_t global = kItems;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_config *config = NULL, *best = NULL;
  netcl_search *found = NULL;
  char first[64], second[64];
  Case made = make_case(fixture->device, NULL, 0);
  search.samples = 1;
  search.budget_ns = 600 * SECOND;
  netcl_tuner_options how = quick(&search);
  tuning.local_sizes = kLocal;
  tuning.local_sizes_count = 2;
  OK(netcl_kernel_autotune(made.kernel, &global, 1, made.args, 4, &tuning, &how, &config, &found));
  assert_non_null(found);
  OK(netcl_config_get_json(config, first, sizeof first, NULL));
  netcl_search_release(found);
  netcl_config_release(config);
  /* It is there. */
  found = (netcl_search *)(uintptr_t)1;
  OK(netcl_kernel_autotune(made.kernel, &global, 1, made.args, 4, &tuning, &how, &config, &found));
  assert_null(found);
  OK(netcl_config_get_json(config, second, sizeof second, NULL));
  assert_string_equal(first, second);
  netcl_config_release(config);
  /* As it is after Ctrl-C: what was measured is not measured again, the default apart. */
  for (uint64_t i = 0; record.kind != NETCL_TUNING_RECORD_BEST; ++i) {
    netcl_config_release(best);
    OK(netcl_tuning_database_get_record(made.database, i, &record, &best));
  }
  record.outcome = NETCL_OUTCOME_CANCELLED;
  const netcl_tuning_key key = key_of(&record);
  OK(netcl_tuning_database_put(made.database, fixture->device, &key, best, &record));
  netcl_config_release(best);
  for (uint32_t force = 0; force < 2; ++force) {
    how.force = force;
    OK(netcl_kernel_autotune(made.kernel, &global, 1, made.args, 4, &tuning, &how, &config,
                             &found));
    OK(netcl_search_get_result(found, &result));
    CHECK((result.known > 0) == (force == 0), "%d known with force %u", (int)result.known, force);
    netcl_search_release(found);
    netcl_config_release(config);
  }
  OK(netcl_tuning_database_clear(made.database, NULL));
  free_case(&made);
}

/* ---- The first call -------------------------------------------------------------------------- */

/* An integer that counts launches does not have each of them tuned. */
static int child_first(void) {
  netcl_device *device = NULL;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_tuning_database *database = NULL;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_kernel *kernel = NULL;
  const uint64_t global = 2;
  int best = 0;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  netcl_tensor *out = poisoned_tensor(device, NETCL_F32, kItems);
  options.source = kSource;
  options.tune = NETCL_TUNE_FIRST_CALL;
  CHILD_OK(netcl_kernel_create(device, "k", &options, &kernel));
  for (int step = 1; step <= 7; ++step) {
    const netcl_arg args[] = {arg_tensor(out), arg_int(step), arg_local(64), arg_float(0)};
    CHILD_OK(netcl_kernel_launch(kernel, &global, 1, NULL, 0, args, 4, NULL, NULL));
  }
  CHILD_OK(netcl_tuning_database_open(NULL, &database));
  for (uint64_t i = 0; netcl_tuning_database_get_record(database, i, &record, NULL) == NETCL_OK;
       ++i) {
    best += record.kind == NETCL_TUNING_RECORD_BEST;
  }
  printf("tuned %d\n", best);
  netcl_tuning_database_release(database);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
  netcl_device_release(device);
  return 0;
}

static void steps_are_not_all_tuned(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  char folder[PATH_MAX], cache[PATH_MAX + 32];
  process_result result;
  process_make_folder(folder, sizeof folder);
  snprintf(cache, sizeof cache, "NETCL_CACHE_DIR=%s", folder);
  const char *environment[] = {cache, "NETCL_TUNE=first", NULL};
  process_run_self("first", environment, 100, &result);
  process_expect_exit(&result, 0);
  CHECK(strstr(result.output, "tuned 4\n") != NULL, "%s", result.output);
  process_remove_folder(folder);
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"first", child_first}};
  const int child = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(integers_make_another_problem), DEVICE_TEST(free_arguments_do_not),
      DEVICE_TEST(arguments_are_checked),         DEVICE_TEST(autotune_goes_on),
      DEVICE_TEST(steps_are_not_all_tuned),
  };
  return cmocka_run_group_tests_name("tuner_problem_cl", tests, NULL, NULL);
}
