// Programs and kernels.
#pragma once

#include <array>

#include "backend/backend.hpp"
#include "backend/opencl/device_state.hpp"
#include "core/lru.hpp"

namespace netcl::backend::opencl {

class ClKernel final : public Kernel {
 public:
  // Asks the driver for the facts.
  ClKernel(const DeviceState& device, KernelObject kernel);
  struct _cl_kernel* get() const noexcept {
    return kernel_.get();
  }
  // PoCL compiles a kernel again for each new local size.
  bool launched_with(const uint64_t local[3]);
  void note_launch_with(const uint64_t local[3]);
  // Values are kept from launch to launch, and drivers take a while to be told the same again. Not
  // for memory objects: another one may come to lie at the same address.
  bool holds(size_t index, const void* value, size_t size) const noexcept;
  void note(size_t index, const void* value, size_t size);

 private:
  KernelObject kernel_;
  LruCache<std::array<uint64_t, 3>, bool> seen_{64};
  std::vector<std::vector<unsigned char>> values_;
};

class ClProgram final : public Program {
 public:
  ClProgram(DeviceStateRef device, ProgramObject program)
      : device_(std::move(device)), program_(std::move(program)) {}
  std::vector<std::string> kernel_names() override;
  std::unique_ptr<Kernel> create_kernel(const std::string& name) override;
  std::string binary() override;

 private:
  DeviceStateRef device_;
  ProgramObject program_;
};

BuildResult build_source(const DeviceStateRef& device, const std::string& source,
                         const std::string& options);
BuildResult build_binary(const DeviceStateRef& device, const std::string& binary,
                         const std::string& options);
BuildResult build_il(const DeviceStateRef& device, const std::string& il,
                     const std::string& options);

bool takes_il(const DeviceState& device);

// Fails with IO when PoCL's cache folder has too little space: LLVM ends the process when a write
// fails. Does nothing on other platforms.
void require_space_for_build(const DeviceState& device);

}  // namespace netcl::backend::opencl
