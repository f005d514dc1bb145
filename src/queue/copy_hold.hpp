// Makes what takes many commands, or another runtime, one step for the calls of other threads: a
// copy between two devices, neither of which knows of the other's commands, and what is done with
// memory of a device beside its driver. While a hold exists, calls that write bytes that are read
// or use bytes that are written wait. What the holding thread itself enqueues does not.
#pragma once

#include <array>
#include <initializer_list>

#include "queue/queue.hpp"

namespace netcl {

class CopyHold {
 public:
  // Waits for the calls in front, which are those of the built-in device and other holds; commands
  // of drivers may still run.
  CopyHold(Queue& from, const Access& source, Queue& to, const Access& target);
  // On one device; those without memory are none.
  CopyHold(Queue& queue, const Access& read, const Access& written);
  ~CopyHold();
  CopyHold(const CopyHold&) = delete;
  CopyHold& operator=(const CopyHold&) = delete;

  // True when a call of another thread waits for the end of this.
  bool awaited() const;

 private:
  // What a device is used for.
  struct Side {
    QueueSet* set = nullptr;
    std::array<Access, 2> accesses{};
    HostOrder::Place place{};
  };
  void enter(Side* side, Queue& queue, std::initializer_list<Access> accesses);

  std::array<Side, 2> sides_;
};

}  // namespace netcl
