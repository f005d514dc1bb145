// The face of the OpenCL backend to the device layer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace netcl::backend::opencl {

// One (platform, device) pair as discovery found it.
struct Found {
  netcl_device_info info;   // index is left for the device layer
  bool integrated = false;  // shares memory with the host
  struct _cl_platform_id* platform = nullptr;
  struct _cl_device_id* device = nullptr;
};

// The result of looking for OpenCL: devices, and a text (one finding per line) that says which
// loader was opened, which platforms answered and what failed with which code.
struct Discovery {
  std::vector<Found> devices;
  std::string diagnosis;
};

// Opens the loader and enumerates, once per process; later calls give the same. Saves and restores
// signal dispositions around the driver's start (PoCL's SIGFPE handler is kept, see docs).
const Discovery& discover();

// True when this process has loaded libOpenCL (for the fork rule).
bool touched() noexcept;

std::unique_ptr<Device> open(const Found& found);
// Retains all three; `queue` may be null.
std::unique_ptr<Device> open_from_cl(struct _cl_context* context, struct _cl_device_id* device);

}  // namespace netcl::backend::opencl
