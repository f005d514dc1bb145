// Progress as records in a ring, to be read from any thread: nothing is called back.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "netcl.h"

namespace netcl::tune {

class Events {
 public:
  static constexpr size_t kMost = 1024;

  // After this so many events are added without asking for memory.
  void make_room(size_t count);
  // Fills in sequence and time.
  void add(netcl_search_event event);
  // The oldest kept event after this one; waits for it for so long. False on time-out; throws
  // NOT_FOUND when none is left and none will come.
  bool read(uint64_t after, uint64_t timeout_ns, netcl_search_event* event);
  // No more will come.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<netcl_search_event> ring_;  // event n at n - 1, modulo what it holds at most
  uint64_t last_ = 0;
  bool closed_ = false;
};

}  // namespace netcl::tune
