#include "backend/opencl/cl_buffer.hpp"

#include <algorithm>

#include "backend/opencl/batch.hpp"
#include "core/allocator.hpp"
#include "core/log.hpp"

namespace netcl::backend::opencl {

namespace {

// Page-locking gigabytes takes seconds; a driver that needs longer than this hangs.
constexpr uint64_t kMapTimeout = 60000000000u;

MemObject create(const DeviceState& device, cl_mem_flags flags, uint64_t bytes, void* host) {
  cl_int code = CL_SUCCESS;
  MemObject mem(cl().clCreateBuffer(device.context(), flags, bytes, host, &code));
  if (code != CL_SUCCESS || !mem) {
    throw Error(status_of_code(code, NETCL_ERROR_OUT_OF_DEVICE_MEMORY),
                format("%llu bytes on \"%s\": %s", static_cast<unsigned long long>(bytes),
                       device.name().c_str(), failure_text("clCreateBuffer", code).c_str()),
                code);
  }
  return mem;
}

// Memory of the host's for the driver to work on in place. What keeps it goes when the last command
// and sub-buffer have gone.
MemObject create_on_host(const DeviceState& device, uint64_t bytes, void* memory,
                         std::shared_ptr<void> keeper) {
  using Keeper = std::shared_ptr<void>;
  auto owner = std::make_unique<Keeper>(std::move(keeper));
  MemObject mem = create(device, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, memory);
  check(cl().clSetMemObjectDestructorCallback(
            mem.get(), [](struct _cl_mem*, void* data) { delete static_cast<Keeper*>(data); },
            owner.get()),
        "clSetMemObjectDestructorCallback", NETCL_ERROR_OUT_OF_HOST_MEMORY);
  (void)owner.release();
  return mem;
}

// From the same allocator, on pages as large, as the built-in device's: PoCL's own is on small ones
// at half the speed.
std::shared_ptr<void> host_memory(const DeviceState& device, uint64_t bytes) {
  HostMemory host = allocate_host(bytes);
  if (host == nullptr) {
    fail(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "there are no %llu bytes for \"%s\"",
         static_cast<unsigned long long>(bytes), device.name().c_str());
  }
  return host;
}

template <class T>
T mem_value(struct _cl_mem* mem, cl_mem_info what) {
  T value{};
  check(cl().clGetMemObjectInfo(mem, what, sizeof(value), &value, nullptr), "clGetMemObjectInfo",
        NETCL_ERROR_INVALID_ARGUMENT);
  return value;
}

}  // namespace

std::shared_ptr<ClBuffer> ClBuffer::allocate(const DeviceStateRef& device, uint64_t bytes,
                                             MemoryKind kind) {
  device->require();
  bytes = bytes > 0 ? bytes : 1;  // Drivers refuse memory without bytes.
  auto buffer = std::make_shared<ClBuffer>(device, bytes, kind);
  const bool pinned = kind == MemoryKind::pinned;
  // Drivers may promise memory that does not exist. The largest single allocation that they state
  // is left to them: NVIDIA states a quarter of what it gives.
  if (bytes > device->global_memory()) {
    fail(NETCL_ERROR_OUT_OF_DEVICE_MEMORY, "%llu bytes are more than \"%s\" has, %llu",
         static_cast<unsigned long long>(bytes), device->name().c_str(),
         static_cast<unsigned long long>(device->global_memory()));
  }
  if (kind == MemoryKind::shared) return over(device, bytes, share::MemoryFile::create(bytes));
  if (!pinned && device->native()) {
    std::shared_ptr<void> memory = host_memory(*device, bytes);
    buffer->native_memory_ = memory.get();
    buffer->mem_ = create_on_host(*device, bytes, buffer->native_memory_, std::move(memory));
    return buffer;
  }
  buffer->mem_ =
      create(*device, CL_MEM_READ_WRITE | (pinned ? CL_MEM_ALLOC_HOST_PTR : 0), bytes, nullptr);
  if (pinned) {
    buffer->map();
  } else if (!device->unified()) {
    buffer->make_resident();
  }
  return buffer;
}

std::shared_ptr<ClBuffer> ClBuffer::wrap_host(const DeviceStateRef& device, void* data,
                                              uint64_t bytes) {
  device->require();
  if (bytes == 0 || data == nullptr) {
    fail(NETCL_ERROR_INTERNAL, "host memory of 0 bytes was given to the driver");
  }
  auto buffer = std::make_shared<ClBuffer>(device, bytes, MemoryKind::host);
  buffer->mem_ = create(*device, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, data);
  buffer->host_pointer_ = data;
  return buffer;
}

std::shared_ptr<ClBuffer> ClBuffer::wrap_file(const DeviceStateRef& device, void* data,
                                              uint64_t bytes, std::shared_ptr<void> keeper) {
  device->require();
  auto buffer = std::make_shared<ClBuffer>(device, bytes, MemoryKind::file);
  buffer->mem_ = create_on_host(*device, bytes, data, std::move(keeper));
  buffer->host_pointer_ = data;
  return buffer;
}

std::shared_ptr<ClBuffer> ClBuffer::over(const DeviceStateRef& device, uint64_t bytes,
                                         std::shared_ptr<share::MemoryFile> file) {
  device->require();
  auto buffer = std::make_shared<ClBuffer>(device, bytes, MemoryKind::shared);
  buffer->mem_ = create_on_host(*device, bytes, file->memory(), file);
  buffer->host_pointer_ = file->memory();
  buffer->shared_ = std::move(file);
  return buffer;
}

std::shared_ptr<ClBuffer> ClBuffer::over(const DeviceStateRef& device, uint64_t bytes,
                                         CudaPiece piece) {
  auto buffer = std::make_shared<ClBuffer>(device, bytes, MemoryKind::shared);
  buffer->parent_ = std::move(piece.whole);
  buffer->parent_offset_ = piece.offset;
  buffer->mem_ = std::move(piece.mem);
  buffer->shared_ = std::move(piece.shared);
  return buffer;
}

std::shared_ptr<ClBuffer> ClBuffer::wrap_cl(const DeviceStateRef& device, struct _cl_mem* mem) {
  device->require();
  const auto type = mem_value<cl_mem_object_type>(mem, CL_MEM_TYPE);
  if (type != CL_MEM_OBJECT_BUFFER) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "mem is an OpenCL object of type 0x%x, not a buffer", type);
  }
  const auto context = mem_value<::cl_context>(mem, CL_MEM_CONTEXT);
  if (context != device->context()) {
    fail(NETCL_ERROR_INVALID_ARGUMENT, "mem belongs to context %p, the device to context %p",
         static_cast<void*>(context), static_cast<void*>(device->context()));
  }
  auto buffer =
      std::make_shared<ClBuffer>(device, mem_value<size_t>(mem, CL_MEM_SIZE), MemoryKind::foreign);
  if (auto* parent = mem_value<struct _cl_mem*>(mem, CL_MEM_ASSOCIATED_MEMOBJECT)) {
    buffer->parent_offset_ = mem_value<size_t>(mem, CL_MEM_OFFSET);
    check(cl().clRetainMemObject(parent), "clRetainMemObject", NETCL_ERROR_INVALID_ARGUMENT);
    buffer->parent_ = MemObject(parent);
  }
  check(cl().clRetainMemObject(mem), "clRetainMemObject", NETCL_ERROR_INVALID_ARGUMENT);
  buffer->mem_ = MemObject(mem);
  if (device->native()) buffer->find_native_memory();
  return buffer;
}

