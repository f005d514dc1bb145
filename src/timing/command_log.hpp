// The commands of a queue between two moments, and the times they took on the device.
#pragma once

#include <vector>

#include "queue/queue.hpp"

namespace netcl::timing {

struct DeviceTime {
  uint64_t span_ns = 0;  // start of the first command to end of the last
  uint64_t busy_ns = 0;  // union of the commands' times
};

// One half-open stretch of time.
struct Interval {
  uint64_t start;
  uint64_t end;
};

// Sorts and joins intervals in place.
DeviceTime join_intervals(std::vector<Interval>* intervals);

// Memory is made as commands come and used again after the next start. Markers are waited for, but
// they are no work and have no share in count and times.
class CommandLog final : public Recorder {
 public:
  explicit CommandLog(Queue& queue) : queue_(queue) {}
  ~CommandLog() { stop(); }
  CommandLog(const CommandLog&) = delete;
  CommandLog& operator=(const CommandLog&) = delete;

  // Forgets what there was and records from now on.
  void start();
  void stop() noexcept;
  // After stop(): records again, beside what there is.
  void resume();
  // After stop(): waits until all commands are complete or have failed; false on time-out, after
  // which it may be called again.
  bool wait(const Deadline& deadline);
  // After wait(): throws LAUNCH_FAILURE when a command failed, OUT_OF_HOST_MEMORY when one could
  // not be noted.
  void check() const;
  // After wait(): throws NOT_PROFILED when a command has no times, LAUNCH_FAILURE when the driver
  // fails to give them.
  DeviceTime time();

  uint64_t commands() const noexcept { return commands_; }
  const Work& work() const noexcept { return work_; }
  void record(const CommandRecord& record) noexcept override;

 private:
  struct Entry {
    backend::EventRef event;
    bool marker;
  };
  void settle(Entry* entry);
  void harvest();

  Queue& queue_;
  bool attached_ = false;
  // Guarded by the enqueue mutex while attached, else by the owner.
  std::vector<Entry> entries_;
  size_t settled_ = 0;  // entries in front that wait() is done with
  size_t harvest_at_ = 0;
  std::vector<Interval> intervals_;
  uint64_t commands_ = 0;
  uint64_t untimed_ = 0;
  int32_t untimed_code_ = 0;  // of one of them, of a driver that failed first
  Work work_;
  int32_t failure_ = 0;
  bool lost_ = false;
};

}  // namespace netcl::timing
