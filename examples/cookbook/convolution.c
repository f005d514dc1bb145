#include "cookbook.h"

void recipe_convolution(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *image = upload(device, 4, (const int64_t[]){1, 1, 3, 3}, /* [N, C, H, W] */
                               (const float[]){1, 1, 1, 1, 1, 1, 1, 1, 1});
  netcl_tensor *filter =
      upload(device, 4, (const int64_t[]){1, 1, 3, 3}, (const float[]){1, 1, 1, 1, 1, 1, 1, 1, 1});
  netcl_tensor *sums;
  netcl_conv2d_options same = NETCL_CONV2D_OPTIONS_INIT;
  for (int side = 0; side < 4; side++) same.padding[side] = 1; /* the result is 3 x 3 again */
  CHECK(netcl_op_conv2d(image, filter, &same, NULL, &sums));
  expect(sums, 9, (const float[]){4, 6, 4, 6, 9, 6, 4, 6, 4});
  /* [end] */
  netcl_tensor_release(sums);
  netcl_tensor_release(filter);
  netcl_tensor_release(image);
}
