// What a device can do, asked once when it is opened.
#pragma once

#include "backend/opencl/device_state.hpp"
#include "netcl.h"

namespace netcl::backend::opencl {

// On GPUs that do not announce half arithmetic this compiles and runs a kernel to find out.
netcl_device_capabilities read_capabilities(const DeviceStateRef& state,
                                            const netcl_device_info& info, bool integrated);

}  // namespace netcl::backend::opencl
