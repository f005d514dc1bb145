// A memory object together with the record of who used it last: the last write and the reads since,
// as (queue, sequence number). The record decides ordering, host waits and the reuse of pool
// blocks. Everything that is the same memory shares one record: views, wraps of one OpenCL object,
// and the sub-buffers of one buffer. Guarded by the device's enqueue mutex.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "backend/backend.hpp"

namespace netcl {

struct Use {
  uint32_t queue = 0;     // number of the queue, 0: never
  uint64_t sequence = 0;  // of the command on that queue
};

struct UseRecord {
  Use last_write;
  std::vector<Use> reads;  // since the last write, one per queue (out of order: all)
  // The last write's own event, where it has one and is not known to be complete. A write that
  // waits for events ends at once when one of them fails, perhaps before what it had to come after:
  // until it is known to be complete all those uses stay.
  backend::EventRef last_write_event;
  std::vector<Use> before;
  backend::FailureRef last_write_failure;  // null: the driver tells all
  uint64_t written_by = 0;                 // an op of which further commands are to follow
  // The last write was made by an earlier owner of a pool's memory: its failure is not reported.
  // Set without the mutex, by a pool whose memory nobody uses.
  std::atomic<bool> inherited{false};
  // Commands so far that write it. Read without the mutex, to see whether anything did.
  std::atomic<uint64_t> writes{0};
};

struct MemoryObject {
  MemoryObject(backend::BufferRef memory, std::shared_ptr<UseRecord> shared_uses)
      : buffer(std::move(memory)), uses(std::move(shared_uses)) {}
  explicit MemoryObject(backend::BufferRef memory)
      : MemoryObject(std::move(memory), std::make_shared<UseRecord>()) {}

  // True when a byte may belong to both.
  bool may_be(const MemoryObject& other) const noexcept { return uses == other.uses; }

  const backend::BufferRef buffer;
  const std::shared_ptr<UseRecord> uses;
  std::atomic<bool> exported{false};   // others have it, so no pool leases it again
  std::shared_ptr<MemoryObject> next;  // in a list of a pool, which must not allocate
};
using MemoryRef = std::shared_ptr<MemoryObject>;

// Bytes of a memory object, from `first` to before `end`.
struct ByteRange {
  uint64_t first;
  uint64_t end;

  bool meets(const ByteRange& other) const noexcept {
    return first < other.end && other.first < end;
  }
  // The smallest range with both.
  ByteRange with(const ByteRange& other) const noexcept {
    return {std::min(first, other.first), std::max(end, other.end)};
  }
  // The same bytes of memory that begins further on; all stay all.
  ByteRange shifted(uint64_t bytes) const noexcept {
    return end == UINT64_MAX ? *this : ByteRange{first + bytes, end + bytes};
  }
};
inline constexpr ByteRange kAllBytes{0, UINT64_MAX};

// What a command does to a memory object, or to some of its bytes.
struct Access {
  Access() = default;
  Access(MemoryObject* object, bool writes, ByteRange range = kAllBytes) noexcept
      : memory(object), bytes(range), write(writes) {}

  // True when the order of the two matters. Where in one memory two wraps of it lie is not known.
  bool conflicts(const Access& other) const noexcept {
    if (!(write || other.write) || !memory->may_be(*other.memory)) return false;
    return memory != other.memory || bytes.meets(other.bytes);
  }

  // The same bytes, to be read only.
  Access read() const noexcept { return {memory, false, bytes}; }

  MemoryObject* memory;
  ByteRange bytes;
  bool write;
};

}  // namespace netcl
