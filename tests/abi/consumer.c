/* A first program, as the README has it: it multiplies two matrices and makes one call fail. */
#include <netcl.h>
#include <stdio.h>

int main(void) {
  const int64_t shape[2] = {2, 2};
  const float host[4] = {1, 2, 3, 4};
  float product[4] = {0, 0, 0, 0};
  netcl_device *device = NULL;
  netcl_tensor *a = NULL, *y = NULL;
  netcl_expression *bad = NULL;
  int ok = netcl_device_open("builtin", NULL, &device) == NETCL_OK &&
           netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, host, sizeof host, NULL,
                                         &a) == NETCL_OK &&
           netcl_op_matmul(a, a, NULL, NULL, &y) == NETCL_OK &&
           netcl_tensor_read(y, product, sizeof product, NULL, NETCL_WAIT_FOREVER) == NETCL_OK;
  if (!ok) printf("%s\n", netcl_last_error_message());
  ok = ok && product[0] == 7 && product[1] == 10 && product[2] == 15 && product[3] == 22;
  ok = ok && netcl_expression_create("v0 +", &bad) == NETCL_ERROR_INVALID_ARGUMENT;
  ok = ok && netcl_version_number() == NETCL_VERSION_NUMBER;
  netcl_tensor_release(a);
  netcl_tensor_release(y);
  netcl_device_release(device);
  printf("netcl %s: %s\n", netcl_version_string(), ok ? "passed" : "FAILED");
  return ok ? 0 : 1;
}
