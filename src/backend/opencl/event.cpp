#include "backend/opencl/event.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <new>
#include <unordered_map>

#include "backend/opencl/query.hpp"
#include "core/immortal.hpp"
#include "core/log.hpp"
#include "core/room.hpp"
#include "core/wait.hpp"

namespace netcl::backend::opencl {

namespace {

// How long a driver may take to begin or to fail a command of which nothing is left to wait for.
// One that has not ended such a command before is not waited for as long again.
constexpr uint64_t kPatience = 3000000000u;
constexpr uint64_t kKnownPatience = 50000000;
constexpr uint64_t kLookEvery = 5000000;

}  // namespace

int32_t status_of_event(const EventObject& event) noexcept {
  cl_int status = CL_QUEUED;
  const cl_int code = ask([&] {
    return cl().clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                               &status, nullptr);
  });
  return code == CL_SUCCESS ? status : code;
}

void QueueState::make_room_for_waiting() {
  const std::lock_guard<std::mutex> lock(waiting_mutex);
  if (waiting.size() == waiting.capacity()) {
    std::erase_if(waiting, [](const auto& weak) {
      const std::shared_ptr<ClEvent> event = weak.lock();
      return event == nullptr || event->known_ended();
    });
  }
  make_room(&waiting);
}

void QueueState::add_waiting(std::weak_ptr<ClEvent> event) noexcept {
  const std::lock_guard<std::mutex> lock(waiting_mutex);
  if (waiting.size() < waiting.capacity()) waiting.push_back(std::move(event));
  any_waiting = true;
}

std::shared_ptr<ClEvent> QueueState::first_waiting() {
  const std::lock_guard<std::mutex> lock(waiting_mutex);
  const auto first = std::find_if(waiting.begin(), waiting.end(), [](const auto& weak) {
    const std::shared_ptr<ClEvent> event = weak.lock();
    return event != nullptr && !event->known_ended();
  });
  waiting.erase(waiting.begin(), first);
  any_waiting = !waiting.empty();
  return waiting.empty() ? nullptr : waiting.front().lock();
}

std::shared_ptr<ClEvent> QueueState::waiting_at(size_t index) {
  const std::lock_guard<std::mutex> lock(waiting_mutex);
  for (; index < waiting.size(); ++index) {
    if (std::shared_ptr<ClEvent> event = waiting[index].lock()) return event;
  }
  return nullptr;
}

std::vector<EventRef> QueueState::all_waiting() {
  std::vector<EventRef> all;
  const std::lock_guard<std::mutex> lock(waiting_mutex);
  for (const auto& weak : waiting) {
    std::shared_ptr<ClEvent> event = weak.lock();
    if (event != nullptr && !event->known_ended()) all.push_back(std::move(event));
  }
  return all;
}

void QueueState::give_up(uint64_t from, int32_t code) noexcept {
  given_up_code = code;
  uint64_t known = given_up_from;
  while (from < known && !given_up_from.compare_exchange_weak(known, from)) {
  }
}

// What the driver's thread touches: a status and something to wake the waiters with.
struct ClEvent::Signal {
  std::mutex mutex;
  std::condition_variable condition;
  bool fired = false;
};

// The driver gets a number instead of a pointer, so that a callback that comes late, twice or never
// harms nobody and leaves nothing behind.
struct ClEvent::Signals {
  std::mutex mutex;
  std::unordered_map<uintptr_t, std::shared_ptr<Signal>> waiting;
  uintptr_t next = 1;
};

ClEvent::Signals& ClEvent::signals() {
  static Immortal<Signals> signals;
  return *signals;
}

void CL_CALLBACK ClEvent::on_completion(struct _cl_event*, cl_int, void* user_data) {
  Signals& all = signals();
  std::shared_ptr<Signal> signal;
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    const auto at = all.waiting.find(reinterpret_cast<uintptr_t>(user_data));
    if (at == all.waiting.end()) return;
    signal = at->second;
  }
  std::lock_guard<std::mutex> lock(signal->mutex);
  signal->fired = true;
  signal->condition.notify_all();
}

ClEvent::~ClEvent() {
  if (status_.load(std::memory_order_relaxed) < 0 && queue_ != nullptr && device_->pocl() != 0) {
    device_->keep_failed(std::move(event_));
  }
  // The number is written under the mutex by threads that hold this event, so none is left now.
  if (signal_key_ == 0) return;
  Signals& all = signals();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.waiting.erase(signal_key_);
}

