/* Waits that once took too long, saw too little, or told nothing of a failure. */
#include "support_gate_cl.h"

/* A call of 100 ms must be over long before the gate opens by itself. */
#define TIMES_OUT(call)                                                     \
  do {                                                                      \
    const double start_ = process_now();                                    \
    FAILS(NETCL_ERROR_TIMEOUT, call);                                       \
    const double seconds_ = process_now() - start_;                         \
    CHECK(seconds_ < 3, "%s: TIMEOUT after %.1f s", #call, seconds_);       \
  } while (0)

static void timeouts_of_transfers(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const int64_t shape[] = {8, 8};
  const uint32_t axes[] = {1, 0};
  float values[64] = {0}, before[64];
  netcl_tensor *packed = NULL, *turned = NULL, *other = zeros(fixture->device, 4);
  for (int i = 0; i < 64; ++i) before[i] = 3;
  packed = make_tensor(fixture->device, NETCL_F32, 2, shape, before);
  OK(netcl_tensor_permute(packed, axes, 2, &turned));
  settle(fixture);
  netcl_tensor *const tensors[] = {packed, turned};
  for (int i = 0; i < 4; ++i) {
    /* First with waits that are not met, then behind work on other memory. */
    netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
    const Gate gate = make_gate(fixture);
    Opener opener;
    start_opener(&opener, gate);
    options.waits = &gate.event;
    options.waits_count = i < 2;
    if (i >= 2) fill(other, 1, NULL, &gate);
    netcl_tensor *tensor = tensors[i % 2];
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

static void timeout_of_another_device(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_device *builtin = NULL;
  float values[4] = {-1, -1, -1, -1};
  netcl_transfer_options options = NETCL_TRANSFER_OPTIONS_INIT;
  Opener opener;
  OK(netcl_device_open("builtin", NULL, &builtin));
  netcl_tensor *tensor = zeros(builtin, 4);
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
static void check_failed_command(Fixture *fixture, int released) {
  NEEDS_OPENCL(fixture);
  netcl_queue *queue = released ? new_queue(fixture) : NULL;
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

static void failure_is_reported(void **state) { check_failed_command(*state, 0); }
static void failure_of_released_queue(void **state) { check_failed_command(*state, 1); }

static void raw_work_on_lent_queue(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_queue *queue = NULL;
  cl_command_queue raw = NULL;
  cl_event marker = NULL;
  netcl_tensor *tensor = zeros(fixture->device, 4);
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
      GATE_TEST(raw_work_on_lent_queue),
  };
  seed_random("wait_edges_cl");
  return cmocka_run_group_tests_name("wait_edges_cl", tests, NULL, NULL);
}
