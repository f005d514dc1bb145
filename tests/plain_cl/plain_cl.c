/* Hides that a driver runs functions of the host; everything else is the system's OpenCL. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>

typedef cl_int (*GetDeviceInfo)(cl_device_id, cl_device_info, size_t, void*, size_t*);

__attribute__((visibility("default"))) cl_int clGetDeviceInfo(cl_device_id device,
                                                              cl_device_info name, size_t capacity,
                                                              void* value, size_t* size) {
  const GetDeviceInfo real = (GetDeviceInfo)dlsym(RTLD_NEXT, "clGetDeviceInfo");
  const cl_int code = real(device, name, capacity, value, size);
  if (code == CL_SUCCESS && name == CL_DEVICE_EXECUTION_CAPABILITIES && value != NULL) {
    *(cl_device_exec_capabilities*)value &= ~(cl_device_exec_capabilities)CL_EXEC_NATIVE_KERNEL;
  }
  return code;
}