void ClEvent::stand_for(FailureRef failure) noexcept {
  if (failure_ != nullptr && failure != nullptr && failure != failure_) {
    try {
      failure->follow(failure_);
    } catch (const std::bad_alloc&) {
      // What it is made for counts more.
    }
  }
  failure_ = std::move(failure);
  if (!waits_ || listed_ || failure_ == nullptr || queue_ == nullptr) return;
  listed_ = true;
  queue_->add_waiting(weak_from_this());
}

void ClEvent::flush() noexcept {
  if (flushed_.exchange(true, std::memory_order_relaxed) || !queue_) return;
  const cl_int code = cl().clFlush(queue_->object.get());
  if (code != CL_SUCCESS) device_->suspect(code);
}

int32_t ClEvent::ask_driver() noexcept {
  if (device_->lost()) return device_->lost_code();
  if (!event_) return CL_INVALID_EVENT;  // The driver reported success and gave no event.
  // A command that is taken for failed while it runs would write to memory that is gone by then.
  const int32_t status = status_of_event(event_);
  if (status < 0) device_->suspect(status);
  return status;
}

int32_t ClEvent::failed_in_front(bool over) noexcept {
  int32_t code = failure_ == nullptr ? 0 : failure_->code(over);
  for (const EventObject& part : parts_) {
    if (code == 0) code = std::min(status_of_event(part), 0);
  }
  return code;
}

bool ClEvent::hangs(int32_t code, uint64_t now) noexcept {
  if (front_ && status_of_event(front_) > CL_COMPLETE) return false;
  if (!failure_->all_ended()) return false;
  if (ask_driver() <= CL_RUNNING) return false;
  uint64_t since = 0;
  if (hung_since_.compare_exchange_strong(since, now)) return false;
  if (now - since < (device_->hangs() ? kKnownPatience : kPatience)) return false;
  device_->note_hang();
  (void)end_with(code);
  queue_->give_up(number_, code);
  log_message(NETCL_LOG_ERROR, "device \"%s\" does not end what waits for a command that failed",
              device_->name().c_str());
  return true;
}

bool ClEvent::behind_given_up() const noexcept {
  return (queue_->in_order || behind_all_) && number_ >= queue_->given_up_from;
}

int32_t ClEvent::given_up() noexcept {
  if (queue_ == nullptr) return 0;
  if (behind_given_up()) return queue_->given_up_code;
  const uint64_t now = queue_->any_waiting ? monotonic_ns() : 0;
  if (now < next_look_ || now == 0) return 0;
  next_look_ = now + kLookEvery;
  if (behind_all_) {
    for (size_t i = 0; const std::shared_ptr<ClEvent> waiting = queue_->waiting_at(i); ++i) {
      if (waiting->number_ < number_) (void)waiting->ended();
    }
    return behind_given_up() ? queue_->given_up_code.load() : 0;
  }
  // In order it is the first of those that wait which holds up the others.
  std::shared_ptr<ClEvent> held;
  if (queue_->in_order) {
    do {
      held = queue_->first_waiting();
    } while (held != nullptr && held->number_ < number_ && held->ended());
  } else if (listed_) {
    held = shared_from_this();
  }
  if (held == nullptr || number_ < held->number_) return 0;
  int32_t code = held->failed_in_front(false);
  if (code == 0) code = held->failure_->waited_code();
  return code != 0 && held->hangs(code, now) ? code : 0;
}

// States between queued and complete change; only the end is remembered, which is that of whoever
// saw one first.
int32_t ClEvent::end_with(int32_t status) noexcept {
  int32_t known = CL_QUEUED;
  return status_.compare_exchange_strong(known, status) ? status : known;
}

int32_t ClEvent::poll() noexcept {
  int32_t status = status_.load(std::memory_order_acquire);
  if (status <= CL_COMPLETE) return status;
  status = ask_driver();
  if (status <= CL_COMPLETE) {
    // Of a command that failed through others it is their code that says why. One that has not
    // waited for them is not over before they are.
    const bool over = status == CL_COMPLETE;
    if (const int32_t code = failed_in_front(over); code != 0) {
      status = code;
    } else if (over && failure_ != nullptr && !failure_->settled()) {
      status = CL_RUNNING;
    }
  } else if (const int32_t code = given_up(); code != 0) {
    status = code;
  }
  return status <= CL_COMPLETE ? end_with(status) : status;
}

