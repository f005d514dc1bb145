// Makes a copy between two devices one step for the calls of other threads, however many commands
// it takes: neither device knows of the other's. While a hold exists, calls that write the source
// or use the target wait. What the copying thread itself enqueues does not.
#pragma once

#include "queue/queue.hpp"

namespace netcl {

class CopyHold {
 public:
  // Waits for the calls in front, which are those of the built-in device and other copies; commands
  // of drivers may still run.
  CopyHold(Queue& from, MemoryObject& source, Queue& to, MemoryObject& target);
  ~CopyHold();
  CopyHold(const CopyHold&) = delete;
  CopyHold& operator=(const CopyHold&) = delete;

 private:
  struct Side {
    QueueSet& set;
    Access access;
    HostOrder::Place place;
  };

  Side source_;
  Side target_;
};

}  // namespace netcl
