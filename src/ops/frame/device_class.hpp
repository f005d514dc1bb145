// Which shape of kernels an OpenCL device gets. CPUs want few items that each do the work of a
// block with vectors of their own; GPUs want many items, local memory and coalesced access.
#pragma once

#include "device/device.hpp"

namespace netcl::ops {

// True for kernels shaped for GPUs: any OpenCL device whose type is not CPU. NETCL_DEVICE_CLASS=gpu
// or cpu decides instead of the type, so that tests reach both shapes on the device they have. The
// built-in device has neither, and gets false.
bool gpu_shaped(const Device& device);
// The same for a recorded device, known by its info alone.
bool gpu_shaped(const netcl_device_info& info);

}  // namespace netcl::ops