// Maps without blocking and waits by event: a blocking call in the driver could not be cut short.
void ClBuffer::map() {
  ::cl_command_queue queue = device_->service_queue();
  ClEvent done(device_, nullptr, false);
  struct _cl_event* raw = nullptr;
  cl_int code = CL_SUCCESS;
  void* host = cl().clEnqueueMapBuffer(queue, mem_.get(), CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                       bytes_, 0, nullptr, &raw, &code);
  done.adopt(raw);
  if (code == CL_SUCCESS) code = cl().clFlush(queue);
  if (code != CL_SUCCESS) {
    device_->suspect(code);
    device_->require();
    // A shortage of memory that can be locked is answered like one of the device's: by trimming.
    fail_call("clEnqueueMapBuffer", code, NETCL_ERROR_OUT_OF_DEVICE_MEMORY);
  }
  if (!done.wait(Deadline(kMapTimeout))) {
    fail(NETCL_ERROR_TIMEOUT, "mapping %llu bytes of page-locked memory took over 60 s",
         static_cast<unsigned long long>(bytes_));
  }
  if (const int32_t failed = done.failure(); failed != 0 || host == nullptr) {
    device_->require();
    fail_call("clEnqueueMapBuffer", failed, NETCL_ERROR_OUT_OF_DEVICE_MEMORY);
  }
  host_pointer_ = host;
}

