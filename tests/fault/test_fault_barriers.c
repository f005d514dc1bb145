/*
 * Markers, barriers, timers and finishes behind a command that fails, above all on queues out of
 * order: all of them end, the failure is told once, and the queue goes on.
 */
#include "support_fault_commands.h"

/* The queue computes, with times and without. */
static void check_works(netcl_device* device, netcl_queue* queue, int switches) {
  netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
  for (int i = 0; i < 4; ++i) {
    netcl_event* events[2] = {NULL};
    netcl_run_options run = on(queue, NULL, NULL), last = on(queue, NULL, &events[0]);
    if (switches) OK(netcl_queue_set_profiling(queue, i % 2 == 0));
    OK(add(y, x, &run));
    OK(add(z, y, &last));
    OK(netcl_queue_enqueue_marker(queue, NULL, 0, &events[1]));
    for (int k = 0; k < 2; ++k) {
      OK(netcl_event_wait(events[k], LONG_WAIT));
      netcl_event_release(events[k]);
    }
    check_all(z, 3);
    OK(netcl_queue_finish(queue, LONG_WAIT));
  }
  OK(netcl_device_finish(device, LONG_WAIT));
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(z);
}

static void ends_in_time(netcl_event* event, int may_fail) {
  const double begin = process_now();
  const netcl_status status = netcl_event_wait(event, LONG_WAIT);
  CHECK(status == NETCL_OK || (may_fail && status == NETCL_ERROR_LAUNCH_FAILURE), "it gives %s",
        netcl_status_name(status));
  CHECK(process_now() - begin < kMostSeconds, "after %.1f s", process_now() - begin);
  netcl_event_release(event);
}

static void queue_told_once(netcl_queue* queue) {
  const double begin = process_now();
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_queue_finish(queue, LONG_WAIT));
  CHECK(process_now() - begin < kMostSeconds, "after %.1f s", process_now() - begin);
  OK(netcl_queue_finish(queue, LONG_WAIT));
}

/* ---- Behind a failure ------------------------------------------------------------------------ */

/* How the command in front fails: after the others were enqueued, before, by itself, and where the
 * driver runs it all the same. */
enum { FAILS_AFTER, FAILS_BEFORE, FAILS_LATE, FAILS_DEAF, FAILURES };

static void enqueue_failing(netcl_tensor* y, netcl_tensor* x, netcl_queue* queue, const Gate* gate,
                            int how) {
  const int fault = how == FAILS_LATE || how == FAILS_DEAF;
  netcl_run_options run = on(queue, how == FAILS_LATE ? NULL : gate, NULL);
  if (fault) arm("clEnqueueNDRangeKernel", 1, how == FAILS_LATE ? FAULT_LATE : FAULT_DEAF);
  OK(add(y, x, &run));
  if (fault) disarm(1);
  if (how != FAILS_BEFORE) return;
  OK(netcl_queue_flush(queue));
  end_gate(*gate, kCode);
  process_sleep_ms(50);
}

/* The queue goes over to its twin with times, by itself or for a timer, or gets a marker. */
enum { SWITCH, TIMER, MARKER, MARKER_THAT_WAITS, BEHIND };

static void behind_a_failure(netcl_device* device, int out_of_order, int how, int what) {
  netcl_queue* queue = new_queue(device, out_of_order);
  const Gate gate = make_gate(device), open = make_gate(device);
  netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
  netcl_event *event = NULL, *marker = NULL;
  netcl_timer* timer = NULL;
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  netcl_run_options behind = on(queue, NULL, &event);
  if (what == TIMER) OK(netcl_timer_create(queue, &timer));
  enqueue_failing(y, x, queue, &gate, how);
  if (what == SWITCH) OK(netcl_queue_set_profiling(queue, 1));
  if (what == TIMER) OK(netcl_timer_start(timer));
  if (what >= MARKER) {
    OK(netcl_queue_enqueue_marker(queue, &open.event, what == MARKER_THAT_WAITS, &marker));
  }
  OK(add(z, x, &behind));
  if (how != FAILS_BEFORE) end_gate(gate, kCode);
  end_gate(open, CL_COMPLETE);
  if (what == TIMER) {
    const double begin = process_now();
    const netcl_status status = netcl_timer_stop(timer, LONG_WAIT, &elapsed);
    CHECK(status == NETCL_OK || (!out_of_order && status == NETCL_ERROR_LAUNCH_FAILURE),
          "the timer gives %s", netcl_status_name(status));
    CHECK(process_now() - begin < kMostSeconds, "after %.1f s", process_now() - begin);
  }
  /* Out of order it has nothing to do with what failed. */
  ends_in_time(event, !out_of_order);
  if (marker != NULL) ends_in_time(marker, 1);
  queue_told_once(queue);
  check_failed(y);
  if (out_of_order) check_all(z, 2);
  check_works(device, queue, what != MARKER);
  netcl_timer_release(timer);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(z);
  netcl_queue_release(queue);
  drop_gate(gate);
  drop_gate(open);
}

