/*
 * Commands that fail after the driver has taken them, and what is made of their results: who is
 * told, once and not for ever.
 */
#include "support_fault_commands.h"

/* ---- Late failures --------------------------------------------------------------------------- */

static void by_event_read_and_finish(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int which = 0; which < QUEUES; ++which) {
    netcl_queue* queue = queue_of(device, which);
    netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
    netcl_event* event = NULL;
    netcl_run_options run = on(queue, NULL, &event), plain = on(queue, NULL, NULL);
    arm("clEnqueueNDRangeKernel", 1, FAULT_LATE);
    OK(add(y, x, &run));
    disarm(1);
    OK(add(z, x, &plain)); /* has nothing to do with it */
    check_event(event);
    check_failed(y);
    check_all(z, 2);
    told_once(device);
    check_failed(y);
    OK(add(y, x, &plain)); /* makes it whole */
    check_all(y, 2);
    OK(netcl_device_finish(device, LONG_WAIT));
    netcl_tensor_release(x);
    netcl_tensor_release(y);
    netcl_tensor_release(z);
    netcl_queue_release(queue);
  }
}

/* Nobody asked for an event: a function of the host, and a kernel on a further queue. */
static void without_an_event(void** state) {
  Fixture* fixture = *state;
  netcl_device* device = fixture->device;
  for (int which = 0; which < QUEUES; ++which) {
    const int native = which == 0;
    if (native && fixture->kernels) continue;
    for (int read = 0; read < 2; ++read) {
      netcl_queue *queue = queue_of(device, which), *own = NULL;
      netcl_tensor *x = ones(device), *y = ones(device);
      netcl_run_options run = on(queue, NULL, NULL);
      arm(native ? "clEnqueueNativeKernel" : "clEnqueueNDRangeKernel", 1, FAULT_LATE);
      run.into = y;
      if (native) OK(netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, NULL));
      run.into = NULL;
      if (!native) OK(add(y, x, &run));
      disarm(1);
      if (read) check_failed(y);
      /* The queue's finish tells; that of another one does not. */
      OK(netcl_device_get_queue(device, &own));
      if (queue != NULL) OK(netcl_queue_finish(own, LONG_WAIT));
      FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_queue_finish(queue == NULL ? own : queue, LONG_WAIT));
      OK(netcl_queue_finish(queue == NULL ? own : queue, LONG_WAIT));
      OK(netcl_device_finish(device, LONG_WAIT));
      check_failed(y);
      netcl_tensor_release(x);
      netcl_tensor_release(y);
      netcl_queue_release(queue);
      netcl_queue_release(own);
    }
  }
}

/* Transfers that nobody waits for, of one command and of several. */
static void transfers(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  const int64_t large = 5000000;
  float* numbers = calloc((size_t)large, sizeof *numbers);
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  options.async_copy = NETCL_ON;
  options.use_pinned = NETCL_ON;
  for (int parts = 0; parts < 2; ++parts) {
    netcl_tensor *y = ones(device), *whole = NULL;
    netcl_event* event = NULL;
    float seen[N];
    OK(netcl_tensor_create_zeros(device, NETCL_F32, 1, &large, NULL, NULL, &whole));
    OK(netcl_device_finish(device, LONG_WAIT));
    arm("clEnqueueWriteBuffer", parts + 1, FAULT_LATE);
    if (parts) {
      const netcl_status status =
          netcl_tensor_write(whole, numbers, (size_t)large * sizeof(float), &options, LONG_WAIT);
      /* Where the host shares the memory it is one command. */
      if (fault_control()->disarm() == 1) {
        if (status == NETCL_OK) {
          FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(whole, LONG_WAIT));
        }
        (void)netcl_device_finish(device, LONG_WAIT);
      }
    } else {
      options.borrow = 1;
      options.event = &event;
      OK(netcl_tensor_write(y, numbers, N * sizeof *numbers, &options, LONG_WAIT));
      options.borrow = 0;
      options.event = NULL;
      disarm(1);
      check_event(event);
      check_failed(y);
      told_once(device);
      arm("clEnqueueReadBuffer", 1, FAULT_LATE);
      netcl_tensor* well = ones(device);
      FAILS(NETCL_ERROR_LAUNCH_FAILURE,
            netcl_tensor_read(well, seen, sizeof seen, NULL, LONG_WAIT));
      disarm(1);
      check_all(well, 1);
      told_once(device);
      netcl_tensor_release(well);
    }
    netcl_tensor_release(y);
    netcl_tensor_release(whole);
  }
  free(numbers);
}

