#include "tune/events.hpp"

#include "core/error.hpp"
#include "core/wait.hpp"

namespace netcl::tune {

void Events::add(netcl_search_event event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  event.sequence = ++last_;
  event.time_ns = monotonic_ns();
  if (ring_.size() == kMost) ring_.pop_front();
  ring_.push_back(event);
  changed_.notify_all();
}

void Events::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

bool Events::read(uint64_t after, uint64_t timeout_ns, netcl_search_event* event) {
  const Deadline deadline(timeout_ns);
  const WaitScope scope;
  std::unique_lock<std::mutex> lock(mutex_);
  while (last_ <= after) {
    if (closed_) fail(NETCL_ERROR_NOT_FOUND, "no event comes after the last one");
    if (scope.cancelled()) fail(NETCL_ERROR_CANCELLED, "the wait was interrupted");
    if (deadline.passed()) return false;
    // In slices, so that an interrupt ends the wait.
    const uint64_t slice = std::min<uint64_t>(deadline.left(), 50000000);
    changed_.wait_for(lock, std::chrono::nanoseconds(slice));
  }
  const uint64_t first = last_ - ring_.size() + 1;
  *event = ring_[after < first ? 0 : after - first + 1];
  return true;
}

}  // namespace netcl::tune
