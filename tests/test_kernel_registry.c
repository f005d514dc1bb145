/* Kernels registered under a name and a shape signature, and launched like ops. */
#include "support_kernel.h"

#include <stdio.h>

/* A kernel `name` that writes `value`, registered for a signature unless that is refused. */
static netcl_kernel *constant_kernel(Fixture *fixture, const char *name, int value,
                                     uint64_t signature) {
  char text[256];
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_kernel *kernel = NULL;
  snprintf(text, sizeof text, "__kernel void %s(__global int *out) { out[get_global_id(0)] = %d; }",
           name, value);
  options.source = text;
  options.shape_signature = signature;
  OK(netcl_kernel_create(fixture->device, name, &options, &kernel));
  return kernel;
}

/* The value that the kernel registered under (name, signature) writes. */
static int launch_registered(Fixture *fixture, const char *name, uint64_t signature) {
  const uint64_t global = 4;
  int32_t values[4];
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_I32, 4);
  const netcl_arg arg = arg_tensor(out);
  OK(netcl_kernel_launch_by_name(fixture->device, name, signature, &global, 1, NULL, 0, &arg, 1,
                                 NULL, NULL));
  OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
  netcl_tensor_release(out);
  for (int i = 1; i < 4; i++) assert_int_equal(values[i], values[0]);
  return values[0];
}

static void nothing_registered(void **state) {
  Fixture *fixture = *state;
  netcl_kernel *kernel = NULL;
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "no_such_kernel",
             netcl_kernel_find(fixture->device, "no_such_kernel", 0, &kernel));
  assert_null(kernel);
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "no_such_kernel",
             netcl_kernel_unregister(fixture->device, "no_such_kernel", 0));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_kernel_find(fixture->device, NULL, 0, &kernel));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_kernel_unregister(fixture->device, NULL, 0));
}

static void find_by_name_and_signature(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *general = constant_kernel(fixture, "reg_k", 1, 0);
  netcl_kernel *special = constant_kernel(fixture, "reg_k", 2, 0x1234);
  netcl_kernel *found = NULL;
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  OK(netcl_kernel_register(special));
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_kernel_find(fixture->device, "reg_k", 0, &found));
  check_message("reg_k", "netcl_kernel_find", __FILE__, __LINE__);
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_kernel_find(fixture->device, "other", 0x1234, &found));
  check_message("reg_k", "what is registered", __FILE__, __LINE__);
  OK(netcl_kernel_register(general));
  netcl_kernel_release(general);
  netcl_kernel_release(special);
  /* The registration holds its own reference. */
  assert_int_equal(launch_registered(fixture, "reg_k", 0x1234), 2);
  assert_int_equal(launch_registered(fixture, "reg_k", 0), 1);
  assert_int_equal(launch_registered(fixture, "reg_k", 0x9999), 1);
  OK(netcl_kernel_find(fixture->device, "reg_k", 0x1234, &found));
  OK(netcl_kernel_get_info(found, &info));
  assert_true(info.shape_signature == 0x1234);
  assert_string_equal(info.name, "reg_k");
  OK(netcl_kernel_unregister(fixture->device, "reg_k", 0x1234));
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_kernel_unregister(fixture->device, "reg_k", 0x1234));
  assert_int_equal(launch_registered(fixture, "reg_k", 0x1234), 1);
  OK(netcl_kernel_get_info(found, &info));
  netcl_kernel_release(found);
  OK(netcl_kernel_unregister(fixture->device, "reg_k", 0));
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_kernel_find(fixture->device, "reg_k", 0, &found));
}

/* Two specifications with one name and one signature share one slot: the later one is used. */
static void a_later_one_replaces(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  for (int value = 10; value < 15; value++) {
    netcl_kernel *kernel = constant_kernel(fixture, "slot_k", value, 7);
    OK(netcl_kernel_register(kernel));
    OK(netcl_kernel_register(kernel));
    netcl_kernel_release(kernel);
    assert_int_equal(launch_registered(fixture, "slot_k", 7), value);
  }
  OK(netcl_kernel_unregister(fixture->device, "slot_k", 7));
}

static void launch_by_name_checks(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  const uint64_t global = 4, zero = 0;
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_I32, 4);
  const netcl_arg args[2] = {arg_tensor(out), arg_int(1)};
  netcl_kernel *kernel = constant_kernel(fixture, "check_k", 3, 0);
  FAILS_WITH(NETCL_ERROR_NOT_FOUND, "check_k",
             netcl_kernel_launch_by_name(fixture->device, "check_k", 0, &global, 1, NULL, 0, args,
                                         1, NULL, NULL));
  OK(netcl_kernel_register(kernel));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_launch_by_name(fixture->device, "check_k", 0, &global, 1, NULL, 0, args, 2,
                                    NULL, NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_launch_by_name(fixture->device, "check_k", 0, &zero, 1, NULL, 0, args, 1,
                                    NULL, NULL));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_launch_by_name(fixture->device, NULL, 0, &global, 1, NULL, 0, args, 1, NULL,
                                    NULL));
  check_still_poisoned(out);
  assert_int_equal(launch_registered(fixture, "check_k", 0), 3);
  OK(netcl_kernel_unregister(fixture->device, "check_k", 0));
  netcl_kernel_release(kernel);
  netcl_tensor_release(out);
}

/* A registration lives with the device object: another handle to the same device sees it. */
static void shared_by_openings(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_device *again = NULL, *own = NULL;
  netcl_kernel *kernel = constant_kernel(fixture, "shared_k", 5, 0), *found = NULL;
  netcl_device_options options = NETCL_DEVICE_OPTIONS_INIT;
  OK(netcl_kernel_register(kernel));
  netcl_kernel_release(kernel);
  OK(netcl_device_open(test_selector(), NULL, &again));
  OK(netcl_kernel_find(again, "shared_k", 0, &found));
  netcl_kernel_release(found);
  options.separate = 1;
  OK(netcl_device_open(test_selector(), &options, &own));
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_kernel_find(own, "shared_k", 0, &found));
  netcl_device_release(own);
  OK(netcl_kernel_unregister(again, "shared_k", 0));
  netcl_device_release(again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(nothing_registered),   DEVICE_TEST(find_by_name_and_signature),
      DEVICE_TEST(a_later_one_replaces), DEVICE_TEST(launch_by_name_checks),
      DEVICE_TEST(shared_by_openings),
  };
  return cmocka_run_group_tests_name("kernel_registry", tests, NULL, NULL);
}
