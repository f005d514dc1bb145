/*
 * Searches in a host that runs out of memory: each step is made again after each of its
 * allocations has failed, and nothing is lost or counted twice by that.
 */
#include "support_alloc.h"
#include "support_search.h"

#include <stdio.h>

/* Sides of a space, and how many evaluations are more than a strategy remembers. */
enum { SMALL = 12, LARGE = 32, MANY = 560 };

/* Plain valley, in which the best is at A = 8, B = 3. */
static double valley(const Machine *machine, int64_t a, int64_t b) {
  (void)machine;
  return 1000.0 + 30.0 * (double)((a - 8) * (a - 8)) + 50.0 * (double)((b - 3) * (b - 3));
}

/* What a search came to. */
typedef struct Told {
  netcl_search_result result;
  uint64_t samples;  /* that the search has */
  uint64_t given;    /* by the machine */
  uint64_t twice;    /* configurations that are candidates more than once */
  uint64_t events[16], gaps;
  int64_t first;
  int64_t order[2000]; /* of the candidates */
  uint32_t count;
  double winner, least; /* its time, and that of the best which was tried */
  long refused;
} Told;

static int64_t place_of(netcl_config *config) {
  int64_t a = 0, b = 0;
  OK(netcl_config_get_int(config, "A", &a));
  OK(netcl_config_get_int(config, "B", &b));
  return a * 64 + b;
}

