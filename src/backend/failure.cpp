#include "backend/failure.hpp"

#include <algorithm>
#include <mutex>
#include <new>

#include "backend/backend.hpp"
#include "core/immortal.hpp"

namespace netcl::backend {

namespace {

template <typename T>
void add_once(std::vector<T>* list, const T& item) {
  if (std::find(list->begin(), list->end(), item) == list->end()) list->push_back(item);
}

// Looking at one command looks at those in front of it, and so comes back to it.
std::recursive_mutex& causes_mutex() {
  static Immortal<std::recursive_mutex> mutex;
  return *mutex;
}

}  // namespace

// A chain goes link by link: each would otherwise end within the one behind it.
Failure::~Failure() {
  std::vector<EventRef> left = std::move(events_);
  while (!left.empty()) {
    const EventRef last = std::move(left.back());
    left.pop_back();
    const FailureRef in_front = last.use_count() == 1 ? last->stands_for() : nullptr;
    if (in_front.use_count() != 2) continue;  // somebody else needs it, or nobody is left
    try {
      left.insert(left.end(), in_front->events_.begin(), in_front->events_.end());
    } catch (const std::bad_alloc&) {
      continue;  // It goes with its owner.
    }
    in_front->events_.clear();
  }
}

void Failure::follow(const EventRef& event) {
  if (event->ended()) return fail(event->failure());
  add_once(&events_, event);
  follows_ = true;
}

void Failure::follow(const FailureRef& other) {
  if (other->follows_) {
    const std::lock_guard<std::recursive_mutex> lock(causes_mutex());
    for (const EventRef& event : other->events_) follow(event);
  }
  fail(other->known_code());
  if (other->of_function_) {
    if (other->outstanding()) add_once(&functions_, other);
    return;
  }
  for (const FailureRef& function : other->functions_) {
    fail(function->known_code());
    if (function->outstanding()) add_once(&functions_, function);
  }
}

bool Failure::empty() const noexcept {
  return functions_.empty() && events_.empty() && known_code() == 0;
}

void Failure::fail(int32_t code) noexcept {
  int32_t none = 0;
  if (code != 0) code_.compare_exchange_strong(none, code, std::memory_order_acq_rel);
}

bool Failure::skipped_in_front() const noexcept {
  return std::any_of(functions_.begin(), functions_.end(),
                     [](const FailureRef& function) { return function->outstanding(); });
}

int32_t Failure::in_front() noexcept {
  for (const FailureRef& function : functions_) fail(function->known_code());
  functions_.clear();
  return known_code();
}

void Failure::end(int32_t code) noexcept {
  fail(code);
  over_.store(true, std::memory_order_release);
}

// The code as far as it is known; final when nothing of it is under way any more.
int32_t Failure::look() noexcept {
  bool all = !outstanding();
  for (const EventRef& event : events_) {
    const bool ended = event->ended();
    if (ended) fail(event->failure());
    all = all && ended;
  }
  if (!of_function_) {
    for (const FailureRef& function : functions_) {
      fail(function->known_code());
      all = all && !function->outstanding();
    }
  }
  if (all) {
    events_.clear();
    settled_.store(true, std::memory_order_release);
  }
  return known_code();
}

FailureRef Failure::unsettled() const noexcept {
  for (const EventRef& event : events_) {
    FailureRef in_front = event->known_ended() ? nullptr : event->stands_for();
    if (in_front != nullptr && !in_front->settled_.load(std::memory_order_acquire)) return in_front;
  }
  return nullptr;
}

// From the first of a chain on, so that no answer needs more than those that are known.
void Failure::settle_in_front() noexcept {
  std::vector<FailureRef> path;
  for (;;) {
    FailureRef in_front = path.empty() ? unsettled() : path.back()->unsettled();
    if (in_front != nullptr) {
      try {
        path.push_back(std::move(in_front));
      } catch (const std::bad_alloc&) {
        return;
      }
      continue;
    }
    if (path.empty()) return;
    (void)path.back()->look();
    if (!path.back()->settled_.load(std::memory_order_acquire)) return;
    path.pop_back();
  }
}

int32_t Failure::code() noexcept {
  if (!settled_.load(std::memory_order_acquire) && follows_) {
    const std::lock_guard<std::recursive_mutex> lock(causes_mutex());
    settle_in_front();
    return look();
  }
  if (!of_function_) {
    for (const FailureRef& function : functions_) fail(function->known_code());
  }
  return known_code();
}

}  // namespace netcl::backend
