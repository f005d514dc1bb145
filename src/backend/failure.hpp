// Why a command's result is not there, as far as its driver does not tell. Drivers take a function
// of the host for complete however it ends, and run what waits for a command that failed, or do
// not, as they like. What such a command was to write was never written, and neither is what others
// make of it.
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

// What a command may fail through: its own function that throws, and the commands whose results it
// reads or that it waits for. Those with an event are followed by it, and an event knows what its
// own command follows; of those without one the causes are taken over. Causes go as soon as all of
// them are known to have ended, so that a long chain keeps no more than what is under way. All but
// the function's own end is set before the command is enqueued.
class Failure {
 public:
  explicit Failure(bool of_function) noexcept : of_function_(of_function) {}
  ~Failure();
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;

  // The command reads what `other`'s writes. What is known to have gone well is left out.
  void follow(const FailureRef& other);
  // The command waits for an event, or reads what its command writes.
  void follow(const EventRef& event);
  // True when there is nothing that it could fail through but its function.
  bool empty() const noexcept;

  // For the thread that runs the function: whether one in front of it has not run, the code of one
  // that was to write what it reads, and how it ended itself.
  bool skipped_in_front() const noexcept;
  int32_t in_front() noexcept;
  void end(int32_t code) noexcept;
  // True of a function that has not run.
  bool outstanding() const noexcept {
    return of_function_ && !over_.load(std::memory_order_acquire);
  }

  // The command's code, 0 before it is over and when it went well.
  int32_t code() noexcept;
  // The same without asking anybody.
  int32_t known_code() const noexcept { return code_.load(std::memory_order_acquire); }

 private:
  void fail(int32_t code) noexcept;
  int32_t look() noexcept;
  FailureRef unsettled() const noexcept;
  void settle_in_front() noexcept;

  const bool of_function_;
  std::atomic<int32_t> code_{0};
  std::atomic<bool> over_{false};     // of the function
  std::atomic<bool> follows_{false};  // an event, now or before
  std::atomic<bool> settled_{false};  // code_ is the answer
  // A function's own list belongs to the thread that runs it.
  std::vector<FailureRef> functions_;
  std::vector<EventRef> events_;  // guarded by one mutex for all once the command is enqueued
};

}  // namespace netcl::backend
