#include "cookbook.h"

void recipe_first(netcl_device *device) {
  /* [recipe] */
  const int64_t shape[2] = {2, 3};
  const float host[6] = {1, 2, 3, -4, 5, 6};
  float result[6];
  netcl_tensor *x, *y;

  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, host, sizeof host, NULL,
                                      &x));
  CHECK(netcl_op_expression_text("relu(v0) * 2 + 1", &x, 1, NULL, NULL, &y));
  CHECK(netcl_tensor_read(y, result, sizeof result, NULL, NETCL_WAIT_FOREVER));
  netcl_tensor_release(y);
  netcl_tensor_release(x); /* result is {3, 5, 7, 1, 11, 13} */
  /* [end] */
  REQUIRE(result[0] == 3 && result[3] == 1 && result[5] == 13);
}
