/* Work per item: formulas of a space say how many items a configuration is launched with. */
#include <stdio.h>

#include "support_tuner.h"

enum { kItems = 1000 };

/* Each item does WPT elements. Only with WPT 4 and TX 16 it is fast. With reveal it tells items *
 * 1000 + local size. */
static const char kSource[] =
    "#ifndef WPT\n#define WPT 1\n#endif\n"
    "#ifndef TX\n#define TX 0\n#endif\n"
    "#if WPT == 4 && TX == 16\n#define ROUNDS 1\n#else\n#define ROUNDS 4000\n#endif\n"
    "__kernel void k(__global const float *a, __global float *out, int n, float reveal) {\n"
    "  for (int w = 0; w < WPT; ++w) {\n"
    "    const int i = get_global_id(0) * WPT + w;\n"
    "    if (i >= n) return;\n"
    "    float x = a[i];\n"
    "    for (int r = 0; r < ROUNDS; ++r) x = mad(x, 0.999f, 0.001f * n);\n"
    "    x = a[i] * 2.0f + (x > 1e30f ? 1.0f : 0.0f);\n"
    "    out[i] = reveal == 0.0f ? x : get_global_size(0) * 1000 + get_local_size(0);\n"
    "  }\n"
    "}\n";

typedef struct Case {
  netcl_kernel *kernel;
  netcl_tensor *a, *out;
  netcl_arg args[4];
  netcl_space *space;
  netcl_kernel_tuning tuning;
} Case;

static Case make_case(netcl_device *device) {
  static const int64_t kWork[] = {1, 4}, kWidth[] = {16, 32};
  Case made = {.tuning = NETCL_KERNEL_TUNING_INIT};
  made.kernel = source_kernel(device, "k", kSource);
  made.a = counting_tensor(device, NETCL_F32, 2 * kItems, 1);
  made.out = poisoned_tensor(device, NETCL_F32, 2 * kItems);
  made.args[0] = arg_tensor(made.a);
  made.args[1] = arg_tensor(made.out);
  made.args[2] = arg_int(kItems);
  made.args[3] = arg_float(0);
  OK(netcl_space_create(&made.space));
  OK(netcl_space_add_ints(made.space, "WPT", kWork, 2));
  OK(netcl_space_add_ints(made.space, "TX", kWidth, 2));
  made.tuning.space = made.space;
  return made;
}

static void free_case(Case *made) {
  netcl_space_release(made->space);
  netcl_tensor_release(made->a);
  netcl_tensor_release(made->out);
  netcl_kernel_release(made->kernel);
}

static netcl_tuner *make_tuner(netcl_device *device, netcl_tuning_database *database) {
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner_options how = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuner *tuner = NULL;
  search.samples = 3;
  search.budget_ns = 600 * SECOND; /* a busy machine takes its time */
  how.search = &search;
  how.database = database;
  how.in_process = 1;
  how.run_limit_ns = 100 * SECOND;
  OK(netcl_tuner_create(device, &how, &tuner));
  return tuner;
}

/* What a launch of a size says of itself: every element of the problem, and none behind it. */
static int launched(Case *made, uint64_t global, int n) {
  float value[2 * kItems];
  netcl_tensor_release(made->out);
  netcl_device *device = NULL;
  OK(netcl_tensor_get_device(made->a, &device));
  made->out = poisoned_tensor(device, NETCL_F32, 2 * kItems);
  netcl_device_release(device);
  made->args[1] = arg_tensor(made->out);
  made->args[2] = arg_int(n);
  OK(netcl_kernel_launch(made->kernel, &global, 1, NULL, 0, made->args, 4, NULL, NULL));
  OK(netcl_tensor_read(made->out, value, sizeof value, NULL, LONG_WAIT));
  for (int i = 0; i < n; ++i) {
    const float want = made->args[3].value[3] != 0 ? value[0] : 2.0f * (float)(i + 1);
    CHECK(value[i] == want, "element %d of %d is %g, not %g", i, n, value[i], want);
  }
  for (int i = n; i < 2 * kItems; ++i) assert_true(value[i] != value[0]);
  return (int)value[0];
}

