#include "cookbook.h"

void recipe_list_devices(netcl_device *device) {
  (void)device;
  /* [recipe] */
  uint32_t count;
  CHECK(netcl_device_count(&count));
  for (uint32_t i = 0; i < count; i++) {
    netcl_device_info info = NETCL_DEVICE_INFO_INIT;
    CHECK(netcl_device_describe(i, &info));
    printf("%u: %s, %s\n", (unsigned)i, info.name, info.platform_name);
  }
  if (count < 2) { /* why there is no GPU: loader, platforms, devices in words */
    char why[4096];
    CHECK(netcl_device_diagnose(why, sizeof why, NULL));
    puts(why);
  }
  /* [end] */
  REQUIRE(count > 0);
}
