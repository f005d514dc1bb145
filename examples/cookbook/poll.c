#include "cookbook.h"

void recipe_poll(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *x = upload(device, 1, (const int64_t[]){2}, (const float[]){1, 2}), *y;
  netcl_event *done = NULL;
  netcl_run_options run = NETCL_RUN_OPTIONS_INIT;
  run.event = &done; /* of this call's last command */
  CHECK(netcl_op_expression_text("exp(v0)", &x, 1, NULL, &run, &y));
  netcl_status status;
  do {                                                /* do something else in between */
    status = netcl_event_wait(done, 1 * 1000 * 1000); /* for a millisecond at most; 0 only asks */
  } while (status == NETCL_ERROR_TIMEOUT);
  CHECK(status);
  expect(y, 2, (const float[]){2.71828f, 7.38906f});
  /* [end] */
  netcl_event_release(done);
  netcl_tensor_release(y);
  netcl_tensor_release(x);
}
