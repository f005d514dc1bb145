#include "cookbook.h"

void recipe_borrow(netcl_device *device) {
  /* [recipe] */
  static float frame[4] = {1, 2, 3, 4}; /* stays as long as the tensor does */
  netcl_tensor_options options = NETCL_TENSOR_OPTIONS_INIT;
  netcl_tensor_info info = NETCL_TENSOR_INFO_INIT;
  netcl_tensor *x;
  options.borrow = 1; /* the device works on the array itself, where it can */
  CHECK(netcl_tensor_create_from_host(device, NETCL_F32, 1, (const int64_t[]){4}, NULL, frame,
                                      sizeof frame, &options, &x));
  CHECK(netcl_tensor_get_info(x, &info));
  printf(info.borrowed ? "no copy was made\n" : "this device needs a copy\n");
  /* [end] */
  expect(x, 4, (const float[]){1, 2, 3, 4});
  netcl_tensor_release(x);
  CHECK(netcl_device_finish(device, NETCL_WAIT_FOREVER));
}
