/* Waits that once took too long, saw too little, or told nothing of a failure. */
#include "support_gate_cl.h"

/* A call of 100 ms must be over long before the gate opens by itself. */
#define TIMES_OUT(call)                                               \
  do {                                                                \
    const double start_ = process_now();                              \
    FAILS(NETCL_ERROR_TIMEOUT, call);                                 \
    const double seconds_ = process_now() - start_;                   \
    CHECK(seconds_ < 3, "%s: TIMEOUT after %.1f s", #call, seconds_); \
  } while (0)

static void timeouts_of_transfers(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t shape[] = {8, 8};
  const uint32_t axes[] = {1, 0};
  float values[64] = {0}, before[64];
  netcl_tensor *packed = NULL, *turned = NULL, *other = zeros(fixture->device, 4);
  for (int i = 0; i < 64; ++i) before[i] = 3;
  packed = make_tensor(fixture->device, NETCL_F32, 2, shape, before);
  OK(netcl_tensor_permute(packed, axes, 2, &turned));
  settle(fixture);
  netcl_tensor* const tensors[] = {packed, turned};
  for (int i = 0; i < 4; ++i) {
    /* First with waits that are not met, then behind work on other memory. */
    netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
    const Gate gate = make_gate(fixture);
    Opener opener;
    start_opener(&opener, gate);
    options.waits = &gate.event;
    options.waits_count = i < 2;
    if (i >= 2) fill(other, 1, NULL, &gate);
    netcl_tensor* tensor = tensors[i % 2];
    TIMES_OUT(netcl_tensor_read(tensor, values, sizeof values, &options, 100 * MS));
    TIMES_OUT(netcl_tensor_write(tensor, values, sizeof values, &options, 100 * MS));
    TIMES_OUT(netcl_tensor_read(tensor, values, sizeof values, &options, 0));
    TIMES_OUT(netcl_tensor_write(tensor, values, sizeof values, &options, 0));
    stop_opener(&opener);
    CHECK_TENSOR(packed, before);
    settle(fixture);
    drop_gate(gate);
  }
  netcl_tensor_release(packed);
  netcl_tensor_release(turned);
  netcl_tensor_release(other);
}

static void timeout_of_another_device(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_device* builtin = NULL;
  float values[4] = {-1, -1, -1, -1};
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  Opener opener;
  OK(netcl_device_open("builtin", NULL, &builtin));
  netcl_tensor* tensor = zeros(builtin, 4);
  const Gate gate = make_gate(fixture);
  start_opener(&opener, gate);
  options.waits = &gate.event;
  options.waits_count = 1;
  TIMES_OUT(netcl_tensor_read(tensor, values, sizeof values, &options, 100 * MS));
  for (int i = 0; i < 4; ++i) assert_true(values[i] == -1);
  TIMES_OUT(netcl_tensor_write(tensor, values, sizeof values, &options, 100 * MS));
  stop_opener(&opener);
  OK(netcl_tensor_read(tensor, values, sizeof values, &options, LONG_WAIT));
  for (int i = 0; i < 4; ++i) assert_true(values[i] == 0);
  netcl_tensor_release(tensor);
  netcl_device_release(builtin);
  drop_gate(gate);
}

/* ---- The ends of queues ---------------------------------------------------------------------- */

/* Commands that wait for a failing event fail with it, which the next finish tells, once. */
static void check_failed_command(Fixture* fixture, int released) {
  NEEDS_OPENCL(fixture);
  netcl_queue* queue = released ? new_queue(fixture) : NULL;
  netcl_tensor *target = zeros(fixture->device, 4), *other = zeros(fixture->device, 4);
  settle(fixture);
  const Gate gate = make_gate(fixture);
  fill(target, 1, queue, &gate);
  netcl_queue_release(queue);
  set_gate(gate.raw, CL_OUT_OF_RESOURCES);
  process_sleep_ms(300);
  if (released) fill(other, 1, NULL, NULL);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(fixture->device, LONG_WAIT));
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  netcl_tensor_release(target);
  netcl_tensor_release(other);
  drop_gate(gate);
}

static void failure_is_reported(void** state) { check_failed_command(*state, 0); }
static void failure_of_released_queue(void** state) { check_failed_command(*state, 1); }

