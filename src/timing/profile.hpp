// Records what happens on all queues of the process: regions, counters per kernel, and a trace.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "queue/queue.hpp"
#include "timing/profile_data.hpp"
#include "timing/trace.hpp"

namespace netcl::timing {

class Profile;

// A named stretch of work on a queue. One that began while no profile was on records nothing.
class Region {
 public:
  Region() = default;
  ~Region();
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  // Fails with INVALID_ARGUMENT the second time.
  void end();
  void annotate(double bytes, double operations);

 private:
  friend class Profile;
  std::atomic<bool> ended_{false};
  // The rest is set by the profile and guarded by its mutex.
  std::shared_ptr<RegionNode> node_;  // null: records nothing
  std::shared_ptr<RegionNode> parent_;
  uint64_t queue_id_ = 0;
  uint64_t thread_ = 0;
  uint64_t begin_ns_ = 0;
  bool nested_ = true;  // inside or around all other regions of its thread
};
using RegionRef = std::shared_ptr<Region>;

class Profile final : public Recorder {
 public:
  static Profile& instance();
  // Starts the trace of NETCL_TRACE at the first call; a failure goes to the log.
  static void start_from_environment();
  // At the end of the process: writes what is complete, and records no more.
  static void close_at_exit() noexcept;

  // Fails with BUSY when it is on, with IO when the trace cannot be written.
  void start(const char* trace_path, uint64_t records_most);
  void stop(const Deadline& deadline);
  void reset();
  // Of the commands that are complete.
  std::string report(netcl_format format);
  bool on() const noexcept { return on_.load(std::memory_order_relaxed); }

  RegionRef begin(Queue& queue, const Region* parent, const char* name);
  void push(Queue& queue, const char* name);
  void pop();

  void record(const CommandRecord& record) noexcept override;

 private:
  friend class Region;
  struct Command {
    backend::EventRef event;
    CommandKind kind;
    const std::string* name;
    uint64_t size;
    Work work;
    uint64_t thread;
    uint64_t host_begin_ns;
    uint64_t host_end_ns;
    std::shared_ptr<RegionNode> node;  // null: outside all regions
    uint64_t generation;               // of the numbers it belongs to
  };
  struct QueueLog {
    uint64_t id = 0;
    std::string device;
    bool device_is_host = false;
    std::deque<Command> commands;
  };
  struct Pushed {
    uint32_t depth;
    RegionRef region;
  };

  void note(const CommandRecord& record);
  void harvest();
  void harvest(QueueLog* log);
  void settle(const QueueLog& log, Command* command, bool complete);
  void count(const QueueLog& log, const Command& command, uint64_t ns);
  void begin_locked(Region* region, Queue& queue, const Region* parent, const char* name);
  void end(Region* region);
  void end_locked(Region* region);
  void close_region(Region* region);
  void close_open_regions();
  QueueLog& log_of(Queue& queue);
  std::vector<backend::EventRef> pending_events();

  std::atomic<bool> on_{false};
  std::atomic<uint64_t> pushed_{0};  // regions on the stacks of all threads
  std::mutex mutex_;                 // guards what follows; taken inside enqueue mutexes
  ProfileData data_;
  std::unique_ptr<Trace> trace_;
  bool environment_done_ = false;
  uint64_t records_most_ = 0;
  uint64_t generation_ = 0;
  uint64_t pending_ = 0;
  uint64_t since_harvest_ = 0;
  std::set<std::string, std::less<>> names_;
  std::map<uint64_t, QueueLog> queues_;
  std::map<uint64_t, std::vector<Region*>> open_;   // by thread, in the order they began
  std::map<uint64_t, std::vector<Pushed>> stacks_;  // by thread
};

}  // namespace netcl::timing
