/*
 * The OpenCL loader, with the time that the calls of an enqueue take: what an op costs beside the
 * driver is its time less that. The driver's own cost of an enqueue differs from kernel to kernel,
 * so the raw enqueue of another kernel does not tell. All other functions are the loader's own.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define _GNU_SOURCE
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* Of the one thread that is measured. */
EXPORT uint64_t timed_cl_ns;
EXPORT uint64_t timed_cl_calls;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void* loaders(const char* name) {
  /* The next library after this one is the loader that it is linked with. */
  return dlsym(RTLD_NEXT, name);
}

#define TIMED(type, name, parameters, arguments)       \
  EXPORT type name parameters {                        \
    static type(*next) parameters;                     \
    if (next == NULL) *(void**)&next = loaders(#name); \
    const uint64_t begin = now_ns();                   \
    const type result = next arguments;                \
    timed_cl_ns += now_ns() - begin;                   \
    ++timed_cl_calls;                                  \
    return result;                                     \
  }

TIMED(cl_int, clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void* value),
      (kernel, index, size, value))
TIMED(cl_int, clEnqueueNDRangeKernel,
      (cl_command_queue queue, cl_kernel kernel, cl_uint rank, const size_t* offset,
       const size_t* global, const size_t* local, cl_uint waits_count, const cl_event* waits,
       cl_event* event),
      (queue, kernel, rank, offset, global, local, waits_count, waits, event))
TIMED(cl_int, clFlush, (cl_command_queue queue), (queue))
TIMED(cl_int, clReleaseEvent, (cl_event event), (event))
