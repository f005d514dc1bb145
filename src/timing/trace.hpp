// A trace in Chrome's JSON, the array form, which Perfetto and chrome://tracing read.
//
// The file is a whole JSON document after every write: each write puts the new events where the
// closing bracket was, with a bracket behind them. Slices of one lane never overlap in part, which
// viewers refuse; what does not fit goes to a further lane.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "queue/recorder.hpp"

namespace netcl::timing {

// A stretch of one thread's time.
struct HostSlice {
  std::string_view name;
  uint64_t thread = 0;
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
  bool nested = true;  // inside or around all other slices of its thread
};

// What a trace knows about a command that is complete.
struct CommandSlice {
  std::string_view name;
  std::string_view device;
  bool device_is_host = false;  // its times come from the host's clock
  uint64_t queue_id = 0;
  uint64_t thread = 0;
  uint64_t host_begin_ns = 0;
  uint64_t host_end_ns = 0;
  backend::Timing timing;
  uint64_t size = 0;
  Work work;
};

class Trace {
 public:
  // Fails with IO naming the path. The file is locked against other processes that trace.
  explicit Trace(const std::string& path);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  void host(const HostSlice& slice);
  // A slice of the enqueueing on the thread's lane, one of the run on the queue's, and the arrow
  // from one to the other.
  void command(const CommandSlice& slice);
  // Writes what has been collected, when there is much of it or it is old, or at once. Never
  // throws: the first failure is kept for error().
  void flush(bool now) noexcept;
  // The errno value of the first failure, else 0.
  int error() const noexcept { return error_; }
  const std::string& path() const noexcept { return path_; }

 private:
  // The offset from a device's clock to the host's is narrowed by each command: its time of
  // queueing lies between the moments before and after the call.
  struct Clock {
    bool known = false;
    int64_t low = 0;
    int64_t high = 0;
    int64_t offset() const noexcept { return low + (high - low) / 2; }
  };
  struct DeviceLanes {
    uint64_t process = 0;
    Clock clock;
  };

  // Closed also when the constructor fails later.
  struct Descriptor {
    int number = -1;
    ~Descriptor();
  };

  uint64_t device_process(const CommandSlice& slice);
  static void narrow(Clock* clock, const CommandSlice& slice);
  // The lane for a slice; moves its ends by at most `error_ns` to fit.
  uint64_t queue_lane(uint64_t process, uint64_t queue, uint64_t error_ns, uint64_t* begin,
                      uint64_t* end);
  uint64_t host_lane(const HostSlice& slice);
  void name_lane(uint64_t process, uint64_t lane, const std::string& name);
  void add(const std::string& event);
  // "ts" and "dur" of a slice; what lies before the trace is cut off.
  std::string span(uint64_t begin_ns, uint64_t end_ns) const;
  std::string stamp(uint64_t ns) const;

  std::string path_;
  Descriptor fd_;
  int error_ = 0;
  uint64_t position_ = 0;  // of the closing bracket's line
  uint64_t start_ns_;
  uint64_t flushed_ns_;
  bool first_ = true;
  std::string buffer_;
  uint64_t flows_ = 0;
  uint64_t next_lane_ = 1000000;  // of lanes beside the threads' own
  std::map<std::string, DeviceLanes, std::less<>> devices_;
  // For each queue and each thread: when the last slice of each lane ends.
  std::map<uint64_t, std::vector<uint64_t>> queue_lanes_;
  std::map<uint64_t, std::vector<std::pair<uint64_t, uint64_t>>> extra_lanes_;
  std::map<uint64_t, bool> threads_named_;
};

}  // namespace netcl::timing
