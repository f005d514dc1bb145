#include "graph/capture.hpp"

namespace netcl::graph {

BufferRef planned_buffer(DeviceRef device, uint64_t bytes, uint64_t owner) {
  if (bytes == 0) return Buffer::lease(nullptr, std::move(device), 0, false);
  return Buffer::over(std::move(device), std::make_shared<PlannedMemory>(bytes, owner));
}

uint64_t owner_of(const Buffer& buffer) noexcept {
  if (!buffer.planned()) return 0;
  return static_cast<const PlannedMemory&>(*buffer.memory()->buffer).owner();
}

BufferRef CaptureSink::allocate(uint64_t bytes, const ops::Run& run) {
  return planned_buffer(run.device().shared_from_this(), bytes, owner_);
}

BufferRef CaptureSink::constant(const void*, uint64_t bytes, const ops::Run& run) {
  return allocate(bytes, run);
}

void CaptureSink::enqueue(const Queue::Command&, Queue::Submit, const ops::Run&) {}

}  // namespace netcl::graph
