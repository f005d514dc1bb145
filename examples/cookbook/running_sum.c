#include "cookbook.h"

void recipe_running_sum(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 1, (const int64_t[]){4}, (const float[]){1, 2, 3, 4});
  netcl_tensor *sums, *before;
  netcl_scan_options exclusive = NETCL_SCAN_OPTIONS_INIT;
  CHECK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 0, NULL, NULL, &sums));
  expect(sums, 4, (const float[]){1, 3, 6, 10});
  exclusive.exclusive = 1; /* of those before: where each piece of a list begins */
  CHECK(netcl_op_scan(x, NETCL_REDUCTION_SUM, 0, &exclusive, NULL, &before));
  expect(before, 4, (const float[]){0, 1, 3, 6});
  /* [end] */
  netcl_tensor_release(before);
  netcl_tensor_release(sums);
  netcl_tensor_release(x);
}
