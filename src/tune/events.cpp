#include "tune/events.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/wait.hpp"

namespace netcl::tune {

void Events::make_room(size_t count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const size_t wanted = std::min(kMost, ring_.size() + count);
  if (wanted > ring_.capacity()) ring_.reserve(std::min(kMost, 2 * wanted));
}

void Events::add(netcl_search_event event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  event.sequence = last_ + 1;
  event.time_ns = monotonic_ns();
  if (ring_.size() < kMost) {
    ring_.push_back(event);
  } else {
    ring_[last_ % kMost] = event;
  }
  ++last_;
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
  const uint64_t oldest = last_ - ring_.size();
  *event = ring_[std::max(after, oldest) % kMost];
  return true;
}

}  // namespace netcl::tune
