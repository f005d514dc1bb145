/* Queues: kinds, state, profiling, markers, flush and finish. */
#include "support.h"

static netcl_queue_info queue_info(const netcl_queue *queue) {
  netcl_queue_info info = NETCL_QUEUE_INFO_INIT;
  OK(netcl_queue_get_info(queue, &info));
  return info;
}

static int profiling_by_default(void) {
  const char *value = getenv("NETCL_PROFILE_EVENTS");
  return value != NULL && strcmp(value, "1") == 0;
}

static void default_queue(void **state) {
  Fixture *fixture = *state;
  netcl_queue *a = NULL, *b = NULL;
  netcl_device *device = NULL;
  OK(netcl_device_get_queue(fixture->device, &a));
  OK(netcl_device_get_queue(fixture->device, &b));
  netcl_queue_info info = queue_info(a);
  assert_int_equal(info.out_of_order, 0);
  assert_int_equal(info.foreign, 0);
  assert_int_equal(info.profiling, profiling_by_default());
  const uint64_t before = info.commands;
  const int64_t shape[] = {16};
  netcl_tensor *tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &tensor));
  CHECK(queue_info(b).commands > before, "%llu commands before and after",
        (unsigned long long)before);
  netcl_tensor_release(tensor);
  OK(netcl_queue_get_device(a, &device));
  netcl_device_info got = NETCL_DEVICE_INFO_INIT;
  OK(netcl_device_get_info(device, &got));
  assert_int_equal(got.index, fixture->info.index);
  netcl_device_release(device);
  struct _cl_command_queue *raw = NULL;
  if (fixture->opencl) {
    OK(netcl_queue_get_cl_queue(a, &raw));
    assert_non_null(raw);
  } else {
    FAILS(NETCL_ERROR_UNSUPPORTED, netcl_queue_get_cl_queue(a, &raw));
  }
  netcl_queue_release(a);
  netcl_queue_release(b);
}

static void kinds(void **state) {
  Fixture *fixture = *state;
  for (uint32_t bits = 0; bits < 4; ++bits) {
    netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
    netcl_queue *queue = (netcl_queue *)1;
    options.out_of_order = bits & 1;
    options.profiling = bits >> 1;
    if (options.out_of_order && !fixture->capabilities.out_of_order && fixture->opencl) {
      FAILS(NETCL_ERROR_UNSUPPORTED, netcl_queue_create(fixture->device, &options, &queue));
      continue;
    }
    OK(netcl_queue_create(fixture->device, &options, &queue));
    const netcl_queue_info info = queue_info(queue);
    assert_int_equal(info.out_of_order, options.out_of_order);
    assert_int_equal(info.profiling, options.profiling | (uint32_t)profiling_by_default());
    assert_int_equal(info.foreign, 0);
    assert_int_equal(info.commands, 0);
    OK(netcl_queue_flush(queue));
    OK(netcl_queue_finish(queue, 0));
    OK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
    OK(netcl_queue_retain(queue));
    netcl_queue_release(queue);
    netcl_queue_release(queue);
  }
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_queue_create(fixture->device, NULL, NULL));
}

static void many_queues(void **state) {
  Fixture *fixture = *state;
  enum { COUNT = 32 };
  netcl_queue *queues[COUNT];
  const int64_t shape[] = {64};
  netcl_tensor *tensor = NULL;
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_I32, 1, shape, NULL, NULL, &tensor));
  for (int i = 0; i < COUNT; ++i) OK(netcl_queue_create(fixture->device, NULL, &queues[i]));
  /* One increment in place on each queue: each must see the one before. */
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < COUNT; ++i) {
      netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
      run.queue = queues[i];
      run.into = tensor;
      OK(netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, &run, NULL));
    }
  }
  for (int i = 0; i < COUNT; ++i) netcl_queue_release(queues[i]);
  int32_t *values = read_tensor(tensor);
  for (int i = 0; i < 64; ++i) CHECK(values[i] == 4 * COUNT, "element %d is %d", i, values[i]);
  free(values);
  netcl_tensor_release(tensor);
}

static void foreign_device(void **state) {
  /* A queue of another context cannot work on this device's memory. */
  Fixture *fixture = *state;
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_device *other = NULL;
  netcl_queue *queue = NULL;
  netcl_tensor *tensor = NULL, *result = NULL;
  const int64_t shape[] = {16};
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  options.separate = 1;
  OK(netcl_device_open(test_selector(), &options, &other));
  OK(netcl_queue_create(other, NULL, &queue));
  OK(netcl_tensor_create_zeros(fixture->device, NETCL_F32, 1, shape, NULL, NULL, &tensor));
  run.queue = queue;
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "queue",
             netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, &run, &result));
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
  netcl_device_release(other);
}

