/* Tuning on a device that follows a script: who wins whatever the noise, when a search ends. */
#include "support_fake.h"

#include <pthread.h>
#include <unistd.h>

enum { kSeeds = 20 };

static void the_best_is_found(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  fake_case(fixture->device, &made);
  for (int seed = 1; seed <= kSeeds; ++seed) {
    fake_script("seed %d\nnoise 0.03\nk : time 12000\nk A=-1 : time 20000\nk A=7 : time 10000",
                seed);
    netcl_search* search = NULL;
    assert_int_equal(fake_winner(&made, &search), 7);
    const netcl_search_result result = fake_result(search);
    assert_int_equal(result.stop, NETCL_STOP_CONFIDENCE);
    assert_int_equal(result.evaluations, kCountA + 1);
    assert_true(result.is_default == 0 && result.gain_low > 1.7 && result.gain_high < 2.3);
    netcl_search_release(search);
  }
  check_still_poisoned(made.out);
  fake_case_free(&made);
}

/* What noise must not choose: 20 seeds, one winner. */
static void ties_go_to_the_default(void** state) {
  Fixture* fixture = *state;
  static const struct {
    const char* times;
    double noise;
    int64_t winner;
  } kCases[] = {
      {"k : time 10000", 0.05, kUntuned},                      /* all are the same */
      {"k : time 10300\nk A=-1 : time 10000", 0.02, kUntuned}, /* the default is best */
      {"k : time 12000\nk A=0 : time 10000", 0.02, 0},         /* the first of the space is */
      {"k : time 10000\nk A=3 : time 9990", 0.02, kUntuned},   /* less than anyone can tell */
  };
  FakeCase made;
  fake_case(fixture->device, &made);
  for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
    for (int seed = 1; seed <= kSeeds; ++seed) {
      fake_script("seed %d\nnoise %g\n%s", seed, kCases[i].noise, kCases[i].times);
      const int64_t winner = fake_winner(&made, NULL);
      CHECK(winner == kCases[i].winner, "case %zu, seed %d: A = %d", i, seed, (int)winner);
    }
  }
  fake_case_free(&made);
}

/* Noise may choose between two that are the same, never what is slower. */
static void of_twins_the_faster_median_wins(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  fake_case(fixture->device, &made);
  for (int seed = 1; seed <= kSeeds; ++seed) {
    netcl_search* search = NULL;
    fake_script("seed %d\nnoise 0.03\nk : time 10000\nk A=4 : time 8000\nk A=6 : time 8000", seed);
    const int64_t winner = fake_winner(&made, &search);
    CHECK(winner == 4 || winner == 6, "seed %d: A = %d", seed, (int)winner);
    const double median = fake_candidate(search, winner).median;
    const double other = fake_candidate(search, 10 - winner).median;
    CHECK(median <= other, "seed %d: A = %d has %g, the other %g", seed, (int)winner, median,
          other);
    assert_int_equal(fake_result(search).is_default, 0);
    assert_true(fake_result(search).median == median);
    netcl_search_release(search);
  }
  fake_case_free(&made);
}

/* A clock that slows down all the while favours whoever is early, unless they take turns. */
static void drift_does_not_choose(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  fake_case(fixture->device, &made);
  for (int seed = 1; seed <= 5; ++seed) {
    fake_script("seed %d\nnoise 0.01\nk : time 10000\nk A=7 : time 8500", seed);
    fake_script_more("drift 0.00002");
    assert_int_equal(fake_winner(&made, NULL), 7);
  }
  fake_case_free(&made);
}

