#include "support_large.h"

#include "support_process.h"

#include <stdio.h>

/* Bytes of memory that the machine can still give. */
static uint64_t free_memory(void) {
  char line[256];
  unsigned long long kib = 0;
  FILE* file = fopen("/proc/meminfo", "r");
  if (file == NULL) return 0;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "MemAvailable: %llu", &kib) == 1) break;
  }
  fclose(file);
  return (uint64_t)kib * 1024;
}

void need_memory(Fixture* fixture, uint64_t bytes, uint64_t total) {
  if (!process_full()) SKIP("takes gigabytes and a minute: set NETCL_TEST_FULL=1");
  const uint64_t device_bytes = fixture->capabilities.max_allocation_bytes;
  if (device_bytes < bytes) {
    print_message("skipped: the device allocates at most %.1f GiB at once\n",
                  (double)device_bytes / (double)kGiB);
    SKIP("as above");
  }
  if (fixture->capabilities.global_memory_bytes < total) SKIP("the device's memory is too small");
  const int on_host = !fixture->opencl || fixture->capabilities.integrated;
  if (on_host && free_memory() < total + (uint64_t)kGiB) {
    print_message("skipped: only %.1f GiB of memory are free\n",
                  (double)free_memory() / (double)kGiB);
    SKIP("as above");
  }
}

netcl_tensor* slice_1d(netcl_tensor* tensor, int64_t start, int64_t extent, int64_t step) {
  const netcl_range range = {start, extent, step};
  netcl_tensor* view = NULL;
  OK(netcl_tensor_slice(tensor, &range, 1, &view));
  return view;
}
