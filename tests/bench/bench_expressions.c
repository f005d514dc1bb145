/*
 * Several expressions in one call beside a call for each of them, on kept results of f32.
 *
 *   bench_expressions [selector] [rounds] [elements]
 *
 * Sides alternate; the figures are medians of the time until the results are there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "netcl.h"
#include "support_clock.h"

enum { ROUNDS_MOST = 101, INPUTS = 4, RESULTS_MOST = 4 };

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

static const struct Work {
  const char* name;
  uint32_t inputs, results;
  const char* texts[RESULTS_MOST];
} kWork[] = {
    {"sum and difference", 2, 2, {"v0 + v1", "v0 - v1"}},
    {"rotation", 4, 2, {"v0 * v2 - v1 * v3", "v0 * v3 + v1 * v2"}},
    {"silu, its slope", 1, 2, {"v0 * sigmoid(v0)", "sigmoid(v0) * (1 + v0 * (1 - sigmoid(v0)))"}},
    {"four of three", 3, 4, {"v0 * v1 + v2", "v0 * v1 - v2", "max(v0 * v1, v2)", "v0 * v1 * v2"}},
};

typedef struct Bench {
  netcl_device* device;
  netcl_queue* queue;
  netcl_tensor *in[INPUTS], *out[RESULTS_MOST];
} Bench;

static void call_alone(const Bench* bench, const struct Work* work) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  for (uint32_t k = 0; k < work->results; ++k) {
    run.into = bench->out[k];
    CHECK(netcl_op_expression_text(work->texts[k], bench->in, work->inputs, NULL, &run, NULL));
  }
  CHECK(netcl_queue_finish(bench->queue, NETCL_WAIT_FOREVER));
}

static void call_together(const Bench* bench, const struct Work* work) {
  netcl_expressions_options options = NETCL_EXPRESSIONS_OPTIONS_INIT;
  options.results_into = bench->out;
  options.results_into_count = work->results;
  CHECK(netcl_op_expressions(work->texts, work->results, bench->in, work->inputs, &options, NULL,
                             NULL));
  CHECK(netcl_queue_finish(bench->queue, NETCL_WAIT_FOREVER));
}

static void run_bench(const Bench* bench, const struct Work* work, int rounds) {
  double alone[ROUNDS_MOST], together[ROUNDS_MOST];
  for (int round = -3; round < rounds; ++round) {
    double begin = now();
    call_alone(bench, work);
    const double first = now() - begin;
    begin = now();
    call_together(bench, work);
    if (round < 0) continue;
    together[round] = now() - begin;
    alone[round] = first;
  }
  const double a = median(alone, rounds), t = median(together, rounds);
  printf("%-20s %u results: alone %9.3f ms   together %9.3f ms   ratio %.2f\n", work->name,
         work->results, a * 1e3, t * 1e3, a / t);
  fflush(stdout);
}

int main(int argc, char** argv) {
  argc = take_clock(argc, argv);
  Bench bench;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  int rounds = argc > 2 ? atoi(argv[2]) : 15;
  const int64_t count = argc > 3 ? atoll(argv[3]) : (int64_t)1 << 24;
  if (rounds < 1 || rounds > ROUNDS_MOST) rounds = 15;
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "builtin", NULL, &bench.device));
  CHECK(netcl_device_get_info(bench.device, &info));
  CHECK(netcl_device_get_queue(bench.device, &bench.queue));
  printf("%s, %lld elements of f32\n", info.name, (long long)count);
  for (int k = 0; k < INPUTS; ++k) {
    netcl_random_options random = NETCL_RANDOM_OPTIONS_INIT;
    random.seed = (uint64_t)k + 1;
    random.low = -2;
    random.high = 2;
    CHECK(netcl_tensor_create_random(bench.device, NETCL_F32, 1, &count, NULL, &random, NULL,
                                     &bench.in[k]));
  }
  for (int k = 0; k < RESULTS_MOST; ++k) {
    CHECK(netcl_tensor_create_zeros(bench.device, NETCL_F32, 1, &count, NULL, NULL, &bench.out[k]));
  }
  for (size_t i = 0; i < sizeof kWork / sizeof kWork[0]; ++i) run_bench(&bench, &kWork[i], rounds);
  return 0;
}
