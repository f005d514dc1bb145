#include "backend/opencl/batch_api.hpp"

#include <string.h>

#include "backend/opencl/query.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"

namespace netcl::backend::opencl {

namespace {

// The name of a function that the platform does not give, null when it gives all.
const char* find_functions(cl_platform_id platform, BatchApi* api) {
  const char* missing = nullptr;
  const auto find = [&](const char* name, auto* function) {
    void* const address = cl().clGetExtensionFunctionAddressForPlatform(platform, name);
    static_assert(sizeof(address) == sizeof(*function));
    memcpy(function, &address, sizeof(address));
    if (address == nullptr && missing == nullptr) missing = name;
  };
  find("clCreateCommandBufferKHR", &api->create);
  find("clFinalizeCommandBufferKHR", &api->finalize);
  find("clReleaseCommandBufferKHR", &api->release);
  find("clEnqueueCommandBufferKHR", &api->enqueue);
  find("clCommandNDRangeKernelKHR", &api->launch);
  return missing;
}

}  // namespace

BatchApi find_batch_api(cl_platform_id platform, cl_device_id device) {
  BatchApi api;
  if (!environment().command_buffers) {
    api.refusal = "NETCL_COMMAND_BUFFERS is 0";
    return api;
  }
  if (!has_word(device_text(device, CL_DEVICE_EXTENSIONS, 65536),
                CL_KHR_COMMAND_BUFFER_EXTENSION_NAME)) {
    api.refusal = "the driver has no cl_khr_command_buffer";
    return api;
  }
  if (cl().clGetExtensionFunctionAddressForPlatform == nullptr) {
    api.refusal = "the OpenCL loader has no clGetExtensionFunctionAddressForPlatform";
    return api;
  }
  if (const char* missing = find_functions(platform, &api)) {
    api.refusal = format("the driver has cl_khr_command_buffer but no %s", missing);
    return api;
  }
  const auto required = device_value<cl_command_queue_properties>(
      device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, 0);
  if (required != 0) {
    api.refusal = format("the driver wants queues with the properties 0x%llx for them",
                         static_cast<unsigned long long>(required));
    return api;
  }
  const auto abilities = device_value<cl_device_command_buffer_capabilities_khr>(
      device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, 0);
  api.simultaneous = (abilities & CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR) != 0;
  return api;
}

}  // namespace netcl::backend::opencl
