/*
 * custom_kernel: OpenCL C of one's own on netcl's tensors, timed by the device.
 * Custom kernels need an OpenCL device; on the built-in one the program says so and ends with 0.
 */
#include <netcl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT (1 << 20)

static const char source[] =
    "__kernel void axpy(__global const float *x, __global float *y, float a) {\n"
    "  size_t i = get_global_id(0);\n"
    "  y[i] = a * x[i] + y[i];\n"
    "}\n";

static void check(netcl_status status) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

int main(void) {
  const int64_t shape[1] = {COUNT};
  const uint64_t global[1] = {COUNT};
  const float one = 1.0f, two = 2.0f, factor = 3.0f;
  static float result[COUNT];
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  netcl_event_timing timing = NETCL_EVENT_TIMING_INIT;
  netcl_arg args[3] = {NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT};
  netcl_device *device;
  netcl_queue *queue;
  netcl_kernel *kernel;
  netcl_tensor *x, *y;
  netcl_event *event = NULL;
  netcl_status status;

  check(netcl_device_open("auto", NULL, &device));
  options.source = source;
  status = netcl_kernel_create(device, "axpy", &options, &kernel);
  if (status == NETCL_ERROR_UNSUPPORTED) {
    printf("not on this device: %s\n", netcl_last_error_message());
    netcl_device_release(device);
    return 0;
  }
  check(status);
  check(netcl_tensor_create_full(device, NETCL_F32, 1, shape, NULL, &two, NULL, &x));
  check(netcl_tensor_create_full(device, NETCL_F32, 1, shape, NULL, &one, NULL, &y));

  args[0].kind = NETCL_ARG_TENSOR_READ_ONLY;
  args[0].tensor = x;
  args[1].kind = NETCL_ARG_TENSOR;
  args[1].tensor = y;
  args[2].kind = NETCL_ARG_SCALAR;
  args[2].size = sizeof factor;
  memcpy(args[2].value, &factor, sizeof factor);

  /* Times are recorded for commands that are enqueued while the queue profiles. */
  check(netcl_queue_create(device, NULL, &queue));
  check(netcl_queue_set_profiling(queue, 1));
  run.queue = queue;
  run.event = &event;
  check(netcl_kernel_launch(kernel, global, 1, NULL, 0, args, 3, NULL, &run));
  check(netcl_event_wait(event, NETCL_WAIT_FOREVER));
  check(netcl_event_get_timing(event, &timing));
  check(netcl_tensor_read(y, result, sizeof result, NULL, NETCL_WAIT_FOREVER));
  printf("3 * 2 + 1 = %g, %d times in %.1f us\n", result[COUNT - 1], COUNT,
         (double)(timing.ended_ns - timing.started_ns) * 1e-3);

  netcl_event_release(event);
  netcl_tensor_release(x);
  netcl_tensor_release(y);
  netcl_kernel_release(kernel);
  netcl_queue_release(queue);
  netcl_device_release(device);
  return result[COUNT - 1] == 7.0f ? 0 : 1;
}
