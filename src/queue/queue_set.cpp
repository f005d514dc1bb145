#include <algorithm>

#include "core/environment.hpp"
#include "core/room.hpp"
#include "queue/queue.hpp"

namespace netcl {

QueueSet& QueueSet::of(Device& device) {
  return device.services().get<QueueSet>(Slot::queues,
                                         [&] { return std::make_unique<QueueSet>(device); });
}

QueueRef QueueSet::default_queue() {
  std::lock_guard<std::mutex> lock(default_mutex_);
  if (default_ == nullptr) {
    std::unique_ptr<backend::Stream> stream =
        device_.backend().create_stream(false, environment().profile_events);
    std::lock_guard<std::mutex> enqueue_lock(device_.enqueue_mutex());
    keep_events_from_now();
    default_ = make_queue_locked(std::move(stream), false, false);
    default_ready_.store(default_.get(), std::memory_order_release);
  }
  // The pointer shares the ownership of the device, which owns this set.
  return QueueRef(device_.shared_from_this(), default_.get());
}

Queue& QueueSet::default_queue_borrowed() {
  if (Queue* ready = default_ready_.load(std::memory_order_acquire)) return *ready;
  return *default_queue();
}

void QueueSet::set_default_stream(std::unique_ptr<backend::Stream> stream, bool out_of_order) {
  std::lock_guard<std::mutex> lock(default_mutex_);
  std::lock_guard<std::mutex> enqueue_lock(device_.enqueue_mutex());
  default_ = make_queue_locked(std::move(stream), out_of_order, true);
  default_ready_.store(default_.get(), std::memory_order_release);
}

std::unique_ptr<Queue> QueueSet::make_queue_locked(std::unique_ptr<backend::Stream> stream,
                                                   bool out_of_order, bool foreign) {
  make_room(&queues_);
  // A release keeps the failures of two streams, and must not fail itself for want of memory.
  // Here nothing is made yet that a failure would leave behind.
  make_room(&failures_, 2 * (queues_.size() + 1));
  auto made = std::make_unique<Queue>(*this, std::move(stream), out_of_order, foreign);
  queues_.push_back(made.get());
  return made;
}

// A queue of its own keeps the device alive through the deleter of its pointer. That deleter takes
// the enqueue mutex, so it must not run under it when something here fails.
QueueRef QueueSet::add(std::unique_ptr<backend::Stream> stream, bool out_of_order, bool foreign) {
  std::unique_ptr<Queue> made;
  {
    std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
    keep_events_from_now();
    made = make_queue_locked(std::move(stream), out_of_order, foreign);
  }
  DeviceRef device = device_.shared_from_this();
  return QueueRef(made.release(), [device](Queue* dying) { delete dying; });
}

QueueRef QueueSet::create(bool out_of_order, bool profiling) {
  if (out_of_order && device_.capabilities().out_of_order == 0) {
    fail(NETCL_ERROR_UNSUPPORTED,
         "options->out_of_order is 1; device %s has no out-of-order queues", device_.info().name);
  }
  default_queue();  // The default queue counts, whether it has been used or not.
  const bool profiled = profiling || environment().profile_events;
  std::unique_ptr<backend::Stream> stream = device_.backend().create_stream(out_of_order, profiled);
  QueueRef queue = add(std::move(stream), out_of_order, false);
  queue->profiling_ = profiled;
  return queue;
}

QueueRef QueueSet::adopt(std::unique_ptr<backend::Stream> stream, bool out_of_order) {
  default_queue();
  return add(std::move(stream), out_of_order, true);
}

// Before a further queue starts, everything that ran without events of its own gets one that stands
// for all of it.
void QueueSet::keep_events_from_now() {
  if (device_.builtin() || ordering_.keeps_events()) return;
  for (Queue* queue : queues_) {
    if (queue->last_stream_ != nullptr) {
      queue->marker_locked();
      queue->flush_locked();
    }
  }
}

void QueueSet::flush_all_but(const Queue* queue) {
  for (Queue* other : queues_) {
    if (other != queue) other->flush_locked();
  }
}

Queue* QueueSet::queue_of(const Ordering::Track* track) {
  for (Queue* queue : queues_) {
    if (&queue->track_ == track) return queue;
  }
  return nullptr;
}

std::vector<backend::EventRef> QueueSet::completion_events(const MemoryObject& memory,
                                                           bool writes_only,
                                                           backend::EventRef* write) {
  std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
  Ordering::Pending pending = ordering_.pending(memory, writes_only);
  for (const Ordering::Track* track : pending.unmarked) {
    if (Queue* queue = queue_of(track)) {
      pending.events.push_back(queue->marker_locked());
      queue->flush_locked();
      if (track == pending.write_track) pending.write = pending.events.back();
    }
  }
  if (write != nullptr) *write = std::move(pending.write);
  return std::move(pending.events);
}

static void throw_if_failed(int32_t code) {
  if (code == 0) return;
  throw Error(NETCL_ERROR_LAUNCH_FAILURE,
              format("the command that was to write the tensor failed with OpenCL code %d", code),
              code);
}

bool QueueSet::wait_for(const Access& use, const Deadline& deadline, int32_t* write_failure) {
  if (!host_order_.wait(device_.enqueue_mutex(), {.use = use}, deadline)) return false;
  if (device_.builtin()) return true;
  // A command that fails may end before what it had to come after, which is then found anew.
  bool failed = true;
  for (int pass = 0; failed && pass < 2; ++pass) {
    failed = false;
    backend::EventRef write;
    for (const backend::EventRef& event : completion_events(*use.memory, !use.write, &write)) {
      if (!event->wait(deadline)) return false;
      failed = failed || event->failure() != 0;
    }
    if (write_failure != nullptr && *write_failure == 0 && write != nullptr) {
      *write_failure = write->failure();
    }
  }
  return true;
}

bool QueueSet::awaited(std::span<const Access> accesses) {
  const std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
  return host_order_.awaited(accesses);
}

void QueueSet::require_written(const Access& read, int32_t known) {
  if (device_.builtin()) return;
  // Of the write that is the last one now: another thread's may be under way when this one is over.
  backend::EventRef last;
  backend::FailureRef failure;
  {
    std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
    const UseRecord& uses = *read.memory->uses;
    if (uses.inherited) return throw_if_failed(known);
    last = uses.last_write_event;
    failure = uses.last_write_failure;
  }
  if (last != nullptr) {
    last->wait(Deadline(UINT64_MAX));
  } else if (failure != nullptr) {
    (void)wait_for(read, Deadline(UINT64_MAX), &known);
  }
  if (failure != nullptr && failure->outstanding()) {
    // A function that has not run by now never will: its queue finds out why.
    std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
    for (const Queue* queue : queues_) queue->look_at_functions();
  }
  int32_t code = 0;
  if (last != nullptr) {
    code = last->failure();
  } else if (failure != nullptr) {
    code = failure->code(true);
  }
  throw_if_failed(code != 0 ? code : known);
}

void QueueSet::keep_failure(std::shared_ptr<backend::FirstFailure> failure) {
  if (failure == nullptr) return;
  std::erase_if(failures_, [](const auto& gone) { return gone.use_count() == 1 && *gone == 0; });
  failures_.push_back(std::move(failure));
}

bool QueueSet::single_order() {
  if (device_.builtin()) return true;
  std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
  ordering_.drop_finished_tracks();
  return !ordering_.keeps_events();
}

bool QueueSet::idle(MemoryObject& memory) {
  if (device_.builtin()) {
    std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
    return host_order_.idle({.use = {&memory, true}});
  }
  for (const backend::EventRef& event : completion_events(memory, false)) {
    const netcl_event_state state = event->state();
    if (state != NETCL_EVENT_COMPLETE && state != NETCL_EVENT_FAILED) return false;
  }
  return true;
}

bool QueueSet::drain(const Deadline& deadline, int32_t* failure) {
  std::vector<backend::EventRef> fences;
  std::vector<std::pair<uint64_t, uint64_t>> sequences;
  {
    const std::unique_lock<std::mutex> lock = lock_until(device_.enqueue_mutex(), deadline);
    if (!lock.owns_lock()) return false;
    device_.check_usable();
    for (Queue* queue : queues_) {
      if (queue->last_stream_ == nullptr || queue->unchanged_locked()) continue;
      fences.push_back(queue->marker_locked());
      queue->flush_locked();
    }
    for (auto& [number, track] : ordering_.tracks()) {
      sequences.emplace_back(number, track->last_sequence);
      if (track->retired && track->fence != nullptr) fences.push_back(track->fence);
      for (const auto& kept : track->events) fences.push_back(kept.second);
    }
  }
  for (const backend::EventRef& fence : fences) {
    if (!fence->wait(deadline) && !fence->wait(marker_grace())) return false;
    if (*failure == 0) *failure = fence->failure();
  }
  std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
  for (auto& [number, track] : ordering_.tracks()) Ordering::settled(*track);
  for (const auto& [number, sequence] : sequences) {
    const auto at = ordering_.tracks().find(number);
    if (at == ordering_.tracks().end()) continue;
    at->second->completed = std::max(at->second->completed, sequence);
  }
  ordering_.drop_finished_tracks();
  return true;
}

bool QueueSet::wait_until_idle(const Deadline& deadline) {
  if (device_.builtin()) return host_order_.wait(device_.enqueue_mutex(), {}, deadline);
  int32_t failure = 0;
  const bool done = drain(deadline, &failure);
  // A marker that failed is the only one that knows of it.
  std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
  if (unreported_ == 0) unreported_ = failure;
  return done;
}

bool QueueSet::finish(const Deadline& deadline) {
  if (device_.builtin()) return host_order_.wait(device_.enqueue_mutex(), {}, deadline);
  int32_t failure = 0;
  if (!drain(deadline, &failure)) return false;
  {
    std::lock_guard<std::mutex> lock(device_.enqueue_mutex());
    if (const int32_t kept = std::exchange(unreported_, 0); kept != 0) failure = kept;
    const int32_t earlier = ordering_.take_failure();
    if (earlier != 0) failure = earlier;
    for (Queue* queue : queues_) {
      const int32_t native = queue->take_native_failure();
      if (failure == 0) failure = native;
    }
    for (const auto& gone : failures_) {
      const int32_t native = gone->exchange(0);
      if (failure == 0) failure = native;
    }
    std::erase_if(failures_, [](const auto& gone) { return gone.use_count() == 1; });
  }
  if (failure != 0) {
    throw Error(NETCL_ERROR_LAUNCH_FAILURE,
                format("a command of the device failed with OpenCL code %d", failure), failure);
  }
  device_.check_usable();
  return true;
}

}  // namespace netcl
