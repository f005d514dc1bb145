// The functions of cl_khr_command_buffer, whose addresses a platform gives.
#pragma once

#include <string>

#include "backend/opencl/library.hpp"

namespace netcl::backend::opencl {

// Signatures are those of version 0.9.0. The later ones differ in the name of a type alone, as far
// as these functions go.
struct BatchApi {
  clCreateCommandBufferKHR_fn create = nullptr;
  clFinalizeCommandBufferKHR_fn finalize = nullptr;
  clReleaseCommandBufferKHR_fn release = nullptr;
  clEnqueueCommandBufferKHR_fn enqueue = nullptr;
  clCommandNDRangeKernelKHR_fn launch = nullptr;
  clCommandFillBufferKHR_fn fill = nullptr;  // null where the platform has none
  bool simultaneous = false;  // one may be enqueued again before it has ended
  std::string refusal;        // why there are none; empty when there are
};

BatchApi find_batch_api(cl_platform_id platform, cl_device_id device);

}  // namespace netcl::backend::opencl
