/* Events: waits with time-outs, states, times, errors, and events as waits of other commands. */
#include <time.h>

#include "support.h"

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static void timeouts(void **state) {
  Fixture *fixture = *state;
  netcl_event *event = NULL;
  netcl_event_state how_far;
  netcl_tensor *tensor = NULL;
  NEEDS_WORK_IN_FLIGHT(fixture);
  start_slow_work(fixture, NULL, &tensor, &event);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(event, 0));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_wait(tensor, 0));
  const uint64_t start = now_ns();
  const netcl_status status = netcl_event_wait(event, 10 * 1000 * 1000);
  const uint64_t took = now_ns() - start;
  assert_int_equal(status, NETCL_ERROR_TIMEOUT);
  CHECK(took >= 10 * 1000 * 1000 && took < SECOND, "a wait of 10 ms took %llu ns",
        (unsigned long long)took);
  OK(netcl_event_wait(event, NETCL_WAIT_FOREVER));
  OK(netcl_event_query(event, &how_far));
  assert_int_equal(how_far, NETCL_EVENT_COMPLETE);
  OK(netcl_event_wait(event, 0));
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  OK(netcl_tensor_wait(tensor, 0));
  netcl_event_release(event);
  netcl_tensor_release(tensor);
}

static void states(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queue = NULL;
  netcl_event *first = NULL, *second = NULL;
  netcl_event_state how_far = 77;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  start_slow_work(fixture, queue, NULL, &first);
  OK(netcl_queue_enqueue_marker(queue, NULL, 0, &second));
  int last = NETCL_EVENT_QUEUED;
  for (const uint64_t start = now_ns(); now_ns() - start < LONG_WAIT;) {
    /* No wait and no flush: a query alone must make the work get done. */
    OK(netcl_event_query(second, &how_far));
    CHECK(how_far >= NETCL_EVENT_COMPLETE && how_far <= last, "state %d after %d", how_far, last);
    last = how_far;
    if (how_far == NETCL_EVENT_COMPLETE) break;
    const struct timespec pause = {0, 1000 * 1000};
    nanosleep(&pause, NULL);
  }
  assert_int_equal(last, NETCL_EVENT_COMPLETE);
  OK(netcl_event_query(first, &how_far));
  assert_int_equal(how_far, NETCL_EVENT_COMPLETE);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_event_query(first, NULL));
  netcl_event_release(first);
  netcl_event_release(second);
  netcl_queue_release(queue);
}

static netcl_status timing_call(void *context, void *info) {
  return netcl_event_get_timing(context, info);
}
static netcl_status error_call(void *context, void *info) {
  return netcl_event_get_error(context, info);
}

static void timing(void **state) {
  Fixture *fixture = *state;
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL, *after = NULL;
  netcl_event_timing t = NETCL_EVENT_TIMING_INIT, u = NETCL_EVENT_TIMING_INIT;
  options.profiling = 1;
  OK(netcl_queue_create(fixture->device, &options, &queue));
  const uint64_t start = now_ns();
  start_slow_work(fixture, queue, NULL, &event);
  if (fixture->opencl) {
    FAILS(NETCL_ERROR_BUSY, netcl_event_get_timing(event, &t));
    assert_int_equal(t.ended_ns, 0);
  }
  OK(netcl_event_wait(event, LONG_WAIT));
  const uint64_t took = now_ns() - start;
  OK(netcl_event_get_timing(event, &t));
  CHECK(t.queued_ns <= t.submitted_ns && t.submitted_ns <= t.started_ns &&
            t.started_ns < t.ended_ns,
        "queued %llu, submitted %llu, started %llu, ended %llu", (unsigned long long)t.queued_ns,
        (unsigned long long)t.submitted_ns, (unsigned long long)t.started_ns,
        (unsigned long long)t.ended_ns);
  const uint64_t device_ns = t.ended_ns - t.started_ns;
  const uint64_t least = fixture->opencl ? 10 * 1000 * 1000 : 0;
  CHECK(device_ns > least && device_ns <= took + 10 * 1000 * 1000,
        "device time %llu ns of %llu ns", (unsigned long long)device_ns,
        (unsigned long long)took);
  start_slow_work(fixture, queue, NULL, &after);
  OK(netcl_event_wait(after, LONG_WAIT));
  OK(netcl_event_get_timing(after, &u));
  CHECK(u.started_ns + fixture->capabilities.timer_resolution_ns >= t.ended_ns,
        "the second command of an in-order queue starts before the first ends");
  check_info_rules("netcl_event_timing", timing_call, event, sizeof t, 0, 0);
  netcl_event_release(event);
  netcl_event_release(after);
  netcl_queue_release(queue);
}

static void no_error(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL;
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  OK(netcl_device_get_queue(fixture->device, &queue));
  OK(netcl_queue_enqueue_marker(queue, NULL, 0, &event));
  OK(netcl_event_wait(event, LONG_WAIT));
  info.status = 5;
  OK(netcl_event_get_error(event, &info));
  assert_int_equal(info.status, NETCL_OK);
  assert_int_equal(info.native_code, 0);
  assert_string_equal(info.message, "");
  check_info_rules("netcl_event_get_error", error_call, event, sizeof info, 0, 0);
  struct _cl_event *raw = NULL;
  if (fixture->opencl) {
    OK(netcl_event_get_cl_event(event, &raw));
    assert_non_null(raw);
  } else {
    FAILS(NETCL_ERROR_UNSUPPORTED, netcl_event_get_cl_event(event, &raw));
  }
  OK(netcl_event_retain(event));
  netcl_event_release(event);
  OK(netcl_event_wait(event, 0));
  netcl_event_release(event);
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_event_wait(event, 0));
  netcl_queue_release(queue);
}

