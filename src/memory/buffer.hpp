// A piece of memory that tensors live in: a lease from a pool, memory made on its own, or memory of
// the caller. The memory goes back where it came from with the last owner.
#pragma once

#include <functional>
#include <memory>

#include "memory/pool.hpp"

namespace netcl {

class Buffer {
 public:
  // A lease; `ordered` as in Pool::take. 0 bytes lease nothing.
  static std::shared_ptr<Buffer> lease(PoolRef pool, DeviceRef device, uint64_t bytes,
                                       bool ordered);
  static std::shared_ptr<Buffer> pinned(DeviceRef device, uint64_t bytes);
  // The caller's host memory used in place, for devices and addresses that allow it.
  static std::shared_ptr<Buffer> in_place(DeviceRef device, void* data, uint64_t bytes);
  // The same after checking that device and address do allow it.
  static std::shared_ptr<Buffer> zero_copy(DeviceRef device, void* data, uint64_t bytes);
  // Pages of a file as memory of a CPU device, kept until the last command is done with them.
  // The first `lead` bytes are none of what was asked for: no tensor reaches them.
  static std::shared_ptr<Buffer> of_file(DeviceRef device, void* data, uint64_t bytes,
                                         uint64_t lead, std::shared_ptr<void> keeper);
  // Memory that somebody else made.
  static std::shared_ptr<Buffer> over(DeviceRef device, backend::BufferRef memory);
  // What another process or device exported.
  static std::shared_ptr<Buffer> import(DeviceRef device, const netcl_shared_memory& memory);
  // What lend_cuda() gave of this device, by an address in it; null where there is none. It is
  // there for as long as whoever made it keeps it.
  static std::shared_ptr<Buffer> from_cuda(DeviceRef device, uint64_t address);
  // An OpenCL memory object, retained.
  static std::shared_ptr<Buffer> from_cl(DeviceRef device, struct _cl_mem* mem);

  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  uint64_t bytes() const noexcept { return bytes_; }
  // Where what tensors may reach begins.
  uint64_t lead_bytes() const noexcept { return lead_bytes_; }
  uint64_t bucket_bytes() const noexcept { return bucket_bytes_; }
  // Null for 0 bytes.
  MemoryObject* memory() const noexcept { return memory_.get(); }
  Device& device() const noexcept { return *device_; }
  const DeviceRef& device_ref() const noexcept { return device_; }
  bool pooled() const noexcept { return pool_ != nullptr; }
  // True when the memory belongs to the caller.
  bool borrowed() const noexcept;
  // True when the memory is a file's.
  bool mapped() const noexcept;
  // True when there is a size and no memory.
  bool planned() const noexcept;
  // True when device and host work on the same bytes.
  bool shared_with_host() const noexcept;
  void* host_pointer() const noexcept;
  // What to call when the caller's memory is no longer used. A small callable: nothing is
  // allocated.
  void set_deleter(std::function<void()> deleter) noexcept { deleter_ = std::move(deleter); }
  // True when others can have the memory.
  bool exportable() const noexcept;
  netcl_shared_memory export_memory() const;
  // Where CUDA finds the memory, for the caller, who may wrap it again; no address where it does
  // not.
  share::CudaPlace lend_cuda() const;
  // The OpenCL object for the caller, who may wrap it again: it is ordered with this buffer then.
  struct _cl_mem* lend_cl_mem() const;

 private:
  Buffer(DeviceRef device, uint64_t bytes) : device_(std::move(device)), bytes_(bytes) {}

  DeviceRef device_;  // first, so that it goes last
  PoolRef pool_;
  MemoryRef memory_;
  std::function<void()> deleter_;
  uint64_t bytes_ = 0;
  uint64_t bucket_bytes_ = 0;
  uint64_t lead_bytes_ = 0;
};
using BufferRef = std::shared_ptr<Buffer>;

// What a command does to all of a buffer.
inline Access reading(const Buffer& buffer) { return {buffer.memory(), false}; }
inline Access writing(const Buffer& buffer) { return {buffer.memory(), true}; }

}  // namespace netcl
