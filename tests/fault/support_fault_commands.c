#include "support_fault_commands.h"

#include <dlfcn.h>
#include <string.h>

const double kMostSeconds = 20;

/* ---- What fails ------------------------------------------------------------------------------ */

void arm(const char* name, uint64_t nth, FaultAction action) { arm_code(name, nth, action, kCode); }
void arm_code(const char* name, uint64_t nth, FaultAction action, int code) {
  const FaultControl* control = fault_control();
  for (int i = 0; i < control->functions_count; ++i) {
    if (strcmp(control->function_name(i), name) == 0) return control->arm(i, nth, action, code);
  }
  fail_msg("there is no %s", name);
}
void disarm(int hits) { assert_int_equal(fault_control()->disarm(), hits); }

#define CL(name) ((__typeof__(&name))symbol_of(#name))
static void* symbol_of(const char* name) {
  void* const symbol = dlsym(dlopen(getenv("NETCL_OPENCL_LIBRARY"), RTLD_NOW | RTLD_LOCAL), name);
  assert_non_null(symbol);
  return symbol;
}

Gate make_gate(netcl_device* device) {
  Gate gate = {NULL, NULL};
  cl_context context = NULL;
  cl_int code = 0;
  OK(netcl_device_get_cl_context(device, &context));
  gate.raw = CL(clCreateUserEvent)(context, &code);
  assert_int_equal(code, CL_SUCCESS);
  OK(netcl_event_create_from_cl(device, gate.raw, &gate.event));
  return gate;
}
void end_gate(Gate gate, cl_int status) { CL(clSetUserEventStatus)(gate.raw, status); }
void drop_gate(Gate gate) {
  netcl_event_release(gate.event);
  CL(clReleaseEvent)(gate.raw);
}

void put_gate(netcl_queue* queue, Gate gate) {
  cl_command_queue raw = NULL;
  OK(netcl_queue_get_cl_queue(queue, &raw));
  assert_int_equal(CL(clEnqueueMarkerWithWaitList)(raw, 1, &gate.raw, NULL), CL_SUCCESS);
}

cl_command_queue make_raw_queue(netcl_device* device, cl_command_queue_properties properties) {
  cl_context context = NULL;
  cl_device_id id = NULL;
  cl_int code = 0;
  OK(netcl_device_get_cl_context(device, &context));
  OK(netcl_device_get_cl_device(device, &id));
  const cl_command_queue queue = CL(clCreateCommandQueue)(context, id, properties, &code);
  assert_int_equal(code, CL_SUCCESS);
  return queue;
}
void drop_raw_queue(cl_command_queue queue) { CL(clReleaseCommandQueue)(queue); }

/* ---- Commands and checks --------------------------------------------------------------------- */

static netcl_kernel* add_one;

netcl_tensor* ones(netcl_device* device) {
  const int64_t shape = N;
  const float one = 1;
  netcl_tensor* made = NULL;
  OK(netcl_tensor_create_full(device, NETCL_F32, 1, &shape, NULL, &one, NULL, &made));
  OK(netcl_device_finish(device, LONG_WAIT));
  return made;
}

netcl_status add(netcl_tensor* to, netcl_tensor* from, const netcl_run_options* run) {
  const uint64_t size = N;
  const netcl_arg args[2] = {arg_tensor(to), arg_read_only(from)};
  return netcl_kernel_launch(add_one, &size, 1, NULL, 0, args, 2, NULL, run);
}
netcl_run_options on(netcl_queue* queue, const Gate* gate, netcl_event** event) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.waits = gate == NULL ? NULL : &gate->event;
  run.waits_count = gate != NULL;
  run.event = event;
  return run;
}
netcl_queue* new_queue(netcl_device* device, int out_of_order) {
  netcl_queue_options options = NETCL_QUEUE_OPTIONS_INIT;
  netcl_queue* queue = NULL;
  options.out_of_order = out_of_order;
  OK(netcl_queue_create(device, &options, &queue));
  return queue;
}

void check_failed(const netcl_tensor* tensor) {
  float seen[N];
  memset(seen, POISON, sizeof seen);
  for (int i = 0; i < 2; ++i) {
    netcl_error_info error = NETCL_ERROR_INFO_INIT;
    FAILS_WITH(NETCL_ERROR_LAUNCH_FAILURE, "to write the tensor failed with OpenCL code -5",
               netcl_tensor_read(tensor, seen, sizeof seen, NULL, LONG_WAIT));
    OK(netcl_last_error_get_info(&error));
    assert_int_equal(error.native_code, kCode);
    FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_tensor_wait(tensor, LONG_WAIT));
  }
  for (size_t i = 0; i < sizeof seen; ++i) assert_int_equal(((unsigned char*)seen)[i], POISON);
}
void check_all(const netcl_tensor* tensor, float value) {
  float seen[N];
  OK(netcl_tensor_read(tensor, seen, sizeof seen, NULL, LONG_WAIT));
  for (int i = 0; i < N; ++i) CHECK(seen[i] == value, "element %d is %g", i, seen[i]);
}
void check_event(netcl_event* event) {
  netcl_error_info error = NETCL_ERROR_INFO_INIT;
  netcl_event_state state = 0;
  const double begin = process_now();
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_event_wait(event, NETCL_WAIT_FOREVER));
  CHECK(process_now() - begin < kMostSeconds, "after %.1f s", process_now() - begin);
  OK(netcl_event_query(event, &state));
  assert_int_equal(state, NETCL_EVENT_FAILED);
  OK(netcl_event_get_error(event, &error));
  assert_int_equal(error.status, NETCL_ERROR_LAUNCH_FAILURE);
  assert_int_equal(error.native_code, kCode);
  netcl_event_release(event);
}
void told_once(netcl_device* device) {
  const double begin = process_now();
  FAILS(NETCL_ERROR_LAUNCH_FAILURE, netcl_device_finish(device, NETCL_WAIT_FOREVER));
  CHECK(process_now() - begin < kMostSeconds, "after %.1f s", process_now() - begin);
  OK(netcl_device_finish(device, LONG_WAIT));
}

netcl_queue* queue_of(netcl_device* device, int which) {
  return which == 0 ? NULL : new_queue(device, which == 2);
}

int setup_commands(void** state) {
  if (setup_device(state) != 0) return -1;
  add_one = source_kernel(((Fixture*)*state)->device, "add_one",
                          "__kernel void add_one(__global float *y, __global const float *x) {"
                          "  y[get_global_id(0)] = x[get_global_id(0)] + 1; }");
  OK(netcl_kernel_build(add_one));
  return 0;
}
int teardown_commands(void** state) {
  (void)fault_control()->disarm();
  netcl_kernel_release(add_one);
  return teardown_device(state);
}
