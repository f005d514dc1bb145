#include "cookbook.h"

void recipe_sort_topk(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 1, (const int64_t[]){5}, (const float[]){3, 1, 4, 1, 5});
  netcl_tensor *best, *places, *sorted;
  netcl_topk_options rising = NETCL_TOPK_OPTIONS_INIT;
  int64_t where[2];
  CHECK(netcl_op_topk(x, 2, 0, NULL, NULL, &best, &places)); /* the two largest */
  expect(best, 2, (const float[]){5, 4});
  CHECK(netcl_tensor_read(places, where, sizeof where, NULL, NETCL_WAIT_FOREVER)); /* 4, 2 */

  rising.smallest = 1; /* the 5 smallest of 5: sorted */
  CHECK(netcl_op_topk(x, 5, 0, &rising, NULL, &sorted, NULL));
  expect(sorted, 5, (const float[]){1, 1, 3, 4, 5});
  /* [end] */
  REQUIRE(where[0] == 4 && where[1] == 2);
  netcl_tensor_release(sorted);
  netcl_tensor_release(places);
  netcl_tensor_release(best);
  netcl_tensor_release(x);
}
