/* Timers: span and busy against the times of events, states, time-outs, and no memory after the
 * first pair. */
#include <pthread.h>
#include <stdio.h>

#include "sanitizers.h"
#include "support.h"
#include "support_process.h"

/* ---- Counts the allocations of this thread, the library's among them. */

#if !HAS_ASAN && !HAS_TSAN && defined(__GLIBC__)
#define COUNTS_ALLOCATIONS 1
extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
static __thread uint64_t allocations;
void* malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
#else
#define COUNTS_ALLOCATIONS 0
static uint64_t allocations;
#endif

static netcl_queue* make_queue(Fixture* fixture) {
  netcl_queue* queue = NULL;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  return queue;
}

static netcl_timer* make_timer(netcl_queue* queue) {
  netcl_timer* timer = NULL;
  OK(netcl_timer_create(queue, &timer));
  return timer;
}

static netcl_elapsed stop(netcl_timer* timer) {
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  OK(netcl_timer_stop(timer, LONG_WAIT, &elapsed));
  return elapsed;
}

static uint32_t profiling(netcl_queue* queue) {
  netcl_queue_info info = NETCL_QUEUE_INFO_INIT;
  OK(netcl_queue_get_info(queue, &info));
  return info.profiling;
}

static netcl_tensor* make_operand(Fixture* fixture, int64_t count) {
  netcl_tensor* tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, &count, NULL, NULL, &tensor));
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  return tensor;
}

/* One command in place on the tensor. */
static void work(netcl_tensor* tensor, netcl_queue* queue, netcl_event** event) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.into = tensor;
  run.event = event;
  OK(netcl_op_expression_text("v0 * 0.5 + 1", &tensor, 1, NULL, &run, NULL));
}

static void sequential(void** state) {
  Fixture* fixture = *state;
  enum { COMMANDS = 7 };
  netcl_queue* queue = make_queue(fixture);
  netcl_timer* timer = make_timer(queue);
  netcl_tensor* tensor = make_operand(fixture, 300000);
  netcl_event* events[COMMANDS];
  work(tensor, queue, NULL); /* before the start: not counted */
  OK(netcl_timer_start(timer));
  for (int i = 0; i < COMMANDS; i++) work(tensor, queue, &events[i]);
  const netcl_elapsed elapsed = stop(timer);
  work(tensor, queue, NULL);
  assert_int_equal(elapsed.commands, COMMANDS);
  uint64_t sum = 0, first = UINT64_MAX, last = 0;
  for (int i = 0; i < COMMANDS; i++) {
    netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
    OK(netcl_event_get_timing(events[i], &timing));
    sum += timing.ended_ns - timing.started_ns;
    if (timing.started_ns < first) first = timing.started_ns;
    if (timing.ended_ns > last) last = timing.ended_ns;
    netcl_event_release(events[i]);
  }
  CHECK(elapsed.busy_ns == sum, "busy %llu, the commands took %llu",
        (unsigned long long)elapsed.busy_ns, (unsigned long long)sum);
  CHECK(elapsed.span_ns == last - first, "span %llu, not %llu", (unsigned long long)elapsed.span_ns,
        (unsigned long long)(last - first));
  assert_true(elapsed.span_ns >= elapsed.busy_ns && elapsed.busy_ns > 0);
  netcl_tensor_release(tensor);
  netcl_timer_release(timer);
  netcl_queue_release(queue);
}

/* A pause of the host between two commands is in span and host, not in busy. */
static void pause_between(void** state) {
  Fixture* fixture = *state;
  const uint64_t pause_ns = 30000000;
  netcl_queue* queue = make_queue(fixture);
  netcl_timer* timer = make_timer(queue);
  netcl_tensor* tensor = make_operand(fixture, 1000);
  work(tensor, queue, NULL);
  OK(netcl_timer_start(timer));
  work(tensor, queue, NULL);
  OK(netcl_queue_finish(queue, LONG_WAIT));
  process_sleep_ms(30);
  work(tensor, queue, NULL);
  const netcl_elapsed elapsed = stop(timer);
  assert_int_equal(elapsed.commands, 2);
  CHECK(elapsed.span_ns >= pause_ns && elapsed.host_ns >= pause_ns, "span %llu, host %llu",
        (unsigned long long)elapsed.span_ns, (unsigned long long)elapsed.host_ns);
  CHECK(elapsed.busy_ns + pause_ns <= elapsed.span_ns, "busy %llu of span %llu",
        (unsigned long long)elapsed.busy_ns, (unsigned long long)elapsed.span_ns);
  netcl_tensor_release(tensor);
  netcl_timer_release(timer);
  netcl_queue_release(queue);
}

