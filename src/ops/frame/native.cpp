#include "ops/frame/native.hpp"

#include "core/environment.hpp"

namespace netcl::ops {

bool runs_native(const netcl_device_info& info, const netcl_device_capabilities& capabilities) {
  if (info.backend == NETCL_BACKEND_BUILTIN) return true;
  return info.type == NETCL_DEVICE_CPU && capabilities.strategy != NETCL_STRATEGY_OPTIMIZED &&
         !environment().kernels_on_cpus;
}

bool runs_native(const Device& device) {
  return device.backend().native_commands() && runs_native(device.info(), device.capabilities());
}

}  // namespace netcl::ops
