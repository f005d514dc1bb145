/* Copies between devices one of whose commands fails: the call or whoever waits is told, whichever
 * piece it was, and nothing stays behind. */
#include <pthread.h>

#include "support_copies.h"
#include "support_fault_commands.h"

enum { PIECE = 16 << 20, PIECES = 7, COUNT = (PIECES - 1) * PIECE + 1000 };

/* The status that the call gives, or else its event. */
static netcl_status end_of_copy(netcl_tensor* source, netcl_tensor* target) {
  netcl_run_options run = run_into(target);
  netcl_event* event = NULL;
  run.event = &event;
  netcl_status status = netcl_op_copy(source, &run, NULL);
  if (status != NETCL_OK) {
    assert_null(event);
    return status;
  }
  status = netcl_event_wait(event, LONG_WAIT);
  if (status != NETCL_OK) {
    /* So is the tensor. */
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(target, LONG_WAIT));
  }
  netcl_event_release(event);
  return status;
}

/* From another thread, to which the failed copy must have left nothing to wait for. */
static void* fill_elsewhere(void* tensor) {
  const uint8_t value = 99;
  return (void*)(intptr_t)netcl_op_fill(tensor, &value, NULL);
}

static void check_free(netcl_tensor* tensor) {
  pthread_t thread;
  void* status = NULL;
  assert_int_equal(pthread_create(&thread, NULL, fill_elsewhere, tensor), 0);
  assert_int_equal(pthread_join(thread, &status), 0);
  assert_int_equal((netcl_status)(intptr_t)status, NETCL_OK);
}

static void check_faults(netcl_device* from, netcl_device* to, const char* function, int calls,
                         FaultAction action, int64_t count) {
  const uint64_t held[2] = {bytes_in_use(from), bytes_in_use(to)};
  for (int nth = 1; nth <= calls; ++nth) {
    netcl_tensor *source = NULL, *target = NULL;
    const uint8_t value = (uint8_t)(nth + 10);
    uint8_t back[2] = {0, 0};
    OK(netcl_tensor_create_full(from, NETCL_U8, 1, &count, NULL, &value, NULL, &source));
    OK(netcl_tensor_create_zeros(to, NETCL_U8, 1, &count, NULL, NULL, &target));
    OK(netcl_device_finish(from, LONG_WAIT));
    OK(netcl_device_finish(to, LONG_WAIT));
    arm(function, (uint64_t)nth, action);
    const netcl_status status = end_of_copy(source, target);
    disarm(1);
    CHECK(status == NETCL_ERROR_LAUNCH_FAILURE ||
              (action == FAULT_FAIL && status == NETCL_ERROR_OUT_OF_DEVICE_MEMORY),
          "call %d of %s failed: %s", nth, function, netcl_status_name(status));
    (void)netcl_device_finish(from, LONG_WAIT);
    (void)netcl_device_finish(to, LONG_WAIT);
    if (!(nth & 1)) check_free(target);
    /* Another one is whole, and the source is as it was. */
    OK(end_of_copy(source, target));
    netcl_tensor* ends = NULL;
    const netcl_range range = {0, 2, count - 1};
    OK(netcl_tensor_slice(target, &range, 1, &ends));
    OK(netcl_tensor_read(ends, back, 2, NULL, LONG_WAIT));
    assert_true(back[0] == value && back[1] == value);
    check_free(source);
    check_free(target);
    OK(netcl_device_finish(from, LONG_WAIT));
    OK(netcl_device_finish(to, LONG_WAIT));
    netcl_tensor_release(ends);
    netcl_tensor_release(source);
    netcl_tensor_release(target);
    assert_int_equal(bytes_in_use(from), held[0]);
    assert_int_equal(bytes_in_use(to), held[1]);
  }
}

static void check_both(netcl_device* from, netcl_device* to, const char* function, int calls,
                       int64_t count) {
  check_faults(from, to, function, calls, FAULT_LATE, count);
  check_faults(from, to, function, calls, FAULT_FAIL, count);
}

static void faults(void** state) {
  netcl_device *own = copy_devices[0], *builtin = copy_devices[1], *other = copy_devices[2];
  if (runs_functions(*state) == 1) {
    check_both(builtin, own, "clEnqueueNativeKernel", 1, COUNT);
    check_both(own, other, "clEnqueueNativeKernel", 1, COUNT);
    return;
  }
  check_both(own, other, "clEnqueueReadBuffer", PIECES, COUNT);
  check_both(own, other, "clEnqueueWriteBuffer", PIECES, COUNT);
  check_both(own, builtin, "clEnqueueReadBuffer", 1, COUNT);
  check_both(builtin, own, "clEnqueueWriteBuffer", 1, COUNT);
}

/* The device that a copy goes to is lost: the other one and its tensor are as usable as before. */
static void lost(void** state) {
  const int functions = runs_functions(*state) == 1;
  netcl_device_options separate = NETCL_DEVICE_OPTIONS_INIT;
  const int64_t count = COUNT;
  separate.separate = 1;
  for (int i = 0; i < 2; ++i) {
    const uint8_t value = 7;
    netcl_device* to = NULL;
    netcl_tensor *source = NULL, *target = NULL;
    OK(netcl_device_open(test_selector(), &separate, &to));
    OK(netcl_tensor_create_full(copy_devices[i], NETCL_U8, 1, &count, NULL, &value, NULL, &source));
    OK(netcl_tensor_create_zeros(to, NETCL_U8, 1, &count, NULL, NULL, &target));
    OK(netcl_device_finish(copy_devices[i], LONG_WAIT));
    OK(netcl_device_finish(to, LONG_WAIT));
    arm_code(functions ? "clEnqueueNativeKernel" : "clEnqueueWriteBuffer", 1, FAULT_LOSE,
             CL_DEVICE_NOT_AVAILABLE);
    const netcl_status status = end_of_copy(source, target);
    (void)fault_control()->disarm();
    CHECK(status == NETCL_ERROR_DEVICE_LOST, "the copy gave %s", netcl_status_name(status));
    FAILS(NETCL_ERROR_DEVICE_LOST, end_of_copy(source, target));
    check_free(source);
    OK(netcl_device_finish(copy_devices[i], LONG_WAIT));
    netcl_tensor_release(source);
    netcl_tensor_release(target);
    netcl_device_release(to);
  }
}

static void by_transfers(void** state) {
  run_by_transfers(*state, "NETCL_FAULT_OPENCL", NETCL_PLAIN_CL);
}

int main(void) {
  const struct CMUnitTest tests[] = {COPY_TEST(faults), COPY_TEST(lost), COPY_TEST(by_transfers)};
  return cmocka_run_group_tests_name("copies_faults", tests, NULL, NULL);
}
