// A stopwatch of what is enqueued on a queue.
#pragma once

#include <mutex>

#include "timing/command_log.hpp"

namespace netcl::timing {

class Timer {
 public:
  explicit Timer(QueueRef queue);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void start();
  // Fills all but struct_size.
  void stop(const Deadline& deadline, netcl_elapsed* elapsed);

 private:
  enum class State : uint8_t { idle, running, stopped };  // stopped: the result was not fetched

  std::mutex mutex_;
  QueueRef queue_;
  CommandLog log_;
  State state_ = State::idle;
  uint64_t started_ns_ = 0;
  uint64_t host_ns_ = 0;
};

}  // namespace netcl::timing