/* An op that writes its result in parts: each of its commands counts. */
static void any_of_several_commands(void** state) {
  Fixture* fixture = *state;
  netcl_device* device = fixture->device;
  for (int nth = 1; nth <= 3; ++nth) {
    for (int which = 0; which < QUEUES; ++which) {
      netcl_queue* queue = queue_of(device, which);
      netcl_tensor *x[3] = {ones(device), ones(device), ones(device)}, *joined = NULL;
      netcl_run_options run = on(queue, NULL, NULL);
      float seen[3 * N];
      arm(fixture->kernels ? "clEnqueueNDRangeKernel" : "clEnqueueNativeKernel", (uint64_t)nth,
          FAULT_LATE);
      OK(netcl_op_concat(x, 3, 0, &run, &joined));
      const int hits = fault_control()->disarm();
      if (hits == 0) assert_true(fixture->kernels && which == 0); /* kernels without an event */
      if (hits > 0) {
        FAILS(NETCL_ERROR_LAUNCH_FAILURE,
              netcl_tensor_read(joined, seen, sizeof seen, NULL, LONG_WAIT));
        told_once(device);
        FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(joined, LONG_WAIT));
      }
      /* The next op writes all of it. */
      run.into = joined;
      OK(netcl_op_concat(x, 3, 0, &run, NULL));
      OK(netcl_tensor_read(joined, seen, sizeof seen, NULL, LONG_WAIT));
      for (int i = 0; i < 3 * N; ++i) assert_true(seen[i] == 1);
      for (int i = 0; i < 3; ++i) netcl_tensor_release(x[i]);
      netcl_tensor_release(joined);
      netcl_queue_release(queue);
    }
  }
}

/* An op whose second command cannot be enqueued, while its first fails later, leaves nothing to the
 * next op, which writes all of the tensor. */
static void of_an_op_that_ended_early(void** state) {
  Fixture* fixture = *state;
  netcl_device* device = fixture->device;
  const int64_t edge = 3 * N;
  netcl_tensor *x[3] = {ones(device), ones(device), ones(device)}, *joined = NULL, *other = NULL;
  const float two = 2;
  float seen[3 * N];
  OK(netcl_tensor_create_zeros(device, NETCL_F32, 1, &edge, NULL, NULL, &joined));
  OK(netcl_tensor_create_full(device, NETCL_F32, 1, &edge, NULL, &two, NULL, &other));
  OK(netcl_device_finish(device, LONG_WAIT));
  const Gate gate = make_gate(device);
  netcl_run_options run = on(NULL, &gate, NULL), plain = on(NULL, NULL, NULL);
  run.into = plain.into = joined;
  arm(fixture->kernels ? "clEnqueueNDRangeKernel" : "clEnqueueNativeKernel", 2, FAULT_FAIL);
  assert_int_not_equal(netcl_op_concat(x, 3, 0, &run, NULL), NETCL_OK);
  disarm(1);
  end_gate(gate, kCode);
  OK(netcl_op_copy(other, &plain, NULL));
  OK(netcl_tensor_read(joined, seen, sizeof seen, NULL, LONG_WAIT));
  for (int i = 0; i < 3 * N; ++i) assert_true(seen[i] == 2);
  (void)netcl_device_finish(device, LONG_WAIT);
  for (int i = 0; i < 3; ++i) netcl_tensor_release(x[i]);
  netcl_tensor_release(joined);
  netcl_tensor_release(other);
  drop_gate(gate);
}

static void of_a_queue_that_is_gone(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int out_of_order = 0; out_of_order < 2; ++out_of_order) {
    netcl_queue* queue = new_queue(device, out_of_order);
    netcl_tensor *x = ones(device), *y = ones(device);
    netcl_run_options run = on(queue, NULL, NULL);
    arm("clEnqueueNDRangeKernel", 1, FAULT_LATE);
    OK(add(y, x, &run));
    disarm(1);
    netcl_queue_release(queue);
    told_once(device);
    check_failed(y);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
  }
}

/* A function of the host that the driver says it has run. */
static void a_function_that_was_not_run(void** state) {
  Fixture* fixture = *state;
  netcl_device* device = fixture->device;
  if (fixture->kernels) SKIP("ops are no functions of the host");
  for (int which = 0; which < QUEUES; ++which) {
    netcl_queue* queue = queue_of(device, which);
    netcl_tensor *x = ones(device), *y = ones(device);
    netcl_event* event = NULL;
    netcl_run_options run = on(queue, NULL, &event);
    float seen[N];
    run.into = y;
    arm_code("clEnqueueNativeKernel", 1, FAULT_LATE, CL_COMPLETE);
    OK(netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, NULL));
    disarm(1);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(event, LONG_WAIT));
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_read(y, seen, sizeof seen, NULL, LONG_WAIT));
    told_once(device);
    netcl_event_release(event);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
    netcl_queue_release(queue);
  }
}

/* What has failed before it is waited for is not waited for: drivers would do so for ever. Here it
 * is the marker that a queue puts in front as it goes over to its twin with times. */
static void a_marker_that_has_failed(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  netcl_queue* queue = new_queue(device, 0);
  netcl_tensor *x = ones(device), *y = ones(device);
  netcl_event* event = NULL;
  netcl_run_options run = on(queue, NULL, &event), plain = on(queue, NULL, NULL);
  OK(add(y, x, &plain));
  OK(netcl_queue_set_profiling(queue, 1));
  arm("clEnqueueMarkerWithWaitList", 1, FAULT_LATE);
  OK(add(y, x, &run));
  disarm(1);
  OK(netcl_event_wait(event, LONG_WAIT));
  (void)netcl_device_finish(device, LONG_WAIT);
  check_all(y, 2);
  netcl_event_release(event);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_queue_release(queue);
}

