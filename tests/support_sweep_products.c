/* Cases of sweeps for products. */
#include "support_sweep_cases.h"

netcl_status sweep_quantized(netcl_tensor *x, int what, netcl_tensor **result) {
  netcl_quantized_options options = NETCL_QUANTIZED_OPTIONS_INIT;
  netcl_tensor *codes = NULL, *scales = NULL, *zeros = NULL;
  options.format = NETCL_QUANTIZATION_NBITS;
  options.has_zero_points = 1;
  netcl_status status = netcl_op_quantize_weights(x, &options, NULL, &codes, &scales, &zeros);
  options.has_zero_points = 0;
  options.scales = scales;
  options.zero_points = zeros;
  if (status == NETCL_OK && what == 0) {
    status = netcl_op_matmul_quantized(x, codes, &options, NULL, result);
  } else if (status == NETCL_OK && what == 1) {
    status = netcl_op_dequantize_weights(codes, &options, NULL, result);
  } else if (status == NETCL_OK) {
    *result = codes;
    codes = NULL;
  }
  netcl_tensor_release(codes);
  netcl_tensor_release(scales);
  netcl_tensor_release(zeros);
  return status;
}

netcl_status sweep_multiply(netcl_tensor *a, netcl_tensor *b, netcl_tensor **out) {
  netcl_tensor *product = NULL, *bytes = NULL;
  netcl_status status = netcl_op_matmul(a, b, NULL, NULL, &product);
  netcl_tensor_release(product);
  if (status == NETCL_OK) status = netcl_op_cast(a, NETCL_I8, NULL, &bytes);
  if (status == NETCL_OK) status = netcl_op_matmul(bytes, bytes, NULL, NULL, out);
  netcl_tensor_release(bytes);
  return status;
}
