#include "share/cuda_memory.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/file.hpp"
#include "core/room.hpp"

namespace netcl::share {

namespace {

[[noreturn]] void fail_cuda(netcl_status status, const char* call, int code) {
  if (code == kCudaNoMemory) status = NETCL_ERROR_OUT_OF_DEVICE_MEMORY;
  fail(status, cuda_failure(cuda_api(), call, code));
}

int find_number(const uint8_t* uuid, std::string* problem) {
  const CudaApi& api = cuda_api();
  int count = 0;
  if (const int code = api.cuDeviceGetCount(&count); code != 0) {
    *problem = cuda_failure(api, "cuDeviceGetCount", code);
    return -1;
  }
  for (int i = 0; i < count; ++i) {
    int device = 0;
    CudaUuid known = {};
    if (api.cuDeviceGet(&device, i) == 0 && api.cuDeviceGetUuid(&known, device) == 0 &&
        std::memcmp(known.bytes, uuid, sizeof known.bytes) == 0) {
      return device;
    }
  }
  *problem = format("none of the %d devices of CUDA has the UUID of this one", count);
  return -1;
}

}  // namespace

CudaDeviceRef CudaDevice::find(const uint8_t* uuid, std::string* problem) {
  const CudaApi& api = cuda_api();
  *problem = api.problem;
  if (!problem->empty()) return nullptr;
  const int number = find_number(uuid, problem);
  if (number < 0) return nullptr;
  CudaDeviceRef device(new CudaDevice());
  device->number_ = number;
  std::memcpy(device->uuid_.bytes, uuid, sizeof device->uuid_.bytes);
  const char* call = "cuDevicePrimaryCtxRetain";
  int code = api.cuDevicePrimaryCtxRetain(&device->context_, number);
  if (code == 0) {
    const CudaAllocation wanted = device->allocation();
    size_t granularity = 0;
    call = "cuMemGetAllocationGranularity";
    code = api.cuMemGetAllocationGranularity(&granularity, &wanted, 0);
    device->granularity_ = granularity;
  }
  if (code == 0 && device->granularity_ != 0) return device;
  *problem = cuda_failure(api, call, code);
  return nullptr;
}

CudaDevice::~CudaDevice() {
  if (context_ != nullptr) (void)cuda_api().cuDevicePrimaryCtxRelease(number_);
}

CudaAllocation CudaDevice::allocation() const noexcept {
  return {1, kCudaDescriptor, {1, number_}, nullptr, {}};
}

bool CudaDevice::reaches(const CudaDevice& other) const noexcept {
  int can = 0;
  return cuda_api().cuDeviceCanAccessPeer(&can, number_, other.number_) == 0 && can != 0;
}

bool CudaDevice::reaches(const uint8_t* uuid) const {
  std::string problem;
  const int other = find_number(uuid, &problem);
  int can = 0;
  return other == number_ ||
         (other >= 0 && cuda_api().cuDeviceCanAccessPeer(&can, number_, other) == 0 && can != 0);
}

CudaDevice::Current::Current(const CudaDevice& device) {
  const int code = cuda_api().cuCtxPushCurrent(device.context_);
  if (code != 0) fail_cuda(NETCL_ERROR_DEVICE_LOST, "cuCtxPushCurrent", code);
}

CudaDevice::Current::~Current() {
  void* context = nullptr;
  (void)cuda_api().cuCtxPopCurrent(&context);
}

// 0, or a code of CUDA and the call that gave it.
int CudaMemory::map(CudaHandle handle, const char** call) {
  const CudaApi& api = cuda_api();
  *call = "cuMemAddressReserve";
  int code = api.cuMemAddressReserve(&address_, bytes_, 0, 0, 0);
  if (code != 0) {
    address_ = 0;
    return code;
  }
  *call = "cuMemMap";
  code = api.cuMemMap(address_, bytes_, 0, handle, 0);
  if (code != 0) return code;
  mapped_ = true;
  const CudaAccess access = {{1, device_->number()}, 3};
  *call = "cuMemSetAccess";
  return api.cuMemSetAccess(address_, bytes_, &access, 1);
}

CudaMemoryRef CudaMemory::create(CudaDeviceRef device, uint64_t bytes) {
  const CudaApi& api = cuda_api();
  const CudaDevice::Current current(*device);
  const CudaAllocation wanted = device->allocation();
  CudaMemoryRef memory(new CudaMemory(std::move(device), bytes));
  CudaHandle handle = 0;
  const char* call = "cuMemCreate";
  int code = api.cuMemCreate(&handle, bytes, &wanted, 0);
  if (code != 0) fail_cuda(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, call, code);
  // The mapping and the descriptor keep the memory; the handle is not needed for that.
  int descriptor = -1;
  code = memory->map(handle, &call);
  if (code == 0) {
    call = "cuMemExportToShareableHandle";
    code = api.cuMemExportToShareableHandle(&descriptor, handle, kCudaDescriptor, 0);
  }
  (void)api.cuMemRelease(handle);
  if (code != 0) fail_cuda(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, call, code);
  memory->descriptor_.reset(descriptor);
  (void)::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return memory;
}

CudaMemoryRef CudaMemory::open(CudaDeviceRef device, const netcl_shared_memory& given) {
  const CudaApi& api = cuda_api();
  const CudaDevice::Current current(*device);
  CudaMemoryRef memory(new CudaMemory(std::move(device), given.total_bytes));
  memory->descriptor_.reset(::fcntl(given.descriptor, F_DUPFD_CLOEXEC, kSharedDescriptorLeast));
  if (memory->descriptor_.get() < 0) {
    fail(errno == EBADF ? NETCL_ERROR_INVALID_ARGUMENT : NETCL_ERROR_IO,
         "memory->descriptor is %d: %s", given.descriptor, errno_text(errno).c_str());
  }
  CudaHandle handle = 0;
  const char* call = "cuMemImportFromShareableHandle";
  const auto descriptor = static_cast<uintptr_t>(memory->descriptor_.get());
  int code = api.cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(descriptor),
                                                kCudaDescriptor);
  if (code == 0) {
    code = memory->map(handle, &call);
    (void)api.cuMemRelease(handle);
  }
  if (code == 0) return memory;
  if (code == kCudaNoMemory) fail_cuda(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, call, code);
  fail(NETCL_ERROR_INVALID_ARGUMENT,
       "memory->descriptor is %d with memory->total_bytes %llu, which CUDA refuses: %s",
       given.descriptor, static_cast<unsigned long long>(given.total_bytes),
       cuda_failure(api, call, code).c_str());
}

