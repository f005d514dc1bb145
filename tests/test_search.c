/* Searches on a scripted machine: who wins, when they end, what they tell. */
#include "support_search.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const netcl_search_options kDefaults = NETCL_SEARCH_OPTIONS_INIT;

/* A valley with its ground at A = 11, B = 5. */
static double valley(const Machine *machine, int64_t a, int64_t b) {
  (void)machine;
  return 1000.0 + 30.0 * (double)((a - 11) * (a - 11)) + 50.0 * (double)((b - 5) * (b - 5));
}
static double flat(const Machine *machine, int64_t a, int64_t b) {
  (void)machine, (void)a, (void)b;
  return 1000.0;
}
static double zero(const Machine *machine, int64_t a, int64_t b) {
  (void)machine, (void)a, (void)b;
  return 0.0;
}
/* Two of the best, (1, 3) and (2, 1), and a default that is slower. */
static double twins(const Machine *machine, int64_t a, int64_t b) {
  (void)machine;
  return (a == 1 && b == 3) || (a == 2 && b == 1) ? 800.0 : 1000.0 + (double)(a + b);
}
/* The default of (2, 2) is the best. */
static double planted(const Machine *machine, int64_t a, int64_t b) {
  (void)machine;
  return a == 2 && b == 2 ? 1000.0 : 1100.0 + 10.0 * (double)(a + b);
}

static void every_strategy_finds_the_valley(void **state) {
  (void)state;
  netcl_space *space = search_space(16, 16);
  OK(netcl_space_add_constraint(space, "A + B < 28"));
  for (int strategy = NETCL_SEARCH_AUTO; strategy <= NETCL_SEARCH_GENETIC; ++strategy) {
    netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
    options.strategy = strategy;
    options.evaluations = strategy == NETCL_SEARCH_AUTO ? 0 : 256;
    options.patience = 256;
    options.seed = 7;
    Machine machine = {.time = valley, .noise = 0.01, .state = 3};
    netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
    const int64_t winner = search_winner(space, 0, 0, &options, &machine, &result);
    const double time = valley(NULL, winner / 64, winner % 64);
    const double allowed = strategy == NETCL_SEARCH_EXHAUSTIVE || strategy == NETCL_SEARCH_AUTO ||
                                   strategy == NETCL_SEARCH_RANDOM
                               ? 1000.0
                               : 1100.0;
    CHECK(time <= allowed, "strategy %d ends at A = %d, B = %d", strategy, (int)(winner / 64),
          (int)(winner % 64));
    assert_int_equal(result.configurations, 250);
    assert_true(result.default_median > 4000 && result.gain_low > 3.0);
    assert_int_equal(result.is_default, 0);
    assert_int_equal(result.counts[NETCL_OUTCOME_CORRECT] + result.counts[NETCL_OUTCOME_SLOW],
                     result.evaluations);
  }
  netcl_space_release(space);
}

/* What the proposals of a search cost in processor time, where each configuration has `count`
 * neighbours and more. */
static double cost_of_proposals(netcl_search_strategy strategy, int64_t count) {
  netcl_space *space = NULL;
  int64_t *const values = test_calloc((size_t)count, sizeof *values);
  for (int64_t i = 0; i < count; ++i) values[i] = i;
  static const int64_t kThree[] = {0, 1, 2};
  OK(netcl_space_create(&space));
  OK(netcl_space_add_ints(space, "A", values, (size_t)count));
  OK(netcl_space_add_ints(space, "B", kThree, 3));
  test_free(values);
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  options.strategy = strategy;
  options.evaluations = options.patience = 150;
  options.seed = 5;
  netcl_search *search = NULL;
  OK(netcl_search_create(space, NULL, NULL, &options, &search));
  const clock_t begin = clock();
  for (;;) {
    uint32_t candidate = 0;
    uint64_t samples = 0;
    netcl_config *config = NULL;
    int64_t a = 0, b = 0;
    double times[64];
    OK(netcl_search_ask(search, &candidate, &samples, &config));
    if (samples == 0) break;
    OK(netcl_config_get_int(config, "A", &a));
    OK(netcl_config_get_int(config, "B", &b));
    netcl_config_release(config);
    for (uint64_t i = 0; i < samples; ++i) times[i] = 1000.0 + (double)(llabs(a - count / 3) + b);
    OK(netcl_search_tell(search, candidate, times, samples));
  }
  const double cost = (double)(clock() - begin) / CLOCKS_PER_SEC;
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  OK(netcl_search_get_result(search, &result));
  assert_int_equal(result.evaluations, 150);
  netcl_search_release(search);
  netcl_space_release(space);
  return cost;
}

