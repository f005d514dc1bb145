// The platform, the device and what they say of themselves.
#include <algorithm>
#include <cstring>

#include "fake.hpp"

namespace fake {

cl_int give(const void* value, size_t size, size_t capacity, void* out, size_t* needed) {
  if (needed != nullptr) *needed = size;
  if (out == nullptr) return CL_SUCCESS;
  if (capacity < size) return CL_INVALID_VALUE;
  std::memcpy(out, value, size);
  return CL_SUCCESS;
}

cl_int give(const std::string& text, size_t capacity, void* out, size_t* needed) {
  return give(text.c_str(), text.size() + 1, capacity, out, needed);
}

namespace {

_cl_platform_id* platform() {
  static _cl_platform_id one;
  return &one;
}
_cl_device_id* device(size_t number) {
  static _cl_device_id all[2] = {{0}, {1}};
  return &all[number];
}
cl_uint device_total() { return fake::read_script().gpus; }

const char* device_text(cl_device_info what) {
  switch (what) {
    case CL_DEVICE_NAME:
      return "Scripted";
    case CL_DEVICE_VENDOR:
      return "netcl tests";
    case CL_DEVICE_VERSION:
      return "OpenCL 1.2 scripted";
    case CL_DRIVER_VERSION:
      return "1.0";
    case CL_DEVICE_PROFILE:
      return "FULL_PROFILE";
    case CL_DEVICE_EXTENSIONS:
      if (fake::read_script().share) {
        return "cl_khr_fp16 cl_khr_device_uuid cl_khr_external_memory_opaque_fd";
      }
      return fake::read_script().batches == "none" ? "cl_khr_fp16 cl_khr_command_buffer_x"
                                                   : "cl_khr_fp16 cl_khr_command_buffer";
    case CL_DEVICE_OPENCL_C_VERSION:
      return "OpenCL C 1.2 scripted";
    default:
      return nullptr;
  }
}

// 0 for what is not asked of it.
uint64_t device_number(cl_device_info what) {
  constexpr uint64_t kMiB = uint64_t{1} << 20;
  switch (what) {
    case CL_DEVICE_GLOBAL_MEM_SIZE:
      return 1024 * kMiB;
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
      return 256 * kMiB;
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:
      return kMiB;
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return 48 << 10;
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
      return 64 << 10;
    default:
      return 0;
  }
}

cl_uint device_count(cl_device_info what) {
  switch (what) {
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
      return CL_TRUE;
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return CL_FALSE;
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return 4;
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
      return 1000;
    case CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:
      return 1;
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN:
      return 1024;
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return 3;
    default:
      return UINT32_MAX;
  }
}

}  // namespace

}  // namespace fake

using fake::give;
using fake::give_value;

