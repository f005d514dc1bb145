#include "backend/failure.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "backend/backend.hpp"

namespace netcl::backend {

namespace {

// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: of a function that was given up before its turn.
constexpr int32_t kGivenUp = -14;

// What the ends of causes leave to end; null outside of them.
thread_local std::vector<EventRef>* t_ending = nullptr;

template <typename T>
void add_once(std::vector<T>* list, const T& item) {
  if (std::find(list->begin(), list->end(), item) == list->end()) list->push_back(item);
}

}  // namespace

// A chain goes link by link: each would otherwise end within the one behind it.
Failure::~Failure() {
  if (events_ == nullptr) return;
  std::vector<EventRef> left;
  std::vector<EventRef>& ending = t_ending != nullptr ? *t_ending : left;
  try {
    for (const Followed& followed : *events_) ending.push_back(followed.event);
  } catch (const std::bad_alloc&) {
    return;  // They go here.
  }
  events_ = nullptr;
  if (t_ending != nullptr) return;
  t_ending = &left;
  while (!left.empty()) {
    const EventRef last = std::move(left.back());
    left.pop_back();
  }
  t_ending = nullptr;
}

void Failure::add(const EventRef& event, bool fails) {
  if (event->ended()) {
    if (fails) fail(event->failure());
    return;
  }
  if (events_ == nullptr) events_ = std::make_shared<Events>();
  const auto known = std::find_if(events_->begin(), events_->end(), [&](const Followed& followed) {
    return followed.event == event;
  });
  if (known == events_->end()) {
    events_->push_back({event, fails});
  } else {
    known->fails = known->fails || fails;
  }
}

void Failure::follow(const FailureRef& other) {
  if (const std::shared_ptr<const Events> events = other->events()) {
    for (const Followed& followed : *events) {
      if (followed.fails) follow(followed.event);
    }
  }
  const auto follow_function = [this](const FailureRef& function) {
    // A function tells its code before it is over.
    if (function->outstanding()) add_once(&functions_, function);
    fail(function->known_code());
  };
  if (other->of_function_) return follow_function(other);
  fail(other->known_code());
  for (const FailureRef& function : other->functions_) follow_function(function);
}

bool Failure::empty() const noexcept {
  return functions_.empty() && events_ == nullptr && known_code() == 0;
}

void Failure::fail(int32_t code) noexcept {
  int32_t none = 0;
  if (code != 0) code_.compare_exchange_strong(none, code, std::memory_order_acq_rel);
}

int32_t Failure::in_front() noexcept {
  for (const FailureRef& function : functions_) {
    // Its turn was before this one's: what has not run by now was given up by the driver.
    const bool given_up = function->outstanding();
    fail(function->known_code());
    if (given_up) fail(kGivenUp);
  }
  functions_.clear();
  return known_code();
}

void Failure::end(int32_t code) noexcept {
  fail(code);
  over_.store(true, std::memory_order_release);
}

bool Failure::outstanding() const noexcept {
  if (of_function_) return !over_.load(std::memory_order_acquire);
  return std::any_of(functions_.begin(), functions_.end(),
                     [](const FailureRef& function) { return function->outstanding(); });
}

std::shared_ptr<const Failure::Events> Failure::events() const noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  return events_;
}

bool Failure::all_ended() const noexcept {
  const std::shared_ptr<const Events> events = this->events();
  return events == nullptr ||
         std::all_of(events->begin(), events->end(),
                     [](const Followed& followed) { return followed.event->ended(); });
}

// Takes over what is known of those in front. Settled when nothing of them is under way any more.
void Failure::look(bool over) noexcept {
  const bool waits = outstanding();
  bool all = over || !waits;
  const std::shared_ptr<const Events> events = this->events();
  if (events != nullptr) {
    for (const auto& [event, fails] : *events) {
      const bool ended = event->ended();
      const int32_t code = ended ? event->failure() : 0;
      if (code != 0) waited_code_.store(code, std::memory_order_release);
      if (fails) fail(code);
      all = all && (ended || (over && !fails));
    }
  }
  if (!of_function_) {
    for (const FailureRef& function : functions_) fail(function->known_code());
  }
  if (over && waits) fail(kGivenUp);
  if (!all) return;
  settled_.store(true, std::memory_order_release);
  const std::lock_guard<std::mutex> lock(mutex_);
  events_ = nullptr;
}

EventRef Failure::unsettled_in_front() const noexcept {
  const std::shared_ptr<const Events> events = this->events();
  if (events == nullptr) return nullptr;
  const auto unsettled = std::find_if(events->begin(), events->end(), [](const Followed& followed) {
    const FailureRef failure = followed.event->stands_for();
    return failure != nullptr && !failure->settled();
  });
  return unsettled == events->end() ? nullptr : unsettled->event;
}

// From the first of a chain on, so that no answer needs more than those that are known. False when
// one of them is under way.
bool Failure::settle_in_front() const noexcept {
  std::vector<EventRef> path;
  for (;;) {
    const FailureRef last = path.empty() ? nullptr : path.back()->stands_for();
    const Failure* const at = path.empty() ? this : last.get();
    EventRef next = at == nullptr ? nullptr : at->unsettled_in_front();
    if (next != nullptr) {
      try {
        path.push_back(std::move(next));
        continue;
      } catch (const std::bad_alloc&) {
        return true;  // Each then asks the one in front of it.
      }
    }
    if (path.empty()) return true;
    if (!path.back()->ended()) return false;
    path.pop_back();
  }
}

int32_t Failure::code(bool over) noexcept {
  if (!settled() && settle_in_front()) look(over);
  return known_code();
}

}  // namespace netcl::backend
