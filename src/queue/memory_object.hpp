// A memory object together with the record of who used it last: the last write and the reads since,
// as (queue, sequence number). All views of the memory share one record; it is what ordering, host
// waits and the reuse of pool blocks are decided by. Guarded by the device's enqueue mutex.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backend/backend.hpp"

namespace netcl {

struct Use {
  uint32_t queue = 0;     // number of the queue, 0: never
  uint64_t sequence = 0;  // of the command on that queue
};

struct MemoryObject {
  explicit MemoryObject(backend::BufferRef memory) : buffer(std::move(memory)) {}

  const backend::BufferRef buffer;
  Use last_write;
  std::vector<Use> reads;      // since the last write, one per queue (out of order: all)
};
using MemoryRef = std::shared_ptr<MemoryObject>;

// What a command does to a memory object.
struct Access {
  MemoryObject* memory;
  bool write;
};

}  // namespace netcl