/* Of many neighbours the nearest alone are looked at. */
static void many_neighbours(void **state) {
  (void)state;
  const int least = only_sanitized() ? 100 : 2000, most = 30 * least;
  for (int strategy = NETCL_SEARCH_LOCAL; strategy <= NETCL_SEARCH_GENETIC; ++strategy) {
    const double few = cost_of_proposals(strategy, least), many = cost_of_proposals(strategy, most);
    print_message("strategy %d: %.3f s with %d neighbours, %.3f s with %d\n", strategy, few,
                  least, many, most);
    CHECK(many < 6 * few + 4, "strategy %d: %g s with %d neighbours, %g s with %d", strategy,
          few, least, many, most);
  }
}

static void same_seed_same_search(void **state) {
  (void)state;
  netcl_space *space = search_space(30, 30);
  for (int strategy = NETCL_SEARCH_RANDOM; strategy <= NETCL_SEARCH_GENETIC; ++strategy) {
    Machine machines[3];
    for (int i = 0; i < 3; ++i) {
      netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
      options.strategy = strategy;
      options.seed = i == 2 ? 8 : 7;
      options.evaluations = 60;
      const Machine fresh = {.time = valley, .noise = 0.05, .state = 5};
      machines[i] = fresh;
      search_winner(space, 20, 20, &options, &machines[i], NULL);
    }
    assert_memory_equal(machines[0].asked, machines[1].asked, sizeof machines[0].asked);
    assert_memory_not_equal(machines[0].asked, machines[2].asked, sizeof machines[0].asked);
  }
  netcl_space_release(space);
}

static void noise_does_not_beat_the_default(void **state) {
  (void)state;
  netcl_space *space = search_space(4, 4);
  for (uint64_t seed = 1; seed <= (only_sanitized() ? 5 : 100); ++seed) {
    const struct {
      double (*time)(const Machine *machine, int64_t a, int64_t b);
      int64_t a, b, winner, other;
      double noise;
    } kCases[] = {{twins, 0, 0, 1 * 64 + 3, 2 * 64 + 1, 0.03},
                  {flat, 2, 2, 2 * 64 + 2, 2 * 64 + 2, 0.05},
                  {planted, 2, 2, 2 * 64 + 2, 2 * 64 + 2, 0.02}};
    for (size_t i = 0; i < COUNT_OF(kCases); ++i) {
      netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
      options.seed = seed;
      Machine machine = {.time = kCases[i].time, .noise = kCases[i].noise, .state = seed};
      netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
      const int64_t winner =
          search_winner(space, kCases[i].a, kCases[i].b, &options, &machine, &result);
      CHECK(winner == kCases[i].winner || winner == kCases[i].other,
            "case %zu, noise %d: A = %d, B = %d", i, (int)seed, (int)(winner / 64),
            (int)(winner % 64));
      assert_int_equal(result.is_default, i > 0);
    }
  }
  netcl_space_release(space);
}

static void odd_clocks(void **state) {
  (void)state;
  netcl_space *space = search_space(4, 4);
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  Machine constant = {.time = flat}, nothing = {.time = zero};
  assert_int_equal(search_winner(space, 3, 1, NULL, &constant, &result), 3 * 64 + 1);
  assert_int_equal(result.stop, NETCL_STOP_CONFIDENCE);
  assert_true(result.median == 1000.0 && result.gain == 1.0);
  assert_int_equal(search_winner(space, 3, 1, NULL, &nothing, &result), 3 * 64 + 1);
  assert_true(result.median == 0.0);
  for (uint64_t seed = 1; seed <= (only_sanitized() ? 2 : 20); ++seed) {
    /* All become slower while it goes on; the best by 20 % is found all the same. */
    Machine drifting = {.time = twins, .noise = 0.01, .drift = 1e-4, .state = seed};
    const int64_t winner = search_winner(space, 0, 0, NULL, &drifting, NULL);
    assert_true(winner == 1 * 64 + 3 || winner == 2 * 64 + 1);
    Machine two_modes = {.time = planted, .noise = 0.01, .bimodal = 0.3, .state = seed};
    assert_int_equal(search_winner(space, 2, 2, NULL, &two_modes, NULL), 2 * 64 + 2);
  }
  netcl_space_release(space);
}

