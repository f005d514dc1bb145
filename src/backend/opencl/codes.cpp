#include "backend/opencl/codes.hpp"

#include "backend/opencl/library.hpp"

// The codes of the specification; each expands to its name and value.
#define NETCL_CL_CODES(X)                         \
  X(CL_DEVICE_NOT_FOUND)                          \
  X(CL_DEVICE_NOT_AVAILABLE)                      \
  X(CL_COMPILER_NOT_AVAILABLE)                    \
  X(CL_MEM_OBJECT_ALLOCATION_FAILURE)             \
  X(CL_OUT_OF_RESOURCES)                          \
  X(CL_OUT_OF_HOST_MEMORY)                        \
  X(CL_PROFILING_INFO_NOT_AVAILABLE)              \
  X(CL_MEM_COPY_OVERLAP)                          \
  X(CL_IMAGE_FORMAT_MISMATCH)                     \
  X(CL_IMAGE_FORMAT_NOT_SUPPORTED)                \
  X(CL_BUILD_PROGRAM_FAILURE)                     \
  X(CL_MAP_FAILURE)                               \
  X(CL_MISALIGNED_SUB_BUFFER_OFFSET)              \
  X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) \
  X(CL_COMPILE_PROGRAM_FAILURE)                   \
  X(CL_LINKER_NOT_AVAILABLE)                      \
  X(CL_LINK_PROGRAM_FAILURE)                      \
  X(CL_DEVICE_PARTITION_FAILED)                   \
  X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)             \
  X(CL_INVALID_VALUE)                             \
  X(CL_INVALID_DEVICE_TYPE)                       \
  X(CL_INVALID_PLATFORM)                          \
  X(CL_INVALID_DEVICE)                            \
  X(CL_INVALID_CONTEXT)                           \
  X(CL_INVALID_QUEUE_PROPERTIES)                  \
  X(CL_INVALID_COMMAND_QUEUE)                     \
  X(CL_INVALID_HOST_PTR)                          \
  X(CL_INVALID_MEM_OBJECT)                        \
  X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)           \
  X(CL_INVALID_IMAGE_SIZE)                        \
  X(CL_INVALID_SAMPLER)                           \
  X(CL_INVALID_BINARY)                            \
  X(CL_INVALID_BUILD_OPTIONS)                     \
  X(CL_INVALID_PROGRAM)                           \
  X(CL_INVALID_PROGRAM_EXECUTABLE)                \
  X(CL_INVALID_KERNEL_NAME)                       \
  X(CL_INVALID_KERNEL_DEFINITION)                 \
  X(CL_INVALID_KERNEL)                            \
  X(CL_INVALID_ARG_INDEX)                         \
  X(CL_INVALID_ARG_VALUE)                         \
  X(CL_INVALID_ARG_SIZE)                          \
  X(CL_INVALID_KERNEL_ARGS)                       \
  X(CL_INVALID_WORK_DIMENSION)                    \
  X(CL_INVALID_WORK_GROUP_SIZE)                   \
  X(CL_INVALID_WORK_ITEM_SIZE)                    \
  X(CL_INVALID_GLOBAL_OFFSET)                     \
  X(CL_INVALID_EVENT_WAIT_LIST)                   \
  X(CL_INVALID_EVENT)                             \
  X(CL_INVALID_OPERATION)                         \
  X(CL_INVALID_GL_OBJECT)                         \
  X(CL_INVALID_BUFFER_SIZE)                       \
  X(CL_INVALID_MIP_LEVEL)                         \
  X(CL_INVALID_GLOBAL_WORK_SIZE)                  \
  X(CL_INVALID_PROPERTY)                          \
  X(CL_INVALID_IMAGE_DESCRIPTOR)                  \
  X(CL_INVALID_COMPILER_OPTIONS)                  \
  X(CL_INVALID_LINKER_OPTIONS)                    \
  X(CL_INVALID_DEVICE_PARTITION_COUNT)            \
  X(CL_INVALID_PIPE_SIZE)                         \
  X(CL_INVALID_DEVICE_QUEUE)                      \
  X(CL_INVALID_SPEC_ID)                           \
  X(CL_MAX_SIZE_RESTRICTION_EXCEEDED)

