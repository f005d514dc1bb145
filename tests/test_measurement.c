/* Measurements of the host's time: warm-up, turns, batches, the rules for the end, arguments. */
#include <math.h>
#include <stdio.h>

#include "support.h"
#include "support_process.h"

static netcl_queue* make_queue(Fixture* fixture) {
  netcl_queue* queue = NULL;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  return queue;
}

static netcl_measurement* begin(netcl_queue* queue, const netcl_measurement_options* options) {
  netcl_measurement* measurement = NULL;
  OK(netcl_measurement_create(queue, options, &measurement));
  return measurement;
}

static netcl_statistics statistics_of(netcl_measurement* measurement, uint32_t candidate) {
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  OK(netcl_measurement_get_statistics(measurement, candidate, &statistics));
  return statistics;
}

static uint32_t profiling(netcl_queue* queue) {
  netcl_queue_info info = NETCL_QUEUE_INFO_INIT;
  OK(netcl_queue_get_info(queue, &info));
  return info.profiling;
}

/* Work of the host that takes a known time at least. */
static void pass_time(uint64_t ns) {
  const double end = process_now() + (double)ns * 1e-9;
  while (process_now() < end) {
  }
}

static netcl_measurement_options host_options(uint64_t count) {
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  options.source = NETCL_TIME_HOST;
  options.count = count;
  return options;
}

/* Runs a measurement to its end; the work of candidate i takes ns[i] of the host's time. */
static uint64_t run_host(netcl_measurement* measurement, const uint64_t* ns, uint32_t* turns,
                         uint64_t turns_most) {
  uint64_t runs = 0;
  for (;;) {
    uint32_t candidate = 99;
    uint64_t iterations = 99;
    OK(netcl_measurement_next(measurement, &candidate, &iterations));
    if (iterations == 0) return runs;
    if (turns != NULL && runs < turns_most) turns[runs] = candidate;
    for (uint64_t i = 0; i < iterations; i++) pass_time(ns[candidate]);
    ++runs;
  }
}

static void known_host_time(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = make_queue(fixture);
  const netcl_measurement_options options = host_options(20);
  netcl_measurement* measurement = begin(queue, &options);
  netcl_statistics s = statistics_of(measurement, 0);
  assert_true(s.count == 0 && s.median == 0 && s.warmup_count == 0);
  assert_int_equal(s.stop, NETCL_STOP_RUNNING);
  const uint64_t ns[] = {2000000};
  assert_int_equal(run_host(measurement, ns, NULL, 0), 23); /* 3 to warm up */
  s = statistics_of(measurement, 0);
  assert_int_equal(s.count, 20);
  assert_int_equal(s.warmup_count, 3);
  assert_int_equal(s.iterations, 1);
  assert_int_equal(s.stop, NETCL_STOP_COUNT);
  assert_true(s.resolution_ns > 0 && s.confidence >= 0.95 && s.confidence < 0.97);
  assert_true(s.bytes == 0 && s.operations == 0 && s.cold_cache == 0);
  CHECK(s.min >= 2e6, "least %g ns", s.min);
  CHECK(s.min < 4e6 && s.median >= s.min && s.median <= s.max, "median %g, least %g", s.median,
        s.min);
  double samples[32];
  uint64_t count = 0;
  for (int i = 0; i < 32; i++) samples[i] = -1;
  OK(netcl_measurement_get_samples(measurement, 0, samples, 7, &count));
  assert_int_equal(count, 20);
  assert_true(samples[6] > 0 && samples[7] == -1);
  OK(netcl_measurement_get_samples(measurement, 0, NULL, 0, &count));
  assert_int_equal(count, 20);
  OK(netcl_measurement_get_samples(measurement, 0, samples, 32, &count));
  netcl_statistics again = NETCL_STATISTICS_INIT;
  OK(netcl_statistics_compute(samples, count, 0, &again));
  assert_true(again.median == s.median && again.deviation == s.deviation);
  assert_true(again.interval_low == s.interval_low && again.interval_high == s.interval_high);
  /* It stays over. */
  uint32_t candidate = 9;
  uint64_t iterations = 9;
  OK(netcl_measurement_next(measurement, &candidate, &iterations));
  assert_int_equal(iterations, 0);
  netcl_measurement_release(measurement);
  netcl_queue_release(queue);
}

enum { CANDIDATES = 4, ROUNDS = 30, TURNS = CANDIDATES * (ROUNDS + 2) };

