#pragma once

#include <atomic>
#include <cstdint>

namespace netcl {

// Counts the threads of the process from 1 on, in the order in which they ask. Numbers are never
// used twice, unlike the system's, so what a thread left behind is never taken for another's.
inline uint64_t thread_number() noexcept {
  static std::atomic<uint64_t> g_threads{0};
  thread_local uint64_t own = 0;
  if (own == 0) own = g_threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return own;
}

}  // namespace netcl
