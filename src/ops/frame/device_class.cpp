#include "ops/frame/device_class.hpp"

#include "core/environment.hpp"

namespace netcl::ops {

bool gpu_shaped(const netcl_device_info& info) {
  if (info.backend == NETCL_BACKEND_BUILTIN) return false;
  return info.type != NETCL_DEVICE_CPU || environment().kernel_shape == KernelShape::gpu;
}

bool gpu_shaped(const Device& device) { return gpu_shaped(device.info()); }

}  // namespace netcl::ops
