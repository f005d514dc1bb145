/*
 * Commands behind a wait that fails, on drivers that run them all the same and on those that never
 * end them.
 */
#include "support_fault_commands.h"

/* ---- What is run all the same ---------------------------------------------------------------- */

/* A driver that runs what waits for an event although that fails. */
static void waits_that_a_driver_ignores(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int which = 0; which < QUEUES; ++which) {
    netcl_queue* queue = queue_of(device, which);
    const Gate gate = make_gate(device);
    netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
    netcl_event* events[2] = {NULL};
    netcl_run_options run = on(queue, &gate, &events[0]), next = on(NULL, NULL, &events[1]);
    arm("clEnqueueNDRangeKernel", 1, FAULT_DEAF);
    OK(add(y, x, &run));
    disarm(1);
    /* It has run, but is not over before it is known how its wait ends. */
    FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(events[0], 20000000));
    end_gate(gate, kCode);
    OK(add(z, y, &next)); /* all that it waits for has run */
    check_event(events[0]);
    check_event(events[1]);
    check_failed(y);
    check_failed(z);
    told_once(device);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
    netcl_tensor_release(z);
    netcl_queue_release(queue);
    drop_gate(gate);
  }
}

/* Commands that share no memory, but wait for each other's events. */
static void waits_for_events_of_commands(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int which = 0; which < QUEUES; ++which) {
    netcl_queue *queue = queue_of(device, which), *other = new_queue(device, 0);
    const Gate gate = make_gate(device);
    netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
    netcl_event *first = NULL, *second = NULL;
    netcl_run_options run = on(other, &gate, &first), next = on(queue, NULL, &second);
    OK(add(y, x, &run));
    next.waits = &first;
    next.waits_count = 1;
    arm("clEnqueueNDRangeKernel", 1, FAULT_DEAF);
    OK(add(z, x, &next));
    disarm(1);
    end_gate(gate, kCode);
    check_event(second);
    check_failed(z);
    check_event(first);
    told_once(device);
    netcl_tensor_release(x);
    netcl_tensor_release(y);
    netcl_tensor_release(z);
    netcl_queue_release(queue);
    netcl_queue_release(other);
    drop_gate(gate);
  }
}

/* A marker that waits for it. */
static void markers(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  const Gate gate = make_gate(device);
  netcl_queue* queue = new_queue(device, 0);
  netcl_event* marker = NULL;
  arm("clEnqueueMarkerWithWaitList", 1, FAULT_DEAF);
  OK(netcl_queue_enqueue_marker(queue, &gate.event, 1, &marker));
  disarm(1);
  end_gate(gate, kCode);
  check_event(marker);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_queue_finish(queue, LONG_WAIT));
  OK(netcl_queue_finish(queue, LONG_WAIT));
  netcl_queue_release(queue);
  drop_gate(gate);
}

/* ---- What is never ended --------------------------------------------------------------------- */

/* How the end is waited for. */
enum { BY_EVENT, BY_EVENT_BEHIND, BY_READ, BY_READ_BEHIND, BY_QUEUE, BY_DEVICE, WAYS };

static void hangs(netcl_device* device, netcl_queue* queue, int way) {
  const Gate gate = make_gate(device);
  netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
  netcl_event* events[2] = {NULL};
  netcl_queue* own = NULL;
  netcl_run_options run = on(queue, &gate, &events[0]), behind = on(queue, NULL, &events[1]);
  if (queue == NULL) OK(netcl_device_get_queue(device, &own));
  arm("clEnqueueNDRangeKernel", 1, FAULT_HANG);
  OK(add(y, x, &run));
  OK(add(z, x, &behind));
  /* As long as the event may be well all of them wait. */
  FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(events[0], 20000000));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(events[1], 20000000));
  end_gate(gate, kCode);
  const double begin = process_now();
  switch (way) {
    case BY_EVENT:
      check_event(events[0]);
      break;
    case BY_EVENT_BEHIND:
      check_event(events[1]);
      break;
    case BY_READ:
      check_failed(y);
      break;
    case BY_READ_BEHIND:
      check_failed(z);
      break;
    case BY_QUEUE:
      FAILS(NETCL_ERROR_LAUNCH_FAILURE,
            netcl_queue_finish(queue == NULL ? own : queue, NETCL_WAIT_FOREVER));
      break;
    default:
      FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(device, NETCL_WAIT_FOREVER));
  }
  CHECK(process_now() - begin < kMostSeconds, "after %.1f s", process_now() - begin);
  (void)fault_control()->disarm();
  /* All is told by now, and the queue goes on. */
  if (way != BY_EVENT) check_event(events[0]);
  if (way != BY_EVENT_BEHIND) check_event(events[1]);
  check_failed(y);
  check_failed(z);
  (void)netcl_device_finish(device, NETCL_WAIT_FOREVER);
  run.waits_count = 0;
  run.event = NULL;
  for (int i = 0; i < 3; ++i) {
    OK(add(y, x, &run));
    OK(add(z, y, &run));
    check_all(z, 3);
    OK(netcl_queue_finish(queue == NULL ? own : queue, LONG_WAIT));
  }
  OK(netcl_device_finish(device, LONG_WAIT));
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(z);
  netcl_queue_release(own);
  drop_gate(gate);
}

/* On a driver that is known for this: not before its turn, however long that takes, be it for what
 * it waits for or not. */
