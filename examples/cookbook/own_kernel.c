#include "cookbook.h"

void recipe_own_kernel(netcl_device *device) {
  /* [recipe] */
  static const char source[] =
      "__kernel void axpy(__global const float *x, __global float *y, float a) {\n"
      "  size_t i = get_global_id(0);\n"
      "  y[i] = a * x[i] + y[i];\n"
      "}\n";
  const uint64_t global[1] = {4};
  const float factor = 3;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_arg args[3] = {NETCL_ARG_INIT, NETCL_ARG_INIT, NETCL_ARG_INIT};
  netcl_kernel *kernel;
  netcl_status status;

  options.source = source;
  status = netcl_kernel_create(device, "axpy", &options, &kernel);
  if (status == NETCL_ERROR_UNSUPPORTED) return; /* the built-in device has no compiler */
  CHECK(status);
  args[0].kind = NETCL_ARG_TENSOR_READ_ONLY;
  args[0].tensor = upload(device, 1, (const int64_t[]){4}, (const float[]){1, 2, 3, 4});
  args[1].kind = NETCL_ARG_TENSOR;
  args[1].tensor = upload(device, 1, (const int64_t[]){4}, (const float[]){1, 1, 1, 1});
  args[2].kind = NETCL_ARG_SCALAR;
  args[2].size = sizeof factor;
  memcpy(args[2].value, &factor, sizeof factor);
  CHECK(netcl_kernel_launch(kernel, global, 1, NULL, 0, args, 3, NULL, NULL));
  expect(args[1].tensor, 4, (const float[]){4, 7, 10, 13});
  /* [end] */
  netcl_tensor_release(args[1].tensor);
  netcl_tensor_release(args[0].tensor);
  netcl_kernel_release(kernel);
}
