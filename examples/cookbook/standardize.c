#include "cookbook.h"

void recipe_standardize(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 2, (const int64_t[]){2, 2}, (const float[]){1, 3, 10, 30});
  netcl_reduce_options rows = NETCL_REDUCE_OPTIONS_INIT;
  const int32_t last[1] = {-1};
  netcl_tensor *inputs[3], *square, *result;
  rows.axes = last;
  rows.axes_count = 1;
  rows.keepdims = 1; /* [2, 1]: broadcasts over x */
  inputs[0] = x;
  CHECK(netcl_op_reduce(x, NETCL_REDUCTION_MEAN, &rows, NULL, &inputs[1]));
  CHECK(netcl_op_expression_text("(v0 - v1) * (v0 - v1)", inputs, 2, NULL, NULL, &square));
  CHECK(netcl_op_reduce(square, NETCL_REDUCTION_MEAN, &rows, NULL, &inputs[2]));
  CHECK(netcl_op_expression_text("(v0 - v1) / sqrt(v2)", inputs, 3, NULL, NULL, &result));
  expect(result, 4, (const float[]){-1, 1, -1, 1});
  /* [end] */
  netcl_tensor_release(result);
  netcl_tensor_release(inputs[2]);
  netcl_tensor_release(square);
  netcl_tensor_release(inputs[1]);
  netcl_tensor_release(x);
}
