#include "cookbook.h"

void recipe_kept_memory(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 1, (const int64_t[]){2}, (const float[]){1, 2});
  netcl_tensor *y;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  CHECK(netcl_op_expression_text("v0 + 1", &x, 1, NULL, NULL, &y)); /* made once */
  run.into = y;
  for (int step = 0; step < 100; step++) { /* and written again by each step */
    CHECK(netcl_op_expression_text("v0 + 1", &x, 1, NULL, &run, NULL));
  }
  expect(y, 2, (const float[]){2, 3});
  /* [end] */
  netcl_tensor_release(y);
  netcl_tensor_release(x);
}
