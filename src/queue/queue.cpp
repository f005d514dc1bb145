#include "queue/queue.hpp"

#include <algorithm>

#include "core/environment.hpp"
#include "core/log.hpp"

namespace netcl {

static std::atomic<uint64_t> g_queues{0};
// Plain data: nothing has to be destroyed when a thread ends.
static thread_local uint64_t t_commands = 0;
static thread_local uint64_t t_op = 0;  // the op whose commands the thread enqueues, 0 between ops
static std::atomic<uint64_t> g_ops{0};

uint64_t Queue::commands_of_thread() noexcept { return t_commands; }
void Queue::begin_op() noexcept { t_op = 0; }

Queue::Queue(QueueSet& set, std::unique_ptr<backend::Stream> stream, bool out_of_order,
             bool foreign)
    : set_(set),
      process_recorder_(ProcessRecorder::instance()),
      track_(set.ordering_.add_queue(out_of_order)),
      out_of_order_(out_of_order),
      foreign_(foreign),
      has_times_(!foreign || stream->profiled()),
      id_(g_queues.fetch_add(1, std::memory_order_relaxed) + 1) {
  profiling_ = foreign ? stream->profiled() : environment().profile_events;
  (stream->profiled() ? profiled_ : plain_) = std::move(stream);
}

Queue::~Queue() {
  std::lock_guard<std::mutex> lock(device().enqueue_mutex());
  backend::EventRef fence;
  try {
    for (const auto* stream : {plain_.get(), profiled_.get()}) {
      if (stream != nullptr) set_.keep_failure(stream->native_failure());
    }
    if (!device().backend().lost() && last_stream_ != nullptr && !Ordering::settled(track_)) {
      fence = marker_locked();
      flush_locked();
    }
  } catch (const std::exception& error) {
    log_message(NETCL_LOG_WARNING, "releasing a queue: %s", error.what());
  }
  std::erase(set_.queues_, this);
  set_.ordering_.retire_queue(track_, std::move(fence));
}

// What the driver never ends on a stream has ended for netcl, with a failure.
bool Queue::usable(const backend::Stream* stream) const noexcept {
  return stream != nullptr && (foreign_ || !stream->given_up());
}

backend::Stream& Queue::current_stream() {
  const bool timed = profiling();
  backend::Stream* const wanted = (timed ? profiled_ : plain_).get();
  if (wanted == nullptr || last_stream_ != wanted || !usable(wanted)) change_stream(timed);
  return *last_stream_;
}

// Commands keep their order across a switch between the twins: the new stream comes after a marker
// behind the old stream's last command. The old stream is flushed, since nothing else would make
// the driver start it. Out of order a marker may fail before the others have ended, so each
// command that may run counts by itself, and the marker stands for those of the caller.
void Queue::change_stream(bool timed) {
  std::unique_ptr<backend::Stream>& place = timed ? profiled_ : plain_;
  std::unique_ptr<backend::Stream> made;
  if (!usable(place.get())) made = device().backend().create_stream(out_of_order_, timed);
  backend::Stream* const next = made != nullptr ? made.get() : place.get();
  std::vector<backend::EventRef> left;
  if (usable(last_stream_) && (!out_of_order_ || lent_)) {
    last_stream_->marker({}, &left.emplace_back());
  }
  if (usable(last_stream_)) last_stream_->flush();
  for (const auto& [sequence, event] : track_.events) {
    if (out_of_order_ && !event->ended()) left.push_back(event);
  }
  for (const auto* twin : {&plain_, &profiled_}) {
    if (*twin != nullptr && !usable(twin->get())) set_.keep_failure((*twin)->native_failure());
  }
  if (!left.empty()) next->come_after(left);
  if (!usable(last_stream_)) last_marker_ = nullptr;
  for (auto* twin : {&plain_, &profiled_}) {
    if (!usable(twin->get())) *twin = nullptr;
  }
  if (made != nullptr) place = std::move(made);
  last_stream_ = next;
}

// Commands of the built-in device run inside this call, so what they wait for comes first. The
// mutex guards the line they stand in, not the commands.
void Queue::run_on_host(const Command& command, Submit submit) {
  for (const backend::EventRef& event : command.waits) event->wait(Deadline(UINT64_MAX));
  HostOrder& order = set_.host_order_;
  HostOrder::Place place;
  place.accesses = command.accesses;
  place.queue = this;
  std::unique_lock<std::mutex> lock(device().enqueue_mutex());
  backend::Stream& stream = current_stream();
  for (const Access& access : command.accesses) {
    if (access.write) access.memory->uses->writes.fetch_add(1, std::memory_order_relaxed);
  }
  order.enter(lock, &place);
  const bool record = observed();
  lock.unlock();
  try {
    if (record) {
      RecordingStream recording(*this, stream, command.work, nullptr);
      submit(recording, {}, command.event);
    } else {
      submit(stream, {}, command.event);
    }
  } catch (...) {
    lock.lock();
    order.leave(&place);
    throw;
  }
  commands_.fetch_add(1, std::memory_order_relaxed);
  ++t_commands;
  lock.lock();
  order.leave(&place);
}

// Memory that there is not yet cannot be worked with.
static void require_memory(std::span<const Access> accesses) {
  for (const Access& access : accesses) {
    if (access.memory->buffer->kind() != backend::MemoryKind::planned) continue;
    fail(NETCL_ERROR_INVALID_ARGUMENT,
         "a tensor is a value of a graph that is a capture; it has no content outside of that");
  }
}

void Queue::enqueue(const Command& command, Submit submit) {
  require_memory(command.accesses);
  if (device().builtin()) return run_on_host(command, submit);
  std::unique_lock<std::mutex> lock(device().enqueue_mutex());
  set_.host_order_.pass(lock, command.accesses);
  device().check_usable();
  backend::Stream& stream = current_stream();
  Ordering& ordering = set_.ordering_;
  ordering.drop_finished_tracks();
  // A command that waits for events may fail through them, which only its own event tells.
  const bool at_risk = Ordering::at_risk(track_);
  const bool orders = ordering.keeps_events() || !command.waits.empty() || at_risk;
  // An event that somebody wants tells the next finish too.
  const bool keep = orders || command.event != nullptr || observed();
  std::vector<backend::EventRef> waits;
  if (orders) {
    waits.assign(command.waits.begin(), command.waits.end());
    ordering.collect_conflicts(track_, command.accesses, &waits);
    // A queue that another one waits for must be flushed, or the wait may never end.
    if (!waits.empty()) set_.flush_all_but(this);
    // Where commands have no events, those before one that may fail get a marker in front of it:
    // one behind it may fail with it before they are complete.
    if (!ordering.keeps_events() && ordering.needs_marker(track_)) {
      ordering.keep_marker(track_, marker_locked());
    }
  }
  backend::EventRef event;
  backend::EventRef* const made = keep ? &event : command.event;
  backend::FailureRef failure = command.failure;
  if (command.more && t_op == 0) t_op = g_ops.fetch_add(1, std::memory_order_relaxed) + 1;
  const uint64_t op = command.more ? t_op : std::exchange(t_op, 0);
  const backend::WaitList list(waits.data(), waits.size());
  Ordering::add_causes(command.accesses, command.waits, list, op, &failure);
  const int32_t failed_before = failure == nullptr ? 0 : failure->known_code();
  const Ordering::Entry entry{track_,  command.accesses,     keep, !waits.empty() || at_risk,
                              failure, command.more ? op : 0};
  ordering.prepare(entry);
  const uint64_t taken = stream.taken();
  try {
    if (observed()) {
      RecordingStream recording(*this, stream, command.work, failure);
      submit(recording, list, made);
    } else {
      submit(stream, list, made);
      if (failure != nullptr && made != nullptr && *made != nullptr) (*made)->stand_for(failure);
    }
  } catch (...) {
    // What the driver has taken of it runs all the same, and others have to wait for that.
    if (stream.taken() != taken && (!keep || event != nullptr)) {
      unflushed_ = true;
      Ordering::record(entry, event);
    } else {
      Ordering::abandon(entry);
    }
    throw;
  }
  unflushed_ = true;
  Ordering::record(entry, event);
  Ordering::note_failure(track_, failed_before);
  if (keep && command.event != nullptr) *command.event = std::move(event);
  commands_.fetch_add(1, std::memory_order_relaxed);
  ++t_commands;
}

backend::BatchRef Queue::make_batch(std::span<const backend::BatchCommand> commands) {
  const std::lock_guard<std::mutex> lock(device().enqueue_mutex());
  device().check_usable();
  return device().backend().make_batch(commands);
}

backend::EventRef Queue::marker_locked() {
  // The cached marker does not cover what the caller put into a queue that it can reach, and one
  // that failed with the command in front of it may have ended before the others.
  if (last_marker_ != nullptr && last_marker_sequence_ == track_.last_sequence && !foreign_ &&
      !lent_ && last_marker_->failure() == 0) {
    return last_marker_;
  }
  current_stream().marker({}, &last_marker_);
  unflushed_ = true;
  last_marker_sequence_ = track_.last_sequence;
  Ordering::set_fence(track_, last_marker_);
  return last_marker_;
}

backend::EventRef Queue::marker(backend::WaitList waits) {
  backend::EventRef event;
  enqueue({{}, waits, &event}, [](backend::Stream& stream, backend::WaitList all,
                                  backend::EventRef* out) { stream.marker(all, out); });
  return event;
}

QueueRef Queue::reference() {
  // The default queue is the set's.
  if (QueueRef own = weak_from_this().lock()) return own;
  return set_.default_queue();
}

void Queue::flush() {
  std::lock_guard<std::mutex> lock(device().enqueue_mutex());
  flush_locked();
}

void Queue::flush_locked() {
  if (last_stream_ != nullptr && unflushed_) last_stream_->flush();
  unflushed_ = false;
}

int32_t Queue::take_native_failure() noexcept {
  int32_t code = 0;
  for (const auto* stream : {plain_.get(), profiled_.get()}) {
    if (stream == nullptr) continue;
    const std::shared_ptr<backend::FirstFailure> failure = stream->native_failure();
    if (failure == nullptr) continue;
    const int32_t own = failure->exchange(0);
    if (code == 0) code = own;
  }
  return code;
}

void Queue::throw_failure() {
  int32_t code;
  {
    std::lock_guard<std::mutex> lock(device().enqueue_mutex());
    std::swap(code = 0, track_.first_failure);
  }
  if (code != 0) {
    throw Error(NETCL_ERROR_LAUNCH_FAILURE,
                format("a command of the queue failed with OpenCL code %d", code), code);
  }
}

// With nothing since the last time, no marker has to be waited for, which would take a moment.
bool Queue::unchanged_locked() const noexcept {
  return track_.completed >= track_.last_sequence && track_.events.empty() && !lent_ && !foreign_;
}

bool Queue::finish(const Deadline& deadline) {
  if (device().builtin()) {
    return set_.host_order_.wait(device().enqueue_mutex(), {.queue = this}, deadline);
  }
  // The marker alone is not enough: it may fail with a command in front of it before the others are
  // complete.
  std::vector<backend::EventRef> fences;
  uint64_t sequence = 0;
  {
    const std::unique_lock<std::mutex> lock = lock_until(device().enqueue_mutex(), deadline);
    if (!lock.owns_lock()) return false;
    device().check_usable();
    if (last_stream_ == nullptr) return true;
    if (!unchanged_locked()) fences.push_back(marker_locked());
    // Later commands may move the fence while this one is waited for.
    sequence = track_.last_sequence;
    flush_locked();
    for (const auto& entry : track_.events) fences.push_back(entry.second);
  }
  for (const backend::EventRef& event : fences) {
    if (!event->wait(deadline) && !event->wait(marker_grace())) return false;
  }
  {
    std::lock_guard<std::mutex> lock(device().enqueue_mutex());
    Ordering::settled(track_);  // notes a failure of what it forgets
    const int32_t code = fences.empty() ? 0 : fences.front()->failure();
    if (code != 0 && track_.first_failure == 0) track_.first_failure = code;
    const int32_t native = take_native_failure();
    if (track_.first_failure == 0) track_.first_failure = native;
    track_.completed = std::max(track_.completed, sequence);
  }
  throw_failure();
  device().check_usable();
  return true;
}

bool Queue::idle(uint64_t grace_ns) {
  if (device().builtin()) return true;
  backend::EventRef marker;
  uint64_t sequence = 0;
  {
    std::lock_guard<std::mutex> lock(device().enqueue_mutex());
    if (last_stream_ == nullptr) return true;
    sequence = track_.last_sequence;
    if (track_.completed >= sequence && !lent_ && !foreign_) return true;
    marker = marker_locked();
    flush_locked();
  }
  if (!marker->wait(Deadline(grace_ns))) return false;
  std::lock_guard<std::mutex> lock(device().enqueue_mutex());
  track_.completed = std::max(track_.completed, sequence);
  return true;
}

void Queue::require_times() const {
  if (has_times_) return;
  fail(NETCL_ERROR_NOT_PROFILED,
       "the wrapped queue was made without CL_QUEUE_PROFILING_ENABLE, "
       "which cannot be added later");
}

void Queue::hold_times() {
  require_times();
  timed_uses_.fetch_add(1, std::memory_order_relaxed);
}

void Queue::attach(Recorder& recorder) {
  std::lock_guard<std::mutex> lock(device().enqueue_mutex());
  recorders_.push_back(&recorder);
  recorders_count_.fetch_add(1, std::memory_order_relaxed);
}

void Queue::detach(Recorder& recorder) noexcept {
  std::lock_guard<std::mutex> lock(device().enqueue_mutex());
  recorders_count_.fetch_sub(static_cast<uint32_t>(std::erase(recorders_, &recorder)),
                             std::memory_order_relaxed);
}

void Queue::deliver(const CommandRecord& record) noexcept {
  // On the built-in device commands run outside the mutex.
  std::unique_lock<std::mutex> lock(device().enqueue_mutex(), std::defer_lock);
  if (device().builtin()) lock.lock();
  for (Recorder* recorder : recorders_) recorder->record(record);
  if (Recorder* recorder = process_recorder_.recorder.load(std::memory_order_acquire)) {
    recorder->record(record);
  }
}

void Queue::set_profiling(bool enabled) {
  std::lock_guard<std::mutex> lock(device().enqueue_mutex());
  if (enabled) require_times();
  if (foreign_ && !enabled && profiling_) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "enabled is 0; the wrapped queue was made with CL_QUEUE_PROFILING_ENABLE, which cannot be "
         "taken away later");
  }
  if (!foreign_) profiling_ = enabled;
}

struct _cl_command_queue* Queue::cl_queue() {
  std::lock_guard<std::mutex> lock(device().enqueue_mutex());
  backend::Stream& stream = current_stream();
  stream.flush();
  lent_ = true;
  return stream.cl_queue();
}

}  // namespace netcl
