/* A space full of broken candidates on the scripted device: the tuner finishes, names each with its
 * reason, keeps them from being tried again, and the winner is right. */
#include "support_fake.h"

#include <stdio.h>

/* The reason that the database has for keeping a configuration away. */
static void check_quarantine(netcl_tuning_database* database, int64_t a, netcl_outcome outcome) {
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  netcl_config* config = NULL;
  int found = 0;
  for (uint64_t i = 0; netcl_tuning_database_get_record(database, i, &record, &config) == NETCL_OK;
       ++i) {
    const int64_t value = fake_a(config);
    netcl_config_release(config);
    if (record.kind != NETCL_TUNING_RECORD_QUARANTINE || value != a) continue;
    found = 1;
    assert_int_equal(record.outcome, outcome);
    assert_true(strlen(record.reason) > 0);
  }
  CHECK(found == (outcome != 0), "A = %d: %d in quarantine", (int)a, found);
}

static void check_named(netcl_search* search, int64_t a, netcl_outcome outcome, const char* part) {
  const netcl_search_candidate candidate = fake_candidate(search, a);
  CHECK(candidate.outcome == outcome && strstr(candidate.message, part) != NULL,
        "A = %d: outcome %d, \"%s\"", (int)a, candidate.outcome, candidate.message);
}

static const char kBroken[] =
    "log\n"
    "k : time 10000\n"
    "k A=1 : time 1000\nk A=1 : outside\n"
    "k A=2 : time 1000\nk A=2 : hang\n"
    "k A=3 : time 1000\nk A=3 : abort\n"
    "k A=4 : time 1000\nk A=4 : wrong\n"
    "k A=5 : time 1000\nk A=5 : build-error no such thing\n"
    "k A=6 : time 1000\nk A=6 : refuse\n"
    "k A=7 : time 5000\n";

static void each_is_named(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  made.options.run_limit_ns = SECOND / 2;
  fake_script("%s", kBroken);
  assert_int_equal(fake_winner(&made, &search), 7);
  const netcl_search_result result = fake_result(search);
  assert_int_equal(result.stop, NETCL_STOP_CONFIDENCE);
  assert_int_equal(result.evaluations, kCountA + 1);
  assert_int_equal(result.counts[NETCL_OUTCOME_CORRECT], 3);
  assert_true(result.gain_low > 1.9);
  check_named(search, 1, NETCL_OUTCOME_GUARD, "argument 1 (out) was written outside: byte ");
  check_named(search, 2, NETCL_OUTCOME_HANG, "did not end within 0.5 s");
  check_named(search, 3, NETCL_OUTCOME_CRASH, "signal 6");
  check_named(search, 4, NETCL_OUTCOME_CORRECTNESS, "argument 1 (out): element 0 is");
  check_named(search, 5, NETCL_OUTCOME_COMPILE, "no such thing");
  check_named(search, 6, NETCL_OUTCOME_RUNTIME, "CL_INVALID_WORK_ITEM_SIZE");
  assert_int_equal(fake_candidate(search, kUntuned).outcome, NETCL_OUTCOME_CORRECT);
  /* What did harm is kept away in later runs too; what merely failed did none. */
  static const netcl_outcome kHarm[kCountA] = {0, NETCL_OUTCOME_GUARD, NETCL_OUTCOME_HANG,
                                               NETCL_OUTCOME_CRASH, NETCL_OUTCOME_CORRECTNESS};
  for (int64_t a = 0; a < kCountA; ++a) check_quarantine(made.database, a, kHarm[a]);
  check_quarantine(made.database, kUntuned, 0);
  /* One try is enough for a verdict, or two when the worker had run others before. */
  for (int a = 1; a <= 6; ++a) {
    char text[8];
    snprintf(text, sizeof text, "A=%d", a);
    CHECK(fake_launches(text) <= 2, "%d launches of A = %d", fake_launches(text), a);
  }
  check_still_poisoned(made.out);
  netcl_search_release(search);
  fake_case_free(&made);
}

/* A kernel after which the driver takes no more commands, as a GPU's does: the others are judged in
 * another process. */
static void the_device_is_lost(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  fake_script(
      "k : time 10000\nk A=1 : illegal\nk A=2 : time 2000\nk A=3 : illegal\nk A=4 : time 2100");
  assert_int_equal(fake_winner(&made, &search), 2);
  check_named(search, 1, NETCL_OUTCOME_CRASH, "its process lost the device while it ran");
  check_named(search, 3, NETCL_OUTCOME_CRASH, "its process lost the device while it ran");
  check_quarantine(made.database, 1, NETCL_OUTCOME_CRASH);
  check_quarantine(made.database, 4, 0);
  assert_int_equal(fake_candidate(search, 4).outcome, NETCL_OUTCOME_CORRECT);
  check_still_poisoned(made.out);
  netcl_search_release(search);
  fake_case_free(&made);
}

/* A compiler that ends its process, and one that never returns. */
static void compilers_that_break(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  made.options.compile_limit_ns = SECOND;
  fake_script("k : time 10000\nk A=1 : build-abort\nk A=2 : build-hang\nk A=3 : time 5000");
  assert_int_equal(fake_winner(&made, &search), 3);
  check_named(search, 1, NETCL_OUTCOME_CRASH, "its process died while it was compiled");
  check_named(search, 2, NETCL_OUTCOME_TIMEOUT, "while it was compiled");
  netcl_search_release(search);
  fake_case_free(&made);
}