static void slow_ones_drop_out(void **state) {
  (void)state;
  netcl_space *space = search_space(16, 16);
  Machine machine = {.time = valley, .noise = 0.01, .state = 3};
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  search_winner(space, 11, 5, NULL, &machine, &result);
  for (int64_t a = 0; a < 16; ++a) {
    for (int64_t b = 0; b < 16; ++b) {
      const double time = valley(NULL, a, b);
      const uint64_t samples = machine.asked[a * 64 + b];
      if (time > 2600) CHECK(samples == 1, "A = %d, B = %d: %d", (int)a, (int)b, (int)samples);
      if (time > 1300 && time < 2200) {
        CHECK(samples == 3, "A = %d, B = %d: %d", (int)a, (int)b, (int)samples);
      }
      if (time < 1150) CHECK(samples >= 10, "A = %d, B = %d: %d", (int)a, (int)b, (int)samples);
    }
  }
  assert_true(result.counts[NETCL_OUTCOME_SLOW] > 150);
  netcl_space_release(space);
}

static netcl_outcome various(int64_t a, int64_t b) {
  (void)b;
  return a == 0   ? NETCL_OUTCOME_CORRECT
         : a == 1 ? NETCL_OUTCOME_COMPILE
         : a == 2 ? NETCL_OUTCOME_CORRECTNESS
                  : NETCL_OUTCOME_CRASH;
}
static netcl_outcome hopeless(int64_t a, int64_t b) {
  (void)b;
  return a == 0 ? NETCL_OUTCOME_HANG : NETCL_OUTCOME_COMPILE;
}

static void failures_are_counted(void **state) {
  (void)state;
  netcl_space *space = search_space(4, 3);
  netcl_search *search = search_make(space, 0, 1, NULL);
  Machine machine = {.time = planted, .outcome = various};
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  search_drive(search, &machine, 1000000);
  OK(netcl_search_get_result(search, &result));
  assert_int_equal(result.counts[NETCL_OUTCOME_CORRECT], 3);
  assert_int_equal(result.counts[NETCL_OUTCOME_COMPILE], 3);
  assert_int_equal(result.counts[NETCL_OUTCOME_CORRECTNESS], 3);
  assert_int_equal(result.counts[NETCL_OUTCOME_CRASH], 3);
  assert_int_equal(machine.asked[1 * 64 + 1], 1);
  char text[128];
  OK(netcl_search_get_failure(search, NETCL_OUTCOME_CRASH, text, sizeof text, NULL));
  assert_string_equal(text, "{\"A\": 3, \"B\": 0}: as the script says");
  OK(netcl_search_get_failure(search, NETCL_OUTCOME_GUARD, text, sizeof text, NULL));
  assert_string_equal(text, "");
  netcl_search_candidate info = NETCL_SEARCH_CANDIDATE_INIT;
  uint32_t index = 0;
  for (; index < 12; ++index) {
    netcl_config *config = NULL;
    int64_t a = 9;
    uint64_t samples = 0;
    double times[256];
    OK(netcl_search_get_candidate(search, index, &info, &config));
    OK(netcl_config_get_int(config, "A", &a));
    netcl_config_release(config);
    assert_int_equal(info.outcome, various(a, 0));
    assert_string_equal(info.message,
                        info.outcome == NETCL_OUTCOME_CORRECT ? "" : "as the script says");
    OK(netcl_search_get_samples(search, index, times, COUNT_OF(times), &samples));
    assert_int_equal(samples, info.samples_count);
    if (info.outcome == NETCL_OUTCOME_CORRECT) {
      assert_true(samples >= 10 && times[0] == info.median && info.interval_low <= info.median);
    }
    assert_true(index != 0 || info.place == 1);
  }
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_search_get_candidate(search, index, &info, NULL));
  netcl_search_release(search);
  /* Nothing is valid. */
  search = search_make(space, 0, 1, NULL);
  machine.outcome = hopeless;
  search_drive(search, &machine, 1000000);
  netcl_config *config = NULL;
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "no configuration is valid: 9 compile",
             netcl_search_get_best(search, &config));
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "3 hang (first: {\"A\": 0, \"B\": 1}: as the script says)",
             netcl_search_get_best(search, &config));
  OK(netcl_search_get_result(search, &result));
  assert_true(result.median == 0.0);
  netcl_search_release(search);
  netcl_space_release(space);
}

