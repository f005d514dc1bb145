#include "cookbook.h"

void recipe_add_row(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *pair[2], *sum;
  pair[0] = upload(device, 2, (const int64_t[]){2, 3}, (const float[]){1, 2, 3, 4, 5, 6});
  pair[1] = upload(device, 1, (const int64_t[]){3}, (const float[]){10, 20, 30});
  CHECK(netcl_op_expression_text("v0 + v1", pair, 2, NULL, NULL, &sum)); /* [2, 3] and [3] */
  expect(sum, 6, (const float[]){11, 22, 33, 14, 25, 36});
  /* [end] */
  netcl_tensor_release(sum);
  netcl_tensor_release(pair[1]);
  netcl_tensor_release(pair[0]);
}