/* In a worker of its own the device starts anew, so two runs see the same to the last bit. */
static void one_script_one_result(void** state) {
  Fixture* fixture = *state;
  netcl_search_result results[2];
  for (int run = 0; run < 2; ++run) {
    FakeCase made;
    netcl_search* search = NULL;
    fake_case(fixture->device, &made);
    made.options.in_process = 0;
    fake_script("seed 5\nnoise 0.04\nk : time 10000\nk A=6 : time 9000");
    assert_int_equal(fake_winner(&made, &search), 6);
    results[run] = fake_result(search);
    netcl_search_release(search);
    fake_case_free(&made);
  }
  assert_true(results[0].median == results[1].median && results[0].median > 8000);
  assert_true(results[0].default_median == results[1].default_median);
  assert_true(results[0].gain_low == results[1].gain_low);
  assert_int_equal(results[0].evaluations, results[1].evaluations);
}

static netcl_search_result stops(FakeCase* made, int64_t winner) {
  netcl_search* search = NULL;
  const int64_t got = fake_winner(made, &search);
  CHECK(got == winner, "A = %d, not %d", (int)got, (int)winner);
  const netcl_search_result result = fake_result(search);
  netcl_search_release(search);
  return result;
}

static void reasons_to_stop(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  fake_case(fixture->device, &made);
  fake_script("noise 0.01\nk : time 12000\nk A=2 : time 10000\nk A=6 : time 5000");
  assert_int_equal(stops(&made, 6).stop, NETCL_STOP_CONFIDENCE);
  made.search.strategy = NETCL_SEARCH_EXHAUSTIVE; /* in their order, after the default */
  made.search.evaluations = 5;
  netcl_search_result result = stops(&made, 2);
  assert_int_equal(result.stop, NETCL_STOP_COUNT);
  assert_int_equal(result.evaluations, 5);
  made.search.evaluations = 0;
  made.search.patience = 3;
  result = stops(&made, 2);
  assert_int_equal(result.stop, NETCL_STOP_CONVERGED);
  assert_int_equal(result.evaluations, 7); /* up to 2, and three that are no better */
  made.search.patience = 0;
  /* 9800 / 0.9 is reached at A = 2; without a threshold of its own nothing is near enough. */
  made.search.roof_ns = 9800;
  result = stops(&made, 2);
  assert_int_equal(result.stop, NETCL_STOP_ROOFLINE);
  assert_int_equal(result.evaluations, 4);
  made.search.threshold_pct = 99;
  assert_int_equal(stops(&made, 6).stop, NETCL_STOP_ROOFLINE);
  made.search.roof_ns = 0;
  made.search.budget_ns = 1;
  result = stops(&made, kUntuned);
  assert_int_equal(result.stop, NETCL_STOP_BUDGET);
  assert_int_equal(result.evaluations, 1);
  fake_case_free(&made);
}

/* A single run under the roof is luck; two further looks have to say so too. */
static void luck_is_no_roofline(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  fake_case(fixture->device, &made);
  made.search.roof_ns = 9000;
  made.search.strategy = NETCL_SEARCH_EXHAUSTIVE;
  fake_script("k : time 12000\nk A=5 : time 10001");
  netcl_search_result result = stops(&made, 5);
  assert_int_equal(result.stop, NETCL_STOP_CONFIDENCE);
  fake_script("log\nk : time 12000\nk A=5 : time 10000");
  result = stops(&made, 5);
  assert_int_equal(result.stop, NETCL_STOP_ROOFLINE);
  assert_int_equal(result.evaluations, 7);
  /* Warm runs and checks aside: ten samples, and three of each look. */
  assert_true(fake_launches("A=5") >= 16);
  fake_case_free(&made);
}

/* The time of a launch by the ceilings that were measured, whatever these are here. */
static double roof_of(netcl_ceilings* ceilings, double bytes) {
  netcl_work work = NETCL_WORK_INIT;
  netcl_roofline_result result = NETCL_ROOFLINE_RESULT_INIT;
  netcl_roofline* roofline = NULL;
  work.bytes = bytes;
  OK(netcl_roofline_create(NULL, &roofline));
  OK(netcl_roofline_analyze_time(roofline, ceilings, 1e12, &work, &result));
  netcl_roofline_release(roofline);
  return result.roof_ns;
}

