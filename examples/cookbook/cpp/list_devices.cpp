#include "cookbook.hpp"

#include <iostream>

void recipe_list_devices(netcl::device_ref device) {
  // [recipe]
  for (uint32_t i = 0; i < netcl::device::count(); i++) {
    const netcl::device_info info = netcl::device::describe(i);
    std::cout << info.index() << ": " << info.name() << ", " << info.platform_name() << "\n";
  }
  if (netcl::device::count() < 2) std::cout << netcl::device::diagnose();  // why there is no GPU
  // [end]
  (void)device;
}