/* ---- What depends on them -------------------------------------------------------------------- */

/* y fails; a is made of it, b of a, c of neither. The driver runs them all. */
static void dependents_of_a_late_failure(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int which = 0; which < 2 * QUEUES; ++which) {
    netcl_queue* queue = queue_of(device, which % QUEUES);
    netcl_tensor *x = ones(device), *t[4];
    netcl_event* events[2] = {NULL};
    netcl_run_options late = on(NULL, NULL, &events[0]), plain = on(queue, NULL, NULL);
    netcl_run_options last = on(queue, NULL, &events[1]);
    for (int i = 0; i < 4; ++i) t[i] = ones(device);
    arm("clEnqueueNDRangeKernel", 1, FAULT_LATE);
    OK(add(t[0], x, &late));
    disarm(1);
    if (which >= QUEUES) check_event(events[0]); /* known before the others are enqueued */
    OK(add(t[1], t[0], &plain));
    OK(add(t[2], t[1], &last));
    OK(add(t[3], x, &plain));
    check_event(events[1]);
    check_failed(t[2]);
    check_failed(t[1]);
    check_failed(t[0]);
    check_all(t[3], 2);
    if (which < QUEUES) check_event(events[0]);
    told_once(device);
    /* What is enqueued after that fails too, and the next finish tells. */
    OK(add(t[3], t[2], &plain));
    check_failed(t[3]);
    told_once(device);
    OK(add(t[0], x, &plain));
    OK(add(t[1], t[0], &plain));
    check_all(t[1], 3);
    OK(netcl_device_finish(device, LONG_WAIT));
    netcl_tensor_release(x);
    for (int i = 0; i < 4; ++i) netcl_tensor_release(t[i]);
    netcl_queue_release(queue);
  }
}

/* The times of a command that is complete, asked for when the driver has none left to give. */
static void times_of_a_device_that_is_lost(void** state) {
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  netcl_device* device = NULL;
  netcl_event *event = NULL, *plain = NULL;
  netcl_timer* timer = NULL;
  float numbers[N] = {0};
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  (void)state;
  options.separate = 1;
  OK(netcl_device_open(test_selector(), &options, &device));
  netcl_queue* queue = new_queue(device, 0);
  netcl_tensor *x = ones(device), *y = ones(device);
  netcl_run_options run = on(queue, NULL, &plain);
  run.into = y;
  OK(netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, NULL));
  OK(netcl_queue_set_profiling(queue, 1));
  run.event = &event;
  OK(netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, NULL));
  OK(netcl_event_wait(event, LONG_WAIT));
  OK(netcl_event_wait(plain, LONG_WAIT));
  for (int lost = 0; lost < 2; ++lost) {
    const int code = lost ? kCode : CL_INVALID_VALUE;
    OK(netcl_timer_create(queue, &timer));
    OK(netcl_timer_start(timer));
    run.event = NULL;
    OK(netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, NULL));
    OK(netcl_queue_finish(queue, LONG_WAIT));
    if (lost) {
      arm("clEnqueueWriteBuffer", 1, FAULT_LOSE);
      FAILS(NETCL_ERROR_DEVICE_LOST,
            netcl_tensor_write(x, numbers, sizeof numbers, NULL, LONG_WAIT));
    } else {
      arm_code("clGetEventProfilingInfo", 1, FAULT_LOSE, code); /* no sign of a lost device */
    }
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_get_timing(event, &timing));
    OK(netcl_last_error_get_info(&error));
    assert_int_equal(error.native_code, code);
    assert_int_equal(timing.ended_ns, 0);
    FAILS(NETCL_ERROR_NOT_PROFILED, netcl_event_get_timing(plain, &timing));
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_timer_stop(timer, LONG_WAIT, &elapsed));
    netcl_last_error_get_info(&error);
    assert_int_equal(error.native_code, code);
    (void)fault_control()->disarm();
    netcl_timer_release(timer);
    if (!lost) OK(netcl_event_get_timing(event, &timing));
    timing = (netcl_event_timing)NETCL_EVENT_TIMING_INIT;
  }
  netcl_event_release(event);
  netcl_event_release(plain);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_queue_release(queue);
  netcl_device_release(device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(by_event_read_and_finish),
      CASE(without_an_event),
      CASE(transfers),
      CASE(any_of_several_commands),
      CASE(of_an_op_that_ended_early),
      CASE(of_a_queue_that_is_gone),
      CASE(a_function_that_was_not_run),
      CASE(a_marker_that_has_failed),
      CASE(dependents_of_a_late_failure),
      cmocka_unit_test(times_of_a_device_that_is_lost),
  };
  seed_random("fault_late");
  return cmocka_run_group_tests_name("fault_late", tests, NULL, NULL);
}
