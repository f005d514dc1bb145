/* Looking at the program cache on disk: what is in it, and what is damaged. */
#include "support_kernel.h"
#include "support_process.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

/* The child builds a kernel when TEST_BUILD is set, and prints all entries. */
static int child_entries(void) {
  netcl_device* device = NULL;
  netcl_kernel* kernel = NULL;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_program_cache_entry entry = NETCL_PROGRAM_CACHE_ENTRY_INIT;
  CHILD_OK(netcl_device_open(test_selector(), NULL, &device));
  if (getenv("TEST_BUILD") != NULL) {
    options.source =
        "__kernel void first(__global int *out) { out[0] = 1; }\n"
        "__kernel void second(__global int *out) { out[0] = 2; }\n";
    CHILD_OK(netcl_kernel_create(device, "second", &options, &kernel));
    CHILD_OK(netcl_kernel_build(kernel));
    netcl_kernel_release(kernel);
  }
  netcl_device_release(device);
  uint32_t count = 0;
  while (netcl_program_cache_get_entry(count, &entry) == NETCL_OK) {
    printf("entry %s|%llu|%u|%s|%s|%s\n", entry.name, (unsigned long long)entry.bytes, entry.sound,
           entry.device, entry.kernels, entry.problem);
    CHILD_CHECK(entry.used_ns > 1000000000u && entry.reserved == 0);
    count++;
  }
  CHILD_STATUS(NETCL_ERROR_NOT_FOUND, netcl_program_cache_get_entry(count, &entry));
  CHILD_STATUS(NETCL_ERROR_NOT_FOUND, netcl_program_cache_get_entry(UINT32_MAX, &entry));
  CHILD_STATUS(NETCL_ERROR_INVALID_ARGUMENT, netcl_program_cache_get_entry(0, NULL));
  printf("entries: %u\n", count);
  return 0;
}

static process_result result;

static void run_child(const char* folder, int build) {
  char directory[PATH_MAX + 32];
  snprintf(directory, sizeof directory, "NETCL_CACHE_DIR=%s", folder);
  const char* environment[] = {directory, build ? "TEST_BUILD=1" : "TEST_BUILD", NULL};
  process_run_self("entries", environment, 120, &result);
  process_expect_exit(&result, 0);
}

#define SAYS(text) \
  CHECK(strstr(result.output, (text)) != NULL, "no %s in\n%s", (text), result.output)

static void entries(void** state) {
  Fixture* fixture = *state;
  char folder[PATH_MAX], path[PATH_MAX], name[64] = "";
  struct stat facts;
  process_make_folder(folder, sizeof folder);
  run_child(folder, 0);
  SAYS("entries: 0");
  if (!fixture->opencl) {
    process_remove_folder(folder);
    return;
  }
  run_child(folder, 1);
  SAYS("entries: 1");
  SAYS("|1|");
  SAYS(fixture->info.name);
  SAYS("first, second|");
  const char* const line = strstr(result.output, "entry ");
  unsigned long long bytes = 0;
  assert_int_equal(sscanf(line, "entry %32[0-9a-f]|%llu", name, &bytes), 2);
  process_join_path(path, sizeof path, folder, name);
  assert_int_equal(stat(path, &facts), 0);
  assert_int_equal((unsigned long long)facts.st_size, bytes);
  /* A damaged entry says so, and is replaced by the next build. */
  FILE* const file = fopen(path, "r+");
  assert_non_null(file);
  fseek(file, -5, SEEK_END);
  fputc('#', file);
  fputc('#', file);
  fclose(file);
  run_child(folder, 0);
  SAYS("entries: 1");
  SAYS("|0|||");
  run_child(folder, 1);
  SAYS("|1|");
  assert_int_equal(chmod(path, 0666), 0);
  run_child(folder, 0);
  SAYS("others can write it");
  process_remove_folder(folder);
}

static const process_mode kModes[] = {{"entries", child_entries}};

int main(int argc, char** argv) {
  const int child = process_child_main(argc, argv, kModes, COUNT_OF(kModes));
  if (child >= 0) return child;
  const struct CMUnitTest tests[] = {DEVICE_TEST(entries)};
  return cmocka_run_group_tests_name("kernel_cache_entries", tests, NULL, NULL);
}
