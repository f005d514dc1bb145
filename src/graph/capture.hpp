// Calls that are recorded and do not run: their values have sizes and no memory.
#pragma once

#include <atomic>

#include "ops/frame/run.hpp"

namespace netcl::graph {

// The size of a value. `owner` is the number of the graph it belongs to, by which values of
// several graphs are told apart.
class PlannedMemory final : public backend::Buffer {
 public:
  PlannedMemory(uint64_t bytes, uint64_t owner, bool stands_in)
      : Buffer(bytes, backend::MemoryKind::planned), owner_(owner), stands_in_(stands_in) {}
  uint64_t owner() const noexcept { return owner_; }
  // True for that of an input, which no call of the graph gives.
  bool stands_in() const noexcept { return stands_in_; }

 private:
  const uint64_t owner_;
  const bool stands_in_;
};

// A buffer of such memory; 0 bytes are no memory at all.
BufferRef planned_buffer(DeviceRef device, uint64_t bytes, uint64_t owner, bool stands_in = false);
// The owner of planned memory, 0 for other memory.
uint64_t owner_of(const Buffer& buffer) noexcept;
bool stands_in_for_input(const Buffer& buffer) noexcept;

// What the ops of a capture see in place of their device.
class CaptureSink final : public ops::Sink {
 public:
  explicit CaptureSink(const std::atomic<uint64_t>& owner) : owner_(owner) {}
  BufferRef allocate(uint64_t bytes, const ops::Run& run) override;
  BufferRef constant(const void* data, uint64_t bytes, const ops::Run& run) override;
  void enqueue(const Queue::Command& command, Queue::Submit submit, const ops::Run& run) override;
  bool wants_commands() const noexcept override { return false; }

 private:
  const std::atomic<uint64_t>& owner_;
};

}  // namespace netcl::graph
