// Queues as events see them, and the completion of one command.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/backend.hpp"
#include "backend/opencl/native_command.hpp"

namespace netcl::backend::opencl {

class ClEvent;

// The execution status of a command, or the code where the driver does not tell: NVIDIA reports a
// kernel's illegal access that way.
int32_t status_of_event(const EventObject& event) noexcept;

// A queue, kept alive by the stream that enqueues and by the events of what it enqueued.
struct QueueState {
  QueueState(DeviceStateRef device_state, QueueObject queue)
      : device(std::move(device_state)), object(std::move(queue)) {}
  ~QueueState() {
    if (failure.use_count() > 1) NativeCommands::instance().sweep(failure.get());
  }
  const DeviceStateRef device;
  const QueueObject object;
  // Of the first native command that failed since a finish asked. Commands yet to run hold it.
  const std::shared_ptr<FirstFailure> failure = std::make_shared<FirstFailure>(0);

  // Commands that wait for events which may fail, and may not have ended, oldest first: some
  // drivers never end them, nor what stands behind them on an in-order queue.
  bool in_order = false;
  std::mutex waiting_mutex;  // guards `waiting`
  std::vector<std::weak_ptr<ClEvent>> waiting;
  std::atomic<bool> any_waiting{false};
  void make_room_for_waiting();
  void add_waiting(std::weak_ptr<ClEvent> event) noexcept;
  std::shared_ptr<ClEvent> first_waiting();
  // The first from this place on, null behind the last.
  std::shared_ptr<ClEvent> waiting_at(size_t index);
  std::vector<EventRef> all_waiting();
  // From this command on the queue was given up: out of order this is so for markers.
  std::atomic<uint64_t> given_up_from{UINT64_MAX};
  std::atomic<int32_t> given_up_code{0};
  void give_up(uint64_t from, int32_t code) noexcept;
};
using QueueStateRef = std::shared_ptr<QueueState>;

class ClEvent final : public Event, public std::enable_shared_from_this<ClEvent> {
 public:
  // `queue` is null for user events. `profiled` says whether times are worth asking for.
  ClEvent(DeviceStateRef device, QueueStateRef queue, bool profiled)
      : device_(std::move(device)), queue_(std::move(queue)), profiled_(profiled) {}
  ~ClEvent() override;

  // Takes over one reference to the command's event.
  void adopt(struct _cl_event* event) noexcept { event_ = EventObject(event); }
  void stand_for(FailureRef failure) noexcept override;
  FailureRef stands_for() const noexcept override { return known_ended() ? nullptr : failure_; }
  // Which command of its queue it is. Of one that waits for events: what stands in front of it.
  void set_number(uint64_t number) noexcept { number_ = number; }
  void set_waits(EventObject front) noexcept {
    waits_ = true;
    front_ = std::move(front);
  }
  // It stands for all in front of it, on an out-of-order queue.
  void set_behind_all() noexcept { behind_all_ = true; }
  // Where the command is made of several, the events of all but the last: any may fail alone.
  void reserve_parts(size_t count) { parts_.reserve(count); }
  void add_part(EventObject event) noexcept { parts_.push_back(std::move(event)); }
  // Where the command is made of several, its times go from the first to the last of these.
  void add_timed(EventObject event) noexcept {
    (timed_first_ ? timed_last_ : timed_first_) = std::move(event);
  }

  netcl_event_state state() override;
  bool ended() override { return poll() <= CL_COMPLETE; }
  bool wait(const Deadline& deadline) override;
  int32_t failure() override;
  int32_t timing(Timing* timing) override;
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
  int32_t end_with(int32_t status) noexcept;
  // What the driver says; its code where it cannot be asked.
  int32_t ask_driver() noexcept;
  // The code of a part, or of a command in front, that failed. `over`: the driver has completed it.
  int32_t failed_in_front(bool over) noexcept;
  // The code where the driver was given long enough to end the command, or one in front of it that
  // holds it up; else 0.
  int32_t given_up() noexcept;
  bool behind_given_up() const noexcept;
  bool hangs(int32_t code, uint64_t now) noexcept;
  void sleep(uint64_t ns);
  // Has the driver tell of the completion; null when it cannot.
  std::shared_ptr<Signal> subscribe();

  DeviceStateRef device_;
  QueueStateRef queue_;
  EventObject event_;
  EventObject timed_first_;
  EventObject timed_last_;
  std::vector<EventObject> parts_;
  FailureRef failure_;  // null: the driver tells
  EventObject front_;
  uint64_t number_ = 0;
  bool waits_ = false;
  bool behind_all_ = false;
  bool listed_ = false;                  // among those that wait
  std::atomic<uint64_t> next_look_{0};   // whether it hangs
  std::atomic<uint64_t> hung_since_{0};  // 0: it may go on
  std::atomic<int32_t> status_{CL_QUEUED};
  std::atomic<bool> flushed_{false};
  bool profiled_;
  bool subscribed_ = false;   // under Signals::mutex
  uintptr_t signal_key_ = 0;  // under Signals::mutex
};

}  // namespace netcl::backend::opencl