// Drivers with memory of their own find it at the first command that uses a buffer, so a shortage
// would strike there, where nothing can be done about it. This command makes it strike here.
// clEnqueueMigrateMemObjects would be meant for it, but NVIDIA's driver crashes when other threads
// make or release memory objects meanwhile.
void ClBuffer::make_resident() {
  ::cl_command_queue queue = device_->service_queue();
  struct _cl_event* raw = nullptr;
  static char nowhere;  // Only that the memory is touched counts.
  cl_int code =
      cl().clEnqueueReadBuffer(queue, mem_.get(), CL_FALSE, 0, 1, &nowhere, 0, nullptr, &raw);
  resident_ = EventObject(raw);
  if (code == CL_SUCCESS) code = cl().clFlush(queue);
  if (code == CL_SUCCESS) return;
  device_->suspect(code);
  device_->require();
  throw Error(
      status_of_code(code, NETCL_ERROR_OUT_OF_DEVICE_MEMORY),
      format("no memory for %llu bytes on \"%s\": %s", static_cast<unsigned long long>(bytes_),
             device_->name().c_str(), code_text(code).c_str()),
      code);
}

// PoCL 3.1 hands the memory of a native command over in the order in which it was made, each object
// once and parents in place of sub-buffers, whatever the places that were given for it. Such a
// driver maps memory where it is, and tells the address at once; the queue is one of its own,
// because the mapping itself may have to wait for commands that use the memory.
void ClBuffer::find_native_memory() {
  const QueueObject queue = device_->create_queue(0);
  // PoCL gives an unmapping the first mapping of the address that has none: of two threads each got
  // that of the other, which was then read after it had gone.
  const std::lock_guard<std::mutex> lock(device_->mapping_mutex());
  cl_int code = CL_SUCCESS;
  void* const memory = cl().clEnqueueMapBuffer(queue.get(), mem_.get(), CL_FALSE, CL_MAP_READ, 0,
                                               bytes_, 0, nullptr, nullptr, &code);
  if (code == CL_SUCCESS) {
    code = cl().clEnqueueUnmapMemObject(queue.get(), mem_.get(), memory, 0, nullptr, nullptr);
  }
  if (code == CL_SUCCESS) code = cl().clFlush(queue.get());
  check(code, "clEnqueueMapBuffer", NETCL_ERROR_OUT_OF_DEVICE_MEMORY);
  native_memory_ = memory;
}

void ClBuffer::note_batch(const std::shared_ptr<ClBatch>& batch) {
  std::erase_if(batches_, [](const auto& known) { return known.expired(); });
  batches_.push_back(batch);
}