static void take_turns(netcl_queue* queue, uint64_t seed, uint32_t* turns) {
  static const uint64_t ns[CANDIDATES] = {20000, 20000, 20000, 20000};
  netcl_measurement_options options = host_options(ROUNDS);
  options.candidates = CANDIDATES;
  options.warmup_count = 2;
  options.seed = seed;
  netcl_measurement* measurement = begin(queue, &options);
  assert_int_equal(run_host(measurement, ns, turns, TURNS), TURNS);
  netcl_measurement_release(measurement);
}

/* In every round each candidate has one turn, in an order that the seed decides. */
static void fair_turns(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = make_queue(fixture);
  uint32_t turns[TURNS], again[TURNS], other[TURNS];
  take_turns(queue, 1, turns);
  take_turns(queue, 1, again);
  take_turns(queue, 2, other);
  assert_memory_equal(turns, again, sizeof turns);
  assert_memory_not_equal(turns, other, sizeof turns);
  int first[CANDIDATES] = {0};
  for (int round = 0; round < TURNS / CANDIDATES; round++) {
    unsigned seen = 0;
    for (int i = 0; i < CANDIDATES; i++) seen |= 1u << turns[round * CANDIDATES + i];
    CHECK(seen == (1u << CANDIDATES) - 1, "round %d leaves a candidate out", round);
    first[turns[round * CANDIDATES]]++;
  }
  for (int i = 0; i < CANDIDATES; i++) {
    CHECK(first[i] >= 1 && first[i] <= 20, "candidate %d was first in %d of %d rounds", i, first[i],
          TURNS / CANDIDATES);
  }
  netcl_queue_release(queue);
}

static void compares(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = make_queue(fixture);
  const uint64_t ns[] = {200000, 400000};
  netcl_measurement_options options = host_options(25);
  options.candidates = 2;
  netcl_measurement* measurement = begin(queue, &options);
  netcl_comparison comparison = NETCL_COMPARISON_INIT;
  OK(netcl_measurement_compare(measurement, 0, 1, &comparison));
  assert_int_equal(comparison.verdict, NETCL_VERDICT_UNCLEAR);
  run_host(measurement, ns, NULL, 0);
  OK(netcl_measurement_compare(measurement, 0, 1, &comparison));
  assert_int_equal(comparison.verdict, NETCL_VERDICT_FASTER);
  CHECK(comparison.ratio > 0.3 && comparison.ratio < 0.8, "ratio %g", comparison.ratio);
  OK(netcl_measurement_compare(measurement, 1, 0, &comparison));
  assert_int_equal(comparison.verdict, NETCL_VERDICT_SLOWER);
  OK(netcl_measurement_compare(measurement, 1, 1, &comparison));
  assert_true(comparison.ratio == 1.0);
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "second",
             netcl_measurement_compare(measurement, 0, 2, &comparison));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "first",
             netcl_measurement_compare(measurement, 7, 0, &comparison));
  netcl_measurement_release(measurement);
  netcl_queue_release(queue);
}

static void stop_rules(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = make_queue(fixture);
  const uint64_t ns[] = {4000000};
  netcl_measurement_options options = host_options(0);
  options.warmup_count = 1;
  options.warmup_ns = 1;
  options.precision = 1e-12;
  options.budget_ns = 50000000;
  netcl_measurement* measurement = begin(queue, &options);
  run_host(measurement, ns, NULL, 0);
  netcl_statistics s = statistics_of(measurement, 0);
  assert_int_equal(s.stop, NETCL_STOP_BUDGET);
  CHECK(s.count >= 1 && s.count <= 13, "%llu samples of 4 ms in 50 ms",
        (unsigned long long)s.count);
  netcl_measurement_release(measurement);

  options.precision = 0.9; /* reached at once, or soon where the machine is busy */
  options.budget_ns = 20 * SECOND;
  measurement = begin(queue, &options);
  run_host(measurement, ns, NULL, 0);
  s = statistics_of(measurement, 0);
  assert_int_equal(s.stop, NETCL_STOP_CONFIDENCE);
  CHECK(s.count >= 10, "%d samples", (int)s.count);
  netcl_measurement_release(measurement);

  /* Fewer samples than the confidence takes prove nothing, however close they lie. */
  options.count_least = 2;
  measurement = begin(queue, &options);
  run_host(measurement, ns, NULL, 0);
  s = statistics_of(measurement, 0);
  assert_int_equal(s.stop, NETCL_STOP_CONFIDENCE);
  CHECK(s.count >= 6 && s.confidence >= 0.95, "%d samples, %g", (int)s.count, s.confidence);
  netcl_measurement_release(measurement);
  options.count_least = 0;

  options.precision = 1e-12;
  options.count_most = 6;
  measurement = begin(queue, &options);
  run_host(measurement, ns, NULL, 0);
  s = statistics_of(measurement, 0);
  assert_int_equal(s.stop, NETCL_STOP_COUNT);
  assert_int_equal(s.count, 6);
  netcl_measurement_release(measurement);

  /* Work that takes more than the budget warms up once and is sampled once. */
  options.count_most = 0;
  options.warmup_count = 100; /* not reached */
  options.budget_ns = 1000;
  measurement = begin(queue, &options);
  assert_int_equal(run_host(measurement, ns, NULL, 0), 2);
  s = statistics_of(measurement, 0);
  assert_int_equal(s.stop, NETCL_STOP_BUDGET);
  assert_int_equal(s.count, 1);
  assert_int_equal(s.warmup_count, 1);
  netcl_measurement_release(measurement);

  /* Warming up by time. */
  options = host_options(2);
  options.warmup_count = 1;
  options.warmup_ns = 100000000;
  measurement = begin(queue, &options);
  run_host(measurement, ns, NULL, 0);
  s = statistics_of(measurement, 0);
  CHECK(s.warmup_count >= 4 && s.warmup_count <= 25, "%llu runs of 4 ms in 100 ms",
        (unsigned long long)s.warmup_count);
  netcl_measurement_release(measurement);
  netcl_queue_release(queue);
}

