// Where the library's own ops run: as the built-in loops, or as kernels.
#pragma once

#include "device/device.hpp"

namespace netcl::ops {

// True when ops run on this device as functions of the host: on the built-in device, and on OpenCL
// devices of type CPU whose driver runs native commands, unless NETCL_KERNEL_STRATEGY is optimized
// or NETCL_DEVICE_CLASS is gpu. Nothing is compiled then, and all these devices give the same bits.
bool runs_native(const Device& device);
// The same for a recorded device, whose driver is not asked.
bool runs_native(const netcl_device_info& info, const netcl_device_capabilities& capabilities);

}  // namespace netcl::ops
