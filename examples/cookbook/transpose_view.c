#include "cookbook.h"

void recipe_transpose_view(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 2, (const int64_t[]){2, 3}, (const float[]){1, 2, 3, 4, 5, 6});
  netcl_tensor *turned, *product;
  CHECK(netcl_tensor_permute(x, (const uint32_t[]){1, 0}, 2, &turned)); /* [3, 2], no copy */
  CHECK(netcl_op_matmul(x, turned, NULL, NULL, &product));              /* ops take any strides */
  expect(turned, 6, (const float[]){1, 4, 2, 5, 3, 6});
  expect(product, 4, (const float[]){14, 32, 32, 77});
  /* [end] */
  netcl_tensor_release(product);
  netcl_tensor_release(turned);
  netcl_tensor_release(x);
}