static netcl_status nothing(netcl_queue* queue, void* user_data) {
  (void)queue;
  ++*(uint64_t*)user_data;
  return NETCL_OK;
}

/* The host's clock cannot see work that is this short: one sample is many runs. */
static void batches(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = make_queue(fixture);
  netcl_measurement_options options = host_options(0);
  netcl_statistics s = NETCL_STATISTICS_INIT;
  uint64_t calls = 0;
  options.budget_ns = 20000000;
  options.count_most = 50;
  OK(netcl_queue_time(queue, nothing, &calls, &options, &s));
  const double sample = s.median * (double)s.iterations;
  CHECK(sample >= 25.0 * (double)s.resolution_ns, "a sample of %g ns, a clock of %llu", sample,
        (unsigned long long)s.resolution_ns);
  assert_true(calls == s.warmup_count + s.count * s.iterations);
  /* A count that is asked for stays as it is, whatever is in a sample. */
  options = host_options(9);
  calls = 0;
  OK(netcl_queue_time(queue, nothing, &calls, &options, &s));
  assert_int_equal(s.count, 9);
  assert_true(s.warmup_count >= 3 && calls == s.warmup_count + s.count * s.iterations);
  netcl_queue_release(queue);
}

static uint64_t samples_of(netcl_measurement* measurement, double* samples, uint64_t capacity) {
  uint64_t count = 0;
  OK(netcl_measurement_get_samples(measurement, 0, samples, capacity, &count));
  return count;
}

/* A measurement in one call gives itself to whoever asks, and with it the samples. */
static void samples_on_request(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = make_queue(fixture);
  netcl_measurement_options options = host_options(9);
  netcl_measurement* measurement = NULL;
  netcl_statistics s = NETCL_STATISTICS_INIT, again = NETCL_STATISTICS_INIT;
  uint64_t calls = 0;
  double samples[16];
  options.measurement = &measurement;
  OK(netcl_queue_time(queue, nothing, &calls, &options, &s));
  assert_non_null(measurement);
  netcl_queue_release(queue); /* it needs neither the queue's handle */
  for (int i = 0; i < 16; i++) samples[i] = -1;
  assert_int_equal(samples_of(measurement, samples, 16), 9);
  assert_true(samples[8] >= 0 && samples[9] == -1);
  OK(netcl_statistics_compute(samples, 9, 0, &again));
  assert_true(again.median == s.median && again.deviation == s.deviation && s.count == 9);
  again = statistics_of(measurement, 0);
  assert_memory_equal(&again, &s, sizeof s);
  /* It is over. */
  uint32_t candidate = 9;
  uint64_t iterations = 9;
  OK(netcl_measurement_next(measurement, &candidate, &iterations));
  assert_int_equal(iterations, 0);
  netcl_measurement_release(measurement);
}

static netcl_status fails_by_itself(netcl_queue* queue, void* user_data) {
  (void)queue;
  (void)user_data;
  return NETCL_ERROR_NOT_FOUND;
}

