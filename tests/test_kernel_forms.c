/* Kernels from binaries, SPIR-V and elementwise expressions; facts about parameters; signatures. */
#include "support_kernel.h"
#include "support_process.h"

#include <stdio.h>

static const char kScale[] =
    "__kernel void scale(__global const float *a, __global float *out, float factor,\n"
    "                    __local float *scratch) {\n"
    "  size_t i = get_global_id(0);\n"
    "  scratch[get_local_id(0)] = a[i];\n"
    "  out[i] = scratch[get_local_id(0)] * factor;\n}\n";

static void check_scale(Fixture *fixture, netcl_kernel *kernel) {
  float values[128];
  netcl_tensor *a = counting_tensor(fixture->device, NETCL_F32, 128, -5.0);
  netcl_tensor *out = poisoned_tensor(fixture->device, NETCL_F32, 128);
  const netcl_arg args[4] = {arg_read_only(a), arg_tensor(out), arg_float(3.0f),
                             arg_local(1024 * sizeof(float))};
  OK(launch_1d(kernel, 128, args, 4));
  OK(netcl_tensor_read(out, values, sizeof values, NULL, LONG_WAIT));
  for (int i = 0; i < 128; i++) assert_true(values[i] == 3.0f * (float)(i - 5));
  netcl_tensor_release(a);
  netcl_tensor_release(out);
}

/* The binary of a freshly built kernel; the caller frees it. */
static unsigned char *binary_of_scale(Fixture *fixture, size_t *size) {
  netcl_kernel *kernel = fresh_kernel(fixture->device, "scale", kScale);
  OK(netcl_kernel_get_binary(kernel, NULL, 0, size));
  assert_true(*size > 0);
  unsigned char *data = malloc(*size);
  assert_non_null(data);
  OK(netcl_kernel_get_binary(kernel, data, *size, size));
  netcl_kernel_release(kernel);
  return data;
}

/* Creates and builds a kernel from bytes; the status of the first step that fails. */
static netcl_status try_binary(Fixture *fixture, const void *data, size_t size, uint32_t trust,
                               netcl_kernel **kernel) {
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  options.binary = data;
  options.binary_size = size;
  options.trust_binary = trust;
  *kernel = NULL;
  netcl_status status = netcl_kernel_create(fixture->device, "scale", &options, kernel);
  if (status != NETCL_OK) return status;
  status = netcl_kernel_build(*kernel);
  if (status != NETCL_OK) {
    netcl_kernel_release(*kernel);
    *kernel = NULL;
  }
  return status;
}

static void binary_round_trip(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  size_t size = 0, length = 0;
  netcl_kernel *kernel = NULL;
  unsigned char *data = binary_of_scale(fixture, &size);
  netcl_program_cache_info before = cache_counters();
  OK(try_binary(fixture, data, size, 0, &kernel));
  memset(data, 0, size); /* The kernel has a copy of its own. */
  free(data);
  check_scale(fixture, kernel);
  assert_int_equal(cache_counters().source_builds, before.source_builds);
  FAILS(NETCL_ERROR_NOT_FOUND, netcl_kernel_get_source(kernel, NULL, 0, &length));
  /* Argument checks hold for kernels that no source was seen of. */
  const netcl_arg args[1] = {arg_float(1.0f)};
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, launch_1d(kernel, 16, args, 1));
  netcl_kernel_release(kernel);
}

static void damaged_binaries_are_refused(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  size_t size = 0;
  netcl_kernel *kernel = NULL;
  unsigned char *data = binary_of_scale(fixture, &size);
  for (int round = 0; round < 200; round++) {
    size_t at = (size_t)random_in(0, (int64_t)size - 1);
    unsigned char flip = (unsigned char)(1u << random_in(0, 7));
    data[at] ^= flip;
    netcl_status status = try_binary(fixture, data, size, 0, &kernel);
    CHECK(status == NETCL_ERROR_CORRUPT_DATA, "flip of bit %u at %zu of %zu gave %s", flip, at,
          size, netcl_status_name(status));
    data[at] ^= flip;
    size_t kept = (size_t)random_in(1, (int64_t)size - 1);
    unsigned char *cut = malloc(kept); /* So that ASan sees a read past its end. */
    memcpy(cut, data, kept);
    status = try_binary(fixture, cut, kept, 0, &kernel);
    CHECK(status == NETCL_ERROR_CORRUPT_DATA, "%zu of %zu bytes gave %s", kept, size,
          netcl_status_name(status));
    free(cut);
  }
  unsigned char *longer = calloc(1, size + 1);
  memcpy(longer, data, size);
  FAILS(NETCL_ERROR_CORRUPT_DATA, try_binary(fixture, longer, size + 1, 0, &kernel));
  free(longer);
  FAILS(NETCL_ERROR_CORRUPT_DATA, try_binary(fixture, "\177ELF and more", 13, 0, &kernel));
  FAILS(NETCL_ERROR_CORRUPT_DATA, try_binary(fixture, data, 0, 0, &kernel));
  OK(try_binary(fixture, data, size, 0, &kernel));
  check_scale(fixture, kernel);
  netcl_kernel_release(kernel);
  free(data);
}