static netcl_launch_explanation explain(Case *made, uint64_t global, int n) {
  netcl_launch_explanation out = NETCL_LAUNCH_EXPLANATION_INIT;
  made->args[2] = arg_int(n);
  OK(netcl_kernel_explain_launch(made->kernel, &global, 1, NULL, 0, made->args, 4, NULL, &out));
  return out;
}

/* A record whose size cannot be launched here is as none. */
static void bad_records_are_not_used(Fixture *fixture, Case *made,
                                     netcl_tuning_database *database) {
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  netcl_config *config = NULL;
  for (uint64_t i = 0; record.kind != NETCL_TUNING_RECORD_BEST; ++i) {
    netcl_config_release(config);
    OK(netcl_tuning_database_get_record(database, i, &record, &config));
  }
  assert_true(record.global[0] == 256 && record.local[0] == 16);
  key.kernel = record.kernel;
  key.source = record.source;
  key.dtypes = record.dtypes;
  key.shape[0] = record.shape[0];
  key.shape_count = 1;
  memcpy(key.scalars, record.scalars, sizeof key.scalars);
  key.scalars_count = record.scalars_count;
  static const uint64_t kBad[][4] = {
      {100, 0, 16, 0}, {256, 2, 16, 1}, {1 << 30, 0, 1 << 29, 0}, {256, 0, 0, 0}};
  for (size_t i = 0; i < COUNT_OF(kBad); ++i) {
    for (int d = 0; d < 2; ++d) {
      record.global[d] = kBad[i][d];
      record.local[d] = kBad[i][2 + d];
    }
    OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
    assert_int_equal(launched(made, kItems, kItems) / 1000, kItems);
  }
  record.global[0] = 0;
  record.local[0] = 16;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "record->local 1",
             netcl_tuning_database_put(database, fixture->device, &key, config, &record));
  record.global[1] = 4;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "record->global[1] is 4 behind a 0",
             netcl_tuning_database_put(database, fixture->device, &key, config, &record));
  netcl_config_release(config);
}

static void the_winner_brings_its_size(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const uint64_t global = kItems;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  netcl_config *config = NULL;
  netcl_match match = 77;
  Case made = make_case(fixture->device);
  netcl_tuning_database *database = tuning_open(NULL);
  OK(netcl_tuning_database_clear(database, NULL));
  netcl_tuner *tuner = make_tuner(fixture->device, database);
  OK(netcl_space_set_work_size(made.space, "ceil(n / (TX * WPT)) * TX", "TX"));
  const netcl_launch_explanation before = explain(&made, kItems, kItems);
  assert_true(before.global[0] == kItems);
  OK(netcl_tuner_add(tuner, made.kernel, &global, 1, made.args, 4, &made.tuning));
  OK(netcl_tuner_run(tuner));
  OK(netcl_tuner_get_result(tuner, 0, &result, &config));
  CHECK(result.status == NETCL_OK, "%s", result.message);
  CHECK(result.global[0] == 256 && result.local[0] == 16, "%d items in groups of %d",
        (int)result.global[0], (int)result.local[0]);
  int64_t work = 0;
  OK(netcl_config_get_int(config, "WPT", &work));
  assert_int_equal(work, 4);
  netcl_config_release(config);
  /* The default and four, each right. */
  assert_int_equal(result.evaluations, 5);
  netcl_launch_explanation now = explain(&made, kItems, kItems);
  CHECK(now.match == NETCL_MATCH_EXACT && now.global[0] == 256 && now.local[0] == 16, "%s",
        now.reason);
  (void)launched(&made, kItems, kItems);
  made.args[3] = arg_float(1);
  assert_int_equal(launched(&made, kItems, kItems), 256016);
  /* Of another size or another n nothing is used: it would be too few items, or too many. */
  assert_int_equal(launched(&made, 2 * kItems, 2 * kItems) / 1000, 2 * kItems);
  assert_int_equal(launched(&made, kItems, kItems - 100) / 1000, kItems);
  now = explain(&made, kItems, kItems - 100);
  CHECK(now.match == NETCL_MATCH_NONE && strstr(now.reason, "work size") != NULL, "%s", now.reason);
  const uint64_t near = 2 * kItems;
  OK(netcl_tuner_lookup(tuner, "k", &near, 1, &match, &config));
  assert_true(match == NETCL_MATCH_NONE && config == NULL);
  /* A tuner that finds it stored knows the size too. */
  netcl_tuner *second = make_tuner(fixture->device, database);
  made.args[2] = arg_int(kItems);
  OK(netcl_tuner_add(second, made.kernel, &global, 1, made.args, 4, &made.tuning));
  OK(netcl_tuner_get_result(second, 0, &result, NULL));
  assert_true(result.measured == 0 && result.global[0] == 256 && result.local[0] == 16);
  netcl_tuner_release(second);
  bad_records_are_not_used(fixture, &made, database);
  netcl_tuner_release(tuner);
  OK(netcl_tuning_database_clear(database, NULL));
  netcl_tuning_database_release(database);
  free_case(&made);
}

