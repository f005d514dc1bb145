/*
 * first_kernel: the shortest program with OpenCL C of one's own, with netcl_helpers.h.
 * Without an OpenCL device there is no compiler: the program says so and ends with 0.
 */
/* [recipe] */
#include <netcl_helpers.h>
#include <stdio.h>
#include <stdlib.h>

static void check(netcl_status status) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  exit(status == NETCL_ERROR_UNSUPPORTED ? 0 : 1);
}

static const char source[] =
    "__kernel void axpy(__global const float *x, __global float *y, float a, int n) {\n"
    "  int i = get_global_id(0);\n"
    "  if (i < n) y[i] = a * x[i] + y[i];\n"
    "}\n";

int main(void) {
  const float ramp[4] = {1, 2, 3, 4}, ones[4] = {1, 1, 1, 1};
  float result[4];
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  NETCL_SCOPED(device) device = NULL; /* each is released where main ends */
  NETCL_SCOPED(kernel) kernel = NULL;
  NETCL_SCOPED(tensor) x = NULL;
  NETCL_SCOPED(tensor) y = NULL;

  check(netcl_device_open("auto", NULL, &device));
  options.source = source;
  check(netcl_kernel_create(device, "axpy", &options, &kernel));
  check(netcl_tensor_create_from_host(device, NETCL_F32, NETCL_SHAPE(4), ramp, sizeof ramp, NULL,
                                      &x));
  check(netcl_tensor_create_from_host(device, NETCL_F32, NETCL_SHAPE(4), ones, sizeof ones, NULL,
                                      &y));
  check(netcl_kernel_launch(kernel, NETCL_LIST(uint64_t, 4), NULL, 0,
                            NETCL_ARGS(netcl_arg_read_only(x), netcl_arg_tensor(y),
                                       netcl_arg_f32(3), netcl_arg_i32(4)),
                            NULL, NULL));
  check(netcl_tensor_read(y, result, sizeof result, NULL, NETCL_WAIT_FOREVER));
  for (int i = 0; i < 4; i++) printf("%g ", result[i]);
  printf("\n");
  return result[0] == 4 && result[3] == 13 ? 0 : 1;
}
/* [end] */
