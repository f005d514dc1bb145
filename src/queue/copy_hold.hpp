// Makes what takes many commands, or another runtime, one step for the calls of other threads: a
// copy between two devices, neither of which knows of the other's commands, and what is done with
// memory of a device beside its driver. While a hold exists, calls that write what is read or use
// what is written wait. What the holding thread itself enqueues does not.
#pragma once

#include <array>

#include "queue/queue.hpp"

namespace netcl {

class CopyHold {
 public:
  // Waits for the calls in front, which are those of the built-in device and other holds; commands
  // of drivers may still run.
  CopyHold(Queue& from, MemoryObject& source, Queue& to, MemoryObject& target);
  // On one device; null for nothing.
  CopyHold(Queue& queue, MemoryObject* read, MemoryObject* written);
  ~CopyHold();
  CopyHold(const CopyHold&) = delete;
  CopyHold& operator=(const CopyHold&) = delete;

 private:
  // What a device is used for.
  struct Side {
    QueueSet* set = nullptr;
    std::array<Access, 2> accesses{};
    HostOrder::Place place{};
  };
  void enter(Side* side, Queue& queue, MemoryObject* read, MemoryObject* written);

  std::array<Side, 2> sides_;
};

}  // namespace netcl
