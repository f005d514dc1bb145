#include "timing/profile.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <new>

#include "core/ending.hpp"
#include "core/environment.hpp"
#include "core/file.hpp"
#include "core/log.hpp"
#include "core/process.hpp"
#include "core/room.hpp"
#include "core/thread_number.hpp"

namespace netcl::timing {

namespace {

constexpr uint64_t kRecordsMost = 1000000;
// Commands between two looks at which are complete, and how many that are not complete a look
// passes over on one queue.
constexpr uint64_t kHarvestEvery = 64;
constexpr size_t kLookPast = 64;

// Regions that this thread has pushed, those that record nothing among them.
thread_local uint32_t t_depth;

}  // namespace

Profile& Profile::instance() {
  return process().services.get<Profile>(Slot::profile, [] { return std::make_unique<Profile>(); });
}

void Profile::start_from_environment() {
  const std::string& path = environment().trace_path;
  if (path.empty()) return;
  Profile& profile = instance();
  {
    const std::lock_guard<std::mutex> lock(profile.mutex_);
    if (profile.environment_done_) return;
    profile.environment_done_ = true;
  }
  try {
    profile.start(path.c_str(), 0);
    return;
  } catch (const Error& error) {
    if (error.status() == NETCL_ERROR_BUSY) return;
    log_message(NETCL_LOG_WARNING, "NETCL_TRACE: %s", error.what());
  }
  // A child process inherits the variable while its parent still writes; it gets its own file.
  const std::string own = format("%s.%d", path.c_str(), static_cast<int>(getpid()));
  try {
    profile.start(own.c_str(), 0);
    log_message(NETCL_LOG_WARNING, "NETCL_TRACE: the trace goes to %s", own.c_str());
  } catch (const Error& error) {
    log_message(NETCL_LOG_WARNING, "NETCL_TRACE: %s", error.what());
  }
}

void Profile::start(const char* trace_path, uint64_t records_most) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (on_) fail(NETCL_ERROR_BUSY, "a profile is on; stop it first");
  if (trace_path != nullptr) trace_ = std::make_unique<Trace>(trace_path);
  records_most_ = records_most != 0 ? records_most : kRecordsMost;
  ProcessRecorder::instance().recorder.store(this, std::memory_order_release);
  on_ = true;
}

std::vector<backend::EventRef> Profile::pending_events() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<backend::EventRef> events;
  for (const auto& [id, log] : queues_) {
    for (const Command& command : log.commands) {
      if (command.event != nullptr) events.push_back(command.event);
    }
  }
  return events;
}

void Profile::stop(const Deadline& deadline) {
  if (!on_) fail(NETCL_ERROR_NOT_FOUND, "no profile is on");
  for (const backend::EventRef& event : pending_events()) {
    if (event->wait(deadline)) continue;
    fail(NETCL_ERROR_TIMEOUT, "commands of the profile are not complete; it goes on");
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!on_) fail(NETCL_ERROR_NOT_FOUND, "no profile is on");
  ProcessRecorder::instance().recorder.store(nullptr, std::memory_order_release);
  on_ = false;
  // The file is free again whatever happens on the way.
  struct CloseTrace {
    std::unique_ptr<Trace>& trace;
    ~CloseTrace() { trace.reset(); }
  } const close_trace{trace_};
  harvest();
  close_open_regions();
  // What other threads enqueued during the call and is not complete was not asked for.
  for (auto& [id, log] : queues_) log.commands.clear();
  pending_ = 0;
  if (trace_ == nullptr) return;
  trace_->flush(true);
  if (trace_->error() == 0) return;
  if (trace_->error() == ENOMEM) throw std::bad_alloc();
  fail(NETCL_ERROR_IO, "trace file %s could not be written to its end: %s",
       quoted(trace_->path().c_str(), 256).c_str(), errno_text(trace_->error()).c_str());
}

void Profile::close_at_exit() noexcept {
  ProcessState* state = process_if_installed();
  Profile* profile = state == nullptr ? nullptr : state->services.find<Profile>(Slot::profile);
  if (profile == nullptr || !profile->on_.exchange(false)) return;
  try {
    ProcessRecorder::instance().recorder.store(nullptr, std::memory_order_release);
    const std::unique_lock<std::mutex> lock = lock_until(profile->mutex_, Deadline(100000000));
    if (!lock.owns_lock()) return;
    // A driver that was loaded before the first hook is going by then.
    if (may_launch()) profile->harvest();
    profile->close_open_regions();
    profile->trace_.reset();
  } catch (...) {
    // Nobody is left to tell.
  }
}

