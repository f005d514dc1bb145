#include "queue/host_order.hpp"

#include <algorithm>
#include <chrono>

namespace netcl {

namespace {

bool conflict(std::span<const Access> one, std::span<const Access> other) noexcept {
  return std::any_of(one.begin(), one.end(), [&](const Access& a) {
    return std::any_of(other.begin(), other.end(),
                       [&](const Access& b) { return a.conflicts(b); });
  });
}

}  // namespace

// Plain data: nothing has to be destroyed when a thread ends.
static thread_local bool t_copying = false;

void HostOrder::set_copying(bool copying) noexcept { t_copying = copying; }

bool HostOrder::must_wait(const Place& place) const noexcept {
  if (t_copying) return false;
  for (const Place* other = first_; other != &place; other = other->next) {
    if (place.accesses.empty() ? other->queue == place.queue
                               : conflict(place.accesses, other->accesses)) {
      return true;
    }
  }
  return false;
}

void HostOrder::enter(std::unique_lock<std::mutex>& lock, Place* place) {
  place->number = next_number_++;
  place->previous = last_;
  place->next = nullptr;
  (last_ == nullptr ? first_ : last_->next) = place;
  last_ = place;
  ++waiting_;
  left_.wait(lock, [&] { return !must_wait(*place); });
  --waiting_;
  place->begun = true;
}

bool HostOrder::awaited(std::span<const Access> accesses) const noexcept {
  for (const Place* place = first_; place != nullptr; place = place->next) {
    if (!place->begun && conflict(place->accesses, accesses)) return true;
  }
  return false;
}

void HostOrder::leave(Place* place) noexcept {
  (place->previous == nullptr ? first_ : place->previous->next) = place->next;
  (place->next == nullptr ? last_ : place->next->previous) = place->previous;
  if (waiting_ != 0) left_.notify_all();
}

void HostOrder::pass(std::unique_lock<std::mutex>& lock, std::span<const Access> accesses) {
  if (first_ == nullptr || accesses.empty()) return;
  Place place;
  place.accesses = accesses;
  enter(lock, &place);
  leave(&place);
}

bool HostOrder::in_scope(const Scope& scope, uint64_t end) const noexcept {
  for (const Place* place = first_; place != nullptr && place->number < end; place = place->next) {
    if (scope.use.memory == nullptr) {
      if (scope.queue == nullptr || place->queue == scope.queue) return true;
      continue;
    }
    if (conflict(place->accesses, {&scope.use, 1})) return true;
  }
  return false;
}

bool HostOrder::wait(std::mutex& mutex, const Scope& scope, const Deadline& deadline) {
  if (t_copying) return true;
  uint64_t end = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (idle(scope)) return true;
    end = next_number_;
  }
  const auto over = [&] {
    const std::lock_guard<std::mutex> lock(mutex);
    return !in_scope(scope, end);
  };
  const auto sleep = [&](uint64_t ns) {
    std::unique_lock<std::mutex> lock(mutex);
    if (!in_scope(scope, end)) return;
    ++waiting_;
    left_.wait_for(lock, std::chrono::nanoseconds(ns));
    --waiting_;
  };
  return wait_until(deadline, over, sleep, Signalled::at_once);
}

}  // namespace netcl