static void states(void** state) {
  Fixture* fixture = *state;
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  netcl_queue* queue = make_queue(fixture);
  netcl_timer* timer = make_timer(queue);
  const uint32_t by_default = profiling(queue);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_timer_stop(timer, 0, &elapsed));
  OK(netcl_timer_start(timer));
  assert_int_equal(profiling(queue), 1);
  FAILS(NETCL_ERROR_BUSY, netcl_timer_start(timer));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_timer_stop(timer, 0, NULL));
  elapsed = stop(timer); /* nothing was enqueued */
  assert_int_equal(profiling(queue), by_default);
  assert_true(elapsed.span_ns == 0 && elapsed.busy_ns == 0 && elapsed.commands == 0);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_timer_stop(timer, 0, &elapsed));
  OK(netcl_timer_start(timer));
  stop(timer);
  /* A timer that is let go while it runs leaves the queue as it was. */
  OK(netcl_timer_start(timer));
  OK(netcl_timer_retain(timer));
  netcl_timer_release(timer);
  assert_int_equal(profiling(queue), 1);
  netcl_timer_release(timer);
  assert_int_equal(profiling(queue), by_default);
  netcl_timer_release(NULL);
  netcl_timer* none = (netcl_timer*)1;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_timer_create(queue, NULL));
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_timer_create(NULL, &none));
  /* The timer keeps its queue. */
  timer = make_timer(queue);
  netcl_queue_release(queue);
  OK(netcl_timer_start(timer));
  stop(timer);
  netcl_timer_release(timer);
}

/* Two timers see what each was there for; a timer of another queue sees nothing. */
static void several(void** state) {
  Fixture* fixture = *state;
  netcl_queue *queue = make_queue(fixture), *other = make_queue(fixture);
  netcl_timer *outer = make_timer(queue), *inner = make_timer(queue), *apart = make_timer(other);
  netcl_tensor* tensor = make_operand(fixture, 50000);
  OK(netcl_timer_start(outer));
  OK(netcl_timer_start(apart));
  work(tensor, queue, NULL);
  OK(netcl_timer_start(inner));
  work(tensor, queue, NULL);
  work(tensor, queue, NULL);
  const netcl_elapsed in = stop(inner);
  assert_int_equal(profiling(queue), 1);
  work(tensor, queue, NULL);
  const netcl_elapsed out = stop(outer), none = stop(apart);
  assert_int_equal(in.commands, 2);
  assert_int_equal(out.commands, 4);
  assert_int_equal(none.commands, 0);
  assert_true(out.busy_ns > in.busy_ns && out.span_ns > in.span_ns);
  netcl_tensor_release(tensor);
  netcl_timer_release(outer);
  netcl_timer_release(inner);
  netcl_timer_release(apart);
  netcl_queue_release(queue);
  netcl_queue_release(other);
}

/* Markers are waited for and are no work; transfers and fills are. */
static void kinds(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = make_queue(fixture);
  netcl_timer* timer = make_timer(queue);
  netcl_tensor* tensor = make_operand(fixture, 4096);
  netcl_event* event = NULL;
  OK(netcl_timer_start(timer));
  OK(netcl_queue_enqueue_marker(queue, NULL, 0, &event));
  netcl_elapsed elapsed = stop(timer);
  assert_int_equal(elapsed.commands, 0);
  assert_int_equal(elapsed.span_ns, 0);
  netcl_event_release(event);
  float values[4096] = {0};
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  options.queue = queue;
  OK(netcl_timer_start(timer));
  OK(netcl_tensor_write(tensor, values, sizeof values, &options, LONG_WAIT));
  elapsed = stop(timer);
  CHECK(elapsed.commands >= 1 && elapsed.busy_ns > 0, "%llu commands",
        (unsigned long long)elapsed.commands);
  netcl_tensor_release(tensor);
  netcl_timer_release(timer);
  netcl_queue_release(queue);
}

static void times_out(void** state) {
  Fixture* fixture = *state;
  NEEDS_WORK_IN_FLIGHT(fixture);
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  netcl_queue* queue = make_queue(fixture);
  netcl_timer* timer = make_timer(queue);
  start_slow_work(fixture, queue, NULL, NULL); /* builds the kernel */
  OK(netcl_queue_finish(queue, LONG_WAIT));
  OK(netcl_timer_start(timer));
  start_slow_work(fixture, queue, NULL, NULL);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_timer_stop(timer, 0, &elapsed));
  assert_int_equal(profiling(queue), 0);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_timer_stop(timer, 1000000, &elapsed));
  start_slow_work(fixture, queue, NULL, NULL); /* behind the stop: not counted */
  elapsed = stop(timer);
  CHECK(elapsed.commands >= 1 && elapsed.commands <= 2 && elapsed.busy_ns > 10000000,
        "%llu commands, busy %llu", (unsigned long long)elapsed.commands,
        (unsigned long long)elapsed.busy_ns);
  CHECK(elapsed.host_ns < elapsed.span_ns, "the host's time goes to the first stop only");
  /* A result that is not fetched does not keep the timer from starting. */
  OK(netcl_timer_start(timer));
  start_slow_work(fixture, queue, NULL, NULL);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_timer_stop(timer, 0, &elapsed));
  OK(netcl_timer_start(timer));
  assert_int_equal(stop(timer).commands, 0);
  OK(netcl_queue_finish(queue, LONG_WAIT));
  netcl_timer_release(timer);
  netcl_queue_release(queue);
}