/* A stored local size that the source does not allow is as none. */
static void a_demanded_size_stays(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const char kDemands[] =
      "#ifndef EITHER\n#define EITHER 1\n#endif\n"
      "__attribute__((reqd_work_group_size(8, 1, 1)))\n"
      "__kernel void demands(__global float *out) {\n"
      "  out[get_global_id(0)] = get_local_size(0) + 0 * EITHER;\n"
      "}\n";
  static const char *const kLocals[] = {"{\"LOCAL_X\": 16}", "{\"LOCAL_X\": 4611686018427387904}"};
  static const int64_t kEither[] = {1, 2};
  const uint64_t sizes[] = {64, 128, 61 * 8};
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  netcl_tuning_database *database = tuning_open(NULL);
  OK(netcl_tuning_database_clear(database, NULL));
  netcl_tuner *tuner = make_tuner(fixture->device, database);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_F32, 512);
  netcl_kernel *kernel = source_kernel(fixture->device, "demands", kDemands);
  const netcl_arg arg = arg_tensor(out);
  netcl_space *space = NULL;
  netcl_config *config = NULL;
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "EITHER", kEither, 2));
  tuning.space = space;
  OK(netcl_tuner_add(tuner, kernel, sizes, 1, &arg, 1, &tuning));
  OK(netcl_tuner_run(tuner));
  for (uint64_t i = 0; record.kind != NETCL_TUNING_RECORD_BEST; ++i) {
    OK(netcl_tuning_database_get_record(database, i, &record, NULL));
  }
  key.kernel = record.kernel;
  key.source = record.source;
  key.dtypes = record.dtypes;
  key.shape[0] = record.shape[0];
  key.shape_count = 1;
  for (size_t i = 0; i < COUNT_OF(kLocals); ++i) {
    OK(netcl_config_create_from_json(kLocals[i], strlen(kLocals[i]), &config));
    OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
    netcl_config_release(config);
    for (size_t k = 0; k < COUNT_OF(sizes); ++k) {
      OK(netcl_kernel_launch(kernel, &sizes[k], 1, NULL, 0, &arg, 1, NULL, NULL));
      float *values = read_tensor(out);
      assert_true(values[0] == 8);
      free(values);
    }
  }
  OK(netcl_tuning_database_clear(database, NULL));
  netcl_tuning_database_release(database);
  netcl_tuner_release(tuner);
  netcl_space_release(space);
  netcl_kernel_release(kernel);
  netcl_tensor_release(out);
}

