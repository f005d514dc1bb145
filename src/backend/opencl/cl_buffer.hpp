// Memory objects.
#pragma once

#include <memory>
#include <vector>

#include "backend/backend.hpp"
#include "backend/opencl/cuda_slabs.hpp"
#include "backend/opencl/event.hpp"
#include "share/memory_file.hpp"

namespace netcl::backend::opencl {

class ClBatch;

class ClBuffer final : public Buffer {
 public:
  // Memory of the device, or page-locked host memory that is mapped until the object goes.
  static std::shared_ptr<ClBuffer> allocate(const DeviceStateRef& device, uint64_t bytes,
                                            MemoryKind kind);
  // The caller's memory, in place.
  static std::shared_ptr<ClBuffer> wrap_host(const DeviceStateRef& device, void* data,
                                             uint64_t bytes);
  // Pages of a file, in place; `keeper` stays until the driver is done with them.
  static std::shared_ptr<ClBuffer> wrap_file(const DeviceStateRef& device, void* data,
                                             uint64_t bytes, std::shared_ptr<void> keeper);
  // A memory file, in place; it stays until the driver is done with it.
  static std::shared_ptr<ClBuffer> over(const DeviceStateRef& device, uint64_t bytes,
                                        std::shared_ptr<share::MemoryFile> file);
  // A place in memory that CUDA knows too.
  static std::shared_ptr<ClBuffer> over(const DeviceStateRef& device, uint64_t bytes,
                                        CudaPiece piece);
  // The caller's memory object: INVALID_ARGUMENT when it is no buffer of the device's context.
  static std::shared_ptr<ClBuffer> wrap_cl(const DeviceStateRef& device, struct _cl_mem* mem);

  ClBuffer(DeviceStateRef device, uint64_t bytes, MemoryKind kind)
      : Buffer(bytes, kind), device_(std::move(device)) {}
  ~ClBuffer() override;

  struct _cl_mem* cl_mem() const noexcept override {
    return mem_.get();
  }
  struct _cl_mem* root_mem() const noexcept override {
    return parent_ && kind_ != MemoryKind::shared ? parent_.get() : mem_.get();
  }
  const DeviceState& device() const noexcept { return *device_; }

  // True when what the host sees through host_pointer() is another copy than the memory object.
  // NVIDIA's mapped page-locked memory is: kernels work on a copy in the device.
  bool split() const noexcept { return host_pointer_ != nullptr && !device_->unified(); }

  // What commands work on. For split memory this is a twin in the device, which the stream fills
  // from the host pointer before and copies back after.
  struct _cl_mem* target();
  // The same from `offset` on, for a command of `queue`. Called under the device's lock.
  struct _cl_mem* target_from(uint64_t offset, const QueueStateRef& queue);
  // See find_native_memory.
  void* native_memory() const noexcept override {
    return host_pointer_ != nullptr ? host_pointer_ : native_memory_;
  }
  // Keeps the number of sub-buffers within bounds. Called before the arguments of a launch are set:
  // clSetKernelArg retains nothing, so none may go between the first argument and the enqueue.
  void forget_old_parts();
  // A batch works on it, which is over when this goes. Called under the device's lock.
  void note_batch(const std::shared_ptr<ClBatch>& batch);
  // The same as a memory object of its own; `offset` fits the device's alignment.
  MemObject part(uint64_t offset, uint64_t bytes);

 private:
  struct Part {
    uint64_t offset;
    MemObject mem;
    std::vector<std::weak_ptr<QueueState>> users;
  };
  static constexpr size_t kPartsMost = 256;

  void map();
  void make_resident();
  void find_native_memory();
  static bool mark_users(const Part& part, std::vector<EventObject>* last);
  bool release_part(Part& part) noexcept;
  void release_parts() noexcept;

  DeviceStateRef device_;
  MemObject parent_;  // of a sub-buffer: they cannot be divided again
  MemObject mem_;
  MemObject twin_;
  void* native_memory_ = nullptr;
  EventObject resident_;  // of the command that finds the memory, while it may not have ended
  uint64_t parent_offset_ = 0;
  std::vector<Part> parts_;  // sub-buffers made for launches, kept for the next ones
  size_t parts_most_ = kPartsMost;
  std::vector<std::weak_ptr<ClBatch>> batches_;
};

}  // namespace netcl::backend::opencl
