#include <netcl_helpers.h>

#include "cookbook.h"

void recipe_own_kernel(netcl_device *device) {
  /* [recipe] */
  static const char source[] =
      "__kernel void axpy(__global const float *x, __global float *y, float a) {\n"
      "  size_t i = get_global_id(0);\n"
      "  y[i] = a * x[i] + y[i];\n"
      "}\n";
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel;
  netcl_status status;

  options.source = source;
  status = netcl_kernel_create(device, "axpy", &options, &kernel);
  if (status == NETCL_ERROR_UNSUPPORTED) return; /* the built-in device has no compiler */
  CHECK(status);
  netcl_tensor *x = upload(device, 1, (const int64_t[]){4}, (const float[]){1, 2, 3, 4});
  netcl_tensor *y = upload(device, 1, (const int64_t[]){4}, (const float[]){1, 1, 1, 1});
  CHECK(netcl_kernel_launch(kernel, NETCL_LIST(uint64_t, 4), NULL, 0, /* 4 items */
                            NETCL_ARGS(netcl_arg_read_only(x), netcl_arg_tensor(y),
                                       netcl_arg_f32(3)),
                            NULL, NULL));
  expect(y, 4, (const float[]){4, 7, 10, 13});
  /* [end] */
  netcl_tensor_release(y);
  netcl_tensor_release(x);
  netcl_kernel_release(kernel);
}