static void refuses_entries(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const struct {
    const char *global, *local, *says;
  } kCases[] = {
      {"m / TX", NULL, "it names m, which is none of LOCAL_X, WPT, TX, global_x"},
      {"reveal * TX", NULL, "it names reveal"},
      {"n", "TX * width", "local_size is \"TX * width\"; it names width"},
      {"n - 5000", NULL, "global_size \"n - 5000\" is -4000 with n = 1000"},
      {"n // 5000", NULL, "global_size \"n // 5000\" is 0"},
      {"n / 0", NULL, "division by zero"},
      {"n / 3", NULL, "gives 333.3333333333333 where an integer is needed"},
      {"2 ** 62 * n", NULL, "does not fit 64 bits"},
      {"n, 2", NULL, "the launch has 1 dimensions, so it has to be 1"},
      {"global_y * n, global_z", "1, 2", "local_size \"2\" is 2"},
  };
  const uint64_t global[2] = {kItems, 1};
  Case made = make_case(fixture->device);
  netcl_tuning_database *database = tuning_open(":memory:");
  netcl_tuner *tuner = make_tuner(fixture->device, database);
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    OK(netcl_space_set_work_size(made.space, kCases[i].global, kCases[i].local));
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, kCases[i].says,
               netcl_tuner_add(tuner, made.kernel, global, 1, made.args, 4, &made.tuning));
  }
  OK(netcl_space_set_work_size(made.space, "n", "TX"));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "which has 1 extents; global_count is 2",
             netcl_tuner_add(tuner, made.kernel, global, 2, made.args, 4, &made.tuning));
  static const uint64_t kLocal[] = {16};
  made.tuning.local_sizes = kLocal;
  made.tuning.local_sizes_count = 1;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "only one of them can say it",
             netcl_tuner_add(tuner, made.kernel, global, 1, made.args, 4, &made.tuning));
  uint32_t count = 77;
  OK(netcl_tuner_get_count(tuner, &count));
  assert_int_equal(count, 0);
  netcl_tuner_release(tuner);
  netcl_tuning_database_release(database);
  free_case(&made);
}

/* What cannot be launched is said of each candidate, and nothing is compiled for it. */
static void marks_candidates(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  static const struct {
    const char *global, *local, *says;
  } kCases[] = {
      {"n * 16 // (WPT - 1)", "16", "division by zero"},
      {"(WPT - 1) * 16", "16", "global_size \"(WPT - 1) * 16\" is 0 with WPT = 1; a size is 1"},
      {"16 - 17 * WPT", "TX", "is -1 with WPT = 1"},
      {"n + WPT - 4", "TX",
       "is 997 with n = 1000, WPT = 1, which is no multiple of the local size: local_size \"TX\""},
      {"n // 8 * 2 ** (40 * (2 - WPT))", "125 * 2 ** (40 * (2 - WPT))", "the device takes up to"},
  };
  const uint64_t global = kItems;
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    Case made = make_case(fixture->device);
    netcl_tuning_database *database = tuning_open(":memory:");
    netcl_tuner *tuner = make_tuner(fixture->device, database);
    netcl_search *search = NULL;
    netcl_search_candidate info = NETCL_SEARCH_CANDIDATE_INIT;
    int marked = 0;
    OK(netcl_space_add_constraint(made.space, "WPT == 1 and TX == 16 and TX < n"));
    OK(netcl_space_set_work_size(made.space, kCases[i].global, kCases[i].local));
    OK(netcl_tuner_add(tuner, made.kernel, &global, 1, made.args, 4, &made.tuning));
    OK(netcl_tuner_run(tuner));
    OK(netcl_tuner_get_search(tuner, 0, &search));
    for (uint32_t k = 0; netcl_search_get_candidate(search, k, &info, NULL) == NETCL_OK; ++k) {
      if (info.outcome != NETCL_OUTCOME_CONSTRAINTS) continue;
      CHECK(strstr(info.message, kCases[i].says) != NULL, "no \"%s\" in \"%s\"", kCases[i].says,
            info.message);
      assert_int_equal(info.compile_ns, 0);
      ++marked;
    }
    assert_int_equal(marked, 1);
    netcl_search_release(search);
    netcl_tuner_release(tuner);
    netcl_tuning_database_release(database);
    free_case(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(the_winner_brings_its_size),
      DEVICE_TEST(a_demanded_size_stays),
      DEVICE_TEST(refuses_entries),
      DEVICE_TEST(marks_candidates),
  };
  return cmocka_run_group_tests_name("work_size_cl", tests, NULL, NULL);
}