CudaMemory::~CudaMemory() {
  if (address_ == 0) return;
  const CudaApi& api = cuda_api();
  try {
    const CudaDevice::Current current(*device_);
    // What a stream still has to do may use it, though whoever enqueued that has let go.
    (void)api.cuCtxSynchronize();
    if (mapped_) (void)api.cuMemUnmap(address_, bytes_);
    (void)api.cuMemAddressFree(address_, bytes_);
  } catch (...) {
    // The driver is gone, and the memory with it.
  }
}

void CudaMemory::allow(const CudaDevice& other) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const int number = other.number();
  if (number == device_->number()) return;
  if (std::find(allowed_.begin(), allowed_.end(), number) != allowed_.end()) return;
  make_room(&allowed_, 1);
  const CudaDevice::Current current(*device_);
  const CudaAccess access = {{1, number}, 3};
  const int code = cuda_api().cuMemSetAccess(address_, bytes_, &access, 1);
  if (code != 0) fail_cuda(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "cuMemSetAccess", code);
  allowed_.push_back(number);
}

int CudaMemory::descriptor() const {
  const int fd = ::fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, kSharedDescriptorLeast);
  if (fd >= 0) return fd;
  fail(NETCL_ERROR_IO, "no further descriptor for the memory: %s", errno_text(errno).c_str());
}

netcl_shared_memory CudaPart::give() const {
  netcl_shared_memory given = NETCL_SHARED_MEMORY_INIT;
  given.kind = NETCL_SHARE_CUDA;
  given.offset_bytes = offset_;
  given.bytes = bytes_;
  given.total_bytes = memory_->bytes();
  std::memcpy(given.device_uuid, memory_->device().uuid().bytes, sizeof given.device_uuid);
  given.descriptor = memory_->descriptor();
  return given;
}

}  // namespace netcl::share
