/*
 * How much memory a driver's compiler keeps: kernels that it has not seen before are built and run,
 * all in one context, then each in a context of its own, and all is released. OpenCL alone:
 *   cc tests/drivers/compiler_memory.c -o compiler_memory -lOpenCL && ./compiler_memory 40
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void check(cl_int code, const char* call) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "%s failed with %d\n", call, (int)code);
  exit(1);
}

static long resident_kib(void) {
  long pages = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) exit(1);
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void compile(cl_context context, cl_device_id device, long number) {
  char source[128];
  const char* text = source;
  const size_t size = 1;
  cl_int code = 0;
  /* The process and the time: a cache on disk has no such kernel. */
  snprintf(source, sizeof source,
           "__kernel void k(__global float *y) { y[0] = sin(y[0]) + %ld.0f; }",
           number + 1000 * (long)getpid() + (long)time(NULL) % 1000 * 100000000);
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  check(code, "clCreateCommandQueue");
  const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float), NULL, &code);
  check(code, "clCreateBuffer");
  const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
  check(code, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  const cl_kernel kernel = clCreateKernel(program, "k", &code);
  check(code, "clCreateKernel");
  check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "clSetKernelArg");
  check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseMemObject(memory);
  clReleaseCommandQueue(queue);
}

int main(int count, char** arguments) {
  const long times = count > 1 ? atol(arguments[1]) : 40;
  cl_platform_id platform = NULL;
  cl_device_id device = NULL;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  printf("%8ld KiB before the first context\n", resident_kib());
  for (int own = 0; own < 2; ++own) {
    cl_context context = NULL;
    for (long i = 0; i < times; ++i) {
      cl_int code = 0;
      if (context == NULL) context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
      check(code, "clCreateContext");
      if (i == 0) printf("%8ld KiB before, ", resident_kib());
      compile(context, device, own * times + i);
      if (i == 0) printf("%ld KiB after one kernel, ", resident_kib());
      if (own) clReleaseContext(context), context = NULL;
    }
    if (!own) clReleaseContext(context);
    printf("%ld KiB after %ld, %s, all released\n", resident_kib(), times,
           own ? "each in a context of its own" : "in one context");
  }
  return 0;
}
