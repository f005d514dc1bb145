/* Cases of sweeps for products and pooling. */
#include "support_sweep_cases.h"
#include "support_pooling.h"

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

netcl_status sweep_unpooled(netcl_tensor *x, netcl_tensor **made) {
  netcl_tensor *indices = NULL;
  netcl_status status = netcl_op_cast(x, NETCL_I64, NULL, &indices);
  if (status == NETCL_OK) {
    status = netcl_op_max_unpool2d(x, indices, 5, 5, NULL, NULL, made);
  }
  netcl_tensor_release(indices);
  return status;
}

netcl_status sweep_pooled(netcl_tensor *x, netcl_tensor **made) {
  const netcl_pooling_options options = pooling_of(one_size(2), NULL);
  return netcl_op_pool(x, NETCL_POOLING_MAX, &options, NULL, made);
}

netcl_status sweep_regions(netcl_tensor *x, netcl_tensor *angles, netcl_tensor *images,
                           netcl_tensor **made) {
  static const int64_t kRows[2] = {8, 4};
  static const netcl_range kFirst[2] = {{0, 2, 1}, {0, 4, 1}};
  netcl_tensor *rows = NULL, *rois = NULL;
  netcl_status status = netcl_tensor_reshape(angles, 2, kRows, NULL, &rows);
  if (status == NETCL_OK) status = netcl_tensor_slice(rows, kFirst, 2, &rois);
  if (status == NETCL_OK) {
    status = netcl_op_roi_pool(x, rois, images, NETCL_ROI_POOLING_AVERAGE, NULL, NULL, made);
  }
  netcl_tensor_release(rois);
  netcl_tensor_release(rows);
  return status;
}
