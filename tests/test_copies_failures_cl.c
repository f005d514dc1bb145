/* Copies between devices of what was never written, or that wait for what fails: the tensor that
 * they go to stays as it was. */
#include "support_gate_cl.h"

enum { COUNT = 1000 };

static void* fail_later(void* raw) {
  process_sleep_ms(30);
  set_gate(raw, CL_OUT_OF_RESOURCES);
  return NULL;
}

/* The gate fails before the copy begins, or while it waits; it stands before a write of the source,
 * or is among what the copy is to wait for. */
static void check_failure(Fixture* fixture, netcl_device* from, netcl_device* to, int later,
                          int as_wait) {
  const int64_t shape[] = {COUNT};
  const Gate gate = make_gate(fixture);
  float numbers[COUNT];
  const float one = 1;
  pthread_t thread;
  for (int i = 0; i < COUNT; ++i) numbers[i] = (float)i;
  netcl_tensor* source = make_tensor(from, NETCL_F32, 1, shape, numbers);
  netcl_tensor* target = make_tensor(to, NETCL_F32, 1, shape, numbers);
  netcl_run_options run = run_into(target), fill = NETCL_RUN_OPTIONS_INIT;
  netcl_event* none = NULL;
  fill.waits = run.waits = &gate.event;
  fill.waits_count = !as_wait;
  run.waits_count = (uint32_t)as_wait;
  run.event = &none;
  if (!as_wait) OK(netcl_op_fill(source, &one, &fill));
  if (later) {
    assert_int_equal(pthread_create(&thread, NULL, fail_later, gate.raw), 0);
  } else {
    set_gate(gate.raw, CL_OUT_OF_RESOURCES);
  }
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_op_copy(source, &run, NULL));
  assert_null(none);
  if (later) pthread_join(thread, NULL);
  CHECK_TENSOR(target, numbers);
  if (!as_wait) {
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(source, LONG_WAIT));
    /* Another write makes it whole. */
    OK(netcl_op_fill(source, &one, NULL));
  }
  run.waits_count = 0;
  OK(netcl_op_copy(source, &run, NULL));
  OK(netcl_event_wait(none, LONG_WAIT));
  if (!as_wait) {
    for (int i = 0; i < COUNT; ++i) numbers[i] = 1;
  }
  CHECK_TENSOR(target, numbers);
  netcl_event_release(none);
  netcl_tensor_release(source);
  netcl_tensor_release(target);
  drop_gate(gate);
  (void)netcl_device_finish(from, LONG_WAIT);
  (void)netcl_device_finish(to, LONG_WAIT);
}

static void failures(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_device* others[2] = {NULL, NULL};
  options.separate = 1;
  OK(netcl_device_open("builtin", &options, &others[0]));
  OK(netcl_device_open(test_selector(), &options, &others[1]));
  for (int i = 0; i < 8; ++i) {
    netcl_device* other = others[i & 1];
    check_failure(fixture, fixture->device, other, i >> 1 & 1, i >> 2 & 1);
    if (i & 4) check_failure(fixture, other, fixture->device, i >> 1 & 1, 1);
  }
  netcl_device_release(others[0]);
  netcl_device_release(others[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {GATE_TEST(failures)};
  return cmocka_run_group_tests_name("copies_failures_cl", tests, NULL, NULL);
}
