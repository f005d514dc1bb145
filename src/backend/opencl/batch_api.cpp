#include "backend/opencl/batch_api.hpp"

#include <string.h>

#include <vector>

#include "backend/opencl/query.hpp"
#include "core/environment.hpp"
#include "core/error.hpp"

namespace netcl::backend::opencl {

namespace {

// The name of a function that is needed and not given by the platform, null when there is none.
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
  const char* const needed = missing;
  find("clCommandFillBufferKHR", &api->fill);
  return needed;
}

// The version of the extension that the driver tells, 0 where it tells none.
cl_version batches_version(cl_device_id device) {
  size_t bytes = 0;
  cl_int code = ask([&] {
    return cl().clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &bytes);
  });
  constexpr size_t kMost = 4096;
  if (code != CL_SUCCESS || bytes == 0 || bytes > kMost * sizeof(cl_name_version)) return 0;
  std::vector<cl_name_version> all(bytes / sizeof(cl_name_version));
  code = ask([&] {
    return cl().clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION,
                                all.size() * sizeof(cl_name_version), all.data(), nullptr);
  });
  if (code != CL_SUCCESS) return 0;
  for (const cl_name_version& known : all) {
    if (strncmp(known.name, CL_KHR_COMMAND_BUFFER_EXTENSION_NAME, sizeof known.name) == 0) {
      return known.version;
    }
  }
  return 0;
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
  // Provisional versions change what functions take.
  const cl_version version = batches_version(device);
  if (version != 0 && (CL_VERSION_MAJOR(version) != 0 || CL_VERSION_MINOR(version) != 9)) {
    api.refusal = format("the driver has version %u.%u.%u of cl_khr_command_buffer, not 0.9",
                         CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version),
                         CL_VERSION_PATCH(version));
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
