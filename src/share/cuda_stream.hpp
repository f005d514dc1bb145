// Work that CUDA does on one GPU, in order: copies between GPUs, and what others enqueue.
#pragma once

#include <cstdint>

#include "share/cuda_memory.hpp"

namespace netcl::share {

class CudaStream {
 public:
  explicit CudaStream(CudaDeviceRef device);
  // Waits for what is left.
  ~CudaStream();
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  const CudaDevice& device() const noexcept { return *device_; }
  void* get() const noexcept { return stream_; }
  // Between two places that this GPU reaches.
  void copy(CudaAddress to, CudaAddress from, uint64_t bytes);
  // True when all of it is done; LAUNCH_FAILURE when some has failed.
  bool done() const;
  void wait() const;

 private:
  const CudaDeviceRef device_;
  void* stream_ = nullptr;
};

}  // namespace netcl::share
