// A command queue as the user sees it: a plain stream and, while times are wanted, its profiled
// twin, with one order of commands across both.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "core/function_ref.hpp"
#include "device/device.hpp"
#include "queue/host_order.hpp"
#include "queue/ordering.hpp"
#include "queue/recorder.hpp"

namespace netcl {

// A marker that was enqueued just now takes a moment even where nothing is left to wait for;
// without it a poll of a queue that the caller can reach would never succeed.
inline Deadline marker_grace() { return Deadline(1000000); }

class Queue;
using QueueRef = std::shared_ptr<Queue>;

// The queues of one device.
class QueueSet {
 public:
  explicit QueueSet(Device& device) : device_(device) {}
  static QueueSet& of(Device& device);

  Device& device() const noexcept { return device_; }
  // The default queue, made at the first call; keeps the device alive.
  QueueRef default_queue();
  // The same for a caller that keeps the device alive itself: no lock and no reference once it
  // exists.
  Queue& default_queue_borrowed();
  // A queue over the caller's stream becomes the default of a wrapped device.
  void set_default_stream(std::unique_ptr<backend::Stream> stream, bool out_of_order);
  QueueRef create(bool out_of_order, bool profiling);
  QueueRef adopt(std::unique_ptr<backend::Stream> stream, bool out_of_order);

  // Waits for everything on every queue, retired ones included; false on time-out.
  bool finish(const Deadline& deadline);
  // The same for what only needs the device to be idle: a failure is left for finish() to tell.
  bool wait_until_idle(const Deadline& deadline);
  // Waits until nothing that a use would come after runs any more, failed commands included; false
  // on time-out. Of drivers' commands all on the same memory count. `write_failure` gets the code
  // of the last write where waiting for it was what told.
  bool wait_for(const Access& use, const Deadline& deadline, int32_t* write_failure = nullptr);
  // True when a call of a thread waits for its turn that conflicts with these.
  bool awaited(std::span<const Access> accesses);
  // Throws LAUNCH_FAILURE when the last write of the memory that is read has failed, until it is
  // written again. Waits for a write that may fail. `known` is what wait_for told.
  void require_written(const Access& read, int32_t known = 0);
  // True when no command uses the memory any more; never waits. False when it cannot be told
  // without a marker, which is enqueued then, so that a later call can tell.
  bool idle(MemoryObject& memory);

  // True while all commands of the device go through one in-order queue.
  bool single_order();

 private:
  friend class CopyHold;
  friend class Queue;
  QueueRef add(std::unique_ptr<backend::Stream> stream, bool out_of_order, bool foreign);
  std::unique_ptr<Queue> make_queue_locked(std::unique_ptr<backend::Stream> stream,
                                           bool out_of_order, bool foreign);
  void keep_events_from_now();
  std::vector<backend::EventRef> completion_events(const MemoryObject& memory, bool writes_only,
                                                   backend::EventRef* write = nullptr);
  bool drain(const Deadline& deadline, int32_t* failure);
  void flush_all_but(const Queue* queue);
  Queue* queue_of(const Ordering::Track* track);
  // Of a queue that is gone, whose commands may still run.
  void keep_failure(std::shared_ptr<backend::FirstFailure> failure);

  Device& device_;
  Ordering ordering_;           // of an OpenCL device's commands
  HostOrder host_order_;        // of the built-in device's, and of copies between devices
  std::vector<Queue*> queues_;  // live ones; guarded by the enqueue mutex
  // Of queues that are gone.
  std::vector<std::shared_ptr<backend::FirstFailure>> failures_;
  int32_t unreported_ = 0;  // what waiting without telling has seen
  std::mutex default_mutex_;
  std::unique_ptr<Queue> default_;
  std::atomic<Queue*> default_ready_{nullptr};
};

class Queue : public std::enable_shared_from_this<Queue> {
 public:
  // Enqueues one command. `submit` gets the stream, what to wait for, and where to put the event
  // (null when none is needed).
  struct Command {
    std::span<const Access> accesses;
    backend::WaitList waits;
    backend::EventRef* event = nullptr;  // receives the event when the caller wants one
    Work work{};                         // for recorders
    backend::FailureRef failure{};       // of a function of the host
    bool more = false;                   // further commands of the same op follow
  };
  using Submit = FunctionRef<void(backend::Stream&, backend::WaitList, backend::EventRef*)>;