/* A wait for a tensor tells of a write that had failed before, until the next write. */
static void tensor_wait_reports_a_failed_write(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tensor *target = zeros(fixture->device, 4), *other = zeros(fixture->device, 4);
  const float values[4] = {5, 6, 7, 8};
  settle(fixture);
  const Gate gate = make_gate(fixture);
  fill(target, 1, NULL, &gate);
  set_gate(gate.raw, CL_OUT_OF_RESOURCES);
  process_sleep_ms(300);
  fill(other, 1, NULL, NULL);
  for (int i = 0; i < 2; ++i) FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(target, SECOND));
  OK(netcl_tensor_wait(other, LONG_WAIT));
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(fixture->device, LONG_WAIT));
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(target, SECOND));
  OK(netcl_tensor_write(target, values, sizeof values, NULL, SECOND));
  OK(netcl_tensor_wait(target, LONG_WAIT));
  CHECK_TENSOR(target, values);
  /* Whoever leases the memory next is not told. */
  const Gate second = make_gate(fixture);
  fill(target, 1, NULL, &second);
  set_gate(second.raw, CL_OUT_OF_RESOURCES);
  process_sleep_ms(300);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(target, SECOND));
  netcl_tensor_release(target);
  const int64_t count = 4;
  OK(netcl_tensor_create(fixture->device, NETCL_F32, 1, &count, NULL, NULL, &target));
  OK(netcl_tensor_wait(target, LONG_WAIT));
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(fixture->device, LONG_WAIT));
  netcl_tensor_release(target);
  netcl_tensor_release(other);
  drop_gate(gate);
  drop_gate(second);
}

/* Work that is to wait for what has failed already is refused, and the device goes on. */
static void failed_waits_are_refused(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tensor *target = zeros(fixture->device, 4), *other = zeros(fixture->device, 4);
  float values[4] = {5, 6, 7, 8}, got[4] = {-1, -1, -1, -1};
  const float one = 1;
  settle(fixture);
  const Gate gate = make_gate(fixture);
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  netcl_event* failed = NULL;
  run.waits = &gate.event;
  run.waits_count = 1;
  run.event = &failed;
  OK(netcl_op_fill(target, &one, &run));
  set_gate(gate.raw, CL_OUT_OF_RESOURCES);
  process_sleep_ms(300);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(failed, LONG_WAIT));
  netcl_event* const both[] = {gate.event, failed};
  run.event = NULL;
  for (int i = 0; i < 2; ++i) {
    run.waits = &both[i];
    FAILS_WITH(NETCL_ERROR_LAUNCH_FAILURE, "run->waits[0] failed",
               netcl_op_fill(other, &one, &run));
    options.waits = &both[i];
    options.waits_count = 1;
    for (options.async_copy = NETCL_OFF; options.async_copy <= NETCL_ON; ++options.async_copy) {
      FAILS(NETCL_ERROR_LAUNCH_FAILURE,
            netcl_tensor_write(other, values, sizeof values, &options, 2 * SECOND));
    }
    options.async_copy = NETCL_DEFAULT;
    FAILS(NETCL_ERROR_LAUNCH_FAILURE,
          netcl_tensor_read(other, got, sizeof got, &options, 2 * SECOND));
  }
  /* Nor is what the failed command was to write read, saved or given away. */
  struct DLManagedTensor* managed = NULL;
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_read(target, got, sizeof got, NULL, SECOND));
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_save_npy(target, "failed.npy", SECOND));
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_to_dlpack(target, SECOND, &managed));
  assert_true(got[0] == -1 && got[3] == -1 && managed == NULL);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(fixture->device, LONG_WAIT));
  OK(netcl_device_finish(fixture->device, LONG_WAIT));
  OK(netcl_tensor_write(other, values, sizeof values, NULL, LONG_WAIT));
  CHECK_TENSOR(other, values);
  netcl_event_release(failed);
  netcl_tensor_release(target);
  netcl_tensor_release(other);
  drop_gate(gate);
}

