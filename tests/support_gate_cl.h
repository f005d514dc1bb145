/* Gates: OpenCL user events that nothing passes until the test opens them, and work behind them. */
#ifndef NETCL_TESTS_SUPPORT_GATE_CL_H
#define NETCL_TESTS_SUPPORT_GATE_CL_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <pthread.h>

#include "support_kernel.h"
#include "support_process.h"

#define MS ((uint64_t)1000000)

typedef struct Gate {
  cl_event raw;
  netcl_event *event;
} Gate;

static cl_event shut[8];

static inline void set_gate(cl_event raw, cl_int code) {
  for (size_t i = 0; i < COUNT_OF(shut); ++i) {
    if (shut[i] != raw) continue;
    shut[i] = NULL;
    clSetUserEventStatus(raw, code);
  }
}

static inline Gate make_gate(Fixture *fixture) {
  Gate gate = {NULL, NULL};
  cl_context context = NULL;
  cl_int code = 0;
  size_t at = 0;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  gate.raw = clCreateUserEvent(context, &code);
  assert_int_equal(code, CL_SUCCESS);
  while (shut[at] != NULL) ++at;
  shut[at] = gate.raw;
  OK(netcl_event_create_from_cl(fixture->device, gate.raw, &gate.event));
  return gate;
}

static inline void open_gate(Gate gate) { set_gate(gate.raw, CL_COMPLETE); }

static inline void drop_gate(Gate gate) {
  open_gate(gate);
  netcl_event_release(gate.event);
  clReleaseEvent(gate.raw);
}

/* A test that failed must not leave work behind that the next one waits for. */
static inline void open_gates(void) {
  for (size_t i = 0; i < COUNT_OF(shut); ++i) {
    if (shut[i] != NULL) set_gate(shut[i], CL_COMPLETE);
  }
}

static inline int teardown_gates(void **state) {
  open_gates();
  return teardown_device(state);
}
#define GATE_TEST(function) cmocka_unit_test_setup_teardown(function, setup_device, teardown_gates)

/* Opens a gate after 5 seconds unless it is open by then, so that a wait without end fails. */
typedef struct Opener {
  pthread_t thread;
  Gate gate;
  int stop;
} Opener;

static inline void *open_late(void *argument) {
  Opener *opener = argument;
  for (int i = 0; i < 500 && !__atomic_load_n(&opener->stop, __ATOMIC_ACQUIRE); ++i) {
    process_sleep_ms(10);
  }
  open_gate(opener->gate);
  return NULL;
}

static inline void start_opener(Opener *opener, Gate gate) {
  opener->gate = gate;
  opener->stop = 0;
  assert_int_equal(pthread_create(&opener->thread, NULL, open_late, opener), 0);
}

static inline void stop_opener(Opener *opener) {
  __atomic_store_n(&opener->stop, 1, __ATOMIC_RELEASE);
  pthread_join(opener->thread, NULL);
}

static inline netcl_tensor *zeros(netcl_device *device, int64_t count) {
  netcl_tensor *tensor = NULL;
  OK(netcl_tensor_create_zeros(device, NETCL_F32, 1, &count, NULL, NULL, &tensor));
  return tensor;
}

static inline void fill(netcl_tensor *tensor, float value, netcl_queue *queue, const Gate *gate) {
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.waits = gate == NULL ? NULL : &gate->event;
  run.waits_count = gate != NULL;
  OK(netcl_op_fill(tensor, &value, &run));
}

static inline netcl_queue *new_queue(Fixture *fixture) {
  netcl_queue *queue = NULL;
  OK(netcl_queue_create(fixture->device, NULL, &queue));
  return queue;
}

static inline void settle(Fixture *fixture) { OK(netcl_device_finish(fixture->device, LONG_WAIT)); }

#endif
