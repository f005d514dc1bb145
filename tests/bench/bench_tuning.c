/* What a look-up in the tuning database costs, and what it adds to a launch: bench_tuning [device].
 * NETCL_TUNE=off in a second run shows a launch without it. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "netcl.h"

#define CHECK(call)                                                                   \
  do {                                                                                \
    if ((call) != NETCL_OK) {                                                         \
      fprintf(stderr, "%s: %s\n", #call, netcl_last_error_message());                 \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static int lookups(void) {
  netcl_tuning_database *database = NULL;
  netcl_config *config = NULL;
  netcl_tuning_key key = NETCL_TUNING_KEY_INIT;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  CHECK(netcl_tuning_database_open(":memory:", &database));
  CHECK(netcl_config_create_from_json("{\"LOCAL_X\": 64}", 15, &config));
  key.part = "part";
  key.driver = "driver";
  key.kernel = "kernel";
  key.shape_count = 3;
  record.kind = NETCL_TUNING_RECORD_BEST;
  for (int64_t i = 1; i <= 200; ++i) {
    key.shape[0] = i * 100;
    CHECK(netcl_tuning_database_put(database, NULL, &key, config, &record));
  }
  for (int known = 1; known >= 0; --known) {
    double best = 1e18;
    key.kernel = known ? "kernel" : "another";
    for (int round = 0; round < 20; ++round) {
      const double begin = now();
      for (int i = 0; i < 20000; ++i) {
        CHECK(netcl_tuning_database_lookup(database, NULL, &key, &record, NULL));
      }
      const double each = (now() - begin) / 20000;
      if (each < best) best = each;
    }
    printf("netcl_tuning_database_lookup, %s: %.0f ns\n", known ? "a hit" : "a miss", best);
  }
  netcl_config_release(config);
  netcl_tuning_database_release(database);
  return 0;
}

static int launches(const char *selector) {
  netcl_device *device = NULL;
  netcl_kernel *kernel = NULL;
  netcl_tensor *tensor = NULL;
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_arg arg = NETCL_ARG_INIT;
  const int64_t shape[1] = {64};
  const uint64_t global[1] = {64};
  double best = 1e18;
  CHECK(netcl_device_open(selector, NULL, &device));
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 1, shape, NULL, NULL, &tensor));
  options.source = "__kernel void k(__global float *a) { a[get_global_id(0)] = 1.0f; }";
  if (netcl_kernel_create(device, "k", &options, &kernel) != NETCL_OK) return 0;
  arg.kind = NETCL_ARG_TENSOR;
  arg.tensor = tensor;
  for (int round = 0; round < 20; ++round) {
    const double begin = now();
    for (int i = 0; i < 500; ++i) {
      CHECK(netcl_kernel_launch(kernel, global, 1, NULL, 0, &arg, 1, NULL, NULL));
    }
    const double each = (now() - begin) / 500;
    if (each < best) best = each;
    CHECK(netcl_tensor_wait(tensor, NETCL_WAIT_FOREVER));
  }
  printf("netcl_kernel_launch without a local size: %.0f ns\n", best);
  netcl_kernel_release(kernel);
  netcl_tensor_release(tensor);
  netcl_device_release(device);
  return 0;
}

int main(int argc, char **argv) {
  return lookups() != 0 || launches(argc > 1 ? argv[1] : "auto") != 0;
}
