// How an op runs: the queue it goes to, what it waits for, and where its event goes.
#pragma once

#include "memory/buffer.hpp"
#include "queue/queue.hpp"

namespace netcl::ops {

struct Run;

// Stands between an op and its device, to look at what the op does. Ops make memory and enqueue
// commands by their Run alone, so nothing passes it by.
class Sink {
 public:
  virtual ~Sink() = default;
  // Memory for a result, or for the time of the op.
  virtual BufferRef allocate(uint64_t bytes, const Run& run) = 0;
  // Memory with this content, which commands only read.
  virtual BufferRef constant(const void* data, uint64_t bytes, const Run& run) = 0;
  virtual void enqueue(const Queue::Command& command, Queue::Submit submit, const Run& run) = 0;
  // False when nobody looks at the commands: they need not be made.
  virtual bool wants_commands() const noexcept { return true; }
};

struct Run {
  Queue& queue;
  backend::WaitList waits;
  backend::EventRef* event = nullptr;
  Work work{};            // of the op, for recorders
  bool declared = false;  // it is part of an op that declares its work as a whole
  Sink* sink = nullptr;   // null: memory and commands go straight to the device
  bool more = false;      // further commands of the op follow

  Device& device() const noexcept { return queue.device(); }
  // The same queue and waits without event and work: for all but the last command of an op.
  Run without_event() const noexcept { return {queue, waits, nullptr, {}, declared, sink, true}; }
  // The same for another op that does a part of this one, whose work is declared as a whole.
  Run part() const noexcept {
    Run run = without_event();
    run.declared = true;
    return run;
  }

  bool wants_commands() const noexcept { return sink == nullptr || sink->wants_commands(); }
  // Enqueues a command that accesses this memory.
  void enqueue(std::span<const Access> accesses, Queue::Submit submit,
               backend::FailureRef failure = {}) const {
    const Queue::Command command{accesses, waits, event, work, std::move(failure), more};
    if (sink == nullptr) return queue.enqueue(command, submit);
    sink->enqueue(command, submit, *this);
  }
};

}  // namespace netcl::ops
