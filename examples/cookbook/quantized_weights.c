#include "cookbook.h"

void recipe_quantized_weights(netcl_device *device) {
  /* [recipe] */
  enum { rows = 4, depth = 64 }; /* W is [rows, depth]; 4 bits a weight, blocks of 32 */
  const float half = 0.5f;
  netcl_tensor *w, *x, *codes, *y;
  netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
  CHECK(netcl_tensor_create_full(device, NETCL_F32, 2, (const int64_t[]){rows, depth}, NULL, &half,
                                 NULL, &w));
  CHECK(netcl_tensor_create_full(device, NETCL_F32, 2, (const int64_t[]){1, depth}, NULL, &half,
                                 NULL, &x));
  options.format = NETCL_QUANTIZATION_NBITS;
  CHECK(netcl_op_quantize_weights(w, &options, NULL, &codes, &options.scales, NULL));
  CHECK(netcl_op_matmul_quantized(x, codes, &options, NULL, &y)); /* x * W^T, W stays small */
  expect(y, rows, (const float[]){16, 16, 16, 16});
  /* [end] */
  netcl_tensor_release(y);
  netcl_tensor_release(options.scales);
  netcl_tensor_release(codes);
  netcl_tensor_release(x);
  netcl_tensor_release(w);
}