/* A command that fails at once has not waited for the one in front of it; finish has to. */
static void finish_waits_past_a_failed_command(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  for (int multiple = 0; multiple < 2; ++multiple) {
    netcl_queue *queue = NULL, *second = NULL;
    netcl_tensor *one = zeros(fixture->device, 4), *two = zeros(fixture->device, 4);
    OK(netcl_device_get_queue(fixture->device, &queue));
    if (multiple) second = new_queue(fixture);
    settle(fixture);
    const Gate slow = make_gate(fixture), failing = make_gate(fixture);
    fill(one, 1, queue, &slow);
    fill(two, 1, queue, &failing);
    OK(netcl_queue_flush(queue));
    set_gate(failing.raw, CL_OUT_OF_RESOURCES);
    process_sleep_ms(200);
    FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_wait(one, 100 * MS));
    FAILS(NETCL_ERROR_TIMEOUT, netcl_device_finish(fixture->device, 100 * MS));
    FAILS(NETCL_ERROR_TIMEOUT, netcl_queue_finish(queue, 100 * MS));
    FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_wait(one, 100 * MS));
    open_gate(slow);
    OK(netcl_tensor_wait(one, LONG_WAIT));
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_queue_finish(queue, LONG_WAIT));
    settle(fixture);
    netcl_tensor_release(one);
    netcl_tensor_release(two);
    netcl_queue_release(queue);
    netcl_queue_release(second);
    drop_gate(slow);
    drop_gate(failing);
  }
}

/* The same where the slow command has no event of its own. */
static void finish_waits_past_a_failed_marker(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_tensor* two = zeros(fixture->device, 4);
  double alone = 0;
  for (int round = 0; round < 2; ++round) { /* The first one compiles. */
    const double start = process_now();
    for (int i = 0; i < 4; ++i) start_slow_work(fixture, NULL, NULL, NULL);
    settle(fixture);
    alone = process_now() - start;
  }
  for (int of_queue = 0; of_queue < 2; ++of_queue) {
    const Gate failing = make_gate(fixture);
    netcl_queue* queue = NULL;
    OK(netcl_device_get_queue(fixture->device, &queue));
    const double start = process_now();
    for (int i = 0; i < 4; ++i) start_slow_work(fixture, NULL, NULL, NULL);
    fill(two, 1, NULL, &failing);
    OK(netcl_queue_flush(queue));
    set_gate(failing.raw, CL_OUT_OF_RESOURCES);
    process_sleep_ms(20); /* PoCL aborts when something is enqueued just when a command fails. */
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, of_queue ? netcl_queue_finish(queue, LONG_WAIT)
                                               : netcl_device_finish(fixture->device, LONG_WAIT));
    const double seconds = process_now() - start;
    CHECK(seconds > alone / 2, "finish took %.3f s, the work %.3f s", seconds, alone);
    netcl_queue_release(queue);
    drop_gate(failing);
  }
  netcl_tensor_release(two);
}

static void raw_work_on_lent_queue(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_queue* queue = NULL;
  cl_command_queue raw = NULL;
  cl_event marker = NULL;
  netcl_tensor* tensor = zeros(fixture->device, 4);
  OK(netcl_device_get_queue(fixture->device, &queue));
  OK(netcl_queue_finish(queue, LONG_WAIT));
  OK(netcl_queue_get_cl_queue(queue, &raw));
  const Gate gate = make_gate(fixture);
  assert_int_equal(clEnqueueMarkerWithWaitList(raw, 1, &gate.raw, &marker), CL_SUCCESS);
  clFlush(raw);
  FAILS(NETCL_ERROR_TIMEOUT, netcl_queue_finish(queue, 200 * MS));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_device_finish(fixture->device, 200 * MS));
  open_gate(gate);
  settle(fixture);
  clReleaseEvent(marker);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
  drop_gate(gate);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      GATE_TEST(timeouts_of_transfers),
      GATE_TEST(timeout_of_another_device),
      GATE_TEST(failure_is_reported),
      GATE_TEST(failure_of_released_queue),
      GATE_TEST(tensor_wait_reports_a_failed_write),
      GATE_TEST(failed_waits_are_refused),
      GATE_TEST(finish_waits_past_a_failed_command),
      GATE_TEST(finish_waits_past_a_failed_marker),
      GATE_TEST(raw_work_on_lent_queue),
  };
  seed_random("wait_edges_cl");
  return cmocka_run_group_tests_name("wait_edges_cl", tests, NULL, NULL);
}