static netcl_queue* options_queue;
static netcl_status create_call(Fixture* fixture, const void* options) {
  netcl_measurement* measurement = NULL;
  (void)fixture;
  const netcl_status status = netcl_measurement_create(options_queue, options, &measurement);
  netcl_measurement_release(measurement);
  return status;
}
static netcl_status statistics_call(void* context, void* info) {
  return netcl_measurement_get_statistics(context, 0, info);
}
static netcl_status comparison_call(void* context, void* info) {
  return netcl_measurement_compare(context, 0, 1, info);
}

static void arguments(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = options_queue = make_queue(fixture);
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  const size_t reserved[] = {offsetof(netcl_measurement_options, reserved)};
  check_options_rules(fixture, "netcl_measurement_options", create_call, &options,
                      SIZES(netcl_measurement_options), reserved, 1);
  netcl_measurement* measurement = NULL;
#define REFUSES(member, value)                                         \
  do {                                                                 \
    netcl_measurement_options wrong = NETCL_MEASUREMENT_OPTIONS_INIT;  \
    wrong.member = value;                                              \
    FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->" #member,      \
               netcl_measurement_create(queue, &wrong, &measurement)); \
  } while (0)
  REFUSES(confidence, 1.0);
  REFUSES(confidence, -0.1);
  REFUSES(confidence, NAN);
  REFUSES(precision, NAN);
  REFUSES(precision, 1.5);
  REFUSES(cold_cache, 2);
  REFUSES(source, 3);
  REFUSES(source, -1);
  REFUSES(candidates, UINT32_MAX);
  options.count_least = 20;
  options.count_most = 10;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "count_least",
             netcl_measurement_create(queue, &options, &measurement));
  assert_null(measurement);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_measurement_create(queue, NULL, NULL));
  options = host_options(5);
  options.candidates = 2;
  netcl_statistics s = NETCL_STATISTICS_INIT;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "candidates",
             netcl_queue_time(queue, fails_by_itself, NULL, &options, &s));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "work", netcl_queue_time(queue, NULL, NULL, NULL, &s));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_queue_time(queue, fails_by_itself, NULL, NULL, NULL));
  /* No measurement comes back from a call that fails, or that gives it anyway. */
  options.candidates = 1;
  options.measurement = &measurement;
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_queue_time(queue, fails_by_itself, NULL, &options, &s));
  netcl_measurement* made = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->measurement is set; write NULL",
             netcl_measurement_create(queue, &options, &made));
  assert_true(measurement == NULL && made == NULL);
  options.measurement = NULL;
  options.candidates = 2;
  measurement = begin(queue, &options);
  uint32_t candidate;
  uint64_t iterations, count;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_measurement_next(measurement, NULL, &iterations));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_measurement_next(measurement, &candidate, NULL));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "candidate",
             netcl_measurement_get_statistics(measurement, 2, &s));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_measurement_get_statistics(measurement, 0, NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_measurement_get_samples(measurement, 0, NULL, 1, &count));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_measurement_get_samples(measurement, 0, NULL, 0, NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_measurement_get_samples(measurement, 2, NULL, 0, &count));
  const uint64_t ns[] = {20000, 20000};
  run_host(measurement, ns, NULL, 0);
  check_info_rules("netcl_statistics", statistics_call, measurement, sizeof(netcl_statistics), 0,
                   0);
  check_info_rules("netcl_comparison", comparison_call, measurement, sizeof(netcl_comparison), 0,
                   0);
  netcl_measurement_release(measurement);
  /* Released in the middle of a run: the queue is as it was. */
  options = (netcl_measurement_options)NETCL_MEASUREMENT_OPTIONS_INIT;
  measurement = begin(queue, &options);
  OK(netcl_measurement_next(measurement, &candidate, &iterations));
  assert_true(iterations == 1 && candidate == 0);
  assert_int_equal(profiling(queue), 1);
  OK(netcl_measurement_retain(measurement));
  netcl_measurement_release(measurement);
  netcl_measurement_release(measurement);
  netcl_measurement_release(NULL);
  assert_int_equal(profiling(queue), 0);
  netcl_queue_release(queue);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(known_host_time),    DEVICE_TEST(fair_turns), DEVICE_TEST(compares),
      DEVICE_TEST(stop_rules),         DEVICE_TEST(batches),    DEVICE_TEST(arguments),
      DEVICE_TEST(samples_on_request),
  };
  seed_random("measurement");
  return cmocka_run_group_tests_name("measurement", tests, NULL, NULL);
}
