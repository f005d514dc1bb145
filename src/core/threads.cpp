#include "core/threads.hpp"

#include <csignal>

namespace netcl {

int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*entry)(void*),
                  void* argument) noexcept {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  if (const int error = pthread_sigmask(SIG_SETMASK, &all, &before); error != 0) return error;
  const int error = pthread_create(thread, attributes, entry, argument);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error;
}

Helpers::Helpers(size_t count, FunctionRef<void()> work) noexcept : work_(work) {
  try {
    threads_.reserve(count);
  } catch (...) {
    return;
  }
  const auto entry = [](void* self) -> void* {
    static_cast<const Helpers*>(self)->work_();
    return nullptr;
  };
  while (threads_.size() < count) {
    pthread_t thread;
    if (create_thread(&thread, nullptr, entry, this) != 0) return;
    threads_.push_back(thread);
  }
}

Helpers::~Helpers() {
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
}

}  // namespace netcl
