// What a profile adds up: a tree of regions, and counters per kernel and size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "queue/recorder.hpp"

namespace netcl::timing {

// Sums of commands.
struct WorkSums {
  uint64_t commands = 0;
  uint64_t device_ns = 0;  // sum of the commands' times
  Work work;

  void add(uint64_t ns, const Work& more) noexcept {
    ++commands;
    device_ns += ns;
    work.add(more);
  }
  void add(const WorkSums& other) noexcept {
    commands += other.commands;
    device_ns += other.device_ns;
    work.add(other.work);
  }
};

// All regions of one name under one parent on one queue, whatever threads they ran on.
struct RegionNode {
  // The JSON of a report then has the 64 levels that core/json.hpp reads at most, and what goes
  // through the tree by calling itself fits a small stack.
  static constexpr uint32_t kDepthMost = 30;

  std::string name;
  std::string queue;  // its label
  uint64_t queue_id = 0;
  uint64_t calls = 0;
  uint64_t host_ns = 0;
  uint64_t children_host_ns = 0;
  WorkSums own;  // of commands and annotations of this region alone
  uint32_t depth = 0;  // of those around it
  std::vector<std::shared_ptr<RegionNode>> children;

  // Regions of several threads can take more time together than the one around them.
  uint64_t self_host_ns() const noexcept { return host_ns - std::min(host_ns, children_host_ns); }
  // The child of this name on this queue; made when there is none.
  std::shared_ptr<RegionNode> child(const char* child_name, uint64_t id, const std::string& label);
  // Sets all sums to 0 and drops nodes that no open region stands on.
  void clear();
};

// The commands of one kernel (or kind of transfer) on one device with sizes in (to / 2, to].
struct CounterKey {
  std::string device;
  std::string name;
  CommandKind kind = CommandKind::kernel;
  uint64_t size_to = 0;  // a power of two, 0 for unknown

  friend bool operator<(const CounterKey& a, const CounterKey& b) {
    return std::tie(a.device, a.name, a.kind, a.size_to) <
           std::tie(b.device, b.name, b.kind, b.size_to);
  }
};

struct Counter {
  WorkSums sums;
  uint64_t min_ns = UINT64_MAX;
  uint64_t max_ns = 0;
  std::vector<uint64_t> times;  // of the commands that are kept

  // Of the times kept, interpolated; 0 when there are none.
  struct Quantiles {
    uint64_t median = 0;
    uint64_t p99 = 0;
  };
  Quantiles quantiles() const;
};

struct ProfileData {
  RegionNode root;  // holds what is outside all regions
  std::map<CounterKey, Counter> counters;
  uint64_t kept = 0;     // times kept in counters
  uint64_t dropped = 0;  // commands that found no room
  uint64_t failed = 0;   // commands that failed
  uint64_t untimed = 0;  // commands of queues that record no times
  uint64_t pending = 0;  // set for a report: commands that are not complete

  void clear();
};

const char* kind_text(CommandKind kind);
// The least power of two that is not below the size, 0 for 0.
uint64_t size_bucket(uint64_t size) noexcept;

std::string report_text(const ProfileData& data);
std::string report_json(const ProfileData& data);
std::string report_csv(const ProfileData& data);

}  // namespace netcl::timing