namespace netcl::backend::opencl {

namespace {

const char* code_name(int32_t code) noexcept {
  switch (code) {
#define NETCL_CL_CASE(name) \
  case name:                \
    return #name;
    NETCL_CL_CODES(NETCL_CL_CASE)
#undef NETCL_CL_CASE
    case 0:
      return "CL_SUCCESS";
    case CL_PLATFORM_NOT_FOUND_KHR:
      return "CL_PLATFORM_NOT_FOUND_KHR";
    case -9999:
      return "NVIDIA: illegal access to memory by a kernel";
    default:
      return "unknown code";
  }
}

}  // namespace

std::string code_text(int32_t code) {
  return format("%s (%d)", code_name(code), static_cast<int>(code));
}

netcl_status status_of_code(int32_t code, netcl_status fallback) noexcept {
  switch (code) {
    case CL_DEVICE_NOT_FOUND:
    case CL_DEVICE_NOT_AVAILABLE:
    case CL_PLATFORM_NOT_FOUND_KHR:
      return NETCL_ERROR_NO_DEVICE;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_INVALID_BUFFER_SIZE:
      return NETCL_ERROR_OUT_OF_DEVICE_MEMORY;
    case CL_OUT_OF_HOST_MEMORY:
      return NETCL_ERROR_OUT_OF_HOST_MEMORY;
    case CL_OUT_OF_RESOURCES:
      // A launch that needs more than there is (registers, say) cannot be helped by freeing memory.
      return fallback == NETCL_ERROR_LAUNCH_FAILURE ? fallback : NETCL_ERROR_OUT_OF_DEVICE_MEMORY;
    case CL_PROFILING_INFO_NOT_AVAILABLE:
      return NETCL_ERROR_NOT_PROFILED;
    case CL_BUILD_PROGRAM_FAILURE:
    case CL_COMPILE_PROGRAM_FAILURE:
    case CL_LINK_PROGRAM_FAILURE:
    case CL_INVALID_BUILD_OPTIONS:
    case CL_INVALID_COMPILER_OPTIONS:
    case CL_INVALID_LINKER_OPTIONS:
    case CL_INVALID_BINARY:
      return NETCL_ERROR_BUILD_FAILURE;
    case CL_COMPILER_NOT_AVAILABLE:
    case CL_LINKER_NOT_AVAILABLE:
    case CL_INVALID_QUEUE_PROPERTIES:
    case CL_INVALID_OPERATION:
      return NETCL_ERROR_UNSUPPORTED;
    case CL_INVALID_KERNEL_NAME:
      return NETCL_ERROR_NOT_FOUND;
    case CL_MEM_COPY_OVERLAP:
    case CL_MISALIGNED_SUB_BUFFER_OFFSET:
    case CL_INVALID_ARG_INDEX:
    case CL_INVALID_ARG_VALUE:
    case CL_INVALID_ARG_SIZE:
    case CL_INVALID_WORK_DIMENSION:
    case CL_INVALID_WORK_GROUP_SIZE:
    case CL_INVALID_WORK_ITEM_SIZE:
    case CL_INVALID_GLOBAL_OFFSET:
    case CL_INVALID_GLOBAL_WORK_SIZE:
      return NETCL_ERROR_INVALID_ARGUMENT;
    default:
      return fallback;
  }
}

std::string failure_text(const char* call, int32_t code) {
  return code == CL_SUCCESS ? format("%s gave nothing and no error", call)
                            : format("%s failed: %s", call, code_text(code).c_str());
}

void fail_call(const char* call, int32_t code, netcl_status fallback) {
  throw Error(status_of_code(code, fallback), failure_text(call, code), code);
}

}  // namespace netcl::backend::opencl
