/* Helpers of tests that build and launch kernels. */
#ifndef NETCL_TESTS_SUPPORT_KERNEL_H
#define NETCL_TESTS_SUPPORT_KERNEL_H

#include "support.h"

netcl_arg arg_tensor(netcl_tensor *tensor);
netcl_arg arg_read_only(netcl_tensor *tensor);
netcl_arg arg_scalar(const void *value, uint32_t size);
netcl_arg arg_int(int32_t value);
netcl_arg arg_float(float value);
netcl_arg arg_data(const void *data, uint32_t size);
netcl_arg arg_local(uint32_t bytes);
netcl_arg arg_null(void);

/* The text behind a comment that no cache has seen. The caller frees it. */
char *unique_source(const char *text);
/* A kernel from source that no cache has seen. */
netcl_kernel *fresh_kernel(netcl_device *device, const char *name, const char *text);
/* A kernel from exactly this text. */
netcl_kernel *source_kernel(netcl_device *device, const char *name, const char *text);

/* One-dimensional tensors of count elements: of poison, or of start, start + 1, ... */
netcl_tensor *poisoned_tensor(netcl_device *device, netcl_dtype dtype, int64_t count);
netcl_tensor *counting_tensor(netcl_device *device, netcl_dtype dtype, int64_t count, double start);
/* Checks that nothing has written a poisoned tensor. */
void check_still_poisoned(const netcl_tensor *tensor);

/* Launches over `items` items with a local size of the library's choice. */
netcl_status launch_1d(netcl_kernel *kernel, uint64_t items, const netcl_arg *args,
                       uint32_t args_count);
netcl_program_cache_info cache_counters(void);
/* The whole source or build log of a kernel; the caller frees it. */
char *kernel_source(const netcl_kernel *kernel);
char *kernel_log(const netcl_kernel *kernel);

/* Skips the test on the built-in device, which takes no custom kernels. */
#define NEEDS_OPENCL(fixture)                                                 \
  do {                                                                        \
    if (!(fixture)->opencl) SKIP("custom kernels need an OpenCL device");     \
  } while (0)

#endif
