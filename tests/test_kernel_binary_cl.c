/* Binaries that come from raw OpenCL: taken only with an explicit trust flag. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "support_kernel.h"

static const char kText[] =
    "__kernel void raw_add(__global int *out, int value) {\n"
    "  size_t i = get_global_id(0); out[i] = (int)i + value; }\n";

/* The driver's own binary of kText; the caller frees it. */
static unsigned char *vendor_binary(Fixture *fixture, size_t *size) {
  cl_context context = NULL;
  cl_device_id device = NULL;
  cl_int code = 0;
  const char *text = kText;
  OK(netcl_device_get_cl_context(fixture->device, &context));
  OK(netcl_device_get_cl_device(fixture->device, &device));
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
  assert_int_equal(code, CL_SUCCESS);
  assert_int_equal(clBuildProgram(program, 1, &device, "", NULL, NULL), CL_SUCCESS);
  assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL), 0);
  unsigned char *data = malloc(*size);
  assert_non_null(data);
  assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL), 0);
  clReleaseProgram(program);
  return data;
}

static netcl_status create_and_build(Fixture *fixture, const void *data, size_t size,
                                     uint32_t trust, netcl_kernel **kernel) {
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.binary = data;
  options.binary_size = size;
  options.trust_binary = trust;
  *kernel = NULL;
  netcl_status status = netcl_kernel_create(fixture->device, "raw_add", &options, kernel);
  if (status == NETCL_OK) status = netcl_kernel_build(*kernel);
  return status;
}

static void trust_is_explicit(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  size_t size = 0;
  int32_t values[16];
  netcl_kernel *kernel = NULL;
  unsigned char *data = vendor_binary(fixture, &size);
  FAILS(NETCL_ERROR_CORRUPT_DATA, create_and_build(fixture, data, size, 0, &kernel));
  check_message("trust", "a bare binary", __FILE__, __LINE__);
  netcl_kernel_release(kernel);
  OK(create_and_build(fixture, data, size, 1, &kernel));
  free(data);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_I32, 16);
  const netcl_arg args[2] = {arg_tensor(out), arg_int(50)};
  OK(launch_1d(kernel, 16, args, 2));
  OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < 16; i++) assert_int_equal(values[i], 50 + i);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, launch_1d(kernel, 16, args, 1));
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {DEVICE_TEST(trust_is_explicit)};
  return cmocka_run_group_tests_name("kernel_binary_cl", tests, NULL, NULL);
}
