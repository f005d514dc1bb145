// Memory that OpenCL and CUDA both work on: CUDA's driver makes it and OpenCL imports it. That
// takes milliseconds, so one piece is imported as a whole and divided among buffers.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "backend/opencl/device_state.hpp"
#include "share/cuda_memory.hpp"

namespace netcl::backend::opencl {

// A buffer's place in one. The sub-buffer has a reference to `whole`, and `shared` keeps both.
struct CudaPiece {
  MemObject whole;
  MemObject mem;
  uint64_t offset = 0;
  std::shared_ptr<share::Shared> shared;
};

class CudaSlabs {
 public:
  // Of one piece: of 512 MiB and more driver 580.159 ends the process that imports it.
  static constexpr uint64_t kImportMost = uint64_t{510} << 20;

  // Null, with the reason, where CUDA does not know the device or OpenCL does not import memory.
  static std::unique_ptr<CudaSlabs> find(const DeviceState& device, const netcl_device_info& info,
                                         std::string* problem);

  const share::CudaDeviceRef& cuda() const noexcept { return cuda_; }
  CudaPiece take(const DeviceState& device, uint64_t bytes);
  // What another process gave.
  CudaPiece open(const DeviceState& device, const netcl_shared_memory& given);

 private:
  // Declared in this order, so that OpenCL lets go first.
  struct Slab {
    share::CudaMemoryRef memory;
    MemObject mem;
    uint64_t used = 0;
    uint64_t room() const noexcept { return memory->bytes() - used; }
  };

  explicit CudaSlabs(share::CudaDeviceRef cuda) : cuda_(std::move(cuda)) {}
  std::shared_ptr<Slab> make(const DeviceState& device, uint64_t bytes);
  static std::shared_ptr<Slab> import(const DeviceState& device, share::CudaMemoryRef memory);
  static CudaPiece part(const std::shared_ptr<Slab>& slab, uint64_t offset, uint64_t bytes);

  const share::CudaDeviceRef cuda_;
  std::mutex mutex_;               // guards what follows
  std::weak_ptr<Slab> last_made_;  // goes with the last buffer in it
};

}  // namespace netcl::backend::opencl
