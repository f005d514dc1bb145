/*
 * A driver that keeps the calling thread until its own threads have ended what they run, in each of
 * its functions: none of those threads may then need what the calling thread holds. Here a driver
 * does so that loses the device.
 */
#include <unistd.h>

#include "support_fault_commands.h"

/* So many that netcl looks which of the functions on its list were given up, before they have run.
 */
enum { kFunctions = 600, kElements = 1 << 16, kMostSecondsEach = 60, kEntriesMost = 256 };

static netcl_status function(netcl_tensor* t, netcl_queue* queue, netcl_event** event) {
  netcl_run_options run = on(queue, NULL, event);
  run.into = t;
  return netcl_op_expression_text("v0 + 1", &t, 1, NULL, &run, NULL);
}

/* Whatever a loss leaves of it. */
static void work(netcl_device* device) {
  const int64_t shape = kElements;
  const float one = 1;
  static float seen[kElements];
  netcl_tensor *x = NULL, *y = NULL;
  netcl_queue* queue = NULL;
  netcl_event* event = NULL;
  netcl_event_state state = 0;
  (void)netcl_tensor_create_full(device, NETCL_F32, 1, &shape, NULL, &one, NULL, &x);
  for (int i = 0; i < kFunctions && function(x, NULL, NULL) == NETCL_OK; ++i) continue;
  (void)netcl_queue_create(device, NULL, &queue);
  (void)netcl_tensor_create_full(device, NETCL_F32, 1, &shape, NULL, &one, NULL, &y);
  for (int i = 0; i < N && function(y, queue, NULL) == NETCL_OK; ++i) continue;
  (void)function(y, NULL, &event);
  if (event != NULL) (void)netcl_event_query(event, &state);
  if (event != NULL) (void)netcl_event_wait(event, 0);
  if (y != NULL) (void)netcl_tensor_read(y, seen, sizeof seen, NULL, 1000);
  netcl_tensor_release(x);
  netcl_queue_release(queue);
  (void)netcl_device_finish(device, 1000);
  if (event != NULL) (void)netcl_event_wait(event, LONG_WAIT);
  (void)netcl_device_finish(device, LONG_WAIT);
  netcl_event_release(event);
  netcl_tensor_release(y);
}

static netcl_device* open_device(void) {
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  netcl_device* device = NULL;
  options.separate = 1;
  OK(netcl_device_open(test_selector(), &options, &device));
  return device;
}

static void a_driver_that_waits_for_its_threads(void** state) {
  (void)state;
  const FaultControl* control = fault_control();
  const uint64_t first[] = {1, 2, 7, 40, 400};
  uint64_t calls[kEntriesMost];
  int tried = 0;
  netcl_device* device = open_device();
  control->reset_calls();
  work(device);
  for (int entry = 0; entry < control->functions_count; ++entry)
    calls[entry] = control->calls(entry);
  netcl_device_release(device);
  for (int entry = 0; entry < control->functions_count; ++entry) {
    for (size_t i = 0; i < COUNT_OF(first) && first[i] <= calls[entry]; ++i) {
      device = open_device();
      alarm(kMostSecondsEach); /* ends the process */
      control->arm(entry, first[i], FAULT_LOSE, kCode);
      work(device);
      tried += control->disarm();
      netcl_device_release(device);
      alarm(0);
    }
  }
  assert_true(tried > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_driver_that_waits_for_its_threads)};
  seed_random("fault_locks");
  return cmocka_run_group_tests_name("fault_locks", tests, NULL, NULL);
}