/* Arguments that nobody gave are filled from two seeds. Which of these is wrong for the second one
 * alone depends on the numbers, but one of each pair is wrong for one seed and right for another.
 */
static void wrong_for_one_seed(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  netcl_config* config = NULL;
  fake_case(fixture->device, &made);
  made.options.force = 1;
  int second = 0;
  fake_script("k : time 10000");
  OK(netcl_kernel_launch(made.kernel, &made.global, 1, NULL, 0, made.args, 2, NULL, NULL));
  for (int bar = 1; bar < 10; ++bar) {
    fake_script(
        "k : time 10000\nk A=1 : time 1000\nk A=1 : wrong 0 0.%d\n"
        "k A=2 : time 1000\nk A=2 : wrong 0.%d 1\nk A=3 : time 5000",
        bar, bar);
    OK(netcl_kernel_autotune(made.kernel, &made.global, 1, NULL, 0, &made.tuning, &made.options,
                             &config, &search));
    const int64_t winner = fake_a(config);
    const netcl_search_candidate low = fake_candidate(search, 1), high = fake_candidate(search, 2);
    netcl_config_release(config);
    netcl_search_release(search);
    /* A bar between the numbers of the two seeds tells them apart. */
    if (low.outcome != NETCL_OUTCOME_CORRECTNESS || high.outcome != NETCL_OUTCOME_CORRECTNESS) {
      continue;
    }
    assert_int_equal(winner, 3);
    assert_true((strstr(low.message, "(seed 2)") != NULL) !=
                (strstr(high.message, "(seed 2)") != NULL));
    ++second;
  }
  assert_true(second > 0);
  fake_case_free(&made);
}

/* One that stops computing once it has seen the same inputs so often in a row, as it does while it
 * is timed: ten samples, then other inputs. */
static void what_was_timed_is_checked_again(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  netcl_config* config = NULL;
  fake_case(fixture->device, &made);
  made.options.force = 1;
  for (int times = 3; times <= 9; times += 2) {
    fake_script("k : time 10000\nk A=1 : time 1000\nk A=1 : remembers %d\nk A=3 : time 5000",
                times);
    OK(netcl_kernel_autotune(made.kernel, &made.global, 1, NULL, 0, &made.tuning, &made.options,
                             &config, &search));
    CHECK(fake_a(config) == 3, "after %d launches: A = %d won", times, (int)fake_a(config));
    check_named(search, 1, NETCL_OUTCOME_CORRECTNESS, "");
    netcl_config_release(config);
    netcl_search_release(search);
  }
  fake_case_free(&made);
}

/* Nothing can win where there is no memory; the entry says so and the next one is tuned. */
static void without_memory(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_tuner* tuner = NULL;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  fake_script("memory 100000");
  OK(netcl_tuner_create(fixture->device, &made.options, &tuner));
  OK(netcl_tuner_add(tuner, made.kernel, &made.global, 1, made.args, 2, &made.tuning));
  OK(netcl_tuner_run(tuner));
  OK(netcl_tuner_get_result(tuner, 0, &result, NULL));
  CHECK(result.status == NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "%d: %s", result.status, result.message);
  fake_script("k : time 10000\nk A=3 : time 5000");
  OK(netcl_tuner_run(tuner));
  OK(netcl_tuner_get_result(tuner, 0, &result, NULL));
  CHECK(result.status == NETCL_OK && result.match == NETCL_MATCH_EXACT, "%s", result.message);
  netcl_tuner_release(tuner);
  fake_case_free(&made);
}

/* Starting a worker takes longer than tuning a small kernel: one does for all entries of a run. */
static void one_worker_for_a_run(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_tuner* tuner = NULL;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  fake_script("log\nk : time 10000\nk A=3 : time 5000\nk A=5 : wrong");
  OK(netcl_tuner_create(fixture->device, &made.options, &tuner));
  for (uint64_t part = 1; part <= 4; part *= 2) {
    const uint64_t global = made.global / part;
    OK(netcl_tuner_add(tuner, made.kernel, &global, 1, made.args, 2, &made.tuning));
  }
  OK(netcl_tuner_run(tuner));
  for (uint32_t i = 0; i < 3; ++i) {
    OK(netcl_tuner_get_result(tuner, i, &result, NULL));
    CHECK(result.status == NETCL_OK && result.median == 5000, "%u: %s", i, result.message);
  }
  assert_int_equal(fake_launches("context"), 1);
  netcl_tuner_release(tuner);
  fake_case_free(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(each_is_named),
      DEVICE_TEST(compilers_that_break),
      DEVICE_TEST(wrong_for_one_seed),
      DEVICE_TEST(without_memory),
      DEVICE_TEST(the_device_is_lost),
      DEVICE_TEST(one_worker_for_a_run),
      DEVICE_TEST(what_was_timed_is_checked_again),
  };
  fake_script("# nothing yet");
  seed_random("isolation_fake");
  return cmocka_run_group_tests_name("isolation_fake", tests, NULL, NULL);
}
