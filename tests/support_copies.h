/* Several devices, for tests of copies between them. */
#ifndef NETCL_TESTS_SUPPORT_COPIES_H
#define NETCL_TESTS_SUPPORT_COPIES_H

#include "support_strided.h"

enum { COPY_DEVICES = 3 };
/* The device under test, a built-in one, and another opening of the former. */
extern netcl_device* copy_devices[COPY_DEVICES];

int open_copy_devices(void** state);
int close_copy_devices(void** state);
#define COPY_TEST(function) \
  cmocka_unit_test_setup_teardown(function, open_copy_devices, close_copy_devices)

/* 1 where the device runs functions of the process, as PoCL does; 0 where it does not, as in
 * run_by_transfers; -1 for other drivers of CPUs, which may do either. */
int runs_functions(const Fixture* fixture);

/* Where the first element of `data` is that differs from data[0]; count where none does. Quick
 * under sanitizers too. */
int64_t first_other(const int32_t* data, int64_t count);

/* Runs the program again with this OpenCL library, which is PoCL without native commands, in this
 * variable of the environment. */
void run_by_transfers(const Fixture* fixture, const char* variable, const char* library);

#endif