static void finish_times_out(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queue = NULL;
  NEEDS_WORK_IN_FLIGHT(fixture);
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  start_slow_work(fixture, queue, NULL, NULL);
  OK(netcl_queue_flush(queue));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_queue_finish(queue, 0));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_queue_finish(queue, 1000000));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_device_finish(fixture->device, 0));
  OK(netcl_queue_finish(queue, LONG_WAIT));
  OK(netcl_queue_finish(queue, 0));
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  /* Queues whose OpenCL objects were given away are asked with a marker, for which a device that
   * others use as well may take a while. */
  netcl_status idle = NETCL_ERROR_TIMEOUT;
  for (int i = 0; i < 500 && idle == NETCL_ERROR_TIMEOUT; ++i) {
    idle = netcl_device_finish(fixture->device, 0);
  }
  OK(idle);
  netcl_queue_release(queue);
}

static void release_does_not_wait(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queue = NULL;
  netcl_event *event = NULL;
  netcl_event_state how_far;
  NEEDS_WORK_IN_FLIGHT(fixture);
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  start_slow_work(fixture, queue, NULL, &event);
  netcl_queue_release(queue);
  OK(netcl_event_query(event, &how_far));
  CHECK(how_far != NETCL_EVENT_COMPLETE && how_far != NETCL_EVENT_FAILED,
        "release waited for the work (state %d)", how_far);
  OK(netcl_event_wait(event, LONG_WAIT));
  netcl_event_release(event);
}

static void markers(void **state) {
  Fixture *fixture = *state;
  netcl_queue *a = NULL, *b = NULL;
  netcl_event *slow = NULL, *marker = NULL, *second = NULL;
  netcl_event_state how_far;
  OK(netcl_queue_create(fixture->device, NULL, &a));
  OK(netcl_queue_create(fixture->device, NULL, &b));
  start_slow_work(fixture, a, NULL, &slow);
  OK(netcl_queue_enqueue_marker(a, NULL, 0, &marker));   /* after what is before it, ... */
  OK(netcl_queue_enqueue_marker(b, &slow, 1, &second));  /* ... and after what it waits for */
  OK(netcl_event_wait(second, LONG_WAIT));
  OK(netcl_event_query(slow, &how_far));
  assert_int_equal(how_far, NETCL_EVENT_COMPLETE);
  OK(netcl_event_wait(marker, LONG_WAIT));
  netcl_event *output = NULL;
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_queue_enqueue_marker(a, NULL, 1, &output));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_queue_enqueue_marker(a, NULL, 0, NULL));
  netcl_event *null_event = NULL;
  FAILS(NETCL_ERROR_INVALID_HANDLE, netcl_queue_enqueue_marker(a, &null_event, 1, &output));
  assert_null(output);
  netcl_event_release(slow);
  netcl_event_release(marker);
  netcl_event_release(second);
  netcl_queue_release(a);
  netcl_queue_release(b);
}

static void profiling(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queue = NULL;
  netcl_tensor *tensor = NULL;
  const int64_t shape[] = {1000};
  const float zero = 0;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  OK(netcl_tensor_create_full(fixture->device, NETCL_F32, 1, shape, NULL, &zero, NULL, &tensor));
  for (uint32_t round = 0; round < 20; ++round) {
    const uint32_t on = round % 2 == 0 || profiling_by_default();
    netcl_event *event = NULL;
    netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
    netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
    OK(netcl_queue_set_profiling(queue, on));
    assert_int_equal(queue_info(queue).profiling, on);
    run.queue = queue;
    run.into = tensor;
    run.event = &event;
    OK(netcl_op_expression_text("v0 + 1", &tensor, 1, NULL, &run, NULL));
    OK(netcl_event_wait(event, LONG_WAIT));
    if (on) {
      OK(netcl_event_get_timing(event, &timing));
      CHECK(timing.queued_ns <= timing.submitted_ns && timing.submitted_ns <= timing.started_ns &&
                timing.started_ns < timing.ended_ns + 1 && timing.ended_ns > 0,
            "queued %llu, submitted %llu, started %llu, ended %llu",
            (unsigned long long)timing.queued_ns, (unsigned long long)timing.submitted_ns,
            (unsigned long long)timing.started_ns, (unsigned long long)timing.ended_ns);
    } else {
      FAILS(NETCL_ERROR_NOT_PROFILED, netcl_event_get_timing(event, &timing));
    }
    netcl_event_release(event);
  }
  float *values = read_tensor(tensor);
  for (int i = 0; i < 1000; ++i) CHECK(values[i] == 20, "element %d is %g", i, values[i]);
  free(values);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

static netcl_status info_call(void *context, void *info) {
  return netcl_queue_get_info(context, info);
}

static void structs(void **state) {
  Fixture *fixture = *state;
  netcl_queue *queue = NULL;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  check_info_rules("netcl_queue_info", info_call, queue, sizeof(netcl_queue_info), 0, 0);
  netcl_queue_release(queue);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(default_queue),    DEVICE_TEST(kinds),
      DEVICE_TEST(many_queues),      DEVICE_TEST(foreign_device),
      DEVICE_TEST(finish_times_out), DEVICE_TEST(release_does_not_wait),
      DEVICE_TEST(markers),          DEVICE_TEST(profiling),
      DEVICE_TEST(structs),
  };
  seed_random("queue");
  return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