/* A kernel whose work is declared has the roofline of the device, unless the caller gives one. */
static void declared_work_ends_at_the_roofline(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_work work = NETCL_WORK_INIT;
  netcl_ceilings_options quick = NETCL_CEILINGS_OPTIONS_INIT;
  netcl_ceilings* ceilings = NULL;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  fake_case(fixture->device, &made);
  fake_script("log\nk : time 12000\nk A=2 : time 10000\nk A=6 : time 5000");
  made.tuning.work = &work;
  made.search.strategy = NETCL_SEARCH_EXHAUSTIVE;
  /* 9500 / 0.9 lies above 10000. */
  work.bytes = 1e9;
  quick.budget_ns = SECOND / 10;
  OK(netcl_ceilings_measure(fixture->device, &quick, &ceilings));
  work.bytes *= 9500 / roof_of(ceilings, work.bytes);
  const double roof = roof_of(ceilings, work.bytes);
  CHECK(roof > 9490 && roof < 9510, "%g bytes have a roof of %g ns", work.bytes, roof);
  netcl_search_result result = stops(&made, 2);
  assert_int_equal(result.stop, NETCL_STOP_ROOFLINE);
  assert_int_equal(result.evaluations, 4);
  /* Warm runs and checks aside: ten samples, and three of each of two further looks. */
  assert_true(fake_launches("A=2") >= 16);
  int told = 0;
  for (uint64_t i = 0;
       netcl_tuning_database_get_record(made.database, i, &record, NULL) == NETCL_OK; ++i) {
    told += record.kind == NETCL_TUNING_RECORD_BEST &&
            strstr(record.reason, ", at 95 % of the roofline") != NULL;
  }
  assert_int_equal(told, 1);
  made.search.roof_ns = 4000; /* of the caller, who is believed */
  assert_int_equal(stops(&made, 6).stop, NETCL_STOP_CONFIDENCE);
  made.search.roof_ns = 0;
  made.tuning.work = NULL;
  assert_int_equal(stops(&made, 6).stop, NETCL_STOP_CONFIDENCE);
  netcl_ceilings_release(ceilings);
  fake_case_free(&made);
}

/* A driver may compile at the first launch of a size: until that begins it has the time of a build,
 * also where it is the reference. What has begun has the limit of a run. */
static void late_launches(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  netcl_search_candidate late;
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  made.options.compile_limit_ns = 2 * SECOND;
  made.options.run_limit_ns = SECOND / 5;
  fake_script(
      "k : time 10000\nk A=-1 : late 600\nk A=1 : late 600\nk A=1 : time 5000\n"
      "k A=2 : late 60000\nk A=3 : hang");
  assert_int_equal(fake_winner(&made, &search), 1);
  assert_int_equal(fake_candidate(search, kUntuned).outcome, NETCL_OUTCOME_CORRECT);
  late = fake_candidate(search, 2);
  CHECK(late.outcome == NETCL_OUTCOME_HANG && strstr(late.message, "did not begin within 2 s"),
        "outcome %d: %s", late.outcome, late.message);
  late = fake_candidate(search, 3);
  CHECK(late.outcome == NETCL_OUTCOME_HANG && strstr(late.message, "did not end within 0.2 s"),
        "outcome %d: %s", late.outcome, late.message);
  netcl_search_release(search);
  fake_case_free(&made);
}

/* Messages give times that can be read. */
static void slow_ones_say_by_how_much(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_search* search = NULL;
  fake_case(fixture->device, &made);
  fake_script("k : time 10000\nk A=1 : time 16458900\nk A=2 : time 2500000000");
  assert_int_equal(fake_winner(&made, &search), kUntuned);
  const netcl_search_candidate first = fake_candidate(search, 1),
                               second = fake_candidate(search, 2);
  CHECK(first.outcome == NETCL_OUTCOME_SLOW && strstr(first.message, "16.46 ms") != NULL &&
            strstr(first.message, "10 us") != NULL,
        "outcome %d: %s", first.outcome, first.message);
  CHECK(second.outcome == NETCL_OUTCOME_SLOW && strstr(second.message, "2.5 s") != NULL,
        "outcome %d: %s", second.outcome, second.message);
  netcl_search_release(search);
  fake_case_free(&made);
}