/* More commands than events are kept for. */
static void many_commands(void** state) {
  Fixture* fixture = *state;
  enum { COMMANDS = 9000 };
  netcl_queue* queue = make_queue(fixture);
  netcl_timer* timer = make_timer(queue);
  netcl_tensor* tensor = make_operand(fixture, 16);
  OK(netcl_timer_start(timer));
  for (int i = 0; i < COMMANDS; i++) work(tensor, queue, NULL);
  const netcl_elapsed elapsed = stop(timer);
  assert_int_equal(elapsed.commands, COMMANDS);
  assert_true(elapsed.busy_ns > 0 && elapsed.busy_ns <= elapsed.span_ns);
  netcl_tensor_release(tensor);
  netcl_timer_release(timer);
  netcl_queue_release(queue);
}

static void no_allocation(void** state) {
  Fixture* fixture = *state;
  if (!COUNTS_ALLOCATIONS) SKIP("allocations are not counted here");
  netcl_queue* queue = make_queue(fixture);
  netcl_timer* timer = make_timer(queue);
  netcl_tensor* tensor = make_operand(fixture, 1000);
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  const uint64_t canary = allocations;
  free(malloc(8));
  assert_true(allocations > canary);
  for (int pair = 0; pair < 12; pair++) {
    uint64_t before = allocations;
    OK(netcl_timer_start(timer));
    uint64_t made = allocations - before;
    for (int i = 0; i < 20; i++) work(tensor, queue, NULL);
    OK(netcl_queue_finish(queue, LONG_WAIT));
    before = allocations;
    OK(netcl_timer_stop(timer, LONG_WAIT, &elapsed));
    made += allocations - before;
    assert_int_equal(elapsed.commands, 20);
    CHECK(pair == 0 || made == 0, "pair %d allocated %llu times", pair, (unsigned long long)made);
  }
  netcl_tensor_release(tensor);
  netcl_timer_release(timer);
  netcl_queue_release(queue);
}

typedef struct Worker {
  Fixture* fixture;
  netcl_queue* queue;
} Worker;

static void* time_in_thread(void* argument) {
  Worker* worker = argument;
  netcl_tensor* tensor = make_operand(worker->fixture, 2000);
  netcl_timer* timer = make_timer(worker->queue);
  for (int i = 0; i < 100; i++) {
    OK(netcl_timer_start(timer));
    work(tensor, worker->queue, NULL);
    const netcl_elapsed elapsed = stop(timer);
    /* The other threads' commands on the queue count too. */
    CHECK(elapsed.commands >= 1 && elapsed.busy_ns <= elapsed.span_ns, "busy %llu of %llu",
          (unsigned long long)elapsed.busy_ns, (unsigned long long)elapsed.span_ns);
  }
  netcl_timer_release(timer);
  netcl_tensor_release(tensor);
  return NULL;
}

static void threads(void** state) {
  Fixture* fixture = *state;
  Worker worker = {fixture, make_queue(fixture)};
  pthread_t others[4];
  for (int i = 0; i < 4; i++) {
    assert_int_equal(pthread_create(&others[i], NULL, time_in_thread, &worker), 0);
  }
  for (int i = 0; i < 4; i++) pthread_join(others[i], NULL);
  netcl_queue_release(worker.queue);
}

static netcl_timer* struct_timer;
static netcl_status stop_call(void* context, void* info) {
  (void)context;
  OK(netcl_timer_start(struct_timer));
  const netcl_status status = netcl_timer_stop(struct_timer, LONG_WAIT, info);
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  if (status != NETCL_OK) OK(netcl_timer_stop(struct_timer, LONG_WAIT, &elapsed));
  return status;
}

static void structs(void** state) {
  Fixture* fixture = *state;
  netcl_queue* queue = make_queue(fixture);
  struct_timer = make_timer(queue);
  check_info_rules("netcl_elapsed", stop_call, NULL, sizeof(netcl_elapsed),
                   offsetof(netcl_elapsed, host_ns), 8);
  netcl_timer_release(struct_timer);
  netcl_queue_release(queue);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(sequential),    DEVICE_TEST(pause_between), DEVICE_TEST(states),
      DEVICE_TEST(several),       DEVICE_TEST(kinds),         DEVICE_TEST(times_out),
      DEVICE_TEST(many_commands), DEVICE_TEST(no_allocation), DEVICE_TEST(threads),
      DEVICE_TEST(structs),
  };
  seed_random("timer");
  return cmocka_run_group_tests_name("timer", tests, NULL, NULL);
}