static void hangs_in_its_turn(netcl_device* device, int waits) {
  netcl_queue* queue = new_queue(device, 0);
  const Gate long_gate = make_gate(device), gate = make_gate(device);
  netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
  netcl_event* event = NULL;
  netcl_run_options in_front = on(queue, waits ? &long_gate : NULL, NULL),
                    run = on(queue, &gate, &event);
  if (!waits) put_gate(queue, long_gate);
  OK(add(y, x, &in_front));
  arm("clEnqueueNDRangeKernel", 1, FAULT_HANG);
  OK(add(z, x, &run));
  disarm(1);
  end_gate(gate, kCode);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(event, 400000000));
  end_gate(long_gate, CL_COMPLETE);
  check_event(event);
  check_all(y, 2);
  check_failed(z);
  told_once(device);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(z);
  netcl_queue_release(queue);
  drop_gate(gate);
  drop_gate(long_gate);
}

static void commands_without_end(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  for (int which = 0; which < 2; ++which) {
    for (int way = 0; way < WAYS; ++way) {
      netcl_queue* queue = queue_of(device, which);
      hangs(device, queue, way);
      netcl_queue_release(queue);
    }
  }
  for (int waits = 0; waits < 2; ++waits) hangs_in_its_turn(device, waits);
}

/* A queue that goes over to its twin with times waits there for what is in front. */
static void a_barrier_without_end(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  netcl_queue* queue = new_queue(device, 0);
  const Gate gate = make_gate(device);
  netcl_tensor *x = ones(device), *y = ones(device), *z = ones(device);
  netcl_event* event = NULL;
  netcl_run_options run = on(queue, &gate, NULL), behind = on(queue, NULL, &event);
  OK(add(y, x, &run));
  OK(netcl_queue_set_profiling(queue, 1));
  arm("clEnqueueBarrierWithWaitList", 1, FAULT_HANG);
  OK(add(z, x, &behind));
  disarm(1);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(event, 20000000));
  end_gate(gate, kCode);
  const double begin = process_now();
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(event, NETCL_WAIT_FOREVER));
  CHECK(process_now() - begin < kMostSeconds, "after %.1f s", process_now() - begin);
  netcl_event_release(event);
  behind.event = NULL;
  (void)netcl_device_finish(device, NETCL_WAIT_FOREVER);
  OK(add(z, x, &behind));
  check_all(z, 2);
  OK(netcl_device_finish(device, LONG_WAIT));
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_tensor_release(z);
  netcl_queue_release(queue);
  drop_gate(gate);
}

/* Out of order nothing stands behind it but what waits for it. */
static void commands_without_end_out_of_order(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  netcl_queue* queue = new_queue(device, 1);
  const Gate gate = make_gate(device);
  netcl_tensor *x = ones(device), *t[3] = {ones(device), ones(device), ones(device)};
  netcl_event *event = NULL, *marker = NULL;
  netcl_run_options run = on(queue, &gate, NULL), plain = on(queue, NULL, &event);
  netcl_run_options unconcerned = on(queue, NULL, NULL);
  arm("clEnqueueNDRangeKernel", 1, FAULT_HANG);
  OK(add(t[0], x, &run));
  OK(add(t[1], t[0], &plain));
  OK(netcl_queue_enqueue_marker(queue, NULL, 0, &marker));
  disarm(1);
  OK(add(t[2], x, &unconcerned));
  check_all(t[2], 2);
  end_gate(gate, kCode);
  check_event(marker);
  check_event(event);
  check_failed(t[1]);
  check_failed(t[0]);
  told_once(device);
  OK(add(t[0], x, &unconcerned));
  check_all(t[0], 2);
  netcl_tensor_release(x);
  for (int i = 0; i < 3; ++i) netcl_tensor_release(t[i]);
  netcl_queue_release(queue);
  drop_gate(gate);
}

/* ---- Long chains ----------------------------------------------------------------------------- */

/* Each command reads what the one before it wrote, on the other queue, and all of them wait. */
static void long_chains(void** state) {
  netcl_device* device = ((Fixture*)*state)->device;
  netcl_queue* queues[2] = {new_queue(device, 0), new_queue(device, 0)};
  /* PoCL fails a chain within itself, and ThreadSanitizer follows few locks at a time. */
  const int links = process_has_tsan() ? 20 : 2000;
  for (int fails = 0; fails < 2; ++fails) {
    const Gate gate = make_gate(device);
    netcl_tensor* t[2] = {ones(device), ones(device)};
    netcl_event* last = NULL;
    for (int i = 0; i < links; ++i) {
      netcl_run_options run =
          on(queues[i % 2], i == 0 ? &gate : NULL, i + 1 == links ? &last : NULL);
      OK(add(t[(i + 1) % 2], t[i % 2], &run));
    }
    if (fails) {
      /* As if it had failed by itself, which the driver tells nobody. */
      end_gate(gate, kCode);
      check_event(last);
      check_failed(t[links % 2]);
      told_once(device);
    } else {
      end_gate(gate, CL_COMPLETE);
      OK(netcl_event_wait(last, LONG_WAIT));
      netcl_event_release(last);
      check_all(t[links % 2], (float)(1 + links));
      OK(netcl_device_finish(device, LONG_WAIT));
    }
    netcl_tensor_release(t[0]);
    netcl_tensor_release(t[1]);
    drop_gate(gate);
  }
  netcl_queue_release(queues[0]);
  netcl_queue_release(queues[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(waits_that_a_driver_ignores), CASE(waits_for_events_of_commands),      CASE(markers),
      CASE(commands_without_end),        CASE(commands_without_end_out_of_order), CASE(long_chains),
      CASE(a_barrier_without_end),
  };
  seed_random("fault_waits");
  return cmocka_run_group_tests_name("fault_waits", tests, NULL, NULL);
}
