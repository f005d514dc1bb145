// Memory of CUDA's driver on one GPU, which other processes can have and OpenCL imports.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/cache_directory.hpp"
#include "share/cuda_api.hpp"
#include "share/shared.hpp"

namespace netcl::share {

// A GPU as CUDA knows it, with its primary context.
class CudaDevice {
 public:
  // The one with a UUID; null, with the reason, where there is none.
  static std::shared_ptr<CudaDevice> find(const uint8_t* uuid, std::string* problem);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  int32_t number() const noexcept { return number_; }
  const CudaUuid& uuid() const noexcept { return uuid_; }
  CudaAllocation allocation() const noexcept;
  // What sizes are multiples of.
  uint64_t granularity() const noexcept { return granularity_; }
  // True when it reads and writes memory of another GPU.
  bool reaches(const CudaDevice& other) const noexcept;
  // The same for one that this process may not use itself.
  bool reaches(const uint8_t* uuid) const;

  // Makes the context the calling thread's for as long as this lives.
  class Current {
   public:
    explicit Current(const CudaDevice& device);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
  };

 private:
  CudaDevice() = default;

  int number_ = 0;
  CudaUuid uuid_ = {};
  void* context_ = nullptr;
  uint64_t granularity_ = 0;
};
using CudaDeviceRef = std::shared_ptr<CudaDevice>;

// One allocation, as a whole.
class CudaMemory {
 public:
  // OUT_OF_DEVICE_MEMORY when there is none. `bytes` is a multiple of the granularity.
  static std::shared_ptr<CudaMemory> create(CudaDeviceRef device, uint64_t bytes);
  // What another process gave. The descriptor stays the caller's.
  static std::shared_ptr<CudaMemory> open(CudaDeviceRef device, const netcl_shared_memory& given);
  ~CudaMemory();
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  // A descriptor of its own for whoever is to have the memory.
  int descriptor() const;
  const CudaDevice& device() const noexcept { return *device_; }
  CudaAddress address() const noexcept { return address_; }
  uint64_t bytes() const noexcept { return bytes_; }
  // Lets another GPU read and write it, from now on.
  void allow(const CudaDevice& other);

 private:
  CudaMemory(CudaDeviceRef device, uint64_t bytes) : device_(std::move(device)), bytes_(bytes) {}
  int map(CudaHandle handle, const char** call);

  CudaDeviceRef device_;
  const uint64_t bytes_;
  Descriptor descriptor_{-1};
  CudaAddress address_ = 0;
  bool mapped_ = false;
  std::mutex mutex_;          // guards what follows
  std::vector<int> allowed_;  // numbers of other GPUs
};
using CudaMemoryRef = std::shared_ptr<CudaMemory>;

// A part of one, in which a buffer lies.
class CudaPart final : public Shared {
 public:
  CudaPart(CudaMemoryRef memory, uint64_t offset, uint64_t bytes)
      : memory_(std::move(memory)), offset_(offset), bytes_(bytes) {}
  netcl_shared_memory give() const override;
  Identity identity() const noexcept override { return {memory_->address() + offset_, 0}; }
  CudaPlace cuda() const noexcept override {
    return {memory_->address() + offset_, memory_->device().number(), memory_.get()};
  }

 private:
  const CudaMemoryRef memory_;
  const uint64_t offset_;
  const uint64_t bytes_;
};

}  // namespace netcl::share
