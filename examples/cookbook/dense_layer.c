#include "cookbook.h"

void recipe_dense_layer(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 2, (const int64_t[]){1, 2}, (const float[]){1, 2});
  netcl_tensor *w = upload(device, 2, (const int64_t[]){2, 2}, (const float[]){1, -1, 1, -1});
  netcl_tensor *b = upload(device, 1, (const int64_t[]){2}, (const float[]){0.5f, 0.5f});
  netcl_tensor *y;
  netcl_epilogue relu = NETCL_EPILOGUE_INIT;
  netcl_matmul_options options = NETCL_MATMUL_OPTIONS_INIT;
  relu.bias = b;
  relu.activation = NETCL_ACTIVATION_RELU;
  options.epilogue = &relu; /* product, bias and relu are one kernel */
  CHECK(netcl_op_matmul(x, w, &options, NULL, &y));
  expect(y, 2, (const float[]){3.5f, 0});
  /* [end] */
  netcl_tensor_release(y);
  netcl_tensor_release(b);
  netcl_tensor_release(w);
  netcl_tensor_release(x);
}
