/* Stands between a program and the loader (NETCL_OPENCL_LIBRARY), for oclgrind: that takes what
 * clEnqueueFillBuffer, clEnqueueWriteBufferRect and clEnqueueCopyBufferRect wrote for
 * uninitialised. Here they are plain writes and copies of rows, which are over when the call
 * returns. All other functions are those of the loader, which this library is linked with. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

/* An event that has ended stands for each call, as they wait for themselves. */
static cl_int ended(cl_command_queue queue, cl_int code, cl_event *event) {
  if (code != CL_SUCCESS || event == NULL) return code;
  return clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                           size_t pattern_size, size_t offset, size_t size, cl_uint waits_count,
                           const cl_event *waits, cl_event *event) {
  char *const data = malloc(size + 1);
  if (data == NULL) return CL_OUT_OF_HOST_MEMORY;
  for (size_t i = 0; i + pattern_size <= size; i += pattern_size) {
    memcpy(data + i, pattern, pattern_size);
  }
  const cl_int code = clEnqueueWriteBuffer(queue, buffer, CL_TRUE, offset, size, data, waits_count,
                                           waits, NULL);
  free(data);
  return ended(queue, code, event);
}

/* Where a row begins, in bytes. */
static size_t place(const size_t origin[3], size_t row, size_t slice, size_t row_pitch,
                    size_t slice_pitch) {
  return (origin[2] + slice) * slice_pitch + (origin[1] + row) * row_pitch + origin[0];
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                const size_t *buffer_origin, const size_t *host_origin,
                                const size_t *region, size_t buffer_row_pitch,
                                size_t buffer_slice_pitch, size_t host_row_pitch,
                                size_t host_slice_pitch, const void *host, cl_uint waits_count,
                                const cl_event *waits, cl_event *event) {
  const size_t rows = region[1], to_row = buffer_row_pitch ? buffer_row_pitch : region[0];
  const size_t from_row = host_row_pitch ? host_row_pitch : region[0];
  const size_t to_slice = buffer_slice_pitch ? buffer_slice_pitch : rows * to_row;
  const size_t from_slice = host_slice_pitch ? host_slice_pitch : rows * from_row;
  cl_int code = CL_SUCCESS;
  (void)blocking;
  for (size_t i = 0; i < rows * region[2] && code == CL_SUCCESS; ++i) {
    const size_t to = place(buffer_origin, i % rows, i / rows, to_row, to_slice);
    const size_t from = place(host_origin, i % rows, i / rows, from_row, from_slice);
    code = clEnqueueWriteBuffer(queue, buffer, CL_TRUE, to, region[0], (const char *)host + from,
                                waits_count, waits, NULL);
  }
  return ended(queue, code, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem source, cl_mem target,
                               const size_t *source_origin, const size_t *target_origin,
                               const size_t *region, size_t source_row_pitch,
                               size_t source_slice_pitch, size_t target_row_pitch,
                               size_t target_slice_pitch, cl_uint waits_count,
                               const cl_event *waits, cl_event *event) {
  const size_t rows = region[1], to_row = target_row_pitch ? target_row_pitch : region[0];
  const size_t from_row = source_row_pitch ? source_row_pitch : region[0];
  const size_t to_slice = target_slice_pitch ? target_slice_pitch : rows * to_row;
  const size_t from_slice = source_slice_pitch ? source_slice_pitch : rows * from_row;
  cl_int code = CL_SUCCESS;
  for (size_t i = 0; i < rows * region[2] && code == CL_SUCCESS; ++i) {
    const size_t to = place(target_origin, i % rows, i / rows, to_row, to_slice);
    const size_t from = place(source_origin, i % rows, i / rows, from_row, from_slice);
    cl_event copied = NULL;
    code = clEnqueueCopyBuffer(queue, source, target, from, to, region[0], waits_count, waits,
                               &copied);
    if (code != CL_SUCCESS) break;
    code = clWaitForEvents(1, &copied);
    clReleaseEvent(copied);
  }
  return ended(queue, code, event);
}
