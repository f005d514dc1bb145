#include "graph/capture.hpp"

namespace netcl::graph {

namespace {

const PlannedMemory* planned_memory(const Buffer& buffer) noexcept {
  if (!buffer.planned()) return nullptr;
  return static_cast<const PlannedMemory*>(buffer.memory()->buffer.get());
}

}  // namespace

BufferRef planned_buffer(DeviceRef device, uint64_t bytes, uint64_t owner, bool stands_in) {
  if (bytes == 0) return Buffer::lease(nullptr, std::move(device), 0, false);
  return Buffer::over(std::move(device), std::make_shared<PlannedMemory>(bytes, owner, stands_in));
}

uint64_t owner_of(const Buffer& buffer) noexcept {
  const PlannedMemory* const memory = planned_memory(buffer);
  return memory == nullptr ? 0 : memory->owner();
}

bool stands_in_for_input(const Buffer& buffer) noexcept {
  const PlannedMemory* const memory = planned_memory(buffer);
  return memory != nullptr && memory->stands_in();
}

BufferRef CaptureSink::allocate(uint64_t bytes, const ops::Run& run) {
  return planned_buffer(run.device().shared_from_this(), bytes, owner_);
}

BufferRef CaptureSink::constant(const void*, uint64_t bytes, const ops::Run& run) {
  return allocate(bytes, run);
}

void CaptureSink::enqueue(const Queue::Command&, Queue::Submit, const ops::Run&) {}

}  // namespace netcl::graph
