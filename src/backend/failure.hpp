// Why a command's result is not there, as far as its driver does not tell. Drivers take a function
// of the host for complete however it ends, and run what waits for a command that failed, or do
// not, as they like. What such a command was to write was never written, and neither is what others
// make of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
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
  void follow(const EventRef& event) { add(event, true); }
  // The command comes after another one, whose failure is none of its own: it is where a driver
  // never ends what waits for a command that failed.
  void wait_for(const EventRef& event) { add(event, false); }
  // True when there is nothing that it could fail through but its function.
  bool empty() const noexcept;

  // For the thread that runs the function, which may be the driver's, so that neither asks anybody:
  // the code of a command in front that was to write what it reads, and how it ended itself.
  int32_t in_front() noexcept;
  void end(int32_t code) noexcept;
  // True while a function has not run: its own or, where it has none, one in front.
  bool outstanding() const noexcept;

  // Of commands with events that are followed or waited for: true when none is under way, and the
  // code of one that failed, as far as code() has seen.
  bool all_ended() const noexcept;
  int32_t waited_code() const noexcept { return waited_code_.load(std::memory_order_acquire); }

  // The command's code, 0 before it is known and when it went well. `over`: the driver says that
  // the command is complete, so that a function which has not run was given up.
  int32_t code(bool over) noexcept;
  // True when the code is final.
  bool settled() const noexcept { return settled_.load(std::memory_order_acquire); }
  // The same without asking anybody.
  int32_t known_code() const noexcept { return code_.load(std::memory_order_acquire); }

 private:
  struct Followed {
    EventRef event;
    bool fails;  // its failure is that of the command
  };
  using Events = std::vector<Followed>;

  void add(const EventRef& event, bool fails);
  std::shared_ptr<const Events> events() const noexcept;
  void fail(int32_t code) noexcept;
  void look(bool over) noexcept;
  EventRef unsettled_in_front() const noexcept;
  bool settle_in_front() const noexcept;

  const bool of_function_;
  std::atomic<int32_t> code_{0};
  std::atomic<int32_t> waited_code_{0};
  std::atomic<bool> over_{false};     // of the function
  std::atomic<bool> settled_{false};  // code_ is the answer
  // A function's own list belongs to the thread that runs it.
  std::vector<FailureRef> functions_;
  mutable std::mutex mutex_;        // guards the pointer; no driver is called under it
  std::shared_ptr<Events> events_;  // does not change once the command is enqueued
};

}  // namespace netcl::backend
