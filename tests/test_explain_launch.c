/* What a launch will use is what it then uses: the local size that the kernel reveals. */
#include <stdio.h>

#include "support_tuner.h"

static netcl_launch_explanation explain(const TunedCase *made, uint64_t global,
                                        const uint64_t *local) {
  netcl_launch_explanation out = NETCL_LAUNCH_EXPLANATION_INIT;
  memset(&out, POISON, sizeof out);
  out.struct_size = sizeof out;
  OK(netcl_kernel_explain_launch(made->kernel, &global, 1, local, local != NULL ? 1 : 0, made->args,
                                 4, NULL, &out));
  return out;
}

/* local size * 1000 + WORK */
static int revealed(TunedCase *made, uint64_t global, const uint64_t *local) {
  float value[kTunedItems];
  made->args[3] = arg_float(1);
  OK(netcl_kernel_launch(made->kernel, &global, 1, local, local != NULL ? 1 : 0, made->args, 4,
                         NULL, NULL));
  OK(netcl_tensor_read(made->out, value, sizeof value, NULL, LONG_WAIT));
  return (int)value[0];
}

static void check(TunedCase *made, uint64_t global, const uint64_t *local, netcl_match match,
                  netcl_local_origin origin, int work, const char *reason) {
  const netcl_launch_explanation out = explain(made, global, local);
  CHECK(out.match == match && out.origin == origin, "match %d, origin %d: %s", out.match,
        out.origin, out.reason);
  CHECK(strstr(out.reason, reason) != NULL, "no \"%s\" in \"%s\"", reason, out.reason);
  assert_true(out.global[0] == global && out.global[1] == 1 && out.local[1] == 1);
  const int got = revealed(made, global, local);
  CHECK(got == (int)out.local[0] * 1000 + work, "explained %d, ran %d", (int)out.local[0], got);
}

static void a_launch_does_what_is_explained(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tuning_database* database = NULL;
  netcl_tuner_options how = NETCL_TUNER_OPTIONS_INIT;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  netcl_kernel_tuning tuning = NETCL_KERNEL_TUNING_INIT;
  const uint64_t local = 16, locals[] = {4};
  TunedCase made = tuned_case(fixture->device, kTunedSource);
  OK(netcl_tuning_database_open(NULL, &database));
  OK(netcl_tuning_database_clear(database, NULL));
  check(&made, made.global, NULL, NETCL_MATCH_NONE, NETCL_LOCAL_CHOSEN, 1, "no result is stored");
  check(&made, made.global, &local, NETCL_MATCH_NONE, NETCL_LOCAL_CALLER, 1,
        "the call gives the local size");
  /* A result that tells itself apart takes the place of what tuning found. */
  search.samples = 3;
  how.search = &search;
  how.in_process = 1;
  tuning.local_sizes = locals;
  tuning.local_sizes_count = 1;
  netcl_config *config = NULL;
  OK(netcl_kernel_autotune(made.kernel, &made.global, 1, made.args, 4, &tuning, &how, &config,
                           NULL));
  netcl_tuning_record record = tuning_best(database, "k", &config);
  netcl_tuning_key key = tuning_key_of(&record);
  record.median = 1000;
  record.default_median = 3000;
  netcl_config_release(config);
  OK(netcl_config_create_from_json("{\"LOCAL_X\": 2, \"WORK\": 7}", 25, &config));
  OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
  check(&made, made.global, NULL, NETCL_MATCH_EXACT, NETCL_LOCAL_TUNED, 7,
        "tuned for this size with this driver");
  const netcl_launch_explanation exact = explain(&made, made.global, NULL);
  assert_string_equal(exact.macros, "WORK=7");
  assert_true(exact.local[0] == 2 && exact.median == 1000 && exact.default_median == 3000);
  check(&made, made.global / 2, NULL, NETCL_MATCH_NEAREST_SHAPE, NETCL_LOCAL_TUNED, 1,
        "not its macros");
  assert_string_equal(explain(&made, made.global / 2, NULL).macros, "");
  check(&made, 64, NULL, NETCL_MATCH_NONE, NETCL_LOCAL_CHOSEN, 1, "no result is stored");
  /* The default may be what was found. */
  netcl_config *standard = NULL;
  OK(netcl_config_create_from_json("{}", 2, &standard));
  OK(netcl_tuning_database_put(database, fixture->device, &key, standard, &record));
  netcl_config_release(standard);
  check(&made, made.global, NULL, NETCL_MATCH_EXACT, NETCL_LOCAL_CHOSEN, 1,
        "tuned for this size: the default is best");
  check(&made, made.global / 2, NULL, NETCL_MATCH_NEAREST_SHAPE, NETCL_LOCAL_CHOSEN, 1,
        "nothing of it, since the default was best there");
  /* Bad sizes fail as a launch does. */
  netcl_launch_explanation out = NETCL_LAUNCH_EXPLANATION_INIT;
  const uint64_t three = 3;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "does not divide",
             netcl_kernel_explain_launch(made.kernel, &made.global, 1, &three, 1, made.args, 4,
                                         NULL, &out));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "global_count is 0",
             netcl_kernel_explain_launch(made.kernel, &made.global, 0, NULL, 0, made.args, 4, NULL,
                                         &out));
  /* On another device it is not used, and that is said. */
  OK(netcl_tuning_database_clear(database, NULL));
  key.part = "vendor|another card|7";
  OK(netcl_tuning_database_put(database, fixture->device, &key, config, &record));
  check(&made, made.global, NULL, NETCL_MATCH_NONE, NETCL_LOCAL_CHOSEN, 1,
        "tuned on \"vendor|another card|7\"");
  OK(netcl_tuning_database_clear(database, NULL));
  netcl_config_release(config);
  netcl_tuning_database_release(database);
  free_tuned_case(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(a_launch_does_what_is_explained)};
  return cmocka_run_group_tests_name("explain_launch", tests, NULL, NULL);
}
