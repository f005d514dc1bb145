// The order of what a device does inside calls: commands of the built-in device, which run in the
// threads that enqueue them, and on every device copies to and from others (copy_hold.hpp).
//
// These stand in one line by the time they came. Each begins as soon as none in front of it uses
// its bytes in a way that conflicts, so commands of several threads run at once where they may, on
// parts of one memory too, and no command overtakes one it must see the result of. Commands that a
// driver runs join the line until they are enqueued.
//
// Every member is called with the device's enqueue mutex held, which the waiting ones let go.
#pragma once

#include <condition_variable>
#include <mutex>
#include <span>

#include "core/wait.hpp"
#include "queue/memory_object.hpp"

namespace netcl {

class HostOrder {
 public:
  // A command or copy, on the stack of the thread that runs it. One without memory (a marker)
  // stands behind everything in front of it on its queue.
  struct Place {
    std::span<const Access> accesses;
    const void* queue = nullptr;
    uint64_t number = 0;
    bool begun = false;
    Place* previous = nullptr;
    Place* next = nullptr;
  };

  // Joins the line and waits for the command's turn.
  void enter(std::unique_lock<std::mutex>& lock, Place* place);
  void leave(Place* place) noexcept;
  // Waits for a command's turn to be enqueued.
  void pass(std::unique_lock<std::mutex>& lock, std::span<const Access> accesses);
  // True when a command waits for its turn that conflicts with these.
  bool awaited(std::span<const Access> accesses) const noexcept;
  // While a thread copies between devices it has its places in their lines, and what it does itself
  // waits for nobody there.
  static void set_copying(bool copying) noexcept;

  // What a wait is for: the commands that conflict with a use; without memory all those on a queue
  // (null: on all).
  struct Scope {
    const void* queue = nullptr;
    Access use{};
  };
  bool idle(const Scope& scope) const noexcept { return !in_scope(scope, UINT64_MAX); }
  // Waits for the commands of a scope that are in the line now; false on time-out. Takes the mutex
  // itself.
  bool wait(std::mutex& mutex, const Scope& scope, const Deadline& deadline);

 private:
  bool must_wait(const Place& place) const noexcept;
  // True when a command before `end` belongs to the scope.
  bool in_scope(const Scope& scope, uint64_t end) const noexcept;

  Place* first_ = nullptr;
  Place* last_ = nullptr;
  uint64_t next_number_ = 1;
  unsigned waiting_ = 0;
  std::condition_variable left_;
};

}  // namespace netcl