/* Own process, since a driver may crash on what must never reach it. */
static int child_garbage_il(void) {
  netcl_device *device = NULL;
  netcl_kernel *kernel = NULL;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  unsigned char garbage[256];
  memset(garbage, 0x5A, sizeof garbage);
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  CHILD_OK(netcl_device_get_capabilities(device, &capabilities));
  options.il = garbage;
  options.il_size = sizeof garbage;
  netcl_status status = netcl_kernel_create(device, "k", &options, &kernel);
  if (!capabilities.il) {
    CHILD_STATUS(NETCL_ERROR_UNSUPPORTED, status);
  } else if (status == NETCL_OK) {
    status = netcl_kernel_build(kernel);
    CHILD_CHECK(status == NETCL_ERROR_CORRUPT_DATA || status == NETCL_ERROR_BUILD_FAILURE);
    netcl_kernel_release(kernel);
  } else {
    CHILD_STATUS(NETCL_ERROR_CORRUPT_DATA, status);
  }
  netcl_device_release(device);
  return 0;
}

static void il_is_refused(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  process_result result;
  process_run_self("garbage_il", NULL, 60, &result);
  process_expect_exit(&result, 0);
}

static void facts_about_parameters(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel_info kernel_info = NETCL_KERNEL_INFO_INIT;
  netcl_kernel_arg_info info[4] = {NETCL_KERNEL_ARG_INFO_INIT, NETCL_KERNEL_ARG_INFO_INIT,
                                   NETCL_KERNEL_ARG_INFO_INIT, NETCL_KERNEL_ARG_INFO_INIT};
  netcl_kernel *kernel = fresh_kernel(fixture->device, "scale", kScale);
  for (uint32_t i = 0; i < 4; i++) OK(netcl_kernel_get_arg_info(kernel, i, &info[i]));
  OK(netcl_kernel_get_info(kernel, &kernel_info));
  assert_int_equal(kernel_info.args_count, 4);
  assert_int_equal(info[0].is_buffer, 1);
  assert_int_equal(info[0].is_const, 1);
  assert_int_equal(info[1].is_buffer, 1);
  assert_int_equal(info[1].is_const, 0);
  assert_int_equal(info[2].is_buffer, 0);
  assert_int_equal(info[2].is_local, 0);
  assert_int_equal(info[2].size, 4);
  assert_int_equal(info[3].is_buffer, 0);
  assert_int_equal(info[3].is_local, 1);
  assert_string_equal(info[0].name, "a");
  assert_string_equal(info[2].name, "factor");
  assert_string_equal(info[1].type_name, "float*");
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_kernel_get_arg_info(kernel, 4, &info[0]));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT, netcl_kernel_get_arg_info(kernel, UINT32_MAX, &info[0]));
  netcl_kernel_release(kernel);
}

/* Runs an elementwise kernel over dtype with v0 = 1, 2, ... and v1 = 10, 11, ... */
static void run_elementwise(Fixture *fixture, netcl_dtype dtype) {
  netcl_kernel *kernel = NULL;
  netcl_kernel_arg_info count_info = NETCL_KERNEL_ARG_INFO_INIT;
  netcl_kernel_info info = NETCL_KERNEL_INFO_INIT;
  OK(netcl_kernel_create_elementwise(fixture->device, "mul_add", 2, "MUL(ADD(v0, v1), 2)", dtype,
                                     &kernel));
  OK(netcl_kernel_get_info(kernel, &info));
  assert_int_equal(info.args_count, 4);
  assert_string_equal(info.name, "mul_add");
  OK(netcl_kernel_get_arg_info(kernel, 3, &count_info));
  CHECK(count_info.size == 4 || count_info.size == 8, "n has %u bytes", count_info.size);
  const uint64_t n = 50;
  netcl_tensor *a = counting_tensor(fixture->device, dtype, 64, 1.0);
  netcl_tensor *b = counting_tensor(fixture->device, dtype, 64, 10.0);
  netcl_tensor *out = poisoned_tensor(fixture->device, dtype, 64);
  const netcl_arg args[4] = {arg_tensor(a), arg_tensor(b), arg_tensor(out),
                             arg_scalar(&n, count_info.size)};
  OK(launch_1d(kernel, 64, args, 4));
  unsigned char *values = read_tensor(out);
  for (int i = 0; i < 64; i++) {
    const size_t size = netcl_dtype_size(dtype);
    if (i < 50) {
      double got = load_double(dtype, values, i), wanted = 2.0 * (11 + 2 * i);
      CHECK(got == wanted, "%s: element %d is %g, expected %g", netcl_dtype_name(dtype), i, got,
            wanted);
    } else {
      CHECK(values[(size_t)i * size] == POISON, "element %d past n was written", i);
    }
  }
  char *source = kernel_source(kernel);
  if (dtype == NETCL_F16) CHECK(strstr(source, "cl_khr_fp16") != NULL, "no pragma:\n%s", source);
  CHECK(strstr(source, "fast-relaxed") == NULL, "fast-math in:\n%s", source);
  free(source);
  free(values);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(out);
  netcl_kernel_release(kernel);
}