netcl_event_state ClEvent::state() {
  int32_t status = poll();
  if (status > CL_COMPLETE) {
    flush();
    status = poll();
  }
  if (status < 0) return NETCL_EVENT_FAILED;
  return std::min<int32_t>(status, NETCL_EVENT_QUEUED);
}

int32_t ClEvent::failure() { return std::min(poll(), 0); }

std::shared_ptr<ClEvent::Signal> ClEvent::subscribe() {
  Signals& all = signals();
  std::shared_ptr<Signal> signal;
  uintptr_t key = 0;
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    if (subscribed_) {
      const auto at = all.waiting.find(signal_key_);
      return at == all.waiting.end() ? nullptr : at->second;
    }
    subscribed_ = true;
    if (!event_) return nullptr;
    signal = std::make_shared<Signal>();
    key = all.next++;
    all.waiting.emplace(key, signal);
    signal_key_ = key;
  }
  // Outside the lock: a driver may call back at once, on this thread.
  const cl_int code = cl().clSetEventCallback(event_.get(), CL_COMPLETE, &on_completion,
                                              reinterpret_cast<void*>(key));
  if (code == CL_SUCCESS) return signal;
  std::lock_guard<std::mutex> lock(all.mutex);
  all.waiting.erase(key);
  return nullptr;
}

void ClEvent::sleep(uint64_t ns) {
  const auto pause = std::chrono::nanoseconds(std::min<uint64_t>(ns, 10000000));
  std::shared_ptr<Signal> signal;
  try {
    signal = subscribe();
  } catch (const std::bad_alloc&) {
    // Who waits for a command that is under way must see its end: it looks now and then.
  }
  if (signal != nullptr) {
    std::unique_lock<std::mutex> lock(signal->mutex);
    // Once it has fired the driver's own status can be a moment behind; that must not spin.
    if (!signal->fired) {
      signal->condition.wait_for(lock, pause);
      return;
    }
  }
  const timespec nap{0, static_cast<long>(std::min<uint64_t>(ns, 200000))};
  nanosleep(&nap, nullptr);
}

bool ClEvent::wait(const Deadline& deadline) {
  if (poll() <= CL_COMPLETE) return true;
  flush();
  return wait_until(
      deadline, [this] { return poll() <= CL_COMPLETE; }, [this](uint64_t ns) { sleep(ns); },
      device_->in_process() ? Signalled::at_once : Signalled::late);
}

int32_t ClEvent::timing(Timing* timing) {
  if (!profiled_ || poll() != CL_COMPLETE) return kNoTimes;
  struct _cl_event* const first = timed_first_ ? timed_first_.get() : event_.get();
  struct _cl_event* const last = timed_last_ ? timed_last_.get() : first;
  if (device_->lost()) return device_->lost_code();
  if (first == nullptr) return kNoTimes;
  cl_int code = CL_SUCCESS;
  const auto read = [&code](struct _cl_event* event, cl_profiling_info what, uint64_t* value) {
    if (code != CL_SUCCESS) return;
    cl_ulong time = 0;
    code = ask(
        [&] { return cl().clGetEventProfilingInfo(event, what, sizeof(time), &time, nullptr); });
    *value = time;
  };
  Timing got;
  read(first, CL_PROFILING_COMMAND_QUEUED, &got.queued_ns);
  read(first, CL_PROFILING_COMMAND_SUBMIT, &got.submitted_ns);
  read(first, CL_PROFILING_COMMAND_START, &got.started_ns);
  read(last, CL_PROFILING_COMMAND_END, &got.ended_ns);
  if (code != CL_SUCCESS) {
    device_->suspect(code);
    return code;
  }
  if (got.ended_ns == 0) return kNoTimes;
  // Some drivers leave earlier stamps at 0 or let clocks of host and device disagree a little.
  got.ended_ns = std::max(got.ended_ns, got.started_ns);
  got.submitted_ns = std::min(got.submitted_ns, got.started_ns);
  got.queued_ns = std::min(got.queued_ns, got.submitted_ns);
  *timing = got;
  return 0;
}

}  // namespace netcl::backend::opencl
