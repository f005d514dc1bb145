#include "cookbook.h"

void recipe_errors(netcl_device *device) {
  /* [recipe] */
  netcl_tensor *a = upload(device, 2, (const int64_t[]){1, 3}, (const float[]){1, 2, 3});
  netcl_tensor *product = NULL;
  netcl_status status = netcl_op_matmul(a, a, NULL, NULL, &product); /* 3 and 1 do not fit */
  if (status != NETCL_OK) {
    printf("%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  }
  /* Nothing was made, and the inputs are as they were: correct the call and go on. */
  /* [end] */
  REQUIRE(status == NETCL_ERROR_INVALID_ARGUMENT && product == NULL);
  REQUIRE(strchr(netcl_last_error_message(), '3') != NULL);
  netcl_tensor_release(a);
}
