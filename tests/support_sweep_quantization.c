/* Cases of sweeps for what quantises. */
#include "support_sweep_cases.h"

static netcl_status release_pair(netcl_status status, netcl_tensor *a, netcl_tensor *b) {
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  return status;
}

/* The op itself, of bytes that are an image or its own filters. */
static netcl_status on_bytes(int op, netcl_tensor *bytes, netcl_tensor *scale,
                             netcl_tensor **result) {
  static const uint32_t kTurned[4] = {0, 1, 3, 2};
  static const netcl_range kLittle[4] = {{0, 1, 1}, {0, 2, 1}, {0, 1, 1}, {0, 1, 1}};
  netcl_conv2d_integer_options integer = NETCL_CONV2D_INTEGER_OPTIONS_INIT;
  netcl_qlinear_conv2d_options quantised = NETCL_QLINEAR_CONV2D_OPTIONS_INIT;
  netcl_tensor *other = NULL;
  netcl_status status;
  if (op == SWEEP_DEQUANTIZE) {
    return netcl_op_dequantize_linear(bytes, scale, 0, NULL, NULL, result);
  }
  if (op == SWEEP_QLINEAR_MATMUL) {
    status = netcl_tensor_permute(bytes, kTurned, 4, &other);
    if (status != NETCL_OK) return status;
    status = netcl_op_qlinear_matmul(bytes, scale, other, scale, scale, NULL, NULL, result);
    return release_pair(status, other, NULL);
  }
  status = netcl_tensor_slice(bytes, kLittle, 4, &other);
  if (status != NETCL_OK) return status;
  integer.padding[0] = quantised.padding[1] = 1;
  status = op == SWEEP_CONV2D_INTEGER
               ? netcl_op_conv2d_integer(bytes, other, &integer, NULL, result)
               : netcl_op_qlinear_conv2d(bytes, scale, other, scale, scale, &quantised, NULL,
                                         result);
  return release_pair(status, other, NULL);
}

netcl_status sweep_quantization(int op, netcl_tensor *x, netcl_tensor **results) {
  static const netcl_range kOne[4] = {{0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {0, 1, 1}};
  netcl_tensor *scale = NULL, *bytes = NULL;
  if (op == SWEEP_DYNAMIC) {
    return netcl_op_dynamic_quantize_linear(x, NULL, NULL, &results[0], &results[1], &results[2]);
  }
  netcl_status status = netcl_tensor_slice(x, kOne, 4, &scale);
  if (status != NETCL_OK) return status;
  status = netcl_op_quantize_linear(x, scale, 0, NULL, NULL, &bytes);
  if (status != NETCL_OK) return release_pair(status, scale, NULL);
  if (op == SWEEP_QUANTIZE) {
    results[0] = bytes;
    return release_pair(status, scale, NULL);
  }
  return release_pair(on_bytes(op, bytes, scale, results), scale, bytes);
}