void Profile::reset() {
  const std::lock_guard<std::mutex> lock(mutex_);
  data_.clear();
  ++generation_;
  pending_ = 0;
  std::erase_if(queues_, [](const auto& entry) { return entry.second.commands.empty(); });
}

std::string Profile::report(netcl_format form) {
  const std::lock_guard<std::mutex> lock(mutex_);
  harvest();
  if (trace_ != nullptr) trace_->flush(true);
  data_.pending = pending_;
  switch (form) {
    case NETCL_FORMAT_TEXT:
      return report_text(data_);
    case NETCL_FORMAT_JSON:
      return report_json(data_);
    case NETCL_FORMAT_CSV:
      return report_csv(data_);
    default:
      fail(NETCL_ERROR_INVALID_ARGUMENT, "format is %d, which is no netcl_format", form);
  }
}

// Regions end from the innermost outwards, as they would have by themselves.
void Profile::close_open_regions() {
  for (auto& [thread, regions] : open_) {
    for (; !regions.empty(); regions.pop_back()) {
      if (thread != thread_number()) regions.back()->nested_ = false;
      close_region(regions.back());
    }
  }
  open_.clear();
}

// ---- Commands

Profile::QueueLog& Profile::log_of(Queue& queue) {
  QueueLog& log = queues_[queue.id()];
  if (log.id == 0) {
    log.device = queue.device().text();
    log.id = queue.id();
    log.device_is_host = queue.device().builtin();
  }
  return log;
}

void Profile::record(const CommandRecord& record) noexcept {
  if (record.kind == CommandKind::marker) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!on_) return;
  try {
    note(record);
  } catch (...) {
    ++data_.dropped;
  }
}

void Profile::note(const CommandRecord& record) {
  if (++since_harvest_ >= kHarvestEvery) harvest();
  if (pending_ >= records_most_) {
    ++data_.dropped;
    return;
  }
  auto name = names_.find(record.name);
  if (name == names_.end()) name = names_.emplace(record.name).first;
  Command command{
      record.event,         record.kind,        &*name,  record.size, record.work, record.thread,
      record.host_begin_ns, record.host_end_ns, nullptr, generation_};
  const auto open = open_.find(record.thread);
  if (open != open_.end()) {
    const uint64_t queue = record.queue->id();
    const auto& regions = open->second;
    const auto innermost = std::find_if(regions.rbegin(), regions.rend(),
                                        [&](const Region* r) { return r->queue_id_ == queue; });
    if (innermost != regions.rend()) command.node = (*innermost)->node_;
  }
  log_of(*record.queue).commands.push_back(std::move(command));
  ++pending_;
}

void Profile::harvest() {
  since_harvest_ = 0;
  for (auto& [id, log] : queues_) harvest(&log);
  if (trace_ != nullptr) trace_->flush(false);
}

void Profile::harvest(QueueLog* log) {
  size_t waiting = 0;
  for (Command& command : log->commands) {
    if (command.event == nullptr) continue;
    const netcl_event_state state = command.event->state();
    const bool complete = state == NETCL_EVENT_COMPLETE;
    if (complete || state == NETCL_EVENT_FAILED) {
      settle(*log, &command, complete);
    } else if (++waiting == kLookPast) {
      break;
    }
  }
  while (!log->commands.empty() && log->commands.front().event == nullptr) {
    log->commands.pop_front();
  }
}

void Profile::settle(const QueueLog& log, Command* command, bool complete) {
  CommandSlice slice;
  const bool timed = complete && command->event->timing(&slice.timing) == 0;
  command->event = nullptr;
  if (command->generation == generation_) {
    --pending_;
    if (!complete) ++data_.failed;
    if (complete && !timed) ++data_.untimed;
    if (timed) count(log, *command, slice.timing.ended_ns - slice.timing.started_ns);
  }
  command->node = nullptr;
  if (!timed || trace_ == nullptr) return;
  slice.name = *command->name;
  slice.device = log.device;
  slice.device_is_host = log.device_is_host;
  slice.queue_id = log.id;
  slice.thread = command->thread;
  slice.host_begin_ns = command->host_begin_ns;
  slice.host_end_ns = command->host_end_ns;
  slice.size = command->size;
  slice.work = command->work;
  trace_->command(slice);
  trace_->flush(false);
}

void Profile::count(const QueueLog& log, const Command& command, uint64_t ns) {
  (command.node != nullptr ? *command.node : data_.root).own.add(ns, command.work);
  Counter& counter =
      data_.counters[{log.device, *command.name, command.kind, size_bucket(command.size)}];
  counter.sums.add(ns, command.work);
  counter.min_ns = std::min(counter.min_ns, ns);
  counter.max_ns = std::max(counter.max_ns, ns);
  if (data_.kept >= records_most_) return;
  counter.times.push_back(ns);
  ++data_.kept;
}

