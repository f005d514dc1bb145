/*
 * What timers, regions and profiles cost the host.
 *
 *   bench_timing [selector]
 *
 * Nanoseconds per call, the least of several rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "netcl.h"

#define ROUNDS 15
#define CHECK(call) check((call), #call)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void check(netcl_status status, const char* what) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s: %s\n", what, netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

static netcl_device* device;
static netcl_queue* queue;
static netcl_tensor* tensor;
static netcl_timer* timer;

static void nothing(void) {
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

static void enqueue(void) {
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
    const double each = (now() - begin) / calls;
    if (each < least) least = each;
    CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
  }
  printf("%-48s %10.1f ns\n", what, least);
}

int main(int argc, char** argv) {
  const int64_t shape[1] = {16};
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  CHECK(netcl_device_open(argc > 1 ? argv[1] : "auto", NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  CHECK(netcl_queue_create(device, NULL, &queue));
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 1, shape, NULL, NULL, &tensor));
  CHECK(netcl_timer_create(queue, &timer));
  printf("%s\n", info.name);
  report("a call that looks a queue up", nothing, 100000);
  report("region push and pop, profile off", push_and_pop, 100000);
  report("region begin, end and release, profile off", begin_and_end, 100000);
  report("an op of 16 elements, profile off", enqueue, 500);
  report("timer start and stop", timer_pair, 20000);
  CHECK(netcl_timer_start(timer));
  report("an op, while a timer runs", enqueue, 200);
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  CHECK(netcl_timer_stop(timer, NETCL_WAIT_FOREVER, &elapsed));
  CHECK(netcl_profile_start(NULL));
  report("region push and pop, profile on", push_and_pop, 100000);
  report("an op, profile on", enqueue, 500);
  CHECK(netcl_profile_stop(NETCL_WAIT_FOREVER));
  netcl_timer_release(timer);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
  netcl_device_release(device);
  return 0;
}
