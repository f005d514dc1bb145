// Functions of the library as commands of a driver that runs them in this process.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/backend.hpp"
#include "backend/opencl/device_state.hpp"

namespace netcl::backend::opencl {

// Which native commands of a queue failed. A driver takes a function of the host for complete
// however it ends, so the events that stand for such commands ask here. Commands are numbered in
// the order of their enqueueing.
class NativeFailures {
 public:
  // Numbers of commands (after, last].
  struct Range {
    uint64_t after = 0;
    uint64_t last = 0;
  };

  uint64_t add_command() noexcept { return enqueued_.fetch_add(1, std::memory_order_relaxed) + 1; }
  // What the next event of an in-order queue stands for: failures that nobody has seen so far.
  Range unseen() const noexcept {
    return {seen_.load(std::memory_order_relaxed), enqueued_.load(std::memory_order_relaxed)};
  }
  void fail(uint64_t number, int32_t code) noexcept;
  // The code of a failed command of the range, 0 when there is none. It counts as seen.
  int32_t find(const Range& range) noexcept;

 private:
  struct Failure {
    uint64_t number = 0;
    int32_t code = 0;
  };
  std::atomic<uint64_t> enqueued_{0};
  std::atomic<uint64_t> seen_{0};
  std::atomic<uint64_t> failed_{0};  // how many
  std::mutex mutex_;                 // guards what follows
  std::array<Failure, 64> failures_;  // the latest ones
};
using NativeFailuresRef = std::shared_ptr<NativeFailures>;

// One command, from its enqueueing until it has run or is known to have failed before its turn.
struct NativeCommand {
  static constexpr size_t kBuffersMost = 65;  // the inputs of an expression, and its result

  std::unique_ptr<NativeFunction> function;
  std::shared_ptr<netcl::cpu::ThreadPool> threads;
  NativeFailuresRef failures;
  std::weak_ptr<DeviceState> device;
  uint64_t number = 0;
  std::array<void*, kBuffersMost> memory;  // of the buffers
  size_t slot = 0;                           // under the mutex of NativeCommands, as the event
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
  // Frees the commands that failed before their turn.
  void sweep() noexcept;

 private:
  static constexpr size_t kSweepLeast = 256;
  std::mutex mutex_;
  std::vector<Ref> commands_;
  size_t sweep_at_ = kSweepLeast;
};

}  // namespace netcl::backend::opencl
