#include "core/wait.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "core/error.hpp"

namespace netcl {

uint64_t monotonic_ns() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
}

Deadline::Deadline(uint64_t timeout_ns) noexcept {
  const uint64_t now = monotonic_ns();
  end_ = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
}

uint64_t Deadline::left() const noexcept {
  if (end_ == UINT64_MAX) return UINT64_MAX;
  const uint64_t now = monotonic_ns();
  return now >= end_ ? 0 : end_ - now;
}

bool Deadline::passed() const noexcept { return left() == 0; }

std::unique_lock<std::mutex> lock_until(std::mutex& mutex, const Deadline& deadline) {
  std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
  if (deadline.left() == UINT64_MAX) {
    lock.lock();
    return lock;
  }
  while (!lock.try_lock() && !deadline.passed()) {
    const timespec pause = {0, 50000};
    nanosleep(&pause, nullptr);
  }
  return lock;
}

bool wait_until(const Deadline& deadline, const std::function<bool()>& done,
                const std::function<void(uint64_t)>& sleep, Signalled signalled) {
  if (done()) return true;
  // Most short commands end within 50 us; a thread of this process may need the core.
  const uint64_t spin = signalled == Signalled::at_once ? 20000 : 50000;
  constexpr uint64_t kPolite = 3000;
  // Where the signal comes late (NVIDIA's driver), nothing sleeps much longer than a fraction of
  // what it has waited already; 10 ms at most, to notice interrupts.
  constexpr uint64_t kLongest = 10000000, kFraction = 16;
  const uint64_t shortest = signalled == Signalled::at_once ? kLongest : 20000;
  const WaitScope scope;
  const uint64_t begin = monotonic_ns();
  for (;;) {
    if (done()) return true;
    const uint64_t left = deadline.left();
    if (left == 0) return false;
    if (scope.cancelled()) fail(NETCL_ERROR_CANCELLED, "the wait was interrupted by SIGINT");
    const uint64_t spent = monotonic_ns() - begin;
    if (spent > spin) {
      sleep(std::min(left, std::clamp(spent / kFraction, shortest, kLongest)));
    } else if (spent > kPolite) {
      // On a CPU device the command may need the very core that this loop spins on.
      sched_yield();
    }
  }
}

}  // namespace netcl