static void* cancels(void* tuner) {
  /* Until the candidate hangs. */
  for (int i = 0; i < 6000 && fake_launches("A=3") == 0; ++i) usleep(10000);
  netcl_tuner_cancel(tuner);
  return NULL;
}

/* Cancelled while a candidate hangs; what was measured is kept, nothing wins, and the next run goes
 * on where this one stopped. */
static void cancelled_and_resumed(void** state) {
  Fixture* fixture = *state;
  FakeCase made;
  netcl_tuner* tuner = NULL;
  netcl_tuner_result result = NETCL_TUNER_RESULT_INIT;
  netcl_search* search = NULL;
  pthread_t thread;
  fake_case(fixture->device, &made);
  made.options.in_process = 0;
  made.options.run_limit_ns = 60 * SECOND;
  fake_script("log\nk : time 10000\nk A=1 : time 5000\nk A=2 : wrong\nk A=3 : hang");
  OK(netcl_tuner_create(fixture->device, &made.options, &tuner));
  OK(netcl_tuner_add(tuner, made.kernel, &made.global, 1, made.args, 2, &made.tuning));
  assert_int_equal(pthread_create(&thread, NULL, cancels, tuner), 0);
  FAILS(NETCL_ERROR_CANCELLED, netcl_tuner_run(tuner));
  pthread_join(thread, NULL);
  OK(netcl_tuner_get_result(tuner, 0, &result, NULL));
  assert_true(result.status == NETCL_ERROR_CANCELLED && result.match == NETCL_MATCH_NONE);
  fake_script("log\nk : time 10000\nk A=1 : time 5000\nk A=2 : wrong");
  /* No run is under way: the next one is not affected. */
  OK(netcl_tuner_cancel(tuner));
  OK(netcl_tuner_cancel(tuner));
  OK(netcl_tuner_run(tuner));
  OK(netcl_tuner_get_result(tuner, 0, &result, NULL));
  assert_true(result.status == NETCL_OK && result.match == NETCL_MATCH_EXACT);
  OK(netcl_tuner_get_search(tuner, 0, &search));
  assert_int_equal(fake_result(search).known, 3); /* 0, 1 and 2; the default is always measured */
  assert_int_equal(fake_candidate(search, kUntuned).known, 0);
  assert_int_equal(fake_candidate(search, 0).known, 1);
  assert_int_equal(fake_candidate(search, 2).known, 1);
  assert_int_equal(fake_candidate(search, 3).known, 0);
  assert_int_equal(fake_candidate(search, 2).outcome, NETCL_OUTCOME_CORRECTNESS);
  assert_int_equal(fake_launches("A=2"), 0); /* it is known to be wrong */
  assert_true(fake_launches("A=3") > 0);
  netcl_search_release(search);
  netcl_tuner_release(tuner);
  fake_case_free(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(the_best_is_found),
      DEVICE_TEST(ties_go_to_the_default),
      DEVICE_TEST(of_twins_the_faster_median_wins),
      DEVICE_TEST(drift_does_not_choose),
      DEVICE_TEST(one_script_one_result),
      DEVICE_TEST(reasons_to_stop),
      DEVICE_TEST(luck_is_no_roofline),
      DEVICE_TEST(declared_work_ends_at_the_roofline),
      DEVICE_TEST(late_launches),
      DEVICE_TEST(slow_ones_say_by_how_much),
      DEVICE_TEST(cancelled_and_resumed),
  };
  fake_script("# nothing yet");
  seed_random("tuner_fake");
  return cmocka_run_group_tests_name("tuner_fake", tests, NULL, NULL);
}