static void *cancels(void *search) {
  netcl_search_cancel(search);
  return NULL;
}

static void reasons_to_stop(void **state) {
  (void)state;
  netcl_space *space = search_space(32, 32);
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  netcl_search_options options = kDefaults;
  Machine machine = {.time = valley, .noise = 0.01, .state = 1};
  options.strategy = NETCL_SEARCH_EXHAUSTIVE;
  search_winner(space, 0, 0, &options, &machine, &result);
  assert_int_equal(result.stop, NETCL_STOP_CONFIDENCE);
  assert_int_equal(result.evaluations, 1024);
  options.evaluations = 40;
  search_winner(space, 0, 0, &options, &machine, &result);
  assert_int_equal(result.stop, NETCL_STOP_COUNT);
  assert_int_equal(result.evaluations, 40);
  options = kDefaults;
  options.strategy = NETCL_SEARCH_RANDOM;
  options.patience = 30;
  Machine level = {.time = flat, .noise = 0.01, .state = 1};
  search_winner(space, 0, 0, &options, &level, &result);
  assert_int_equal(result.stop, NETCL_STOP_CONVERGED);
  assert_true(result.evaluations >= 31 && result.evaluations < 200);
  /* One that is surely told from the others, of as many as there are. */
  options = kDefaults;
  options.samples = 2;
  netcl_space *small = search_space(2, 2);
  Machine noisy = {.time = flat, .noise = 0.3, .state = 1};
  search_winner(small, 0, 0, &options, &noisy, &result);
  assert_int_equal(result.stop, NETCL_STOP_EXHAUSTED);
  netcl_space_release(small);
  options = kDefaults;
  options.budget_ns = 1;
  search_winner(space, 0, 0, &options, &machine, &result);
  assert_int_equal(result.stop, NETCL_STOP_BUDGET);
  assert_int_equal(result.evaluations, 1);
  /* Cancelled from another thread, half way. */
  netcl_search *search = search_make(space, 0, 0, NULL);
  search_drive(search, &machine, 50);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, cancels, search), 0);
  pthread_join(thread, NULL);
  assert_int_equal(search_drive(search, &machine, 10), 0);
  OK(netcl_search_get_result(search, &result));
  assert_int_equal(result.stop, NETCL_STOP_CANCELLED);
  assert_true(result.evaluations > 5 && result.evaluations < 50);
  netcl_config *config = NULL;
  OK(netcl_search_get_best(search, &config));
  netcl_config_release(config);
  netcl_search_release(search);
  netcl_space_release(space);
}

static void the_roofline_is_confirmed_twice(void **state) {
  (void)state;
  netcl_space *space = search_space(16, 16);
  netcl_search_result result = NETCL_SEARCH_RESULT_INIT;
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  options.strategy = NETCL_SEARCH_EXHAUSTIVE;
  options.roof_ns = 900.0;
  options.threshold_pct = 90;
  Machine machine = {.time = valley};
  search_winner(space, 0, 0, &options, &machine, &result);
  /* 900 / 0.9 = 1000 is reached at (11, 5) alone, and nothing behind it is tried. */
  assert_int_equal(result.stop, NETCL_STOP_ROOFLINE);
  assert_int_equal(machine.asked[11 * 64 + 6], 0);
  assert_int_equal(machine.asked[12 * 64], 0);
  assert_true(machine.asked[11 * 64 + 5] >= 10 + 2 * 3);
  /* The default is there already. */
  Machine again = {.time = valley};
  assert_int_equal(search_winner(space, 11, 5, &options, &again, &result), 11 * 64 + 5);
  assert_int_equal(result.stop, NETCL_STOP_ROOFLINE);
  assert_int_equal(result.evaluations, 1);
  assert_int_equal(again.asked[11 * 64 + 5], 16);
  options.roof_ns = 899.0;
  Machine never = {.time = valley};
  search_winner(space, 0, 0, &options, &never, &result);
  assert_int_equal(result.stop, NETCL_STOP_CONFIDENCE);
  netcl_space_release(space);
}

