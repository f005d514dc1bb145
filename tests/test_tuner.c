/* Tuning ops: what is found is used by the next call, gives the same numbers, and is explained. */
#include "support.h"

#include <stdio.h>

#include "sanitizers.h"

static netcl_tuner* make_tuner(Fixture* fixture, netcl_tuning_database* database) {
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuner* tuner = NULL;
  search.samples = 3;
  search.budget_ns = 600 * SECOND; /* a busy machine takes its time */
  search.threshold_pct = 1000;     /* and its ceilings, measured meanwhile, are soon reached */
  options.search = &search;
  options.database = database;
  options.warmup_count = 1;
  OK(netcl_tuner_create(fixture->device, &options, &tuner));
  return tuner;
}

static void tunes_ops(void** state) {
  Fixture* fixture = *state;
  netcl_tuning_database* database = NULL;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  netcl_conv2d_shape image = NETCL_CONV2D_SHAPE_INIT;
  netcl_config* config = NULL;
  char text[64];
  image.batch = 1;
  image.channels = 8;
  image.filters = 4;
  image.height = 12;
  image.width = 14;
  image.kernel_height = image.kernel_width = 3;
  OK(netcl_tuning_database_open(":memory:", &database));
  netcl_tuner* tuner = make_tuner(fixture, database);
  OK(netcl_tuner_add_matmul(tuner, 1, 65, 48, 80, NETCL_F32));
  OK(netcl_tuner_add_conv2d(tuner, &image, NETCL_F32));
  OK(netcl_tuner_add_reduction(tuner, 3, 70000, NETCL_F32));
  OK(netcl_tuner_add_matmul(tuner, 3, 20, 24, 28, NETCL_F32));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "batch is 0",
             netcl_tuner_add_matmul(tuner, 0, 4, 4, 4, NETCL_F32));
  FAILS(NETCL_ERROR_UNSUPPORTED, netcl_tuner_add_matmul(tuner, 1, 4, 4, 4, NETCL_I32));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tuner_add_matmul(tuner, 1, 0, 4, 4, NETCL_F32));
  FAILS(NETCL_ERROR_UNSUPPORTED, netcl_tuner_add_conv2d(tuner, &image, NETCL_U8));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_tuner_add_reduction(tuner, -1, 4, NETCL_F32));
  OK(netcl_tuner_run(tuner));
  /* Winograd's tile of 0 leaves it to the rules, whose choice is tried under its own name too. */
  netcl_search* search = NULL;
  OK(netcl_tuner_get_search(tuner, 1, &search));
  netcl_search_candidate candidate = NETCL_SEARCH_CANDIDATE_INIT;
  int same = 0;
  for (uint32_t i = 0; netcl_search_get_candidate(search, i, &candidate, NULL) == NETCL_OK; ++i) {
    same += strstr(candidate.message, "the same program as {\"variant\": ") != NULL;
  }
  netcl_search_release(search);
  assert_int_equal(same, 1);
  static const char* const kNames[] = {"op.matmul", "op.conv2d", "op.reduction", "op.matmul"};
  for (uint32_t i = 0; i < 4; ++i) {
    OK(netcl_tuner_get_result(tuner, i, &result, &config));
    CHECK(result.status == NETCL_OK, "%s: %s", result.name, result.message);
    assert_string_equal(result.name, kNames[i]);
    assert_true(result.measured == 1 && result.evaluations >= 3 && result.median > 0);
    OK(netcl_config_get_text(config, "variant", text, sizeof text, NULL));
    assert_true(strncmp(text, kNames[i] + 3, 6) == 0);
    netcl_config_release(config);
  }
  /* The extents of each op, in the order that the header gives. */
  static const struct {
    const char* name;
    uint64_t extents[5];
    uint32_t count;
  } kSizes[] = {{"op.matmul", {65, 48, 80, 1}, 4},
                {"op.matmul", {20, 24, 28, 3}, 4},
                {"op.conv2d", {1, 8, 12, 14, 4}, 5},
                {"op.reduction", {3, 70000}, 2}};
  for (size_t i = 0; i < COUNT_OF(kSizes); ++i) {
    netcl_match match = 0;
    OK(netcl_tuner_lookup(tuner, kSizes[i].name, kSizes[i].extents, kSizes[i].count, &match,
                          &config));
    CHECK(match == NETCL_MATCH_EXACT, "%s: match %d", kSizes[i].name, match);
    netcl_config_release(config);
  }
  netcl_tuner_release(tuner);
  netcl_tuning_database_release(database);
}

