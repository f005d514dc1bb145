#include "memory/buffer.hpp"

#include <map>
#include <utility>

#include "core/allocator.hpp"
#include "core/log.hpp"

namespace netcl {

namespace {

// Which record of uses belongs to memory that callers know, an OpenCL memory object or what was
// exported, so that everything made from it, or from a sub-buffer, is ordered with everything else.
class MemoryRegistry {
  // An address and 0, or numbers of a device and of a file, which is never 0.
  using Key = share::Shared::Identity;

 public:
  static MemoryRegistry& of(Device& device) {
    return device.services().get<MemoryRegistry>(Slot::memory_registry,
                                                 [] { return std::make_unique<MemoryRegistry>(); });
  }

  MemoryRef wrap(Device& device, struct _cl_mem* mem) {
    backend::BufferRef wrapped = device.backend().wrap_cl(mem);
    // A buffer that shares a memory object with others was lent as the part that it is.
    const Key part = key_of(wrapped->cl_mem());
    const bool is_part = known(part);
    const Key key = is_part ? part : key_of(wrapped->root_mem());
    return join(key, std::move(wrapped));
  }

  MemoryRef import(Device& device, const netcl_shared_memory& memory) {
    backend::BufferRef opened = device.backend().import(memory);
    const Key key = opened->shared()->identity();
    return join(key, std::move(opened));
  }

  // The memory object has been lent to the caller, who may wrap it again.
  void note_lent(const MemoryObject& memory) { note(key_of(memory.buffer->root_mem()), memory); }
  // The address has been lent to the caller, who may wrap any in the memory.
  void note_cuda(MemoryRef memory, uint64_t address) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::erase_if(by_address_, [](const auto& entry) { return entry.second.expired(); });
    by_address_[address] = memory;
  }
  MemoryRef find_cuda(uint64_t address) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto at = by_address_.upper_bound(address);
    if (at == by_address_.begin()) return nullptr;
    MemoryRef memory = (--at)->second.lock();
    const bool inside = memory != nullptr && address - at->first < memory->buffer->bytes();
    return inside ? memory : nullptr;
  }

  // The memory was exported, and may be imported again.
  void note_exported(const MemoryObject& memory) {
    note(memory.buffer->shared()->identity(), memory);
  }

 private:
  static Key key_of(struct _cl_mem* mem) { return {reinterpret_cast<uintptr_t>(mem), 0}; }

  bool known(const Key& key) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto at = known_.find(key);
    return at != known_.end() && !at->second.expired();
  }

  MemoryRef join(const Key& key, backend::BufferRef buffer) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::weak_ptr<UseRecord>& slot = find(key);
    std::shared_ptr<UseRecord> uses = slot.lock();
    if (uses == nullptr) slot = uses = std::make_shared<UseRecord>();
    return std::make_shared<MemoryObject>(std::move(buffer), std::move(uses));
  }

  void note(const Key& key, const MemoryObject& memory) {
    std::lock_guard<std::mutex> lock(mutex_);
    find(key) = memory.uses;
  }

  std::weak_ptr<UseRecord>& find(const Key& key) {
    std::erase_if(known_, [](const auto& entry) { return entry.second.expired(); });
    return known_[key];
  }

  std::mutex mutex_;
  std::map<Key, std::weak_ptr<UseRecord>> known_;
  std::map<uint64_t, std::weak_ptr<MemoryObject>> by_address_;
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

BufferRef Buffer::of_file(DeviceRef device, void* data, uint64_t bytes, uint64_t lead,
                          std::shared_ptr<void> keeper) {
  backend::BufferRef memory = device->backend().wrap_file(data, bytes, std::move(keeper));
  BufferRef buffer = over(std::move(device), std::move(memory));
  buffer->lead_bytes_ = lead;
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
  MemoryRegistry::of(*device_).note_lent(*memory_);
  return memory_->buffer->cl_mem();
}

share::CudaPlace Buffer::lend_cuda() const {
  if (!exportable()) return {};
  const share::CudaPlace place = memory_->buffer->shared()->cuda();
  if (place.address == 0) return place;
  MemoryRegistry::of(*device_).note_cuda(memory_, place.address);
  // Commands of CUDA's may use it when the last owner has gone, which nobody here sees.
  memory_->exported.store(true, std::memory_order_relaxed);
  return place;
}

BufferRef Buffer::from_cuda(DeviceRef device, uint64_t address) {
  MemoryRef memory = MemoryRegistry::of(*device).find_cuda(address);
  if (memory == nullptr) return nullptr;
  BufferRef buffer(new Buffer(std::move(device), memory->buffer->bytes()));
  buffer->bucket_bytes_ = buffer->bytes_;
  buffer->memory_ = std::move(memory);
  return buffer;
}

bool Buffer::exportable() const noexcept {
  return memory_ != nullptr && memory_->buffer->shared() != nullptr;
}

netcl_shared_memory Buffer::export_memory() const {
  MemoryRegistry::of(*device_).note_exported(*memory_);
  netcl_shared_memory given = memory_->buffer->shared()->give();
  memory_->exported.store(true, std::memory_order_relaxed);
  given.bytes = bytes_;
  return given;
}

BufferRef Buffer::import(DeviceRef device, const netcl_shared_memory& memory) {
  const backend::Sharing sharing = device->backend().sharing();
  if (sharing.kind == 0) fail(NETCL_ERROR_UNSUPPORTED, sharing.refusal);
  if (memory.kind != sharing.kind) {
    fail(NETCL_ERROR_UNSUPPORTED, "memory->kind is %d; device %s opens %d", memory.kind,
         device->text().c_str(), sharing.kind);
  }
  BufferRef buffer(new Buffer(device, memory.bytes));
  buffer->memory_ = MemoryRegistry::of(*device).import(*device, memory);
  buffer->bucket_bytes_ = buffer->bytes_;
  return buffer;
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

bool Buffer::mapped() const noexcept {
  return memory_ != nullptr && memory_->buffer->kind() == backend::MemoryKind::file;
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
