// Threads of the library's own. None may run a signal handler of the host program, nor take a
// signal away from a thread that waits for it with sigwait or signalfd, so they block every one.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <vector>

#include "core/function_ref.hpp"

namespace netcl {

// pthread_create() of such a thread: an error number, 0 for none.
int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*entry)(void*),
                  void* argument) noexcept;

// Threads that call a function, which does not throw and outlives them. The end waits for them.
class Helpers {
 public:
  // Fewer than `count` where no more can be had.
  Helpers(size_t count, FunctionRef<void()> work) noexcept;
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

 private:
  const FunctionRef<void()> work_;
  std::vector<pthread_t> threads_;
};

}  // namespace netcl