// ---- Regions

Region::~Region() {
  if (ended_.exchange(true) || node_ == nullptr) return;
  try {
    Profile::instance().end(this);
  } catch (...) {
    // Without memory the trace lacks its slice.
  }
}

void Region::end() {
  if (ended_.exchange(true)) fail(NETCL_ERROR_INVALID_ARGUMENT, "region has ended already");
  if (node_ != nullptr) Profile::instance().end(this);
}

void Region::annotate(double bytes, double operations) {
  const auto check = [](double value, const char* argument) {
    if (value >= 0.0 && !std::isinf(value)) return;
    fail(NETCL_ERROR_INVALID_ARGUMENT, "%s is %g; it is finite and not negative", argument, value);
  };
  check(bytes, "bytes");
  check(operations, "operations");
  if (node_ == nullptr) return;
  const std::lock_guard<std::mutex> lock(Profile::instance().mutex_);
  node_->own.work.add({bytes, operations});
}

void Profile::begin_locked(Region* region, Queue& queue, const Region* parent, const char* name) {
  const std::shared_ptr<RegionNode> above = parent == nullptr ? nullptr : parent->node_;
  const QueueLog& log = log_of(queue);
  const std::string label =
      format("queue %llu of %s", static_cast<unsigned long long>(log.id), log.device.c_str());
  std::vector<Region*>& open = open_[thread_number()];
  open.push_back(region);
  region->parent_ = above;
  region->queue_id_ = log.id;
  region->thread_ = thread_number();
  region->begin_ns_ = monotonic_ns();
  // What is deeper is part of the region around it.
  if (above != nullptr && above->depth == RegionNode::kDepthMost) {
    region->node_ = above;
    return;
  }
  try {
    region->node_ = (above != nullptr ? *above : data_.root).child(name, log.id, label);
  } catch (...) {
    open.pop_back();
    throw;
  }
  ++region->node_->calls;
}

RegionRef Profile::begin(Queue& queue, const Region* parent, const char* name) {
  auto region = std::make_shared<Region>();
  if (!on()) return region;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (on_) begin_locked(region.get(), queue, parent, name);
  return region;
}

void Profile::end(Region* region) {
  const std::lock_guard<std::mutex> lock(mutex_);
  end_locked(region);
}

// A region that the end of the profile closed is in no list any more.
void Profile::end_locked(Region* region) {
  const auto at = open_.find(region->thread_);
  if (at == open_.end()) return;
  std::vector<Region*>& regions = at->second;
  const auto found = std::find(regions.begin(), regions.end(), region);
  if (found == regions.end()) return;
  // Those that began later and are open overlap this one in part.
  for (auto later = found + 1; later != regions.end(); ++later) (*later)->nested_ = false;
  regions.erase(found);
  if (regions.empty()) open_.erase(at);
  if (thread_number() != region->thread_) region->nested_ = false;
  close_region(region);
}

void Profile::close_region(Region* region) {
  if (region->node_ == region->parent_) return;
  const uint64_t end_ns = monotonic_ns();
  const uint64_t host_ns = end_ns - region->begin_ns_;
  region->node_->host_ns += host_ns;
  if (region->parent_ != nullptr) region->parent_->children_host_ns += host_ns;
  if (trace_ == nullptr) return;
  trace_->host({region->node_->name, region->thread_, region->begin_ns_, end_ns, region->nested_});
  trace_->flush(false);
}

void Profile::push(Queue& queue, const char* name) {
  if (!on()) {
    ++t_depth;
    return;
  }
  auto region = std::make_shared<Region>();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (on_) {
    std::vector<Pushed>& stack = stacks_[thread_number()];
    make_room(&stack);
    begin_locked(region.get(), queue, stack.empty() ? nullptr : stack.back().region.get(), name);
    stack.push_back({t_depth + 1, std::move(region)});
    pushed_.fetch_add(1, std::memory_order_relaxed);
  }
  ++t_depth;
}

void Profile::pop() {
  if (t_depth == 0) fail(NETCL_ERROR_NOT_FOUND, "this thread has pushed no region");
  const uint32_t depth = t_depth--;
  if (pushed_.load(std::memory_order_relaxed) == 0) return;
  RegionRef region;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto at = stacks_.find(thread_number());
    if (at == stacks_.end() || at->second.empty() || at->second.back().depth != depth) return;
    region = std::move(at->second.back().region);
    at->second.pop_back();
    if (at->second.empty()) stacks_.erase(at);
    pushed_.fetch_sub(1, std::memory_order_relaxed);
  }
  region->end();
}

}  // namespace netcl::timing
