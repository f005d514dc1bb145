#include "backend/opencl/event.hpp"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <new>
#include <unordered_map>

#include "backend/opencl/query.hpp"
#include "core/immortal.hpp"

namespace netcl::backend::opencl {

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

void ClEvent::flush() noexcept {
  if (flushed_.exchange(true, std::memory_order_relaxed) || !queue_) return;
  const cl_int code = cl().clFlush(queue_->object.get());
  if (code != CL_SUCCESS) device_->suspect(code);
}

int32_t ClEvent::poll() noexcept {
  int32_t status = status_.load(std::memory_order_acquire);
  if (status <= CL_COMPLETE) return status;
  if (device_->lost()) {
    status = device_->lost_code();
  } else if (!event_) {
    status = CL_INVALID_EVENT;  // The driver reported success and gave no event.
  } else {
    // A command that is taken for failed while it runs would write to memory that is gone by then.
    cl_int current = CL_QUEUED;
    const cl_int code = ask([&] {
      return cl().clGetEventInfo(event_.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(current),
                                 &current, nullptr);
    });
    // NVIDIA reports a kernel's illegal access as the code of this call, not as the status.
    status = code == CL_SUCCESS ? current : code;
    if (code != CL_SUCCESS) device_->suspect(code);
  }
  if (status == CL_COMPLETE && failure_) status = std::min(failure_->code(), 0);
  // States between queued and complete change; only the end is remembered.
  if (status <= CL_COMPLETE) status_.store(status, std::memory_order_release);
  if (status < 0 && queue_ && queue_->failure.use_count() > 1) NativeCommands::instance().sweep();
  return status;
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

// An event of the caller is where a failure begins; of a command those are known that it follows.
void ClEvent::add_causes(const EventRef& self, Failure* failure) {
  if (queue_ == nullptr) {
    failure->follow(self);
  } else if (failure_ != nullptr) {
    failure->follow(failure_);
  }
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

bool ClEvent::timing(Timing* timing) {
  if (!profiled_ || poll() != CL_COMPLETE) return false;
  struct _cl_event* const first = timed_first_ ? timed_first_.get() : event_.get();
  struct _cl_event* const last = timed_last_ ? timed_last_.get() : first;
  if (first == nullptr || device_->lost()) return false;
  const auto read = [this](struct _cl_event* event, cl_profiling_info what, uint64_t* value) {
    cl_ulong time = 0;
    const cl_int code = ask(
        [&] { return cl().clGetEventProfilingInfo(event, what, sizeof(time), &time, nullptr); });
    *value = time;
    if (code != CL_SUCCESS) device_->suspect(code);
    return code == CL_SUCCESS;
  };
  Timing got;
  if (!read(first, CL_PROFILING_COMMAND_QUEUED, &got.queued_ns) ||
      !read(first, CL_PROFILING_COMMAND_SUBMIT, &got.submitted_ns) ||
      !read(first, CL_PROFILING_COMMAND_START, &got.started_ns) ||
      !read(last, CL_PROFILING_COMMAND_END, &got.ended_ns) || got.ended_ns == 0) {
    return false;
  }
  // Some drivers leave earlier stamps at 0 or let clocks of host and device disagree a little.
  got.ended_ns = std::max(got.ended_ns, got.started_ns);
  got.submitted_ns = std::min(got.submitted_ns, got.started_ns);
  got.queued_ns = std::min(got.queued_ns, got.submitted_ns);
  *timing = got;
  return true;
}

}  // namespace netcl::backend::opencl
