/* What the tuning database costs dispatch, for bench_tuning. */
#ifndef NETCL_BENCH_SUPPORT_LOOKUP_H
#define NETCL_BENCH_SUPPORT_LOOKUP_H

#include "support_cost.h"
#include "support_median.h"

static netcl_tuning_database* lookup_database;
static netcl_tuning_key lookup_key = NETCL_TUNING_KEY_INIT;

static void look_up(void) {
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  CHECK(netcl_tuning_database_lookup(lookup_database, NULL, &lookup_key, &record, NULL));
}

static void select_matmul(void) {
  netcl_variant_config config = NETCL_VARIANT_CONFIG_INIT;
  CHECK(netcl_variant_select_matmul(device, 640, 480, 320, NULL, &config));
}

static netcl_kernel* launched;
static netcl_arg launched_arg = NETCL_ARG_INIT;
static const uint64_t kLaunchedGlobal[1] = {64}, kLaunchedLocal[1] = {16};

static void launch_open(void) {
  CHECK(netcl_kernel_launch(launched, kLaunchedGlobal, 1, NULL, 0, &launched_arg, 1, NULL, NULL));
}

static void launch_given(void) {
  CHECK(netcl_kernel_launch(launched, kLaunchedGlobal, 1, kLaunchedLocal, 1, &launched_arg, 1, NULL,
                            NULL));
}

static const char kLaunchedSource[] =
    "__kernel void k(__global float *a) { a[get_global_id(0)] = 1.0f; }";

#define PAIRS 1001
#define PAIR_LAUNCHES 32

static double launches(void (*call)(void)) {
  const double begin = now();
  for (int i = 0; i < PAIR_LAUNCHES; i++) call();
  const double each = 1e9 * (now() - begin) / PAIR_LAUNCHES;
  CHECK(netcl_queue_finish(queue, NETCL_WAIT_FOREVER));
  return each;
}

/* In pairs, in either order, since clocks drift and others use the machine: the median of the
 * differences is what the look-up costs a launch. */
static void launch_pair(void) {
  static double given[PAIRS], open[PAIRS], difference[PAIRS];
  for (int i = 0; i < PAIRS; i++) {
    if (i % 2 == 0) given[i] = launches(launch_given);
    open[i] = launches(launch_open);
    if (i % 2 == 1) given[i] = launches(launch_given);
    difference[i] = open[i] - given[i];
  }
  printf("%-52s %10.1f ns\n", "launch with its local size, median", median(given, PAIRS));
  printf("%-52s %10.1f ns\n", "launch that looks its local size up, median", median(open, PAIRS));
  printf("%-52s %10.1f ns\n", "the look-up of a launch, median of differences",
         median(difference, PAIRS));
}

/* A launch of a tuned kernel; nothing where there is no OpenCL C. */
static void launch_costs(void) {
  netcl_kernel_options options = NETCL_KERNEL_OPTIONS_INIT;
  netcl_tuner* tuner = NULL;
  netcl_tuner_options how = NETCL_TUNER_OPTIONS_INIT;
  netcl_search_options search = NETCL_SEARCH_OPTIONS_INIT;
  const int64_t shape[1] = {64};
  options.source = kLaunchedSource;
  if (netcl_kernel_create(device, "k", &options, &launched) != NETCL_OK) {
    printf("launches: %s\n", netcl_last_error_message());
    return;
  }
  CHECK(netcl_device_get_queue(device, &queue));
  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 1, shape, NULL, NULL, &tensor));
  launched_arg.kind = NETCL_ARG_TENSOR;
  launched_arg.tensor = tensor;
  search.samples = 3;
  how.search = &search;
  how.in_process = 1;
  CHECK(netcl_tuner_create(device, &how, &tuner));
  CHECK(netcl_tuner_add(tuner, launched, kLaunchedGlobal, 1, &launched_arg, 1, NULL));
  CHECK(netcl_tuner_run(tuner));
  netcl_tuner_release(tuner);
  launch_pair();
  netcl_kernel_release(launched);
  netcl_tensor_release(tensor);
  netcl_queue_release(queue);
}

static void lookup_costs(void) {
  netcl_config* config = NULL;
  netcl_tuning_record record = NETCL_TUNING_RECORD_INIT;
  CHECK(netcl_tuning_database_open(":memory:", &lookup_database));
  CHECK(netcl_config_create_from_json("{\"LOCAL_X\": 64}", 15, &config));
  lookup_key.part = "part";
  lookup_key.driver = "driver";
  lookup_key.kernel = "kernel";
  lookup_key.shape_count = 3;
  record.kind = NETCL_TUNING_RECORD_BEST;
  for (int64_t i = 1; i <= 200; ++i) {
    lookup_key.shape[0] = i * 100;
    CHECK(netcl_tuning_database_put(lookup_database, NULL, &lookup_key, config, &record));
  }
  CHECK(netcl_device_get_queue(device, &queue));
  report("netcl_tuning_database_lookup, a hit", look_up, 20000);
  lookup_key.kernel = "another";
  report("netcl_tuning_database_lookup, a miss", look_up, 20000);
  report("choice of a matmul that was asked for before", select_matmul, 20000);
  netcl_queue_release(queue);
  netcl_config_release(config);
  netcl_tuning_database_release(lookup_database);
  launch_costs();
}

#endif
