#include "cookbook.h"

void recipe_update_in_place(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 1, (const int64_t[]){4}, (const float[]){1, 2, 3, 4});
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.into = x; /* the result goes where the input is */
  CHECK(netcl_op_expression_text("v0 * 10 + 1", &x, 1, NULL, &run, NULL));
  expect(x, 4, (const float[]){11, 21, 31, 41});
  /* [end] */
  netcl_tensor_release(x);
}
