/* What calls cost the host, for bench_timing and bench_tuning: the least of several rounds. */
#ifndef NETCL_BENCH_SUPPORT_COST_H
#define NETCL_BENCH_SUPPORT_COST_H

#include "netcl.h"
#include "support_clock.h"

#define ROUNDS 15

/* The value of --device, also as a lone word; "auto" without it. */
static const char* device_argument(int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) return argv[i + 1];
    if (strncmp(argv[i], "--device=", 9) == 0) return argv[i] + 9;
  }
  return argc == 2 && argv[1][0] != '-' ? argv[1] : "auto";
}

static netcl_device* device;
static netcl_queue* queue;
static netcl_tensor* tensor;
static netcl_timer* timer;

static void look_up_queue(void) {
  netcl_queue_info info = NETCL_QUEUE_INFO_INIT;
  CHECK(netcl_queue_get_info(queue, &info));
}

static void push_and_pop(void) {
  CHECK(netcl_region_push(queue, "region"));
  CHECK(netcl_region_pop());
}

static void begin_and_end(void) {
  netcl_region* region;
  CHECK(netcl_region_begin(queue, NULL, "region", &region));
  CHECK(netcl_region_end(region));
  netcl_region_release(region);
}

static void enqueue_op(void) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.into = tensor;
  CHECK(netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, &run, NULL));
}

static void timer_pair(void) {
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  CHECK(netcl_timer_start(timer));
  CHECK(netcl_timer_stop(timer, NETCL_WAIT_FOREVER, &elapsed));
}

static void report(const char* what, void (*call)(void), int calls) {
  double least = 1e300;
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = now();
    for (int i = 0; i < calls; i++) call();
    const double each = 1e9 * (now() - begin) / calls;
    if (each < least) least = each;
    CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
  }
  printf("%-52s %10.1f ns\n", what, least);
  fflush(stdout);
}

/* Timers, regions and profiles, on and off. */
static void measuring_costs(void) {
  const int64_t shape[1] = {16};
  CHECK(netcl_queue_create(device, NULL, &queue));
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 1, shape, NULL, NULL, &tensor));
  CHECK(netcl_timer_create(queue, &timer));
  report("a call that looks a queue up", look_up_queue, 100000);
  report("region push and pop, profile off", push_and_pop, 100000);
  report("region begin, end and release, profile off", begin_and_end, 100000);
  report("an op of 16 elements, profile off", enqueue_op, 500);
  report("timer start and stop", timer_pair, 20000);
  CHECK(netcl_timer_start(timer));
  report("an op, while a timer runs", enqueue_op, 200);
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  CHECK(netcl_timer_stop(timer, NETCL_WAIT_FOREVER, &elapsed));
  CHECK(netcl_profile_start(NULL));
  report("region push and pop, profile on", push_and_pop, 100000);
  report("an op, profile on", enqueue_op, 500);
  CHECK(netcl_profile_stop(NETCL_WAIT_FOREVER));
  netcl_timer_release(timer);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

#endif
