/* Programs in memory are bounded, in number and in bytes of source, and those in use stay. The
 * scripted device builds thousands of them at once; there is no cache on disk. */
#include "support_fake.h"

#include <stdio.h>

/* The source that a number stands for, with `padding` bytes that change nothing. */
static void build(netcl_device* device, int number, size_t padding) {
  char* const source = malloc(padding + 200);
  assert_non_null(source);
  const int length = snprintf(source, 200,
                              "__kernel void k(__global const float *in, __global float *out) {\n"
                              "  out[get_global_id(0)] = in[get_global_id(0)] + %d.0f;\n}\n",
                              number);
  memset(source + length, ' ', padding);
  source[(size_t)length + padding] = '\0';
  netcl_kernel* const kernel = source_kernel(device, "k", source);
  OK(netcl_kernel_build(kernel));
  netcl_kernel_release(kernel);
  free(source);
}

static netcl_program_cache_info cache_info(void) {
  netcl_program_cache_info info = NETCL_PROGRAM_CACHE_INFO_INIT;
  OK(netcl_program_cache_get_info(&info));
  assert_string_equal(info.directory, "");
  return info;
}

/* Builds `count` programs, and the first one again after each. */
static void check_bound(netcl_device* device, int count, size_t padding, uint64_t most) {
  OK(netcl_program_cache_clear(0));
  build(device, 0, padding);
  for (int i = 1; i < count; ++i) {
    const netcl_program_cache_info before = cache_info();
    build(device, i, padding);
    build(device, 0, padding);
    const netcl_program_cache_info after = cache_info();
    CHECK(after.memory_misses == before.memory_misses + 1, "the first is gone after %d others", i);
    CHECK(after.memory_hits == before.memory_hits + 1, "%d: not a hit", i);
    CHECK(after.programs_in_memory <= most, "%d programs", (int)after.programs_in_memory);
  }
  const netcl_program_cache_info full = cache_info();
  CHECK(full.programs_in_memory > most / 2, "%d programs", (int)full.programs_in_memory);
  /* The last is there, and the second has gone. */
  build(device, count - 1, padding);
  assert_int_equal(cache_info().memory_misses, full.memory_misses);
  build(device, 1, padding);
  assert_int_equal(cache_info().memory_misses, full.memory_misses + 1);
}

static void by_number(void** state) {
  Fixture* fixture = *state;
  check_bound(fixture->device, 1100, 0, 1024);
}

static void by_bytes(void** state) {
  Fixture* fixture = *state;
  check_bound(fixture->device, 36, (size_t)2 << 20, 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      DEVICE_TEST(by_number),
      DEVICE_TEST(by_bytes),
  };
  fake_script("# every kernel runs");
  unsetenv("NETCL_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  return cmocka_run_group_tests_name("programs_fake", tests, NULL, NULL);
}
