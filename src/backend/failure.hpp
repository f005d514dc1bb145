// Why a command's result is not there, as far as its driver does not tell. Drivers take a function
// of the host for complete however it ends, and run what stands on an in-order queue behind a
// command whose wait failed, or do not, as they like. What such a command was to write was never
// written, and neither is what others make of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace netcl::backend {

class Event;
using EventRef = std::shared_ptr<Event>;
class Failure;
using FailureRef = std::shared_ptr<Failure>;
// The first code of several commands, 0 for none.
using FirstFailure = std::atomic<int32_t>;

// Where a command began to go wrong: functions that threw, and events of others that failed. A
// command takes over those of the commands whose results it reads, not the commands themselves, so
// that a long chain keeps no more than its beginning. All but the function's own end is set before
// the command is enqueued.
class Failure {
 public:
  explicit Failure(bool of_function) noexcept : of_function_(of_function) {}

  // The command reads what `other`'s writes. What is known to have gone well is left out.
  void follow(const FailureRef& other);
  // The command waits for an event that is not a command of netcl.
  void follow(const EventRef& event);
  bool empty() const noexcept { return functions_.empty() && events_.empty(); }

  // For the thread that runs the function: the code of one that was to write what it reads, and
  // how it ended itself.
  int32_t in_front() noexcept;
  void end(int32_t code) noexcept;

  // The command's code, 0 before it is over and when it went well.
  int32_t code() const noexcept;

 private:
  bool settled() const noexcept { return of_function_ && over_.load(std::memory_order_acquire); }

  const bool of_function_;
  std::atomic<int32_t> code_{0};  // of the function
  std::atomic<bool> over_{false};
  // A function's own list belongs to the thread that runs it.
  std::vector<FailureRef> functions_;
  std::vector<EventRef> events_;
};

}  // namespace netcl::backend
