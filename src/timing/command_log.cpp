#include "timing/command_log.hpp"

#include <algorithm>

namespace netcl::timing {

// So many events are kept before those that are complete are turned into times: drivers hold
// memory for each.
static constexpr size_t kEventsKept = 4096;

DeviceTime join_intervals(std::vector<Interval>* intervals) {
  if (intervals->empty()) return {};
  std::sort(intervals->begin(), intervals->end(),
            [](const Interval& a, const Interval& b) { return a.start < b.start; });
  size_t last = 0;
  for (size_t i = 1; i < intervals->size(); ++i) {
    const Interval next = (*intervals)[i];
    Interval& open = (*intervals)[last];
    if (next.start <= open.end) {
      open.end = std::max(open.end, next.end);
    } else {
      (*intervals)[++last] = next;
    }
  }
  intervals->resize(last + 1);
  DeviceTime time;
  time.span_ns = intervals->back().end - intervals->front().start;
  for (const Interval& interval : *intervals) time.busy_ns += interval.end - interval.start;
  return time;
}

void CommandLog::start() {
  stop();
  entries_.clear();
  intervals_.clear();
  settled_ = 0;
  harvest_at_ = kEventsKept;
  commands_ = untimed_ = 0;
  work_ = Work{};
  failure_ = 0;
  lost_ = false;
  resume();
}

void CommandLog::resume() {
  if (attached_) return;
  queue_.attach(*this);
  attached_ = true;
}

void CommandLog::stop() noexcept {
  if (!attached_) return;
  queue_.detach(*this);
  attached_ = false;
}

void CommandLog::record(const CommandRecord& record) noexcept {
  const bool marker = record.kind == CommandKind::marker;
  if (!marker) {
    ++commands_;
    work_.add(record.work);
  }
  try {
    if (entries_.size() >= harvest_at_) harvest();
    entries_.push_back({record.event, marker});
  } catch (...) {
    lost_ = true;
  }
}

void CommandLog::harvest() {
  size_t kept = 0;
  for (Entry& entry : entries_) {
    const netcl_event_state state = entry.event->state();
    if (state == NETCL_EVENT_COMPLETE || state == NETCL_EVENT_FAILED) {
      settle(&entry);
    } else {
      std::swap(entries_[kept++], entry);
    }
  }
  entries_.resize(kept);
  harvest_at_ = std::max(kEventsKept, 2 * kept);
}

// The event is complete or has failed.
void CommandLog::settle(Entry* entry) {
  if (const int32_t code = entry->event->failure(); code != 0) {
    if (failure_ == 0) failure_ = code;
  } else if (!entry->marker) {
    backend::Timing timing;
    if (const int32_t untimed = entry->event->timing(&timing); untimed == 0) {
      intervals_.push_back({timing.started_ns, timing.ended_ns});
    } else {
      if (untimed_++ == 0 || untimed != backend::kNoTimes) untimed_code_ = untimed;
    }
  }
  entry->event = nullptr;
}

bool CommandLog::wait(const Deadline& deadline) {
  for (; settled_ < entries_.size(); ++settled_) {
    Entry& entry = entries_[settled_];
    if (!entry.event->wait(deadline)) return false;
    settle(&entry);
  }
  return true;
}

void CommandLog::check() const {
  if (failure_ != 0) {
    throw Error(NETCL_ERROR_LAUNCH_FAILURE,
                format("a command that was timed failed with OpenCL code %d", failure_), failure_);
  }
  if (lost_) fail(NETCL_ERROR_OUT_OF_HOST_MEMORY, "a command could not be noted");
}

DeviceTime CommandLog::time() {
  if (untimed_ > 0) {
    // Of a driver that fails, what it said counts.
    const bool failed = untimed_code_ != backend::kNoTimes;
    throw Error(failed ? NETCL_ERROR_LAUNCH_FAILURE : NETCL_ERROR_NOT_PROFILED,
                format("%llu of %llu commands have no times: clGetEventProfilingInfo gave code %d",
                       static_cast<unsigned long long>(untimed_),
                       static_cast<unsigned long long>(commands_), untimed_code_),
                untimed_code_);
  }
  return join_intervals(&intervals_);
}

}  // namespace netcl::timing