/* The call again and again, while allocation 0, 1, 2 ... of it fails; later ones not each. */
#define UNTIL_OK(told, failing, call)                                                  \
  do {                                                                                 \
    for (long n = 0;; n += 1 + n / 32) {                                               \
      if (failing) alloc_arm(n, 0);                                                    \
      const netcl_status status_ = (call);                                             \
      alloc_disarm();                                                                  \
      if (status_ == NETCL_OK) break;                                                  \
      CHECK(failing && status_ == NETCL_ERROR_OUT_OF_HOST_MEMORY, "%s gave %s: %s",    \
            #call, netcl_status_name(status_), netcl_last_error_message());            \
      CHECK(n < 10000, "%s does not end", #call);                                      \
      ++(told)->refused;                                                               \
    }                                                                                  \
  } while (0)

static void read_all(netcl_search *search, Told *told) {
  static unsigned char seen[64 * 64];
  memset(seen, 0, sizeof seen);
  told->least = 1e30;
  OK(netcl_search_get_result(search, &told->result));
  for (uint32_t i = 0;; ++i) {
    netcl_search_candidate one = NETCL_SEARCH_CANDIDATE_INIT;
    netcl_config *config = NULL;
    if (netcl_search_get_candidate(search, i, &one, &config) != NETCL_OK) break;
    const int64_t place = place_of(config);
    netcl_config_release(config);
    if (i == 0) told->first = place;
    if (i < COUNT_OF(told->order)) told->order[told->count++] = place;
    told->twice += seen[place]++;
    const double time = valley(NULL, place / 64, place % 64);
    if (one.outcome != NETCL_OUTCOME_CRASH && time < told->least) told->least = time;
    told->samples += one.samples_count;
  }
  netcl_config *best = NULL;
  OK(netcl_search_get_best(search, &best));
  const int64_t winner = place_of(best);
  told->winner = valley(NULL, winner / 64, winner % 64);
  netcl_config_release(best);
  netcl_search_event event = NETCL_SEARCH_EVENT_INIT;
  for (uint64_t after = 0; netcl_search_read_event(search, after, 0, &event) == NETCL_OK;) {
    told->gaps += event.sequence - after - 1;
    after = event.sequence;
    ++told->events[event.kind];
  }
}

static Told search(netcl_search_strategy strategy, int64_t side, uint64_t evaluations,
                   uint64_t seed, int failing) {
  Told told;
  memset(&told, 0, sizeof told);
  told.result = (netcl_search_result)NETCL_SEARCH_RESULT_INIT;
  netcl_space *space = search_space(side, side);
  netcl_search_options options = NETCL_SEARCH_OPTIONS_INIT;
  options.strategy = strategy;
  options.evaluations = evaluations;
  options.patience = 1000;
  options.seed = seed;
  netcl_search *made = search_make(space, 1, 2, &options);
  for (;;) {
    uint32_t candidate = 0;
    uint64_t samples = 0;
    netcl_config *config = NULL;
    double times[64];
    UNTIL_OK(&told, failing, netcl_search_ask(made, &candidate, &samples, &config));
    if (samples == 0) break;
    const int64_t place = place_of(config);
    netcl_config_release(config);
    /* Some fail, of which one in the final would leave it. */
    if (place % 7 == 5) {
      const netcl_outcome crash = NETCL_OUTCOME_CRASH;
      UNTIL_OK(&told, failing, netcl_search_tell_failure(made, candidate, crash, "as scripted"));
      continue;
    }
    for (uint64_t i = 0; i < samples; ++i) times[i] = valley(NULL, place / 64, place % 64);
    UNTIL_OK(&told, failing, netcl_search_tell(made, candidate, times, samples));
    told.given += samples;
  }
  read_all(made, &told);
  netcl_search_release(made);
  netcl_space_release(space);
  return told;
}

static void check_one(netcl_search_strategy strategy, int64_t side, uint64_t evaluations) {
  const uint64_t seed = 1 + (uint64_t)random_in(0, 1000);
  const Told whole = search(strategy, side, evaluations, seed, 0);
  const long live = alloc_live_bytes();
  const Told told = search(strategy, side, evaluations, seed, 1);
  const netcl_search_result *const result = &told.result;
  CHECK(alloc_live_bytes() == live, "strategy %d: %ld bytes are lost", strategy,
        alloc_live_bytes() - live);
  CHECK(told.refused > 100, "strategy %d: only %ld steps were refused", strategy, told.refused);
  assert_int_equal(told.first, 1 * 64 + 2); /* the default */
  CHECK(told.winner == told.least, "strategy %d: %g wins over %g", strategy, told.winner,
        told.least);
  assert_true(result->stop == whole.result.stop);
  assert_int_equal(result->evaluations, whole.result.evaluations);
  for (uint32_t i = 0; i < whole.count; ++i) {
    CHECK(told.order[i] == whole.order[i], "strategy %d: candidate %u is another one", strategy, i);
  }
  assert_int_equal(told.count, whole.count);
  /* Nothing is lost, and nothing is counted twice. */
  uint64_t counted = 0;
  for (size_t i = 0; i < COUNT_OF(result->counts); ++i) counted += result->counts[i];
  assert_int_equal(counted, result->evaluations);
  assert_int_equal(told.twice, 0);
  assert_int_equal(told.samples, told.given);
  assert_int_equal(told.gaps, 0);
  assert_int_equal(told.events[NETCL_SEARCH_EVENT_STARTED], 1);
  assert_int_equal(told.events[NETCL_SEARCH_EVENT_CANDIDATE], result->evaluations);
  assert_int_equal(told.events[NETCL_SEARCH_EVENT_FINAL], 1);
  assert_int_equal(told.events[NETCL_SEARCH_EVENT_STOPPED], 1);
  print_message("strategy %d, seed %llu: %llu evaluations, %ld refusals\n", strategy,
                (unsigned long long)seed, (unsigned long long)result->evaluations, told.refused);
}

static void no_step_is_lost(void **state) {
  (void)state;
  if (!alloc_interposed) SKIP("a sanitizer has the allocator");
  for (int strategy = NETCL_SEARCH_EXHAUSTIVE; strategy <= NETCL_SEARCH_GENETIC; ++strategy) {
    check_one(strategy, SMALL, strategy == NETCL_SEARCH_EXHAUSTIVE ? 0 : 100);
  }
}

/* What is remembered of so many is thinned out on the way. */
static void many_steps(void **state) {
  (void)state;
  if (!alloc_interposed) SKIP("a sanitizer has the allocator");
  for (int strategy = NETCL_SEARCH_LOCAL; strategy <= NETCL_SEARCH_GENETIC; ++strategy) {
    check_one(strategy, LARGE, MANY);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_step_is_lost),
                                     cmocka_unit_test(many_steps)};
  seed_random("search_memory");
  return cmocka_run_group_tests_name("search_memory", tests, NULL, NULL);
}
