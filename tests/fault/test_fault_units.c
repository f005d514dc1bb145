/* A driver that refuses a kernel for matrix units: the values of products do not depend on it. */
#include "support_fault_commands.h"

enum { SIDE = 512 };

static netcl_tensor* full(netcl_device* device, netcl_dtype dtype, uint32_t bits) {
  static const int64_t kShape[] = {SIDE, SIDE};
  netcl_tensor* made = NULL;
  OK(netcl_tensor_create_full(device, dtype, 2, kShape, NULL, &bits, NULL, &made));
  return made;
}

/* Of rows of SIDE ones of 16 bits; the result, relu'd, is SIDE everywhere. */
static netcl_status multiply(netcl_tensor* a, netcl_variant variant, netcl_tensor** result) {
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  netcl_epilogue epilogue = NETCL_EPILOGUE_INIT;
  epilogue.activation = NETCL_ACTIVATION_RELU;
  options.variant = variant;
  options.epilogue = &epilogue;
  options.dtype = NETCL_F32;
  return netcl_op_matmul(a, a, &options, NULL, result);
}

static void check_product(netcl_tensor* result) {
  static float seen[SIDE * SIDE];
  memset(seen, POISON, sizeof seen);
  OK(netcl_tensor_read(result, seen, sizeof seen, NULL, LONG_WAIT));
  for (int i = 0; i < SIDE * SIDE; ++i) CHECK(seen[i] == SIDE, "element %d is %g", i, seen[i]);
  netcl_tensor_release(result);
}

static void count_warnings(const netcl_log_record* record, void* user_data) {
  *(int*)user_data += strstr(record->message, "a portable kernel stands in for it") != NULL;
}

static void products(void** state) {
  Fixture* fixture = *state;
  if (fixture->capabilities.matrix_units == NETCL_MATRIX_UNITS_NONE) {
    SKIP("the device has no matrix units");
  }
  static const struct {
    netcl_dtype dtype;
    uint32_t one;
  } kTypes[] = {{NETCL_F16, 0x3c00}, {NETCL_BF16, 0x3f80}};
  int warnings = 0;
  OK(netcl_log_set_callback(count_warnings, &warnings, NULL));
  for (int t = 0; t < 2; ++t) {
    netcl_tensor *a = full(fixture->device, kTypes[t].dtype, kTypes[t].one), *result = NULL;
    /* What was asked for is not replaced. */
    arm_code("clBuildProgram", 1, FAULT_FAIL, CL_BUILD_PROGRAM_FAILURE);
    FAILS(NETCL_ERROR_BUILD_FAILURE, multiply(a, NETCL_VARIANT_MATMUL_MATRIX_UNITS, &result));
    disarm(1);
    assert_null(result);
    assert_int_equal(warnings, t);
    arm_code("clBuildProgram", 1, FAULT_FAIL, CL_BUILD_PROGRAM_FAILURE);
    for (int turn = 0; turn < 2; ++turn) {
      OK(multiply(a, 0, &result));
      if (turn == 0) disarm(1);
      check_product(result);
      assert_int_equal(warnings, t + 1); /* and it is not tried again */
    }
    netcl_tensor_release(a);
  }
  OK(netcl_log_set_callback(NULL, NULL, NULL));
}

/* Of 16-bit ones, 3 x 3 with padding: a result is the ones under the filter. */
static void convolutions(void** state) {
  Fixture* fixture = *state;
  enum { BATCH = 4, CHANNELS = 64, IMAGE = 32 };
  static uint16_t seen[BATCH * CHANNELS * IMAGE * IMAGE];
  const int64_t x_shape[] = {BATCH, CHANNELS, IMAGE, IMAGE}, w_shape[] = {CHANNELS, CHANNELS, 3, 3};
  const uint16_t one = 0x3c00;
  if (fixture->capabilities.matrix_units == NETCL_MATRIX_UNITS_NONE) {
    SKIP("the device has no matrix units");
  }
  netcl_tensor *x = NULL, *w = NULL, *result = NULL;
  netcl_conv2d_options options = NETCL_CONV2D_OPTIONS_INIT;
  int warnings = 0;
  OK(netcl_tensor_create_full(fixture->device, NETCL_F16, 4, x_shape, NULL, &one, NULL, &x));
  OK(netcl_tensor_create_full(fixture->device, NETCL_F16, 4, w_shape, NULL, &one, NULL, &w));
  OK(netcl_log_set_callback(count_warnings, &warnings, NULL));
  for (int i = 0; i < 4; ++i) options.padding[i] = 1;
  options.variant = NETCL_VARIANT_CONV2D_MATRIX_UNITS;
  arm_code("clBuildProgram", 1, FAULT_FAIL, CL_BUILD_PROGRAM_FAILURE);
  FAILS(NETCL_ERROR_BUILD_FAILURE, netcl_op_conv2d(x, w, &options, NULL, &result));
  disarm(1);
  assert_null(result);
  options.variant = 0;
  arm_code("clBuildProgram", 1, FAULT_FAIL, CL_BUILD_PROGRAM_FAILURE);
  for (int turn = 0; turn < 2; ++turn) {
    OK(netcl_op_conv2d(x, w, &options, NULL, &result));
    if (turn == 0) disarm(1);
    assert_int_equal(warnings, 1);
    memset(seen, POISON, sizeof seen);
    OK(netcl_tensor_read(result, seen, sizeof seen, NULL, LONG_WAIT));
    for (int i = 0; i < BATCH * CHANNELS * IMAGE * IMAGE; ++i) {
      const int row = i / IMAGE % IMAGE, column = i % IMAGE;
      const int high = row == 0 || row == IMAGE - 1 ? 2 : 3;
      const int wide = column == 0 || column == IMAGE - 1 ? 2 : 3;
      const double value = load_double(NETCL_F16, seen, i);
      CHECK(value == CHANNELS * high * wide, "element %d is %g", i, value);
    }
    netcl_tensor_release(result);
    result = NULL;
  }
  OK(netcl_log_set_callback(NULL, NULL, NULL));
  netcl_tensor_release(x);
  netcl_tensor_release(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {CASE(products), CASE(convolutions)};
  seed_random("fault_units");
  return cmocka_run_group_tests_name("fault_units", tests, NULL, NULL);
}
