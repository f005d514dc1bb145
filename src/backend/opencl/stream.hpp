// A command queue.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "backend/opencl/cl_buffer.hpp"
#include "backend/opencl/event.hpp"
#include "backend/opencl/program.hpp"

namespace netcl::backend::opencl {

// One driver call fills at most this much, and from no higher offset: NVIDIA counts in 32 bits and
// beyond them writes to the wrong place.
constexpr uint64_t kFillPiece = uint64_t{1} << 30;

// The events of a wait list as the driver takes them. Events that have ended are left out;
// queues of the others are flushed, because a wait for a command that was never flushed may not
// end.
class WaitArray {
 public:
  WaitArray(const QueueState& queue, WaitList waits);
  cl_uint count() const noexcept { return count_; }
  struct _cl_event* const* data() const noexcept {
    if (count_ == 0) return nullptr;
    return more_.empty() ? few_.data() : more_.data();
  }

 private:
  static constexpr size_t kFew = 16;
  std::array<struct _cl_event*, kFew> few_;
  std::vector<struct _cl_event*> more_;
  cl_uint count_ = 0;
};

class ClStream final : public Stream {
 public:
  ClStream(QueueStateRef queue, bool out_of_order, bool profiled)
      : queue_(std::move(queue)), out_of_order_(out_of_order), profiled_(profiled) {
    queue_->in_order = !out_of_order;
  }
  ~ClStream() override;

  bool profiled() const noexcept override { return profiled_; }
  void copy(Buffer& from, uint64_t from_offset, Buffer& to, uint64_t to_offset, uint64_t bytes,
            WaitList waits, EventRef* event) override;
  void fill(Buffer& buffer, uint64_t offset, uint64_t bytes, const void* pattern,
            size_t pattern_size, WaitList waits, EventRef* event) override;
  void read(Buffer& buffer, uint64_t offset, uint64_t bytes, void* host, WaitList waits,
            EventRef* event) override;
  void write(Buffer& buffer, uint64_t offset, uint64_t bytes, const void* host, WaitList waits,
             EventRef* event) override;
  void launch(const Launch& launch, WaitList waits, EventRef* event) override;
  void run_batch(Batch& batch, WaitList waits, EventRef* event) override;
  void run_native(NativeFunction& function, std::span<Buffer* const> buffers, WaitList waits,
                  EventRef* event, const FailureRef& failure) override;
  std::shared_ptr<FirstFailure> native_failure() const override;
  void marker(WaitList waits, EventRef* event) override;
  void come_after(WaitList left) override;
  void flush() override;
  bool given_up() const noexcept override { return queue_->given_up_from != UINT64_MAX; }
  uint64_t taken() const noexcept override { return taken_; }
  struct _cl_command_queue* cl_queue() noexcept override {
    return queue_->object.get();
  }

 private:
  DeviceState& device() const noexcept { return *queue_->device; }

  // Runs `enqueue(count, waits, event)` and turns what it gives into an event or an exception.
  template <class Enqueue>
  void submit(const char* call, WaitList waits, EventRef* event, Enqueue enqueue);
  // The event of a command that was enqueued, or of a marker behind it where the driver gave none:
  // what the command uses may not go while it runs.
  struct _cl_event* event_of(struct _cl_event* given) noexcept;

  // One of several commands that together do what was asked, each waiting for the one before. Split
  // memory needs them: its twin is filled before a command and copied back after.
  struct Step {
    const char* call;
    std::function<cl_int(cl_uint, struct _cl_event* const*, struct _cl_event**)> enqueue;
    bool timed = false;  // the command whose times the caller means
  };
  void submit(const std::vector<Step>& steps, WaitList waits, EventRef* event);
  Step copy_step(Buffer& from, uint64_t from_offset, Buffer& to, uint64_t to_offset,
                 uint64_t bytes);
  Step read_step(Buffer& from, uint64_t offset, uint64_t bytes, void* host);
  Step write_step(Buffer& to, uint64_t offset, uint64_t bytes, const void* host);
  Step fetch_step(ClBuffer& buffer, uint64_t offset, uint64_t bytes);
  Step store_step(ClBuffer& buffer, uint64_t offset, uint64_t bytes);
  void fill_pieces(ClBuffer& buffer, uint64_t offset, uint64_t bytes, const void* pattern,
                   size_t pattern_size, std::vector<Step>* steps,
                   std::vector<std::shared_ptr<MemObject>>* pieces);
  void release_pieces(const std::vector<std::shared_ptr<MemObject>>& pieces);
  void barrier(WaitList waits);
  // Of an out-of-order stream, without what others have left.
  void marker_behind_all(EventRef* event);
  // What stands in for a command of no bytes, which drivers refuse.
  void nothing(WaitList waits, EventRef* event);

  void set_arguments(const Launch& launch, ClKernel& kernel);

  // True while a command may fail through what it waits for: drivers give up what stands behind it
  // as well, perhaps before what stands in front of it is complete.
  bool at_risk();
  // Of a command that the driver has taken, whose event is to be looked after.
  void note_event(bool waits, const std::shared_ptr<ClEvent>& event, size_t commands = 1) noexcept;

  QueueStateRef queue_;
  bool out_of_order_;
  bool profiled_;
  uint64_t taken_ = 0;
  EventRef risk_;                // the last such command
  EventRef barrier_;             // the last one that waits: all behind it stand or fall with it
  std::vector<EventRef> left_;   // out of order: what else markers wait for
  std::weak_ptr<ClEvent> last_;  // the last command that has an event
  uint64_t last_taken_ = 0;
};

template <class Enqueue>
void ClStream::submit(const char* call, WaitList waits, EventRef* event, Enqueue enqueue) {
  device().require();
  const WaitArray list(*queue_, waits);
  if (event == nullptr) {
    device().check_enqueue(enqueue(list.count(), list.data(), nullptr), call);
    ++taken_;
    return;
  }
  // Made first: once the command is enqueued nothing may fail.
  if (list.count() != 0) queue_->make_room_for_waiting();
  auto made = std::make_shared<ClEvent>(queue_->device, queue_, profiled_);
  struct _cl_event* raw = nullptr;
  device().check_enqueue(enqueue(list.count(), list.data(), &raw), call);
  ++taken_;
  made->adopt(event_of(raw));
  note_event(list.count() != 0, made);
  *event = std::move(made);
}

}  // namespace netcl::backend::opencl