/* Every command that can give an event gives one that completes. */
static void sources(void **state) {
  Fixture *fixture = *state;
  enum { COUNT = 8 };
  netcl_event *events[COUNT] = {NULL};
  const int64_t shape[] = {2, 500};
  float *host = calloc(1000, sizeof(float)), *back = calloc(1000, sizeof(float));
  netcl_tensor *zeros = NULL, *from_host = NULL, *sum = NULL, *copy = NULL, *cast = NULL;
  netcl_tensor_options make = NETCL_TENSOR_OPTIONS_INIT;
  netcl_transfer_options move = NETCL_TRANSFER_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  make.event = &events[0];
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 2, shape, NULL, &make, &zeros));
  make.event = &events[1];
  OK(netcl_tensor_create_from_host(fixture->device, NETCL_F32, 2, shape, NULL, host, 4000, &make,
                                   &from_host));
  run.event = &events[2];
  OK(netcl_op_expression_text("v0 + 1", &zeros, 1, NULL, &run, &sum));
  run.event = &events[3];
  OK(netcl_op_copy(sum, &run, &copy));
  run.event = &events[4];
  OK(netcl_op_cast(sum, NETCL_F16, &run, &cast));
  run.event = &events[5];
  const float two = 2;
  OK(netcl_op_fill(zeros, &two, &run));
  move.event = &events[6];
  OK(netcl_tensor_write(from_host, host, 4000, &move, LONG_WAIT));
  move.event = &events[7];
  OK(netcl_tensor_read(sum, back, 4000, &move, LONG_WAIT));
  for (int i = COUNT - 1; i >= 0; --i) {
    CHECK(events[i] != NULL, "command %d gave no event", i);
    OK(netcl_event_wait(events[i], LONG_WAIT));
    netcl_event_release(events[i]);
  }
  for (int i = 0; i < 1000; ++i) CHECK(back[i] == 1, "element %d is %g", i, back[i]);
  netcl_tensor_release(zeros);
  netcl_tensor_release(from_host);
  netcl_tensor_release(sum);
  netcl_tensor_release(copy);
  netcl_tensor_release(cast);
  free(host);
  free(back);
}

/* An explicit wait holds a command back although the two share no memory. */
static void explicit_waits(void **state) {
  Fixture *fixture = *state;
  netcl_queue *a = NULL, *b = NULL;
  netcl_event *slow = NULL, *done = NULL;
  netcl_event_state how_far;
  const int64_t shape[] = {16};
  netcl_tensor *tensor = NULL, *sum = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_transfer_options move = NETCL_TRANSFER_OPTIONS_INIT;
  OK(netcl_queue_create(fixture->device, NULL, &a));
  OK(netcl_queue_create(fixture->device, NULL, &b));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &tensor));
  start_slow_work(fixture, a, NULL, &slow);
  run.queue = b;
  run.waits = &slow;
  run.waits_count = 1;
  run.event = &done;
  OK(netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, &run, &sum));
  OK(netcl_event_wait(done, LONG_WAIT));
  OK(netcl_event_query(slow, &how_far));
  assert_int_equal(how_far, NETCL_EVENT_COMPLETE);
  netcl_event_release(slow);
  netcl_event_release(done);
  netcl_tensor_release(sum);

  start_slow_work(fixture, a, NULL, &slow);
  float values[16];
  move.queue = b;
  move.waits = &slow;
  move.waits_count = 1;
  if (fixture->opencl) {
    FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_read(tensor, values, sizeof values, &move, 0));
  }
  OK(netcl_tensor_read(tensor, values, sizeof values, &move, LONG_WAIT));
  OK(netcl_event_query(slow, &how_far));
  assert_int_equal(how_far, NETCL_EVENT_COMPLETE);
  netcl_event_release(slow);

  run.waits = NULL;
  sum = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "run->waits is NULL while run->waits_count is 1",
             netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, &run, &sum));
  assert_null(sum);
  move.waits = NULL;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "options->waits is NULL while options->waits_count is 1",
             netcl_tensor_read(tensor, values, sizeof values, &move, LONG_WAIT));
  netcl_tensor_release(tensor);
  netcl_queue_release(a);
  netcl_queue_release(b);
}

/* Events outlive the queue, the tensors and the device handle they came from. */
static void events_outlive_their_queue(void **state) {
  Fixture *fixture = *state;
  netcl_device *device = NULL;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL;
  OK(netcl_device_open(test_selector(), NULL, &device));
  OK(netcl_queue_create(device, NULL, &queue));
  start_slow_work(fixture, queue, NULL, &event);
  netcl_queue_release(queue);
  netcl_device_release(device);
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
  /* An event that nobody waits for is released while its command runs. */
  start_slow_work(fixture, NULL, NULL, &event);
  netcl_event_release(event);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(timeouts), DEVICE_TEST(states),         DEVICE_TEST(timing),
      DEVICE_TEST(no_error), DEVICE_TEST(sources),        DEVICE_TEST(explicit_waits),
      DEVICE_TEST(events_outlive_their_queue),
  };
  seed_random("event");
  return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
