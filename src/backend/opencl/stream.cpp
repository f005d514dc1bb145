#include "backend/opencl/stream.hpp"

#include <algorithm>

namespace netcl::backend::opencl {

WaitArray::WaitArray(const QueueState& queue, WaitList waits) {
  for (const EventRef& wait : waits) {
    // Only this backend's events have an OpenCL event, so the cast is right when there is one.
    if (wait == nullptr || wait->cl_event() == nullptr) {
      fail(NETCL_ERROR_INTERNAL, "an event without OpenCL is in a wait list of an OpenCL queue");
    }
    auto& event = static_cast<ClEvent&>(*wait);
    // One that failed has ended too; some drivers, PoCL among them, would wait for it for ever. Who
    // waits for it has looked, to know what it fails through.
    if (event.known_ended()) continue;
    if (event.device().context() != queue.device->context()) {
      fail(NETCL_ERROR_INTERNAL, "an event of another context is in a wait list");
    }
    if (event.queue() != &queue) event.flush();
    if (count_ < kFew) {
      few_[count_++] = event.cl_event();
      continue;
    }
    if (more_.empty()) more_.assign(few_.begin(), few_.end());
    more_.push_back(event.cl_event());
    ++count_;
  }
}

ClStream::~ClStream() {
  // Work that was enqueued is to run although nobody holds the queue any more.
  if (!device().lost()) (void)cl().clFlush(queue_->object.get());
}

struct _cl_event* ClStream::event_of(struct _cl_event* given) noexcept {
  if (given == nullptr) {
    (void)cl().clEnqueueMarkerWithWaitList(cl_queue(), 0, nullptr, &given);
  }
  return given;
}

void ClStream::submit(const std::vector<Step>& steps, WaitList waits, EventRef* event) {
  device().require();
  const WaitArray list(*queue_, waits);
  if (list.count() != 0) queue_->make_room_for_waiting();
  auto made = std::make_shared<ClEvent>(queue_->device, queue_, profiled_);
  made->reserve_parts(steps.size());
  EventObject before;
  for (const Step& step : steps) {
    // Some drivers never end what is to wait for a command that has failed before.
    if (before && status_of_event(before) < 0) break;
    struct _cl_event* raw = nullptr;
    struct _cl_event* const previous = before.get();
    const cl_int code = previous == nullptr ? step.enqueue(list.count(), list.data(), &raw)
                                            : step.enqueue(1, &previous, &raw);
    EventObject current(raw);
    if (code != CL_SUCCESS) {
      // Those before it run all the same, and the last of them ends after the others.
      if (event != nullptr && before) {
        made->adopt(before.release());
        *event = std::move(made);
      }
      device().check_enqueue(code, step.call);  // throws
    }
    ++taken_;
    if (raw == nullptr) current = EventObject(event_of(nullptr));
    if (step.timed && raw != nullptr && cl().clRetainEvent(raw) == CL_SUCCESS) {
      // NOLINTNEXTLINE(bugprone-use-after-move): what moved it has thrown
      made->add_timed(EventObject(raw));
    }
    if (before) made->add_part(std::move(before));
    before = std::move(current);
  }
  made->adopt(before.release());
  note_event(list.count() != 0, made, steps.size());
  if (event != nullptr) *event = std::move(made);
}

bool ClStream::at_risk() {
  if (risk_ != nullptr && risk_->state() == NETCL_EVENT_COMPLETE) risk_ = nullptr;
  return risk_ != nullptr;
}

void ClStream::note_event(bool waits, const std::shared_ptr<ClEvent>& event,
                          size_t commands) noexcept {
  event->set_number(taken_);
  if (waits) {
    const std::shared_ptr<ClEvent> last = last_.lock();
    EventObject front;
    if (!out_of_order_ && last != nullptr && last->cl_event() != nullptr &&
        last_taken_ + commands == taken_ && cl().clRetainEvent(last->cl_event()) == CL_SUCCESS) {
      front = EventObject(last->cl_event());
    }
    event->set_waits(std::move(front));
  }
  if (waits || at_risk()) risk_ = event;
  last_ = event;
  last_taken_ = taken_;
}

std::shared_ptr<FirstFailure> ClStream::native_failure() const {
  NativeCommands::instance().sweep(queue_->failure.get());
  return queue_->failure;
}

ClStream::Step ClStream::copy_step(Buffer& from, uint64_t from_offset, Buffer& to,
                                   uint64_t to_offset, uint64_t bytes) {
  auto* const source = static_cast<ClBuffer&>(from).target();
  auto* const target = static_cast<ClBuffer&>(to).target();
  return {"clEnqueueCopyBuffer",
          [=, this](cl_uint count, struct _cl_event* const* waits, struct _cl_event** event) {
            return cl().clEnqueueCopyBuffer(cl_queue(), source, target, from_offset, to_offset,
                                            bytes, count, waits, event);
          },
          true};
}

ClStream::Step ClStream::read_step(Buffer& from, uint64_t offset, uint64_t bytes, void* host) {
  auto* const source = static_cast<ClBuffer&>(from).target();
  return {"clEnqueueReadBuffer",
          [=, this](cl_uint count, struct _cl_event* const* waits, struct _cl_event** event) {
            return cl().clEnqueueReadBuffer(cl_queue(), source, CL_FALSE, offset, bytes, host,
                                            count, waits, event);
          },
          true};
}

ClStream::Step ClStream::write_step(Buffer& to, uint64_t offset, uint64_t bytes, const void* host) {
  auto* const target = static_cast<ClBuffer&>(to).target();
  return {"clEnqueueWriteBuffer",
          [=, this](cl_uint count, struct _cl_event* const* waits, struct _cl_event** event) {
            return cl().clEnqueueWriteBuffer(cl_queue(), target, CL_FALSE, offset, bytes, host,
                                             count, waits, event);
          },
          true};
}

ClStream::Step ClStream::fetch_step(ClBuffer& buffer, uint64_t offset, uint64_t bytes) {
  Step step =
      write_step(buffer, offset, bytes, static_cast<const char*>(buffer.host_pointer()) + offset);
  step.timed = false;
  return step;
}

ClStream::Step ClStream::store_step(ClBuffer& buffer, uint64_t offset, uint64_t bytes) {
  Step step = read_step(buffer, offset, bytes, static_cast<char*>(buffer.host_pointer()) + offset);
  step.timed = false;
  return step;
}

void ClStream::nothing(WaitList waits, EventRef* event) {
  if (event != nullptr) {
    marker(waits, event);
  } else if (!waits.empty()) {
    barrier(waits);
  }
}

void ClStream::copy(Buffer& from, uint64_t from_offset, Buffer& to, uint64_t to_offset,
                    uint64_t bytes, WaitList waits, EventRef* event) {
  if (bytes == 0) return nothing(waits, event);
  auto& source = static_cast<ClBuffer&>(from);
  auto& target = static_cast<ClBuffer&>(to);
  if (source.split() && !target.split()) {
    return write(to, to_offset, bytes, static_cast<char*>(from.host_pointer()) + from_offset, waits,
                 event);
  }
  if (target.split() && !source.split()) {
    return read(from, from_offset, bytes, static_cast<char*>(to.host_pointer()) + to_offset, waits,
                event);
  }
  if (source.split()) {
    return submit(
        {fetch_step(source, from_offset, bytes), copy_step(from, from_offset, to, to_offset, bytes),
         store_step(target, to_offset, bytes)},
        waits, event);
  }
  submit("clEnqueueCopyBuffer", waits, event,
         [&](cl_uint count, struct _cl_event* const* list, struct _cl_event** raw) {
           return cl().clEnqueueCopyBuffer(cl_queue(), source.target(), target.target(),
                                           from_offset, to_offset, bytes, count, list, raw);
         });
}

void ClStream::fill_pieces(ClBuffer& buffer, uint64_t offset, uint64_t bytes, const void* pattern,
                           size_t pattern_size, std::vector<Step>* steps,
                           std::vector<std::shared_ptr<MemObject>>* pieces) {
  for (uint64_t done = 0; done < bytes;) {
    // Pieces begin at multiples of the piece, which satisfies every alignment of sub-buffers.
    const uint64_t begin = (offset + done) / kFillPiece * kFillPiece;
    const uint64_t inside = offset + done - begin;
    const uint64_t size = std::min(bytes - done, kFillPiece - inside);
    auto piece = std::make_shared<MemObject>(buffer.part(begin, inside + size));
    pieces->push_back(piece);
    steps->push_back(
        Step{"clEnqueueFillBuffer",
             [=, this](cl_uint count, struct _cl_event* const* waits, struct _cl_event** event) {
               return cl().clEnqueueFillBuffer(cl_queue(), piece->get(), pattern, pattern_size,
                                               inside, size, count, waits, event);
             },
             true});
    done += size;
  }
}

void ClStream::release_pieces(const std::vector<std::shared_ptr<MemObject>>& pieces) {
  for (const auto& piece : pieces) {
    struct _cl_event* raw = nullptr;
    const cl_int code = cl().clEnqueueMarkerWithWaitList(cl_queue(), 0, nullptr, &raw);
    std::vector<EventObject> last;
    last.emplace_back(raw);
    device().check_enqueue(code, "clEnqueueMarkerWithWaitList");
    queue_->device->release_after(std::move(*piece), std::move(last));
  }
}

void ClStream::fill(Buffer& buffer, uint64_t offset, uint64_t bytes, const void* pattern,
                    size_t pattern_size, WaitList waits, EventRef* event) {
  if (bytes == 0) return nothing(waits, event);
  auto& target = static_cast<ClBuffer&>(buffer);
  const auto enqueue = [&](cl_uint count, struct _cl_event* const* list, struct _cl_event** raw) {
    return cl().clEnqueueFillBuffer(cl_queue(), target.target(), pattern, pattern_size, offset,
                                    bytes, count, list, raw);
  };
  constexpr const char* kCall = "clEnqueueFillBuffer";
  const bool divided = bytes > kFillPiece || offset > kFillPiece - bytes;
  if (!divided && !target.split()) return submit(kCall, waits, event, enqueue);
  std::vector<Step> steps;
  std::vector<std::shared_ptr<MemObject>> pieces;
  if (divided) {
    fill_pieces(target, offset, bytes, pattern, pattern_size, &steps, &pieces);
  } else {
    steps.push_back(Step{kCall, enqueue, true});
  }
  if (target.split()) steps.push_back(store_step(target, offset, bytes));
  try {
    submit(steps, waits, event);
  } catch (...) {
    // Some may have been enqueued. Where the driver takes no marker either they are released now.
    try {
      release_pieces(pieces);
    } catch (const Error&) {
    }
    throw;
  }
  release_pieces(pieces);
}

void ClStream::read(Buffer& buffer, uint64_t offset, uint64_t bytes, void* host, WaitList waits,
                    EventRef* event) {
  if (bytes == 0) return nothing(waits, event);
  auto& source = static_cast<ClBuffer&>(buffer);
  if (source.split()) {
    return submit({fetch_step(source, offset, bytes), read_step(buffer, offset, bytes, host)},
                  waits, event);
  }
  submit("clEnqueueReadBuffer", waits, event,
         [&](cl_uint count, struct _cl_event* const* list, struct _cl_event** raw) {
           return cl().clEnqueueReadBuffer(cl_queue(), source.target(), CL_FALSE, offset, bytes,
                                           host, count, list, raw);
         });
}

void ClStream::write(Buffer& buffer, uint64_t offset, uint64_t bytes, const void* host,
                     WaitList waits, EventRef* event) {
  if (bytes == 0) return nothing(waits, event);
  auto& target = static_cast<ClBuffer&>(buffer);
  if (target.split()) {
    return submit({write_step(buffer, offset, bytes, host), store_step(target, offset, bytes)},
                  waits, event);
  }
  submit("clEnqueueWriteBuffer", waits, event,
         [&](cl_uint count, struct _cl_event* const* list, struct _cl_event** raw) {
           return cl().clEnqueueWriteBuffer(cl_queue(), target.target(), CL_FALSE, offset, bytes,
                                            host, count, list, raw);
         });
}

void ClStream::marker_behind_all(EventRef* event) {
  // A driver may never end it, nor tell that something in front of it failed.
  auto behind = std::make_shared<Failure>(false);
  if (queue_->any_waiting) {
    for (const EventRef& waiting : queue_->all_waiting()) behind->follow(waiting);
  }
  submit("clEnqueueMarkerWithWaitList", WaitList(), event,
         [&](cl_uint count, struct _cl_event* const* waited, struct _cl_event** raw) {
           return cl().clEnqueueMarkerWithWaitList(cl_queue(), count, waited, raw);
         });
  static_cast<ClEvent&>(**event).set_behind_all();
  if (!behind->empty()) (*event)->stand_for(std::move(behind));
}

void ClStream::marker(WaitList waits, EventRef* event) {
  std::vector<EventRef> list(waits.begin(), waits.end());
  FailureRef behind;
  if (out_of_order_) {
    std::erase_if(left_, [](const EventRef& other) { return other->ended(); });
    list.insert(list.end(), left_.begin(), left_.end());
    if (list.empty()) return marker_behind_all(event);
    // A marker with a wait list waits for that list only.
    marker_behind_all(&list.emplace_back());
    behind = std::make_shared<Failure>(false);
    for (size_t i = waits.size(); i < list.size(); ++i) behind->follow(list[i]);
  }
  submit("clEnqueueMarkerWithWaitList", list, event,
         [&](cl_uint count, struct _cl_event* const* waited, struct _cl_event** raw) {
           return cl().clEnqueueMarkerWithWaitList(cl_queue(), count, waited, raw);
         });
  if (behind != nullptr && !behind->empty()) (*event)->stand_for(std::move(behind));
}

void ClStream::come_after(WaitList left) {
  if (!out_of_order_) return barrier(left);
  // Commands wait for what they conflict with. A barrier that fails would hold up all of them.
  left_.assign(left.begin(), left.end());
}

void ClStream::barrier(WaitList waits) {
  auto failure = std::make_shared<Failure>(false);
  for (const EventRef& wait : waits) failure->follow(wait);
  if (barrier_ != nullptr) failure->follow(barrier_);
  submit("clEnqueueBarrierWithWaitList", waits, &barrier_,
         [&](cl_uint count, struct _cl_event* const* list, struct _cl_event** raw) {
           return cl().clEnqueueBarrierWithWaitList(cl_queue(), count, list, raw);
         });
  barrier_->stand_for(std::move(failure));
}

void ClStream::flush() {
  device().require();
  device().check_enqueue(cl().clFlush(queue_->object.get()), "clFlush");
}

}  // namespace netcl::backend::opencl