/* Stores a choice that no rule makes, and finds it at work. */
static void ops_use_what_is_stored(void** state) {
  Fixture* fixture = *state;
  static const int64_t kShapeA[] = {65, 80}, kShapeB[] = {80, 48};
  netcl_tuning_database* database = NULL;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  netcl_variant_config before = NETCL_VARIANT_CONFIG_INIT, after = NETCL_VARIANT_CONFIG_INIT;
  netcl_tensor *a = NULL, *b = NULL, *by_rules = NULL, *tuned = NULL;
  netcl_config* config = NULL;
  OK(netcl_tuning_database_open(NULL, &database));
  OK(netcl_tuning_database_clear(database, "op.matmul"));
  OK(netcl_variant_select_matmul(fixture->device, 65, 48, 80, NULL, &before));
  OK(netcl_tensor_create_random(fixture->device, NETCL_F32, 2, kShapeA, NULL, NULL, NULL, &a));
  OK(netcl_tensor_create_random(fixture->device, NETCL_F32, 2, kShapeB, NULL, NULL, NULL, &b));
  OK(netcl_op_matmul(a, b, NULL, NULL, &by_rules));
  /* A run of a tuner tells the key. */
  netcl_tuner* tuner = make_tuner(fixture, database);
  OK(netcl_tuner_add_matmul(tuner, 1, 65, 48, 80, NETCL_F32));
  OK(netcl_tuner_run(tuner));
  uint64_t index = 0;
  do {
    OK(netcl_tuning_database_get_record(database, index++, &record, NULL));
  } while (strcmp(record.kernel, "op.matmul") != 0);
  key.kernel = record.kernel;
  key.source = record.source;
  key.flags = record.flags;
  key.dtypes = record.dtypes;
  key.layout = record.layout;
  memcpy(key.shape, record.shape, sizeof key.shape);
  key.shape_count = record.shape_count;
  record.kind = NETCL_TUNING_RECORD_BEST;
  record.outcome = NETCL_OUTCOME_UNKNOWN;
  static const char kNaive[] = "{\"variant\": \"matmul_naive\"}";
  OK(netcl_config_create_from_json(kNaive, sizeof kNaive - 1, &config));
  OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
  OK(netcl_variant_select_matmul(fixture->device, 65, 48, 80, NULL, &after));
  assert_true(before.variant != NETCL_VARIANT_MATMUL_NAIVE);
  assert_int_equal(after.variant, NETCL_VARIANT_MATMUL_NAIVE);
  assert_non_null(strstr(after.reason, "tuned"));
  const uint64_t extents[] = {65, 48, 80, 1};
  netcl_match match = 0;
  netcl_config* looked_up = NULL;
  OK(netcl_tuner_lookup(tuner, "op.matmul", extents, 4, &match, &looked_up));
  assert_int_equal(match, NETCL_MATCH_EXACT);
  netcl_config_release(looked_up);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "global_count is 3; op.matmul is tuned for 4 extents",
             netcl_tuner_lookup(tuner, "op.matmul", extents, 3, &match, &looked_up));
  /* A request comes first, and another dtype or a far shape is left alone. */
  netcl_variant_options asked = NETCL_VARIANT_OPTIONS_INIT;
  asked.variant = before.variant;
  OK(netcl_variant_select_matmul(fixture->device, 65, 48, 80, &asked, &after));
  assert_int_equal(after.variant, before.variant);
  asked.variant = 0;
  asked.dtype = NETCL_F16;
  OK(netcl_variant_select_matmul(fixture->device, 65, 48, 80, &asked, &after));
  assert_null(strstr(after.reason, "tuned"));
  OK(netcl_variant_select_matmul(fixture->device, 650, 480, 800, NULL, &after));
  assert_null(strstr(after.reason, "tuned"));
  OK(netcl_op_matmul(a, b, NULL, NULL, &tuned));
  float *want = read_tensor(by_rules), *got = read_tensor(tuned);
  for (int i = 0; i < 65 * 48; ++i) {
    CHECK(got[i] > want[i] - 1e-4 && got[i] < want[i] + 1e-4, "[%d] is %g, not %g", i,
          (double)got[i], (double)want[i]);
  }
  OK(netcl_tuner_clear(tuner));
  OK(netcl_variant_select_matmul(fixture->device, 65, 48, 80, NULL, &after));
  assert_int_equal(after.variant, before.variant);
  free(want);
  free(got);
  netcl_config_release(config);
  netcl_tuner_release(tuner);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(by_rules);
  netcl_tensor_release(tuned);
  netcl_tuning_database_release(database);
}

