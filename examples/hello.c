/* hello: the shortest whole program. Two matrices, their product, printed. */
#include <netcl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(netcl_status status) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

int main(void) {
  const int64_t shape[2] = {2, 2};
  const float left[4] = {1, 2, 3, 4}, right[4] = {5, 6, 7, 8};
  float out[4];
  netcl_device *device;
  netcl_tensor *a, *b, *y;
  check(netcl_device_open("auto", NULL, &device));
  check(netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, left, sizeof left, NULL,
                                      &a));
  check(netcl_tensor_create_from_host(device, NETCL_F32, 2, shape, NULL, right, sizeof right, NULL,
                                      &b));
  check(netcl_op_matmul(a, b, NULL, NULL, &y));
  check(netcl_tensor_read(y, out, sizeof out, NULL, NETCL_WAIT_FOREVER));
  printf("%g %g\n%g %g\n", out[0], out[1], out[2], out[3]);
  netcl_tensor_release(a);
  netcl_tensor_release(b);
  netcl_tensor_release(y);
  netcl_device_release(device);
  return 0;
}
