#include "memory/buffer.hpp"

#include <unordered_map>

#include "core/allocator.hpp"
#include "core/log.hpp"

namespace netcl {

namespace {

// Which record of uses belongs to an OpenCL memory object that callers know, so that everything
// made from it, or from a sub-buffer of it, is ordered with everything else.
class MemoryRegistry {
 public:
  static MemoryRegistry& of(Device& device) {
    return device.services().get<MemoryRegistry>(Slot::memory_registry,
                                                 [] { return std::make_unique<MemoryRegistry>(); });
  }

  MemoryRef wrap(Device& device, struct _cl_mem* mem) {
    backend::BufferRef wrapped = device.backend().wrap_cl(mem);
    std::lock_guard<std::mutex> lock(mutex_);
    std::weak_ptr<UseRecord>& slot = find(wrapped->root_mem());
    std::shared_ptr<UseRecord> uses = slot.lock();
    if (uses == nullptr) slot = uses = std::make_shared<UseRecord>();
    return std::make_shared<MemoryObject>(std::move(wrapped), std::move(uses));
  }

  // The memory object has been lent to the caller, who may wrap it again.
  void note(const MemoryObject& memory) {
    std::lock_guard<std::mutex> lock(mutex_);
    find(memory.buffer->root_mem()) = memory.uses;
  }

 private:
  std::weak_ptr<UseRecord>& find(struct _cl_mem* root) {
    std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
    return known_[root];
  }

  std::mutex mutex_;
  std::unordered_map<struct _cl_mem*, std::weak_ptr<UseRecord>> known_;
};

}  // namespace

BufferRef Buffer::lease(PoolRef pool, DeviceRef device, uint64_t bytes, bool ordered) {
  BufferRef buffer(new Buffer(std::move(device), bytes));
  if (bytes == 0) return buffer;
  buffer->memory_ = pool->take(bytes, ordered, &buffer->bucket_bytes_);
  buffer->pool_ = std::move(pool);
  return buffer;
}

BufferRef Buffer::pinned(DeviceRef device, uint64_t bytes) {
  BufferRef buffer(new Buffer(device, bytes));
  if (bytes == 0) return buffer;
  buffer->memory_ = std::make_shared<MemoryObject>(
      device->backend().allocate(bytes, backend::MemoryKind::pinned));
  buffer->bucket_bytes_ = bytes;
  return buffer;
}

BufferRef Buffer::in_place(DeviceRef device, void* data, uint64_t bytes) {
  BufferRef buffer(new Buffer(device, bytes));
  if (bytes == 0) return buffer;
  buffer->memory_ = std::make_shared<MemoryObject>(device->backend().wrap_host(data, bytes));
  buffer->bucket_bytes_ = bytes;
  return buffer;
}

BufferRef Buffer::over(DeviceRef device, backend::BufferRef memory) {
  BufferRef buffer(new Buffer(std::move(device), memory->bytes()));
  buffer->bucket_bytes_ = buffer->bytes_;
  buffer->memory_ = std::make_shared<MemoryObject>(std::move(memory));
  return buffer;
}

BufferRef Buffer::zero_copy(DeviceRef device, void* data, uint64_t bytes) {
  if (device->capabilities().integrated == 0) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "device %s does not share memory with the host, so it cannot work "
         "on the caller's memory",
         device->info().name);
  }
  if (data == nullptr && bytes > 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "data is NULL while bytes is %llu",
         static_cast<unsigned long long>(bytes));
  }
  if (reinterpret_cast<uintptr_t>(data) % kHostAlignment != 0) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "data is %p; it must be aligned to %zu bytes", data,
         kHostAlignment);
  }
  if (bytes > UINTPTR_MAX - reinterpret_cast<uintptr_t>(data)) {
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "bytes is %llu; from data = %p on that leaves the address space",
         static_cast<unsigned long long>(bytes), data);
  }
  return in_place(std::move(device), data, bytes);
}

struct _cl_mem* Buffer::lend_cl_mem() const {
  MemoryRegistry::of(*device_).note(*memory_);
  return memory_->buffer->cl_mem();
}

BufferRef Buffer::from_cl(DeviceRef device, struct _cl_mem* mem) {
  MemoryRef memory = MemoryRegistry::of(*device).wrap(*device, mem);
  BufferRef buffer(new Buffer(std::move(device), memory->buffer->bytes()));
  buffer->bucket_bytes_ = buffer->bytes_;
  buffer->memory_ = std::move(memory);
  return buffer;
}

Buffer::~Buffer() {
  if (pool_ != nullptr) pool_->give_back(std::move(memory_), bucket_bytes_);
  memory_.reset();
  if (deleter_) deleter_();
}

bool Buffer::borrowed() const noexcept {
  if (memory_ == nullptr) return false;
  const backend::MemoryKind kind = memory_->buffer->kind();
  return kind == backend::MemoryKind::host || kind == backend::MemoryKind::foreign;
}

bool Buffer::planned() const noexcept {
  return memory_ != nullptr && memory_->buffer->kind() == backend::MemoryKind::planned;
}

bool Buffer::shared_with_host() const noexcept {
  return memory_ != nullptr && memory_->buffer->host_pointer() != nullptr &&
         memory_->buffer->kind() != backend::MemoryKind::pinned;
}

void* Buffer::host_pointer() const noexcept {
  return memory_ == nullptr ? nullptr : memory_->buffer->host_pointer();
}

}  // namespace netcl
