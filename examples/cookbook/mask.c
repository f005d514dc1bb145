#include "cookbook.h"

void recipe_mask(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 1, (const int64_t[]){5}, (const float[]){-2, -1, 0, 1, 2});
  netcl_tensor *clipped, *positive, *count;
  CHECK(netcl_op_expression_text("select(v0 > 0, v0, v0 * 0.1)", &x, 1, NULL, NULL, &clipped));
  expect(clipped, 5, (const float[]){-0.2f, -0.1f, 0, 1, 2});

  CHECK(netcl_op_expression_text("v0 > 0", &x, 1, NULL, NULL, &positive)); /* bool */
  CHECK(netcl_op_reduce(positive, NETCL_REDUCTION_SUM, NULL, NULL, &count));
  int64_t found;
  CHECK(netcl_tensor_read(count, &found, sizeof found, NULL, NETCL_WAIT_FOREVER)); /* 2 */
  /* [end] */
  REQUIRE(found == 2);
  netcl_tensor_release(count);
  netcl_tensor_release(positive);
  netcl_tensor_release(clipped);
  netcl_tensor_release(x);
}