/* What is faster than the device can be is marked, and nothing else is. */
static void what_beats_the_roofline_is_marked(void **state) {
  (void)state;
  netcl_space *space = search_space(4, 4);
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  options.strategy = NETCL_SEARCH_EXHAUSTIVE;
  for (uint32_t i = 0; i < 2; ++i) {
    options.roof_ns = i == 0 ? 900.0 : 810.0; /* 800 is within 5 % of the latter */
    options.threshold_pct = 1000;
    netcl_search *search = search_make(space, 0, 0, &options);
    Machine machine = {.time = twins};
    search_drive(search, &machine, 1000000);
    netcl_search_candidate one = NETCL_SEARCH_CANDIDATE_INIT;
    uint32_t marked = 0;
    for (uint32_t k = 0; netcl_search_get_candidate(search, k, &one, NULL) == NETCL_OK; ++k) {
      const int says = strstr(one.message, "less than the 900 ns that the roofline allows") != NULL;
      CHECK(says == (i == 0 && one.median == 800.0), "%g ns: %s", one.median, one.message);
      marked += says ? 1 : 0;
    }
    assert_int_equal(marked, i == 0 ? 2 : 0);
    netcl_search_release(search);
  }
  netcl_space_release(space);
}

static void progress_is_told(void **state) {
  (void)state;
  netcl_space *space = search_space(8, 8);
  netcl_search *search = search_make(space, 0, 0, NULL);
  netcl_search_event event = NETCL_SEARCH_EVENT_INIT;
  FAILS(NETCL_ERROR_TIMEOUT, netcl_search_read_event(search, 0, 0, &event));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_search_read_event(search, 0, 1000000, &event));
  Machine machine = {.time = valley, .noise = 0.01, .state = 1};
  search_drive(search, &machine, 1000000);
  uint64_t last = 0, candidates = 0, time = 0;
  double fraction = 0, best = INFINITY;
  netcl_search_event_kind before = 0;
  while (netcl_search_read_event(search, last, 0, &event) == NETCL_OK) {
    assert_int_equal(event.sequence, last + 1);
    assert_true(event.time_ns >= time && event.fraction >= fraction && event.fraction <= 1.0);
    time = event.time_ns;
    fraction = event.fraction;
    last = event.sequence;
    if (event.kind == NETCL_SEARCH_EVENT_CANDIDATE) {
      ++candidates;
      assert_int_equal(event.evaluations, candidates);
    }
    if (event.kind == NETCL_SEARCH_EVENT_BEST) {
      assert_true(event.best_ns < best && event.candidate == event.best);
      best = event.best_ns;
    }
    assert_true((last == 1) == (event.kind == NETCL_SEARCH_EVENT_STARTED));
    before = event.kind;
  }
  assert_int_equal(before, NETCL_SEARCH_EVENT_STOPPED);
  assert_int_equal(candidates, 64);
  assert_true(fraction == 1.0);
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_search_read_event(search, last, NETCL_WAIT_FOREVER, &event));
  netcl_search_release(search);
  netcl_space_release(space);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_strategy_finds_the_valley),
      cmocka_unit_test(many_neighbours),
      cmocka_unit_test(same_seed_same_search),
      cmocka_unit_test(noise_does_not_beat_the_default),
      cmocka_unit_test(odd_clocks),
      cmocka_unit_test(slow_ones_drop_out),
      cmocka_unit_test(failures_are_counted),
      cmocka_unit_test(reasons_to_stop),
      cmocka_unit_test(the_roofline_is_confirmed_twice),
      cmocka_unit_test(what_beats_the_roofline_is_marked),
      cmocka_unit_test(progress_is_told),
  };
  seed_random("search");
  return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
