/* A program linked with -static cannot load drivers: it is told so, and has the built-in device. */
#include <netcl.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[4096] = "";
  netcl_device *device = NULL;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  int ok = netcl_device_open("auto", NULL, &device) == NETCL_OK &&
           netcl_device_get_info(device, &info) == NETCL_OK &&
           info.backend == NETCL_BACKEND_BUILTIN &&
           netcl_device_diagnose(text, sizeof text, NULL) == NETCL_OK &&
           strstr(text, "linked with -static") != NULL;
  netcl_device_release(device);
  printf("%s%s\n", text, ok ? "passed" : "FAILED");
  return ok ? 0 : 1;
}
