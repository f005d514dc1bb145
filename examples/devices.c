/*
 * devices: lists every device, says which one "auto" takes, and why no other was found.
 * usage: devices [SELECTOR]
 */
#include <netcl.h>
#include <stdio.h>
#include <stdlib.h>

static void check(netcl_status status) {
  if (status == NETCL_OK) return;
  fprintf(stderr, "%s: %s\n", netcl_status_name(status), netcl_last_error_message());
  exit(1);
}

static void print_diagnosis(void) {
  size_t length;
  char *text;
  /* Text comes in two steps: a call for its length, a call for the text. */
  check(netcl_device_diagnose(NULL, 0, &length));
  text = malloc(length + 1);
  if (text == NULL) exit(1);
  check(netcl_device_diagnose(text, length + 1, NULL));
  printf("\n%s", text);
  free(text);
}

int main(int argc, char **argv) {
  const char *selector = argc > 1 ? argv[1] : "auto";
  netcl_device_capabilities capabilities = NETCL_DEVICE_CAPABILITIES_INIT;
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  netcl_device *device;
  uint32_t count, i;

  check(netcl_device_count(&count));
  for (i = 0; i < count; ++i) {
    check(netcl_device_describe(i, &info)); /* opens nothing */
    printf("%u  %-8s  %s\n", i, info.backend == NETCL_BACKEND_OPENCL ? "OpenCL" : "built-in",
           info.name);
  }
  print_diagnosis();

  check(netcl_device_open(selector, NULL, &device));
  check(netcl_device_get_info(device, &info));
  check(netcl_device_get_capabilities(device, &capabilities));
  printf("\n\"%s\" is %s\n", selector, info.name);
  printf("  compute units  %u\n", capabilities.compute_units);
  printf("  memory         %.1f GiB\n", (double)capabilities.global_memory_bytes / (1 << 30));
  printf("  fp16 and fp64  %s, %s\n", capabilities.fp16 ? "yes" : "no",
         capabilities.fp64 ? "yes" : "no");
  netcl_device_release(device);
  return 0;
}
