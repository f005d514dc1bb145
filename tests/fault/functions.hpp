// The functions of OpenCL that libfault_cl.so stands in front of: those of the core, and those of
// cl_khr_command_buffer, which programs get by name.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define FAULT_CORE_FUNCTIONS(X)                                                                  \
  X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetDeviceIDs) X(clGetDeviceInfo)                  \
  X(clCreateSubDevices) X(clRetainDevice) X(clReleaseDevice)                                     \
  X(clCreateContext) X(clCreateContextFromType) X(clRetainContext) X(clReleaseContext)           \
  X(clGetContextInfo) X(clSetContextDestructorCallback)                                          \
  X(clCreateCommandQueue) X(clCreateCommandQueueWithProperties) X(clRetainCommandQueue)          \
  X(clReleaseCommandQueue) X(clGetCommandQueueInfo) X(clSetDefaultDeviceCommandQueue)            \
  X(clCreateBuffer) X(clCreateBufferWithProperties) X(clCreateSubBuffer) X(clCreateImage)        \
  X(clCreateImageWithProperties) X(clCreateImage2D) X(clCreateImage3D) X(clCreatePipe)           \
  X(clRetainMemObject) X(clReleaseMemObject) X(clGetMemObjectInfo) X(clGetImageInfo)             \
  X(clGetPipeInfo) X(clGetSupportedImageFormats) X(clSetMemObjectDestructorCallback)             \
  X(clSVMAlloc) X(clSVMFree)                                                                     \
  X(clCreateSampler) X(clCreateSamplerWithProperties) X(clRetainSampler) X(clReleaseSampler)     \
  X(clGetSamplerInfo)                                                                            \
  X(clCreateProgramWithSource) X(clCreateProgramWithBinary) X(clCreateProgramWithIL)             \
  X(clCreateProgramWithBuiltInKernels) X(clRetainProgram) X(clReleaseProgram) X(clBuildProgram)  \
  X(clCompileProgram) X(clLinkProgram) X(clSetProgramReleaseCallback)                            \
  X(clSetProgramSpecializationConstant) X(clUnloadPlatformCompiler) X(clUnloadCompiler)          \
  X(clGetProgramInfo) X(clGetProgramBuildInfo)                                                   \
  X(clCreateKernel) X(clCreateKernelsInProgram) X(clCloneKernel) X(clRetainKernel)               \
  X(clReleaseKernel) X(clSetKernelArg) X(clSetKernelArgSVMPointer) X(clSetKernelExecInfo)        \
  X(clGetKernelInfo) X(clGetKernelArgInfo) X(clGetKernelWorkGroupInfo)                           \
  X(clGetKernelSubGroupInfo)                                                                     \
  X(clWaitForEvents) X(clGetEventInfo) X(clCreateUserEvent) X(clRetainEvent) X(clReleaseEvent)   \
  X(clSetUserEventStatus) X(clSetEventCallback) X(clGetEventProfilingInfo) X(clFlush)            \
  X(clFinish) X(clGetDeviceAndHostTimer) X(clGetHostTimer)                                       \
  X(clEnqueueReadBuffer) X(clEnqueueReadBufferRect) X(clEnqueueWriteBuffer)                      \
  X(clEnqueueWriteBufferRect) X(clEnqueueFillBuffer) X(clEnqueueCopyBuffer)                      \
  X(clEnqueueCopyBufferRect) X(clEnqueueReadImage) X(clEnqueueWriteImage) X(clEnqueueFillImage)  \
  X(clEnqueueCopyImage) X(clEnqueueCopyImageToBuffer) X(clEnqueueCopyBufferToImage)              \
  X(clEnqueueMapBuffer) X(clEnqueueMapImage) X(clEnqueueUnmapMemObject)                          \
  X(clEnqueueMigrateMemObjects) X(clEnqueueNDRangeKernel) X(clEnqueueTask)                       \
  X(clEnqueueNativeKernel) X(clEnqueueMarkerWithWaitList) X(clEnqueueBarrierWithWaitList)        \
  X(clEnqueueMarker) X(clEnqueueBarrier) X(clEnqueueWaitForEvents)                               \
  X(clEnqueueSVMFree) X(clEnqueueSVMMemcpy) X(clEnqueueSVMMemFill) X(clEnqueueSVMMap)            \
  X(clEnqueueSVMUnmap) X(clEnqueueSVMMigrateMem)                                                 \
  X(clGetExtensionFunctionAddress) X(clGetExtensionFunctionAddressForPlatform)

#define FAULT_EXTENSION_FUNCTIONS(X)                                                             \
  X(clCreateCommandBufferKHR) X(clRetainCommandBufferKHR) X(clReleaseCommandBufferKHR)           \
  X(clFinalizeCommandBufferKHR) X(clEnqueueCommandBufferKHR) X(clCommandNDRangeKernelKHR)        \
  X(clCommandFillBufferKHR) X(clCommandCopyBufferKHR) X(clCommandBarrierWithWaitListKHR)         \
  X(clGetCommandBufferInfoKHR)

namespace fault {

enum Function {
#define X(name) k_##name,
  FAULT_CORE_FUNCTIONS(X) FAULT_EXTENSION_FUNCTIONS(X)
#undef X
  kFunctions
};

}  // namespace fault