static void behind_failures(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int i = 0; i < 2 * FAILURES * BEHIND; ++i) {
    const int out_of_order = i / (FAILURES * BEHIND), how = i / BEHIND % FAILURES;
    behind_a_failure(device, out_of_order, how, i % BEHIND);
  }
}

/* ---- Behind what is never ended -------------------------------------------------------------- */

/* How the end is waited for. */
enum { BY_EVENT, BY_MARKER, BY_QUEUE, BY_DEVICE, BY_TIMER, WAYS };

/* The driver's queue stays stuck, with a command on it that only takes long. */
static void out_of_order_without_end(netcl_device* device, int way) {
  netcl_queue* queue = new_queue(device, 1);
  const Gate gate = make_gate(device), slow = make_gate(device);
  netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
  netcl_event *event = NULL, *marker = NULL, *all = NULL;
  netcl_timer* timer = NULL;
  netcl_elapsed elapsed = NETCL_ELAPSED_INIT;
  netcl_run_options in_front = on(queue, &slow, NULL), run = on(queue, &gate, &event);
  if (way == BY_TIMER) OK(netcl_timer_create(queue, &timer));
  if (way == BY_TIMER) OK(netcl_timer_start(timer));
  if (way != BY_TIMER) OK(add(z, x, &in_front));
  arm("clEnqueueNDRangeKernel", 1, FAULT_HANG);
  OK(add(y, x, &run));
  OK(netcl_queue_enqueue_marker(queue, NULL, 0, &marker));
  end_gate(gate, kCode);
  const double begin = process_now();
  if (way == BY_EVENT) FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(event, LONG_WAIT));
  if (way == BY_MARKER) FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(marker, LONG_WAIT));
  if (way == BY_TIMER) {
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_timer_stop(timer, LONG_WAIT, &elapsed));
  }
  if (way == BY_EVENT || way == BY_MARKER) {
    /* Who waits for all of the queue waits for what is left on it. */
    OK(netcl_queue_enqueue_marker(queue, NULL, 0, &all));
    FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(all, 100000000));
    FAILS(NETCL_ERROR_TIMEOUT, netcl_queue_finish(queue, 100000000));
  }
  end_gate(slow, CL_COMPLETE);
  if (way == BY_DEVICE) {
    told_once(device);
    OK(netcl_queue_finish(queue, LONG_WAIT));
  } else {
    queue_told_once(queue);
    OK(netcl_device_finish(device, LONG_WAIT));
  }
  CHECK(process_now() - begin < 2 * kMostSeconds, "after %.1f s", process_now() - begin);
  check_event(event);
  check_event(marker);
  if (all != NULL) ends_in_time(all, 0);
  if (way != BY_TIMER) check_all(z, 2);
  check_failed(y);
  check_works(device, queue, 1);
  disarm(1);
  netcl_timer_release(timer);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(z);
  netcl_queue_release(queue);
  drop_gate(gate);
  drop_gate(slow);
}

static void queues_out_of_order_without_end(void** state) {
  for (int way = 0; way < WAYS; ++way) {
    out_of_order_without_end(((Fixture*)*state)->device, way);
  }
}

/* A command that only overwrites what such a command reads or was to write waits for it, and fails
 * where the driver leaves it so. */
static void writes_behind_what_has_no_end(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int i = 0; i < 4; ++i) {
    netcl_queue *queue = new_queue(device, i / 2), *other = new_queue(device, 0);
    const Gate gate = make_gate(device);
    netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
    netcl_run_options run = on(queue, &gate, NULL), behind = on(other, NULL, NULL);
    arm("clEnqueueNDRangeKernel", 1, FAULT_HANG);
    OK(add(y, x, &run));
    OK(add(i % 2 ? y : x, z, &behind));
    end_gate(gate, kCode);
    queue_told_once(other);
    check_failed(i % 2 ? y : x);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(device, LONG_WAIT));
    OK(netcl_device_finish(device, LONG_WAIT));
    disarm(1);
    check_works(device, queue, 0);
    check_works(device, other, 0);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
    netcl_tensor_release(z);
    netcl_queue_release(queue);
    netcl_queue_release(other);
    drop_gate(gate);
  }
}

