// Queues as events see them, and the completion of one command.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "backend/backend.hpp"
#include "backend/opencl/native_command.hpp"

namespace netcl::backend::opencl {

// A queue, kept alive by the stream that enqueues and by the events of what it enqueued.
struct QueueState {
  QueueState(DeviceStateRef device_state, QueueObject queue)
      : device(std::move(device_state)), object(std::move(queue)) {}
  ~QueueState() {
    if (failure.use_count() > 1) NativeCommands::instance().sweep();
  }
  const DeviceStateRef device;
  const QueueObject object;
  // Of the first native command that failed since a finish asked. Commands yet to run hold it.
  const std::shared_ptr<FirstFailure> failure = std::make_shared<FirstFailure>(0);
};
using QueueStateRef = std::shared_ptr<QueueState>;

class ClEvent final : public Event {
 public:
  // `queue` is null for user events. `profiled` says whether times are worth asking for.
  ClEvent(DeviceStateRef device, QueueStateRef queue, bool profiled)
      : device_(std::move(device)), queue_(std::move(queue)), profiled_(profiled) {}
  ~ClEvent() override;

  // Takes over one reference to the command's event.
  void adopt(struct _cl_event* event) noexcept { event_ = EventObject(event); }
  void stand_for(FailureRef failure) noexcept override { failure_ = std::move(failure); }
  void add_causes(const EventRef& self, Failure* failure) override;
  // Where the command is made of several, its times go from the first to the last of these.
  void add_timed(EventObject event) noexcept {
    (timed_first_ ? timed_last_ : timed_first_) = std::move(event);
  }

  netcl_event_state state() override;
  bool wait(const Deadline& deadline) override;
  int32_t failure() override;
  bool timing(Timing* timing) override;
  struct _cl_event* cl_event() noexcept override {
    return event_.get();
  }

  const DeviceState& device() const noexcept { return *device_; }
  const QueueState* queue() const noexcept { return queue_.get(); }
  // Hands the queue's commands to the device once; a command that was never flushed may never end.
  void flush() noexcept;
  // True when the command has completed and is known to: nothing needs to wait for it.
  bool known_ended() const noexcept {
    return status_.load(std::memory_order_relaxed) <= CL_COMPLETE;
  }

 private:
  struct Signal;
  struct Signals;
  static Signals& signals();
  static void CL_CALLBACK on_completion(struct _cl_event* event, cl_int status, void* user_data);

  // The execution status, or a negative code; asks the driver until it is final.
  int32_t poll() noexcept;
  void sleep(uint64_t ns);
  // Has the driver tell of the completion; null when it cannot.
  std::shared_ptr<Signal> subscribe();

  DeviceStateRef device_;
  QueueStateRef queue_;
  EventObject event_;
  EventObject timed_first_;
  EventObject timed_last_;
  FailureRef failure_;  // null: the driver tells
  std::atomic<int32_t> status_{CL_QUEUED};
  std::atomic<bool> flushed_{false};
  bool profiled_;
  bool subscribed_ = false;   // under Signals::mutex
  uintptr_t signal_key_ = 0;  // under Signals::mutex
};

}  // namespace netcl::backend::opencl
