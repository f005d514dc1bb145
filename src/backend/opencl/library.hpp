// The table of OpenCL entry points, filled at run time from libOpenCL.so.1. Nothing is linked, and
// this header is the only one that includes the Khronos headers.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#endif
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>

// Every loader has these. Some are newer than what a platform implements, so the version of the
// platform and the device decides whether one may be called, not its presence in the loader.
#define NETCL_CL_REQUIRED(X)      \
  X(clGetPlatformIDs)             \
  X(clGetPlatformInfo)            \
  X(clGetDeviceIDs)               \
  X(clGetDeviceInfo)              \
  X(clCreateContext)              \
  X(clRetainContext)              \
  X(clReleaseContext)             \
  X(clGetContextInfo)             \
  X(clCreateCommandQueue)         \
  X(clRetainCommandQueue)         \
  X(clReleaseCommandQueue)        \
  X(clGetCommandQueueInfo)        \
  X(clFlush)                      \
  X(clCreateBuffer)               \
  X(clCreateSubBuffer)            \
  X(clRetainMemObject)            \
  X(clReleaseMemObject)           \
  X(clGetMemObjectInfo)           \
  X(clCreateProgramWithSource)    \
  X(clCreateProgramWithBinary)    \
  X(clBuildProgram)               \
  X(clReleaseProgram)             \
  X(clGetProgramInfo)             \
  X(clGetProgramBuildInfo)        \
  X(clCreateKernel)               \
  X(clReleaseKernel)              \
  X(clSetKernelArg)               \
  X(clGetKernelInfo)              \
  X(clGetKernelArgInfo)           \
  X(clGetKernelWorkGroupInfo)     \
  X(clEnqueueNDRangeKernel)       \
  X(clEnqueueReadBuffer)          \
  X(clEnqueueWriteBuffer)         \
  X(clEnqueueCopyBuffer)          \
  X(clEnqueueFillBuffer)          \
  X(clEnqueueMapBuffer)           \
  X(clEnqueueUnmapMemObject)      \
  X(clEnqueueMarkerWithWaitList)  \
  X(clEnqueueBarrierWithWaitList) \
  X(clGetEventInfo)               \
  X(clGetEventProfilingInfo)      \
  X(clSetEventCallback)           \
  X(clRetainEvent)                \
  X(clReleaseEvent)               \
  X(clRetainDevice)               \
  X(clReleaseDevice)

// Null in older loaders.
#define NETCL_CL_OPTIONAL(X)            \
  X(clCreateCommandQueueWithProperties) \
  X(clCreateProgramWithIL)              \
  X(clEnqueueNativeKernel)              \
  X(clCreateBufferWithProperties)       \
  X(clSetMemObjectDestructorCallback)   \
  X(clGetExtensionFunctionAddressForPlatform)

namespace netcl::backend::opencl {

struct Api {
#define NETCL_CL_MEMBER(name) decltype(&::name) name = nullptr;
  NETCL_CL_REQUIRED(NETCL_CL_MEMBER)
  NETCL_CL_OPTIONAL(NETCL_CL_MEMBER)
#undef NETCL_CL_MEMBER
};

// What opening the loader gave. `problem` is empty when the table is filled.
struct Library {
  Api api;
  std::string path;     // the file that was opened
  std::string problem;  // why there is no table, one line
};

// Opens the loader at the first call; never called in a child of a process that has done so. The
// result lives until the process ends: driver threads may run for as long.
const Library& library();

namespace detail {
extern const Api* g_api;
}

// The table. Only called where something of OpenCL is in hand, so after library() succeeded.
inline const Api& cl() noexcept { return *detail::g_api; }

}  // namespace netcl::backend::opencl
