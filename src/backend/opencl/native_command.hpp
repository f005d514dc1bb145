// Functions of the library as commands of a driver that runs them in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/backend.hpp"
#include "backend/opencl/device_state.hpp"
#include "core/small_array.hpp"

namespace netcl::backend::opencl {

// One command, from its enqueueing until it has run or is known to have failed before its turn.
struct NativeCommand {
  static constexpr size_t kFew = 65;  // the inputs of an expression, and its result

  explicit NativeCommand(size_t buffers) : memory(buffers) {}

  std::unique_ptr<NativeFunction> function;
  std::shared_ptr<netcl::cpu::ThreadPool> threads;
  FailureRef failure;  // may be null
  std::shared_ptr<FirstFailure> queue_failure;
  std::weak_ptr<DeviceState> device;
  SmallArray<void*, kFew> memory;  // of the buffers
  size_t slot = 0;                 // under the mutex of NativeCommands, as the event
  EventObject event;
};

// The commands of the process that have not run yet. Drivers do not tell when they give up a
// command, so the events of those that are left are looked at when there is reason to.
class NativeCommands {
 public:
  using Ref = std::shared_ptr<NativeCommand>;
  static NativeCommands& instance();

  void add(const Ref& command);
  // Notes the command's event, unless it has run meanwhile.
  void set_event(NativeCommand& command, EventObject event);
  // Takes it off the list; null when it is not there any more.
  Ref take(NativeCommand& command) noexcept;
  // Frees the commands that failed before their turn: all, or those of the queue whose failures go
  // to `queue`.
  void sweep(const FirstFailure* queue = nullptr) noexcept;

 private:
  static constexpr size_t kSweepLeast = 256;
  // Threads of the driver take it, and a driver may keep who calls it until one of those has got
  // on: so no driver is called under it.
  std::mutex mutex_;
  std::vector<Ref> commands_;
  size_t sweep_at_ = kSweepLeast;
};

}  // namespace netcl::backend::opencl
