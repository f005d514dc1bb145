#include "cookbook.h"

void recipe_half_precision(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 2, (const int64_t[]){2, 2}, (const float[]){1, 2, 3, 4});
  netcl_tensor *half, *product;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  CHECK(netcl_op_cast(x, NETCL_BF16, NULL, &half)); /* half the memory, the range of f32 */
  options.dtype = NETCL_F32;                        /* sums are f32; so the result may be */
  CHECK(netcl_op_matmul(half, half, &options, NULL, &product));
  expect(product, 4, (const float[]){7, 10, 15, 22});
  /* [end] */
  netcl_tensor_release(product);
  netcl_tensor_release(half);
  netcl_tensor_release(x);
}
