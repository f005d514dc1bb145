#include "cookbook.h"

void recipe_strided_view(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x, *every_other;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  const netcl_range ranges[2] = {{0, 2, 1}, {1, 2, 2}}; /* both rows, columns 1 and 3 */

  CHECK(netcl_tensor_create_zeros(device, NETCL_F32, 2, (const int64_t[]){2, 4}, NULL, NULL, &x));
  CHECK(netcl_tensor_slice(x, ranges, 2, &every_other));
  run.into = every_other; /* a view writes into what it looks at */
  CHECK(netcl_op_expression_text("v0 + 7", &every_other, 1, NULL, &run, NULL));
  expect(x, 8, (const float[]){0, 7, 0, 7, 0, 7, 0, 7});
  netcl_tensor_release(every_other);
  netcl_tensor_release(x);
  /* [end] */
}
