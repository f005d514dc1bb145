// The handle of a kernel.
#pragma once

#include "api/handles.hpp"
#include "kernel/kernel.hpp"

namespace netcl::api {

// A handle's object keeps the device alive as well; see Kernel.
inline netcl_kernel* make_kernel_handle(KernelRef kernel) {
  struct Both {
    DeviceRef device;
    KernelRef kernel;
  };
  DeviceRef device = kernel->device().shared_from_this();
  auto both = std::make_shared<Both>(Both{std::move(device), std::move(kernel)});
  Kernel* raw = both->kernel.get();
  return make_handle<netcl_kernel>(std::shared_ptr<Kernel>(std::move(both), raw));
}

// netcl_kernel_launch without its boundary.
void launch_by_args(Kernel& kernel, const uint64_t* global, uint32_t global_count,
                    const uint64_t* local, uint32_t local_count, const netcl_arg* args,
                    uint32_t args_count, const netcl_launch_options* options,
                    const netcl_run_options* run);

}  // namespace netcl::api
