/*
 * What timers, regions and profiles cost the host.
 *
 *   bench_timing [--device SELECTOR]
 *
 * Nanoseconds per call, the least of several rounds.
 */
#include "support_cost.h"

int main(int argc, char** argv) {
  netcl_device_info info = NETCL_DEVICE_INFO_INIT;
  CHECK(netcl_device_open(device_argument(argc, argv), NULL, &device));
  CHECK(netcl_device_get_info(device, &info));
  printf("%s\n", info.name);
  measuring_costs();
  netcl_device_release(device);
  return 0;
}