/* Ops declare their work: with the ceilings of the device known, being near enough to its roofline
 * ends the search of an entry. */
static void ops_stop_at_the_roofline(void** state) {
  Fixture* fixture = *state;
  if (fixture->opencl) SKIP("the probes take a compiler long");
#if !defined(__OPTIMIZE__) || HAS_ASAN || HAS_TSAN
  SKIP("loops that are not optimized come nowhere near the roofline");
#endif
  netcl_tuning_database* database = NULL;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_ceilings_options quick = NETCL_CEILINGS_OPTIONS_INIT;
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  netcl_conv2d_shape image = NETCL_CONV2D_SHAPE_INIT;
  netcl_tuner* tuner = NULL;
  netcl_ceilings* ceilings = NULL;
  netcl_search* found = NULL;
  image.batch = 1;
  image.channels = image.filters = 64;
  image.height = image.width = 56; /* small work is lost in waits for a thread on a busy machine */
  image.kernel_height = image.kernel_width = 3;
  quick.budget_ns = SECOND / 10;
  OK(netcl_ceilings_measure(fixture->device, &quick, &ceilings));
  netcl_ceilings_release(ceilings);
  OK(netcl_tuning_database_open(":memory:", &database));
  search.budget_ns = 600 * SECOND;
  search.threshold_pct = 1; /* anything but a hundred times the roof will do */
  options.search = &search;
  options.database = database;
  OK(netcl_tuner_create(fixture->device, &options, &tuner));
  OK(netcl_tuner_add_matmul(tuner, 1, 256, 256, 256, NETCL_F32));
  OK(netcl_tuner_add_conv2d(tuner, &image, NETCL_F32));
  OK(netcl_tuner_add_reduction(tuner, 64, 70000, NETCL_F32));
  OK(netcl_tuner_run(tuner));
  for (uint32_t i = 0; i < 3; ++i) {
    OK(netcl_tuner_get_search(tuner, i, &found));
    OK(netcl_search_get_result(found, &result));
    /* A busy machine may time the first one at a hundred times what it takes. */
    CHECK(result.stop == NETCL_STOP_ROOFLINE && result.evaluations >= 1,
          "entry %u stops for reason %d after %d", i, result.stop, (int)result.evaluations);
    netcl_search_release(found);
  }
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  int told = 0;
  for (uint64_t i = 0; netcl_tuning_database_get_record(database, i, &record, NULL) == NETCL_OK;
       ++i) {
    if (record.kind != NETCL_TUNING_RECORD_BEST) continue;
    told += strstr(record.reason, "% of the roofline") != NULL;
  }
  assert_int_equal(told, 3);
  netcl_tuner_release(tuner);
  netcl_tuning_database_release(database);
}

static netcl_status create_call(Fixture* fixture, const void* options) {
  netcl_tuner* tuner = NULL;
  const netcl_status status = netcl_tuner_create(fixture->device, options, &tuner);
  CHECK((status == NETCL_OK) == (tuner != NULL), "output with %s", netcl_status_name(status));
  netcl_tuner_release(tuner);
  return status;
}
static netcl_status result_call(void* context, void* info) {
  return netcl_tuner_get_result(context, 0, info, NULL);
}

static void structs(void** state) {
  Fixture* fixture = *state;
  const netcl_tuner_options options = NETCL_TUNER_OPTIONS_INIT;
  netcl_tuner* tuner = NULL;
  check_options_rules(fixture, "netcl_tuner_options", create_call, &options,
                      SIZES(netcl_tuner_options), NULL, 0);
  OK(netcl_tuner_create(fixture->device, NULL, &tuner));
  OK(netcl_tuner_add_matmul(tuner, 1, 4, 4, 4, NETCL_F32));
  check_info_rules("netcl_tuner_result", result_call, tuner, sizeof(netcl_tuner_result), 0, 0);
  netcl_tuner_release(tuner);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(tunes_ops),
      DEVICE_TEST(ops_use_what_is_stored),
      DEVICE_TEST(ops_stop_at_the_roofline),
      DEVICE_TEST(structs),
  };
  seed_random("tuner");
  return cmocka_run_group_tests_name("tuner", tests, NULL, NULL);
}
