// Empties the caches of a device by writing more memory than they hold. What devices report about
// their caches is not to be trusted, so whether it works is tried.
#pragma once

#include "queue/queue.hpp"

namespace netcl::timing {

class CacheFlush {
 public:
  // Bytes of 0: 256 MiB or four times the reported cache, at most an eighth of the memory. Takes a
  // few flushes of time for the trial.
  CacheFlush(Queue& queue, uint64_t bytes);

  // Writes the memory and waits until that is done.
  void run();
  // True when a copy of a small buffer took longer after a flush than right after another copy.
  bool proven() const noexcept { return proven_; }

 private:
  bool prove(uint64_t bytes);

  Queue& queue_;
  backend::BufferRef memory_;
  uint64_t bytes_;
  uint32_t pattern_ = 0;
  bool proven_ = false;
};

}  // namespace netcl::timing
