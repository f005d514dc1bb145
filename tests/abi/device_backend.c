/* Passes when NETCL_TEST_DEVICE names a device of the backend that a set of tests is meant for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netcl.h"

int main(void) {
  const char *selector = getenv("NETCL_TEST_DEVICE");
  netcl_device *device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_backend wanted;
  char text[8192];

  if (selector == NULL) selector = "builtin";
  wanted = strcmp(selector, "builtin") == 0 ? NETCL_BACKEND_BUILTIN : NETCL_BACKEND_OPENCL;
  if (netcl_device_open(selector, NULL, &device) != NETCL_OK ||
      netcl_device_get_info(device, &info) != NETCL_OK) {
    printf("device \"%s\": %s\n", selector, netcl_last_error_message());
    return 1;
  }
  netcl_device_release(device);
  /* tests/drivers.sh takes it apart at the tabs. */
  printf("device \"%s\" is\t%s\t%s, driver %s\n", selector, info.name, info.version,
         info.driver_version);
  if (info.backend == wanted) return 0;
  if (netcl_device_diagnose(text, sizeof text, NULL) == NETCL_OK) printf("%s\n", text);
  printf("an OpenCL device was expected\n");
  return 1;
}