extern "C" {

cl_int clGetPlatformIDs(cl_uint capacity, cl_platform_id* platforms, cl_uint* count) {
  FAKE_FAIL;
  if (count != nullptr) *count = 1;
  if (platforms != nullptr && capacity > 0) platforms[0] = fake::platform();
  return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info what, size_t capacity, void* value,
                         size_t* needed) {
  FAKE_FAIL;
  switch (what) {
    case CL_PLATFORM_NAME:
      return give("Scripted platform", capacity, value, needed);
    case CL_PLATFORM_VERSION:
      return give("OpenCL 1.2 scripted", capacity, value, needed);
    case CL_PLATFORM_VENDOR:
      return give("netcl tests", capacity, value, needed);
    case CL_PLATFORM_PROFILE:
      return give("FULL_PROFILE", capacity, value, needed);
    case CL_PLATFORM_EXTENSIONS:
      return give("", capacity, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetDeviceIDs(cl_platform_id, cl_device_type type, cl_uint capacity, cl_device_id* devices,
                      cl_uint* count) {
  FAKE_FAIL;
  const bool wanted = (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)) != 0;
  if (count != nullptr) *count = wanted ? fake::device_total() : 0;
  if (!wanted) return CL_DEVICE_NOT_FOUND;
  for (cl_uint i = 0; devices != nullptr && i < capacity && i < fake::device_total(); ++i) {
    devices[i] = fake::device(i);
  }
  return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t capacity, void* value,
                       size_t* needed) {
  FAKE_FAIL;
  if (const char* text = fake::device_text(what)) return give(text, capacity, value, needed);
  if (const uint64_t number = fake::device_number(what)) {
    return give_value<cl_ulong>(number, capacity, value, needed);
  }
  if (const cl_uint count = fake::device_count(what); count != UINT32_MAX) {
    return give_value(count, capacity, value, needed);
  }
  static constexpr size_t kSizes[3] = {1024, 1024, 64};
  switch (what) {
    case CL_DEVICE_TYPE:
      return give_value<cl_device_type>(CL_DEVICE_TYPE_GPU, capacity, value, needed);
    case CL_DEVICE_PLATFORM:
      return give_value<cl_platform_id>(fake::platform(), capacity, value, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return give_value<size_t>(1024, capacity, value, needed);
    case CL_DEVICE_MAX_PARAMETER_SIZE:
      if (fake::read_script().argument_bytes == 0) return CL_INVALID_VALUE;
      return give_value<size_t>(fake::read_script().argument_bytes, capacity, value, needed);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
      return give(kSizes, sizeof kSizes, capacity, value, needed);
    case CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR:
      return give_value<cl_device_command_buffer_capabilities_khr>(
          fake::read_script().batches == "once" ? 0
                                                : CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR,
          capacity, value, needed);
    case 0x1060: {  // CL_DEVICE_EXTENSIONS_WITH_VERSION, of OpenCL 3.0
      if (fake::read_script().batches != "later") return CL_INVALID_VALUE;
      struct {
        cl_uint version;
        char name[64];
      } list[2] = {{4194304, "cl_khr_fp16"}, {4194304, "cl_khr_command_buffer"}};  // 1.0.0
      return give(list, sizeof list, capacity, value, needed);
    }
    case CL_DEVICE_UUID_KHR: {
      cl_uchar uuid[CL_UUID_SIZE_KHR];
      std::memset(uuid, 0x5a + static_cast<int>(device->number), sizeof uuid);
      return give(uuid, sizeof uuid, capacity, value, needed);
    }
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
      return give_value<size_t>(1, capacity, value, needed);
    case CL_DEVICE_QUEUE_PROPERTIES:
      return give_value<cl_command_queue_properties>(
          CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, capacity, value,
          needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clRetainDevice(cl_device_id) {
  FAKE_FAIL;
  return CL_SUCCESS;
}
cl_int clReleaseDevice(cl_device_id) {
  FAKE_FAIL;
  return CL_SUCCESS;
}

cl_context clCreateContext(const cl_context_properties*, cl_uint, const cl_device_id* devices,
                           void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*,
                           cl_int* code) {
  FAKE_FAIL_MADE;
  *code = CL_SUCCESS;
  if (fake::read_script().log) fake::note_launch("context");
  auto* const context = new _cl_context();
  context->device = devices[0];
  return context;
}

cl_int clGetContextInfo(cl_context context, cl_context_info what, size_t capacity, void* value,
                        size_t* needed) {
  FAKE_FAIL;
  if (what != CL_CONTEXT_DEVICES) return CL_INVALID_VALUE;
  return give_value<cl_device_id>(context->device, capacity, value, needed);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id,
                                      cl_command_queue_properties properties, cl_int* code) {
  FAKE_FAIL_MADE;
  auto* const queue = new _cl_command_queue();
  queue->context = context;
  queue->properties = properties;
  *code = CL_SUCCESS;
  return queue;
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t capacity,
                             void* value, size_t* needed) {
  FAKE_FAIL;
  switch (what) {
    case CL_QUEUE_CONTEXT:
      return give_value(queue->context, capacity, value, needed);
    case CL_QUEUE_DEVICE:
      return give_value<cl_device_id>(queue->context->device, capacity, value, needed);
    case CL_QUEUE_PROPERTIES:
      return give_value(queue->properties, capacity, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clFlush(cl_command_queue queue) {
  FAKE_FAIL;
  const std::lock_guard<std::mutex> lock(fake::mutex());
  fake::flush_held(queue);
  return CL_SUCCESS;
}

}  // extern "C"