ClBuffer::~ClBuffer() {
  // Another buffer may come to lie at this address, so batches are not to be known by it.
  for (const std::weak_ptr<ClBatch>& known : batches_) {
    if (const std::shared_ptr<ClBatch> batch = known.lock()) batch->drop();
  }
  // What was dropped while it ran may hold memory of the driver's.
  device_->sweep_released();
  if (device_->lost()) return;
  std::vector<EventObject> last;
  try {
    // Parts of a piece of memory lie over it, so it goes behind the last of them.
    for (const Part& part : parts_) {
      if (kind_ == MemoryKind::shared && parent_) (void)mark_users(part, &last);
    }
  } catch (...) {
    // Without memory it goes with them.
  }
  release_parts();
  try {
    if (resident_) last.push_back(std::move(resident_));
    if (kind_ == MemoryKind::pinned && host_pointer_ != nullptr) {
      ::cl_command_queue queue = device_->service_queue();
      struct _cl_event* raw = nullptr;
      const cl_int code =
          cl().clEnqueueUnmapMemObject(queue, mem_.get(), host_pointer_, 0, nullptr, &raw);
      if (raw != nullptr) last.push_back(EventObject(raw));
      if (code == CL_SUCCESS) (void)cl().clFlush(queue);
    }
  } catch (...) {
    // Without a queue the mapping goes with the memory object.
    log_message(NETCL_LOG_WARNING, "page-locked memory could not be unmapped");
  }
  if (!last.empty()) device_->release_after(std::move(mem_), std::move(last));
}

struct _cl_mem* ClBuffer::target() {
  if (!split()) return mem_.get();
  if (!twin_) twin_ = create(*device_, CL_MEM_READ_WRITE, bytes_, nullptr);
  return twin_.get();
}

MemObject ClBuffer::part(uint64_t offset, uint64_t bytes) {
  const bool divided = static_cast<bool>(parent_);
  const cl_buffer_region region{static_cast<size_t>(offset + (divided ? parent_offset_ : 0)),
                                static_cast<size_t>(bytes)};
  cl_int code = CL_SUCCESS;
  MemObject mem(cl().clCreateSubBuffer(divided ? parent_.get() : target(), 0,
                                       CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check_made(mem.get(), code, "clCreateSubBuffer", NETCL_ERROR_OUT_OF_DEVICE_MEMORY);
  return mem;
}

struct _cl_mem* ClBuffer::target_from(uint64_t offset, const QueueStateRef& queue) {
  if (offset == 0) return target();
  for (Part& part : parts_) {
    if (part.offset != offset) continue;
    const auto is_queue = [&](const auto& user) { return user.lock() == queue; };
    if (std::none_of(part.users.begin(), part.users.end(), is_queue)) part.users.push_back(queue);
    return part.mem.get();
  }
  if (offset >= bytes_) {
    fail(NETCL_ERROR_INTERNAL, "offset %llu of a kernel argument is past its %llu bytes",
         static_cast<unsigned long long>(offset), static_cast<unsigned long long>(bytes_));
  }
  MemObject mem = part(offset, bytes_ - offset);
  struct _cl_mem* const raw = mem.get();
  parts_.push_back(Part{offset, std::move(mem), {queue}});
  return raw;
}

// Adds events behind all that may use a part. False when that cannot be known: of a queue that is
// gone nobody can say what it still has to do.
bool ClBuffer::mark_users(const Part& part, std::vector<EventObject>* last) {
  for (const auto& weak : part.users) {
    const QueueStateRef user = weak.lock();
    if (user == nullptr) return false;
    struct _cl_event* raw = nullptr;
    ::cl_command_queue queue = user->object.get();
    const cl_int code = cl().clEnqueueMarkerWithWaitList(queue, 0, nullptr, &raw);
    if (code != CL_SUCCESS || raw == nullptr) return false;
    last->push_back(EventObject(raw));
    (void)cl().clFlush(queue);
  }
  return true;
}

// False, and nothing is done, when it cannot be known how long the part is in use.
bool ClBuffer::release_part(Part& part) noexcept {
  try {
    std::vector<EventObject> last;
    if (!mark_users(part, &last)) return false;
    device_->release_after(std::move(part.mem), std::move(last));
    return true;
  } catch (...) {
    return false;
  }
}

// NVIDIA's driver crashes unless sub-buffers that overlap go in the reverse order of their making.
void ClBuffer::release_parts() noexcept {
  while (!parts_.empty() && release_part(parts_.back())) parts_.pop_back();
}

void ClBuffer::forget_old_parts() {
  if (parts_.size() <= parts_most_) return;
  release_parts();
  parts_most_ = std::max<size_t>(kPartsMost, 2 * parts_.size());
}

}  // namespace netcl::backend::opencl
