#include "cookbook.h"

/* [recipe] */
static netcl_status one_product(netcl_queue *queue, void *user_data) {
  netcl_tensor **matrices = user_data;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.queue = queue;
  run.into = matrices[1];
  return netcl_op_matmul(matrices[0], matrices[0], NULL, &run, NULL);
}
/* [pause] */

void recipe_time_work(netcl_device *device) {
  const int64_t shape[2] = {64, 64};
  netcl_tensor *matrices[2];
  CHECK(netcl_tensor_create_random(device, NETCL_F32, 2, shape, NULL, NULL, NULL, &matrices[0]));
  CHECK(netcl_tensor_create(device, NETCL_F32, 2, shape, NULL, NULL, &matrices[1]));
  /* [go on] */
  netcl_queue *queue;
  netcl_statistics statistics = NETCL_STATISTICS_INIT;
  netcl_measurement_options options = NETCL_MEASUREMENT_OPTIONS_INIT;
  options.budget_ns = 20 * 1000 * 1000; /* 20 ms; by default up to a second */
  CHECK(netcl_device_get_queue(device, &queue));
  CHECK(netcl_queue_time(queue, one_product, matrices, &options, &statistics));
  printf("%.1f us, the middle of %u samples\n", statistics.median * 1e-3,
         (unsigned)statistics.count);
  /* [end] */
  REQUIRE(statistics.count > 0 && statistics.median > 0);
  netcl_queue_release(queue);
  netcl_tensor_release(matrices[1]);
  netcl_tensor_release(matrices[0]);
}
