/* Raw OpenCL events wrapped as events of the library, complete or failed. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "support_kernel.h"
#include "support_process.h"

static cl_uint event_references(cl_event event) {
  cl_uint count = 0;
  assert_int_equal(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL), 0);
  return count;
}

static void wrap_event(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  cl_context context = NULL;
  cl_int code = 0;
  netcl_event *event = NULL, *marker = NULL;
  netcl_queue *queue = NULL;
  netcl_event_state event_state = NETCL_EVENT_COMPLETE;
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  cl_event raw = clCreateUserEvent(context, &code);
  assert_int_equal(code, CL_SUCCESS);
  const cl_uint references = event_references(raw);
  OK(netcl_event_create_from_cl(fixture->device, raw, &event));
  CHECK(event_references(raw) > references, "the event was not retained");
  FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(event, 0));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(event, 20 * 1000 * 1000));
  OK(netcl_event_query(event, &event_state));
  assert_true(event_state > NETCL_EVENT_COMPLETE);
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  OK(netcl_queue_enqueue_marker(queue, &event, 1, &marker));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_event_wait(marker, 20 * 1000 * 1000));
  FAILS(NETCL_ERROR_TIMEOUT, netcl_queue_finish(queue, 20 * 1000 * 1000));
  clSetUserEventStatus(raw, CL_COMPLETE);
  OK(netcl_event_wait(event, LONG_WAIT));
  OK(netcl_event_wait(marker, LONG_WAIT));
  OK(netcl_event_get_error(event, &info));
  assert_int_equal(info.status, NETCL_OK);
  OK(netcl_queue_finish(queue, LONG_WAIT));
  netcl_event_release(marker);
  netcl_event_release(event);
  netcl_queue_release(queue);
  for (int i = 0; i < 200 && event_references(raw) != references; i++) process_sleep_ms(10);
  assert_int_equal(event_references(raw), references);
  clReleaseEvent(raw);
}

/* Nothing waits for the failing event but the host: PoCL aborts when a command does. */
static void wrap_failing_event(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  cl_context context = NULL;
  cl_int code = 0;
  netcl_event *event = NULL;
  netcl_event_state event_state = NETCL_EVENT_COMPLETE;
  netcl_error_info info = NETCL_ERROR_INFO_INIT;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  cl_event raw = clCreateUserEvent(context, &code);
  assert_int_equal(code, CL_SUCCESS);
  OK(netcl_event_create_from_cl(fixture->device, raw, &event));
  clSetUserEventStatus(raw, CL_OUT_OF_RESOURCES);
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(event, LONG_WAIT));
  OK(netcl_event_query(event, &event_state));
  assert_int_equal(event_state, NETCL_EVENT_FAILED);
  OK(netcl_event_get_error(event, &info));
  assert_int_equal(info.status, NETCL_ERROR_LAUNCH_FAILURE);
  assert_int_equal(info.native_code, CL_OUT_OF_RESOURCES);
  CHECK(info.message[0] != '\0', "the error of the event has no message");
  netcl_event_release(event);
  clReleaseEvent(raw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(wrap_event),
      DEVICE_TEST(wrap_failing_event),
  };
  return cmocka_run_group_tests_name("interop_events_cl", tests, NULL, NULL);
}
