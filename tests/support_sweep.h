/*
 * Every exported function called with handles of its own, for tests in which something fails
 * meanwhile: allocations (tests/test_alloc_sweep.c), calls of the driver (tests/fault). Each call
 * is made in a process that the test forks.
 */
#ifndef NETCL_TESTS_SUPPORT_SWEEP_H
#define NETCL_TESTS_SUPPORT_SWEEP_H

#include "support_handles.h"

enum { SWEEP_HANDLES = 10 };

typedef struct SweepCall {
  const HandleCase *test;
  void *handles[SWEEP_HANDLES];
  size_t count;
} SweepCall;

/* The case of a function: the one made for sweeps, those on OpenCL devices first if `opencl`, else
 * that of the test of handles; NULL when it has none. */
const HandleCase *sweep_case(const char *name, int opencl);

/* Makes handles of the case's roles on the device, and poisons the outputs. */
void sweep_begin(SweepCall *call, const HandleCase *test, netcl_device *device);
/* Calls it. */
netcl_status sweep_call(SweepCall *call);
/* Gives back the handles, and those that the call has given if `status` is that it did. */
void sweep_end(SweepCall *call, netcl_status status);
/* Calls look(handle, data) for each handle that the call has given. */
void sweep_given(void (*look)(void *handle, void *data), void *data);

/* Runs body(data) in a forked process; cmocka's handlers are not there. Its exit code, or -1 with
 * *signal set when it did not exit. The process has limit_s. */
int sweep_in_child(int (*body)(void *), void *data, unsigned limit_s, int *signal);

#endif
