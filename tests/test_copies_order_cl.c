/* While a copy to another device is under way, calls of other threads that conflict with it wait,
 * for as long as the copy's call takes, however that ends. */
#include <stdatomic.h>

#include "sanitizers.h"
#include "support_copies.h"
#include "support_gate_cl.h"

/* More pieces than are under way at a time, where a copy goes in pieces. */
enum { PIECE = 16 << 20, PIECES = 7 };

/* A call of another thread, and what it gave. */
typedef struct Call {
  netcl_tensor *from, *to; /* without `from`: fills it with `value` */
  int32_t value;
  atomic_int over;
  netcl_status status;
  pthread_t thread;
} Call;

static void* run_call(void* argument) {
  Call* call = argument;
  const netcl_run_options run = run_into(call->to);
  call->status = call->from != NULL ? netcl_op_copy(call->from, &run, NULL)
                                    : netcl_op_fill(call->to, &call->value, NULL);
  atomic_store(&call->over, 1);
  return NULL;
}

static void start_call(Call* call) {
  atomic_store(&call->over, 0);
  assert_int_equal(pthread_create(&call->thread, NULL, run_call, call), 0);
  process_sleep_ms(sanitized_rounds(10) < 10 ? 400 : 100);
}

static netcl_status end_call(Call* call) {
  pthread_join(call->thread, NULL);
  return call->status;
}

static netcl_tensor* full(netcl_device* device, int64_t count, int32_t value) {
  netcl_tensor* tensor = NULL;
  OK(netcl_tensor_create_full(device, NETCL_I32, 1, &count, NULL, &value, NULL, &tensor));
  OK(netcl_tensor_wait(tensor, LONG_WAIT));
  return tensor;
}

static void check_full(netcl_tensor* tensor, int64_t count, int32_t value) {
  int32_t* data = malloc((size_t)count * sizeof *data);
  OK(netcl_tensor_read(tensor, data, (size_t)count * sizeof *data, NULL, LONG_WAIT));
  const int64_t other = first_other(data, count);
  CHECK(data[0] == value && other == count, "element 0 is %d instead of %d, and so to %lld",
        (int)data[0], (int)value, (long long)other);
  free(data);
}

/* What is enqueued on the device's own queue from here on stands behind the gate. */
static void put_gate(netcl_tensor* tensor, const Gate* gate) {
  const int32_t value = 5;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.waits = &gate->event;
  run.waits_count = 1;
  OK(netcl_op_fill(tensor, &value, &run));
}

static int64_t count_for(const Fixture* fixture) {
  return runs_functions(fixture) == 1 ? 1 << 16 : (int64_t)PIECES * PIECE / 4;
}

/* The copy's command does not begin before the gate opens or fails; a write of the source and a use
 * of the target come after it, a read of the source does not wait. */
static void check_waits(Fixture* fixture, netcl_device* from, cl_int end) {
  const int64_t count = count_for(fixture);
  netcl_tensor *source = full(from, count, 1), *target = full(fixture->device, count, 0);
  netcl_tensor* part = NULL;
  const netcl_range range = {1, 1, 1};
  int32_t seen = 0;
  const Gate gate = make_gate(fixture);
  OK(netcl_tensor_slice(source, &range, 1, &part));
  put_gate(target, &gate);
  Call copy = {.from = source, .to = target}, write = {.to = source, .value = 2};
  start_call(&copy);
  CHECK(atomic_load(&copy.over) == 0, "the copy went past the gate");
  OK(netcl_tensor_read(part, &seen, sizeof seen, NULL, LONG_WAIT));
  assert_int_equal(seen, 1);
  start_call(&write);
  CHECK(atomic_load(&write.over) == 0, "the source was written while it was copied");
  FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_write(part, &seen, sizeof seen, NULL, 20 * MS));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_read(part, &seen, sizeof seen, NULL, 20 * MS));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_tensor_wait(target, 20 * MS));
  set_gate(gate.raw, end);
  const netcl_status status = end_call(&copy);
  OK(end_call(&write));
  CHECK(status == NETCL_OK || (end != CL_COMPLETE && status == NETCL_ERROR_LAUNCH_FAILURE),
        "the copy gave %s", netcl_status_name(status));
  if (status == NETCL_OK) check_full(target, count, 1);
  check_full(source, count, 2);
  if (end != CL_COMPLETE) (void)netcl_device_finish(fixture->device, LONG_WAIT);
  /* A further copy waits for nothing that was left behind. */
  const netcl_run_options run = run_into(target);
  OK(netcl_op_copy(source, &run, NULL));
  check_full(target, count, 2);
  netcl_tensor_release(part);
  netcl_tensor_release(source);
  netcl_tensor_release(target);
  drop_gate(gate);
}

static void conflicting_calls_wait(void** state) {
  NEEDS_OPENCL((Fixture*)*state);
  /* ThreadSanitizer takes long for memory that is used for the first time. */
  for (int i = 1; i < (HAS_TSAN ? 2 : COPY_DEVICES); ++i) {
    check_waits(*state, copy_devices[i], CL_COMPLETE);
    check_waits(*state, copy_devices[i], CL_OUT_OF_RESOURCES);
  }
}

/* The source, and the device that it is on, are released while they are copied from. */
static void released_meanwhile(void** state) {
  Fixture* fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_device_options separate = NETCL_DEVICE_OPTIONS_INIT;
  separate.separate = 1;
  const int64_t count = count_for(fixture);
  for (int i = 0; i < (HAS_TSAN ? 2 : 4); ++i) {
    const char* const selector = i & 1 ? "builtin" : test_selector();
    netcl_device* from = NULL;
    OK(netcl_device_open(selector, &separate, &from));
    netcl_tensor *source = full(from, count, 3), *target = full(fixture->device, count, 0);
    const Gate gate = make_gate(fixture);
    put_gate(target, &gate);
    Call copy = {.from = source, .to = target};
    start_call(&copy);
    netcl_tensor_release(source);
    if (i & 2) {
      netcl_device_release(from);
    } else {
      /* Its memory is nobody else's meanwhile. */
      netcl_tensor* other = full(from, count, 4);
      check_full(other, count, 4);
      netcl_tensor_release(other);
    }
    CHECK(atomic_load(&copy.over) == 0, "the copy went past the gate");
    open_gate(gate);
    OK(end_call(&copy));
    check_full(target, count, 3);
    netcl_tensor_release(target);
    if (!(i & 2)) netcl_device_release(from);
    drop_gate(gate);
  }
}

static void by_transfers(void** state) {
  run_by_transfers(*state, "NETCL_OPENCL_LIBRARY", NETCL_PLAIN_CL);
}

static int close_gates(void** state) {
  open_gates();
  return close_copy_devices(state);
}
#define HELD_TEST(function) \
  cmocka_unit_test_setup_teardown(function, open_copy_devices, close_gates)

int main(void) {
  const struct CMUnitTest tests[] = {HELD_TEST(conflicting_calls_wait),
                                     HELD_TEST(released_meanwhile), HELD_TEST(by_transfers)};
  return cmocka_run_group_tests_name("copies_order_cl", tests, NULL, NULL);
}
