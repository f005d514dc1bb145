#include "backend/failure.hpp"

#include <algorithm>

#include "backend/backend.hpp"

namespace netcl::backend {

namespace {

template <typename T>
void add_once(std::vector<T>* list, const T& item) {
  if (std::find(list->begin(), list->end(), item) == list->end()) list->push_back(item);
}

}  // namespace

void Failure::follow(const EventRef& event) {
  if (event->state() != NETCL_EVENT_COMPLETE) add_once(&events_, event);
}

void Failure::follow(const FailureRef& other) {
  for (const EventRef& event : other->events_) follow(event);
  if (other->of_function_) {
    if (!other->settled() || other->code() != 0) add_once(&functions_, other);
    return;
  }
  for (const FailureRef& function : other->functions_) {
    if (!function->settled() || function->code() != 0) add_once(&functions_, function);
  }
}

int32_t Failure::in_front() noexcept {
  int32_t code = 0;
  for (const FailureRef& function : functions_) {
    if (code == 0) code = function->code_.load(std::memory_order_acquire);
  }
  functions_.clear();
  return code;
}

void Failure::end(int32_t code) noexcept {
  code_.store(code, std::memory_order_release);
  over_.store(true, std::memory_order_release);
}

int32_t Failure::code() const noexcept {
  int32_t code = code_.load(std::memory_order_acquire);
  if (!of_function_) {
    for (const FailureRef& function : functions_) {
      if (code == 0) code = function->code_.load(std::memory_order_acquire);
    }
  }
  for (const EventRef& event : events_) {
    if (code == 0) code = event->failure();
  }
  return code;
}

}  // namespace netcl::backend
