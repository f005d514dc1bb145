/*
 * interop_opencl: a program that has its own OpenCL objects uses netcl on them, without copies.
 * Links libOpenCL itself; ends with 0 where there is no OpenCL device.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue exists everywhere */
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <netcl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(netcl_status status) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

static void check_cl(cl_int code, const char *call) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "%s: OpenCL error %d\n", call, (int)code);
  exit(1);
}

int main(void) {
  float values[4] = {1, 2, 3, 4};
  const int64_t shape[1] = {4};
  netcl_device *device;
  netcl_tensor *input, *output;
  netcl_buffer *buffer;
  struct _cl_mem *result;
  cl_platform_id platform;
  cl_device_id id;
  cl_context context;
  cl_mem mem;
  cl_command_queue queue;
  cl_int code;

  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL) != CL_SUCCESS) {
    printf("there is no OpenCL device here\n");
    return 0;
  }
  context = clCreateContext(NULL, 1, &id, NULL, NULL, &code);
  check_cl(code, "clCreateContext");
  queue = clCreateCommandQueue(context, id, 0, &code);
  check_cl(code, "clCreateCommandQueue");
  mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &code);
  check_cl(code, "clCreateBuffer");

  /* In: netcl works on the program's queue and memory. All of them are retained. */
  check(netcl_device_open_from_cl(context, id, queue, NULL, &device));
  check(netcl_tensor_create_from_cl(device, mem, 0, NETCL_F32, 1, shape, NULL, NULL, &input));
  check(netcl_op_expression_text("v0 * v0 + 1", &input, 1, NULL, NULL, &output));

  /* Out: the memory behind a tensor is lent for as long as the buffer is held. Same queue, so the
   * read below comes after the expression; another queue would need an event. */
  check(netcl_tensor_get_buffer(output, &buffer));
  check(netcl_buffer_get_cl_mem(buffer, &result));
  check_cl(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL),
           "clEnqueueReadBuffer");
  printf("%g %g %g %g\n", values[0], values[1], values[2], values[3]);

  netcl_buffer_release(buffer);
  netcl_tensor_release(output);
  netcl_tensor_release(input);
  netcl_device_release(device);
  clReleaseMemObject(mem);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return values[3] == 17.0f ? 0 : 1;
}
