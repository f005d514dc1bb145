#include "backend/opencl/cuda_slabs.hpp"

#include <algorithm>
#include <cstring>

#include "backend/opencl/query.hpp"

namespace netcl::backend::opencl {

namespace {

constexpr uint64_t kSlabBytes = uint64_t{64} << 20;
// Where parts may begin: what OpenCL asks of sub-buffers on every GPU of NVIDIA.
constexpr uint64_t kPartAlignment = 512;

uint64_t round_up(uint64_t bytes, uint64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

}  // namespace

std::unique_ptr<CudaSlabs> CudaSlabs::find(const DeviceState& device, const netcl_device_info& info,
                                           std::string* problem) {
  const std::string extensions = device_text(device.device(), CL_DEVICE_EXTENSIONS, 65536);
  if (!has_word(extensions, "cl_khr_external_memory_opaque_fd") ||
      cl().clCreateBufferWithProperties == nullptr) {
    *problem = "its driver has no cl_khr_external_memory_opaque_fd";
    return nullptr;
  }
  if (info.has_uuid == 0) {
    *problem = "its driver tells no UUID";
    return nullptr;
  }
  share::CudaDeviceRef cuda = share::CudaDevice::find(info.uuid, problem);
  if (cuda == nullptr) return nullptr;
  return std::unique_ptr<CudaSlabs>(new CudaSlabs(std::move(cuda)));
}

// The driver closes a descriptor that it has taken.
std::shared_ptr<CudaSlabs::Slab> CudaSlabs::import(const DeviceState& device,
                                                   share::CudaMemoryRef memory) {
  Descriptor descriptor(memory->descriptor());
  const cl_mem_properties properties[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                          static_cast<cl_mem_properties>(descriptor.get()), 0};
  auto slab = std::make_shared<Slab>();
  cl_int code = CL_SUCCESS;
  slab->mem = MemObject(cl().clCreateBufferWithProperties(
      device.context(), properties, CL_MEM_READ_WRITE, memory->bytes(), nullptr, &code));
  check_made(slab->mem.get(), code, "clCreateBufferWithProperties",
             NETCL_ERROR_OUT_OF_DEVICE_MEMORY);
  (void)descriptor.take();
  slab->memory = std::move(memory);
  return slab;
}

CudaPiece CudaSlabs::part(const std::shared_ptr<Slab>& slab, uint64_t offset, uint64_t bytes) {
  CudaPiece piece;
  const cl_buffer_region region{static_cast<size_t>(offset), static_cast<size_t>(bytes)};
  cl_int code = CL_SUCCESS;
  piece.mem = MemObject(
      cl().clCreateSubBuffer(slab->mem.get(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check_made(piece.mem.get(), code, "clCreateSubBuffer", NETCL_ERROR_OUT_OF_DEVICE_MEMORY);
  check(cl().clRetainMemObject(slab->mem.get()), "clRetainMemObject",
        NETCL_ERROR_OUT_OF_HOST_MEMORY);
  piece.whole = MemObject(slab->mem.get());
  piece.offset = offset;
  // Keeps the slab, not its memory alone.
  share::CudaMemoryRef memory(slab, slab->memory.get());
  piece.shared = std::make_shared<share::CudaPart>(std::move(memory), offset, bytes);
  return piece;
}

std::shared_ptr<CudaSlabs::Slab> CudaSlabs::make(const DeviceState& device, uint64_t bytes) {
  if (bytes > kImportMost) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "%llu bytes of shared memory on \"%s\"; NVIDIA's OpenCL takes %llu in one piece",
         static_cast<unsigned long long>(bytes), device.name().c_str(),
         static_cast<unsigned long long>(kImportMost));
  }
  const uint64_t least = round_up(bytes, cuda_->granularity());
  const uint64_t wanted = round_up(std::max(bytes, kSlabBytes), cuda_->granularity());
  try {
    return import(device, share::CudaMemory::create(cuda_, wanted));
  } catch (const Error& error) {
    if (error.status() != NETCL_ERROR_OUT_OF_DEVICE_MEMORY || wanted == least) throw;
  }
  return import(device, share::CudaMemory::create(cuda_, least));
}

// Places are given once: what lies in one may have been exported.
CudaPiece CudaSlabs::take(const DeviceState& device, uint64_t bytes) {
  const uint64_t size = round_up(bytes, kPartAlignment);
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<Slab> slab = last_made_.lock();
  if (slab == nullptr || slab->room() < size) {
    const uint64_t room = slab == nullptr ? 0 : slab->room();
    slab = make(device, size);
    if (slab->room() - size >= room) last_made_ = slab;
  }
  CudaPiece piece = part(slab, slab->used, bytes);
  slab->used += size;
  return piece;
}

CudaPiece CudaSlabs::open(const DeviceState& device, const netcl_shared_memory& given) {
  const auto number = [](uint64_t value) { return static_cast<unsigned long long>(value); };
  if (!cuda_->reaches(given.device_uuid)) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "memory->device_uuid is that of a GPU whose memory \"%s\" does not reach",
         device.name().c_str());
  }
  if (given.bytes == 0) fail(NETCL_ERROR_INVALID_ARGUMENT, "memory->bytes is 0");
  if (given.total_bytes > kImportMost) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "memory->total_bytes is %llu; NVIDIA's OpenCL takes %llu in one piece",
         number(given.total_bytes), number(kImportMost));
  }
  if (given.offset_bytes > given.total_bytes ||
      given.bytes > given.total_bytes - given.offset_bytes) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "memory->bytes is %llu from memory->offset_bytes %llu on; memory->total_bytes is %llu",
         number(given.bytes), number(given.offset_bytes), number(given.total_bytes));
  }
  if (given.offset_bytes % kPartAlignment != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "memory->offset_bytes is %llu; it must be a multiple of %llu", number(given.offset_bytes),
         number(kPartAlignment));
  }
  return part(import(device, share::CudaMemory::open(cuda_, given)), given.offset_bytes,
              given.bytes);
}

}  // namespace netcl::backend::opencl