  Queue(QueueSet& set, std::unique_ptr<backend::Stream> stream, bool out_of_order, bool foreign);
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void enqueue(const Command& command, Submit submit);
  // Hands commands to the driver, see backend::Device::make_batch.
  backend::BatchRef make_batch(std::span<const backend::BatchCommand> commands);
  backend::EventRef marker(backend::WaitList waits);
  void flush();
  // Throws the error of the first failed command; false on time-out.
  bool finish(const Deadline& deadline);

  // True when everything enqueued is complete. A marker tells, which takes a moment even when
  // nothing is left; `grace_ns` is the most to wait for it.
  bool idle(uint64_t grace_ns);

  void set_profiling(bool enabled);
  // True while times are recorded.
  bool profiling() const noexcept {
    return foreign_ ? has_times_
                    : profiling_.load(std::memory_order_relaxed) ||
                          timed_uses_.load(std::memory_order_relaxed) > 0 || process_recorder();
  }
  // Has times recorded until the matching release, whatever set_profiling says; NOT_PROFILED for a
  // wrapped queue without profiling.
  void hold_times();
  void release_times() noexcept { timed_uses_.fetch_sub(1, std::memory_order_relaxed); }
  // Commands enqueued between the two calls are handed to the recorder.
  void attach(Recorder& recorder);
  void detach(Recorder& recorder) noexcept;
  // True while somebody records: asked without a lock, to save what only recorders want to know.
  bool observed() const noexcept {
    return recorders_count_.load(std::memory_order_relaxed) > 0 || process_recorder() != nullptr;
  }
  // A number of its own among all queues of the process, from 1 on.
  uint64_t id() const noexcept { return id_; }
  bool out_of_order() const noexcept { return out_of_order_; }
  bool foreign() const noexcept { return foreign_; }
  uint64_t commands() const noexcept { return commands_.load(std::memory_order_relaxed); }
  // Commands that the calling thread has enqueued so far, on whatever queue.
  static uint64_t commands_of_thread() noexcept;
  // What the thread enqueues from here on is no part of an op that was left before its end.
  static void begin_op() noexcept;
  Device& device() const noexcept { return set_.device(); }
  QueueSet& set() const noexcept { return set_; }
  // For who uses it beyond the call that it was given to.
  QueueRef reference();
  // The stream that commands go to now, flushed.
  struct _cl_command_queue* cl_queue();

 private:
  friend class QueueSet;
  friend class RecordingStream;
  Recorder* process_recorder() const noexcept {
    return process_recorder_.recorder.load(std::memory_order_relaxed);
  }
  void require_times() const;
  void deliver(const CommandRecord& record) noexcept;
  void run_on_host(const Command& command, Submit submit);
  bool usable(const backend::Stream* stream) const noexcept;
  backend::Stream& current_stream();
  void change_stream(bool timed);
  bool unchanged_locked() const noexcept;
  backend::EventRef marker_locked();
  void flush_locked();
  void throw_failure();
  // The code of the first native command that failed since the last call, 0 when none.
  int32_t take_native_failure() noexcept;
  // Finds the native commands that the driver gave up before their turn.
  void look_at_functions() const {
    if (last_stream_ != nullptr) (void)last_stream_->native_failure();
  }

  QueueSet& set_;
  ProcessRecorder& process_recorder_;  // before the track, which a failure would leave behind
  Ordering::Track& track_;
  std::unique_ptr<backend::Stream> plain_;
  std::unique_ptr<backend::Stream> profiled_;
  backend::Stream* last_stream_ = nullptr;  // where the last command went
  backend::EventRef last_marker_;           // stands for everything up to last_marker_sequence_
  uint64_t last_marker_sequence_ = 0;
  bool out_of_order_;
  bool foreign_;
  const bool has_times_;  // or gets them where they are asked for
  const uint64_t id_;
  std::vector<Recorder*> recorders_;  // guarded by the enqueue mutex
  std::atomic<uint32_t> recorders_count_{0};
  std::atomic<uint32_t> timed_uses_{0};
  std::atomic<bool> profiling_{false};
  bool lent_ = false;       // the caller has the OpenCL queue and may enqueue itself
  bool unflushed_ = false;  // the driver may not have seen the last command
  std::atomic<uint64_t> commands_{0};
};

}  // namespace netcl