static void elementwise(void **state) {
  Fixture *fixture = *state;
  NEEDS_OPENCL(fixture);
  netcl_kernel *kernel = NULL;
  run_elementwise(fixture, NETCL_F32);
  run_elementwise(fixture, NETCL_I32);
  run_elementwise(fixture, NETCL_U8);
  run_elementwise(fixture, NETCL_I64);
  if (fixture->capabilities.fp64) run_elementwise(fixture, NETCL_F64);
  run_elementwise(fixture, NETCL_F16);
  run_elementwise(fixture, NETCL_BF16);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create_elementwise(fixture->device, "k", 2, "v0 +", NETCL_F32, &kernel));
  check_message("column", "netcl_kernel_create_elementwise", __FILE__, __LINE__);
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create_elementwise(fixture->device, "k", 2, "v0 + v2", NETCL_F32, &kernel));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create_elementwise(fixture->device, "k", NETCL_ARGS_MAX + 1, "v0", NETCL_F32,
                                        &kernel));
  FAILS_WITH(NETCL_ERROR_INVALID_ARGUMENT, "999",
             netcl_kernel_create_elementwise(fixture->device, "k", 1, "v0", 999, &kernel));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create_elementwise(fixture->device, "k", 1, "v0; } __kernel void x() {",
                                        NETCL_F32, &kernel));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create_elementwise(fixture->device, "k(", 1, "v0", NETCL_F32, &kernel));
  FAILS(NETCL_ERROR_INVALID_ARGUMENT,
        netcl_kernel_create_elementwise(fixture->device, "k", 1, NULL, NETCL_F32, &kernel));
  assert_null(kernel);
}

static uint64_t signature_of(netcl_device *device, netcl_dtype dtype, uint32_t rank, int64_t extent,
                             int outputs) {
  int64_t shape[2] = {extent, 3};
  netcl_tensor *a = NULL, *b = NULL;
  uint64_t signature = 0;
  if (netcl_tensor_create(device, dtype, rank, shape, NULL, NULL, &a) != NETCL_OK) return 0;
  if (netcl_tensor_create(device, NETCL_F32, 2, shape, NULL, NULL, &b) != NETCL_OK) return 0;
  const netcl_tensor *both[2] = {a, b};
  if (outputs ? netcl_kernel_shape_signature(both, 1, both + 1, 1, &signature)
              : netcl_kernel_shape_signature(both, 2, NULL, 0, &signature)) {
    return 0;
  }
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  return signature;
}

static int child_signature(void) {
  netcl_device *device = NULL;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  printf("%llx", (unsigned long long)signature_of(device, NETCL_F32, 2, 5, 1));
  netcl_device_release(device);
  return 0;
}

static void shape_signatures(void **state) {
  Fixture *fixture = *state;
  char wanted[32];
  process_result result;
  const uint64_t all[] = {signature_of(fixture->device, NETCL_F32, 2, 5, 1),
                          signature_of(fixture->device, NETCL_I32, 2, 5, 1),
                          signature_of(fixture->device, NETCL_F32, 1, 5, 1),
                          signature_of(fixture->device, NETCL_F32, 0, 5, 1),
                          signature_of(fixture->device, NETCL_F32, 2, 6, 1),
                          signature_of(fixture->device, NETCL_F32, 2, 5, 0)};
  for (size_t i = 0; i < COUNT_OF(all); i++) {
    assert_true(all[i] != 0);
    for (size_t j = 0; j < i; j++) CHECK(all[i] != all[j], "signatures %zu and %zu agree", i, j);
  }
  assert_true(signature_of(fixture->device, NETCL_F32, 2, 5, 1) == all[0]);
  snprintf(wanted, sizeof wanted, "%llx", (unsigned long long)all[0]);
  process_run_self("signature", NULL, 60, &result);
  process_expect_exit(&result, 0);
  assert_string_equal(result.output, wanted);
}

int main(int argc, char **argv) {
  static const process_mode modes[] = {{"garbage_il", child_garbage_il},
                                       {"signature", child_signature}};
  const int code = process_child_main(argc, argv, modes, COUNT_OF(modes));
  if (code >= 0) return code;
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(binary_round_trip),      DEVICE_TEST(damaged_binaries_are_refused),
      DEVICE_TEST(il_is_refused),          DEVICE_TEST(facts_about_parameters),
      DEVICE_TEST(elementwise),            DEVICE_TEST(shape_signatures),
  };
  seed_random("kernel_forms");
  return cmocka_run_group_tests_name("kernel_forms", tests, NULL, NULL);
}
