#include "cookbook.h"

void recipe_histogram(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 1, (const int64_t[]){5}, (const float[]){0, 0.1f, 0.6f, 1, 9});
  netcl_tensor *counts;
  netcl_histogram_options range = NETCL_HISTOGRAM_OPTIONS_INIT;
  int64_t found[2];
  range.high = 1; /* from 0 to 1; what lies outside is not counted */
  CHECK(netcl_op_histogram(x, 2, &range, NULL, &counts));
  CHECK(netcl_tensor_read(counts, found, sizeof found, NULL, NETCL_WAIT_FOREVER)); /* 2, 2 */
  /* [end] */
  REQUIRE(found[0] == 2 && found[1] == 2);
  netcl_tensor_release(counts);
  netcl_tensor_release(x);
}
