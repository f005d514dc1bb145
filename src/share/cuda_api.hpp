// The functions of CUDA's driver that sharing memory needs, found at run time in libcuda.so.1:
// nothing of CUDA is linked, and building needs no header of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace netcl::share {

// Types and numbers of cuda.h, whose binary interface does not change.
using CudaHandle = uint64_t;   // CUmemGenericAllocationHandle
using CudaAddress = uint64_t;  // CUdeviceptr

struct CudaLocation {
  int32_t type;  // 1: a device
  int32_t id;
};
struct CudaAllocation {  // CUmemAllocationProp
  int32_t type;          // 1: pinned, the only one there is
  int32_t handle_types;  // 1: POSIX file descriptors
  CudaLocation location;
  void* win32;
  unsigned char flags[8];
};
struct CudaAccess {  // CUmemAccessDesc
  CudaLocation location;
  int32_t flags;  // 3: reading and writing
};
struct CudaUuid {
  unsigned char bytes[16];
};
static_assert(sizeof(CudaAllocation) == 32 && sizeof(CudaAccess) == 12);
inline constexpr int kCudaDescriptor = 1;  // CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
inline constexpr int kCudaNoMemory = 2;    // CUDA_ERROR_OUT_OF_MEMORY
inline constexpr int kCudaNotReady = 600;  // CUDA_ERROR_NOT_READY
inline constexpr unsigned kCudaNonBlocking = 1;  // CU_STREAM_NON_BLOCKING

// Where the name in the library has a version behind it, that comes third.
#define NETCL_CUDA_FUNCTIONS(X)                                                             \
  X(cuInit, (unsigned), )                                                                   \
  X(cuGetErrorName, (int, const char**), )                                                  \
  X(cuDeviceGetCount, (int*), )                                                             \
  X(cuDeviceGet, (int*, int), )                                                             \
  X(cuDeviceGetUuid, (CudaUuid*, int), )                                                    \
  X(cuDevicePrimaryCtxRetain, (void**, int), )                                              \
  X(cuDevicePrimaryCtxRelease, (int), _v2)                                                  \
  X(cuCtxPushCurrent, (void*), _v2)                                                         \
  X(cuCtxPopCurrent, (void**), _v2)                                                         \
  X(cuCtxSynchronize, (), )                                                                 \
  X(cuMemGetAllocationGranularity, (size_t*, const CudaAllocation*, int), )                 \
  X(cuMemCreate, (CudaHandle*, size_t, const CudaAllocation*, unsigned long long), )        \
  X(cuMemRelease, (CudaHandle), )                                                           \
  X(cuMemExportToShareableHandle, (void*, CudaHandle, int, unsigned long long), )           \
  X(cuMemImportFromShareableHandle, (CudaHandle*, void*, int), )                            \
  X(cuMemAddressReserve, (CudaAddress*, size_t, size_t, CudaAddress, unsigned long long), ) \
  X(cuMemAddressFree, (CudaAddress, size_t), )                                              \
  X(cuMemMap, (CudaAddress, size_t, size_t, CudaHandle, unsigned long long), )              \
  X(cuMemUnmap, (CudaAddress, size_t), )                                                    \
  X(cuMemSetAccess, (CudaAddress, size_t, const CudaAccess*, size_t), )                     \
  X(cuDeviceCanAccessPeer, (int*, int, int), )                                              \
  X(cuStreamCreate, (void**, unsigned), )                                                   \
  X(cuStreamDestroy, (void*), _v2)                                                          \
  X(cuStreamQuery, (void*), )                                                               \
  X(cuStreamSynchronize, (void*), )                                                         \
  X(cuMemcpyDtoDAsync, (CudaAddress, CudaAddress, size_t, void*), _v2)

struct CudaApi {
#define NETCL_CUDA_MEMBER(name, parameters, version) int(*name) parameters = nullptr;
  NETCL_CUDA_FUNCTIONS(NETCL_CUDA_MEMBER)
#undef NETCL_CUDA_MEMBER
  std::string problem;  // why there is no table, one line; empty when it is filled
};

// Opens the library and starts the driver at the first call. The result lives until the process
// ends.
const CudaApi& cuda_api();

// "<call>: CUDA_ERROR_INVALID_VALUE (1)".
std::string cuda_failure(const CudaApi& api, const char* call, int code);

}  // namespace netcl::share
