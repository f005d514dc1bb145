/* Commands that fail on request, gates in front of them, and checks of who is told. */
#ifndef NETCL_TESTS_FAULT_COMMANDS_H
#define NETCL_TESTS_FAULT_COMMANDS_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "support_fault.h"
#include "support_kernel.h"
#include "support_process.h"

enum { N = 64, kCode = CL_OUT_OF_RESOURCES };
/* More than what is given up takes. */
extern const double kMostSeconds;

/* Call number nth of a function of the driver acts, with kCode or another code. */
void arm(const char* name, uint64_t nth, FaultAction action);
void arm_code(const char* name, uint64_t nth, FaultAction action, int code);
/* None acts any more; so many did. */
void disarm(int hits);

/* An event that nothing passes until it ends. */
typedef struct Gate {
  cl_event raw;
  netcl_event* event;
} Gate;
Gate make_gate(netcl_device* device);
void end_gate(Gate gate, cl_int status);
void drop_gate(Gate gate);
/* What the queue gets from here on stands behind it, and netcl does not know. */
void put_gate(netcl_queue* queue, Gate gate);

/* A queue of OpenCL that is the test's own. */
cl_command_queue make_raw_queue(netcl_device* device, cl_command_queue_properties properties);
void drop_raw_queue(cl_command_queue queue);

netcl_tensor* ones(netcl_device* device);
/* to = from + 1, by a kernel. */
netcl_status add(netcl_tensor* to, netcl_tensor* from, const netcl_run_options* run);
netcl_run_options on(netcl_queue* queue, const Gate* gate, netcl_event** event);
netcl_queue* new_queue(netcl_device* device, int out_of_order);
/* The device's own as NULL, another one, one out of order. */
enum { QUEUES = 3 };
netcl_queue* queue_of(netcl_device* device, int which);

/* A read and a wait tell that it was not written, and touch nothing. */
void check_failed(const netcl_tensor* tensor);
void check_all(const netcl_tensor* tensor, float value);
/* It has failed or does so in time; releases it. */
void check_event(netcl_event* event);
/* The next finish tells, and no further one. */
void told_once(netcl_device* device);

int setup_commands(void** state);
int teardown_commands(void** state);
#define CASE(function) cmocka_unit_test_setup_teardown(function, setup_commands, teardown_commands)

#endif
