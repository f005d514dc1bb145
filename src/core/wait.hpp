// Deadlines, and the one loop through which every wait of the library goes: it can time out, it can
// be interrupted, and it never blocks in a driver.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

namespace netcl {

// CLOCK_MONOTONIC in nanoseconds.
uint64_t monotonic_ns() noexcept;

class Deadline {
 public:
  explicit Deadline(uint64_t timeout_ns) noexcept;
  bool passed() const noexcept;
  // Nanoseconds left, UINT64_MAX when there is no limit.
  uint64_t left() const noexcept;

 private:
  uint64_t end_;  // UINT64_MAX: no limit
};

// Marks that this thread waits, for as long as it lives; see core/interrupt.hpp. `cancelled` turns
// true when SIGINT arrived since the scope began and interrupts are enabled.
class WaitScope {
 public:
  WaitScope() noexcept;
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;
  bool cancelled() const noexcept;

 private:
  uint64_t generation_;
};

// True between netcl_interrupt_enable and netcl_interrupt_disable.
bool interrupts_enabled() noexcept;

// Takes a mutex, but for no longer than the deadline allows; the result may not own it.
std::unique_lock<std::mutex> lock_until(std::mutex& mutex, const Deadline& deadline);

// Whether the signal that ends a sleep comes at once. Drivers of GPUs may tell of an event's end
// milliseconds late; a thread of this process tells at once, and looking while it works would only
// take its core away.
enum class Signalled { late, at_once };

// Waits until `done` returns true. Spins briefly (short commands finish in microseconds), then
// calls `sleep` with the nanoseconds to sleep at most, which returns earlier when it is signalled.
// Returns false on time-out, throws CANCELLED when interrupted.
bool wait_until(const Deadline& deadline, const std::function<bool()>& done,
                const std::function<void(uint64_t)>& sleep, Signalled signalled = Signalled::late);

}  // namespace netcl