/* Nor is one given up that has to wait for others as well, before those have ended. */
static void not_before_its_turn(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int i = 0; i < 4; ++i) {
    const int by_event = i / 2;
    netcl_queue *queue = new_queue(device, i % 2), *other = new_queue(device, 0);
    const Gate gate = make_gate(device), slow = make_gate(device);
    netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
    netcl_event* event = NULL;
    netcl_event* const both[] = {gate.event, slow.event};
    netcl_run_options reads = on(other, &slow, NULL), run = on(queue, NULL, &event);
    run.waits = both;
    run.waits_count = by_event ? 2 : 1;
    if (!by_event) OK(add(z, y, &reads)); /* what run writes */
    arm("clEnqueueNDRangeKernel", 1, FAULT_HANG);
    OK(add(y, x, &run));
    disarm(1);
    end_gate(gate, kCode);
    /* Longer than a driver is given, known for it or not. */
    FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(event, 3500000000));
    end_gate(slow, CL_COMPLETE);
    check_event(event);
    check_failed(y);
    told_once(device);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
    netcl_tensor_release(z);
    netcl_queue_release(queue);
    netcl_queue_release(other);
    drop_gate(gate);
    drop_gate(slow);
  }
}

/* Both twins of a queue are stuck; it goes on with either kind. */
static void both_twins_without_end(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int out_of_order = 0; out_of_order < 2; ++out_of_order) {
    netcl_queue* queue = new_queue(device, out_of_order);
    const Gate gate = make_gate(device);
    netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
    netcl_run_options run = on(queue, &gate, NULL), behind = on(queue, NULL, NULL);
    arm("clEnqueueNDRangeKernel", 1, FAULT_HANG);
    OK(add(y, x, &run));
    OK(netcl_queue_set_profiling(queue, 1));
    OK(add(z, x, &behind));
    end_gate(gate, kCode);
    queue_told_once(queue);
    check_failed(y);
    check_works(device, queue, 1);
    disarm(1);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
    netcl_tensor_release(z);
    netcl_queue_release(queue);
    drop_gate(gate);
  }
}

/* A queue of the caller's stays as it is: each finish ends, and tells that it is stuck. */
static void a_foreign_queue_without_end(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  cl_command_queue raw = make_raw_queue(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  netcl_queue* queue = NULL;
  const Gate gate = make_gate(device);
  netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
  netcl_event* event = NULL;
  netcl_run_options run = on(queue, &gate, NULL), behind = on(queue, NULL, &event);
  OK(netcl_queue_create_from_cl(device, raw, &queue));
  run.queue = behind.queue = queue;
  arm("clEnqueueNDRangeKernel", 1, FAULT_HANG);
  OK(add(y, x, &run));
  end_gate(gate, kCode);
  const double begin = process_now();
  for (int i = 0; i < 3; ++i) {
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_queue_finish(queue, LONG_WAIT));
  }
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(device, LONG_WAIT));
  CHECK(process_now() - begin < kMostSeconds, "after %.1f s", process_now() - begin);
  disarm(1);
  /* What does not wait for all of it runs. */
  OK(add(z, x, &behind));
  ends_in_time(event, 0);
  check_all(z, 2);
  check_failed(y);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(z);
  netcl_queue_release(queue);
  drop_raw_queue(raw);
  drop_gate(gate);
  (void)netcl_device_finish(device, LONG_WAIT);
}

/* ---- Where nothing fails --------------------------------------------------------------------- */

/* Out of order a switch holds up nobody, but markers stand for both twins. */
static void markers_across_a_switch(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int first = 0; first < 2; ++first) {
    netcl_queue* queue = new_queue(device, 1);
    const Gate gate = make_gate(device);
    netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
    netcl_event* markers[3] = {NULL};
    netcl_run_options run = on(queue, &gate, NULL), free_run = on(queue, NULL, NULL);
    OK(netcl_queue_set_profiling(queue, (uint32_t)first));
    OK(add(y, x, &run));
    for (int i = 0; i < 3; ++i) {
      OK(netcl_queue_set_profiling(queue, (uint32_t)((first + i + 1) % 2)));
      OK(add(z, x, &free_run));
      check_all(z, 2);
      OK(netcl_queue_enqueue_marker(queue, NULL, 0, &markers[i]));
      FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(markers[i], 20000000));
      FAILS(NETCL_ERROR_TIMEOUT, netcl_queue_finish(queue, 20000000));
    }
    end_gate(gate, CL_COMPLETE);
    for (int i = 0; i < 3; ++i) ends_in_time(markers[i], 0);
    check_all(y, 2);
    OK(netcl_queue_finish(queue, LONG_WAIT));
    check_works(device, queue, 1);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
    netcl_tensor_release(z);
    netcl_queue_release(queue);
    drop_gate(gate);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(behind_failures),
      CASE(queues_out_of_order_without_end),
      CASE(writes_behind_what_has_no_end),
      CASE(not_before_its_turn),
      CASE(both_twins_without_end),
      CASE(a_foreign_queue_without_end),
      CASE(markers_across_a_switch),
  };
  seed_random("fault_barriers");
  return cmocka_run_group_tests_name("fault_barriers", tests, NULL, NULL);
}
