#include "ops/move/copy_between.hpp"

#include <cstdlib>

#include "core/allocator.hpp"
#include "core/function_ref.hpp"
#include "ops/frame/enqueue.hpp"
#include "ops/frame/result.hpp"
#include "ops/move/copy_peer.hpp"
#include "ops/move/move.hpp"
#include "queue/copy_hold.hpp"
#include "tensor/transfer.hpp"

namespace netcl::ops {

namespace {

// Where functions of the host find a tensor's memory; null where they do not.
unsigned char* host_memory(const Tensor& tensor) {
  return static_cast<unsigned char*>(tensor.memory()->buffer->native_memory());
}

// True when both tensors are known to lie in the same bytes of the host: two devices may work on
// one array of the caller.
bool share_host_memory(const Tensor& a, const Tensor& b) {
  const unsigned char* const left = host_memory(a);
  const unsigned char* const right = host_memory(b);
  if (left == nullptr || right == nullptr) return false;
  const auto size = static_cast<int64_t>(a.element_size());
  const Span of_a = touched_span(a.layout());
  const Span of_b = touched_span(b.layout());
  return left + of_a.first * size < right + of_b.last * size &&
         right + of_b.first * size < left + of_a.last * size;
}

Run plain_run(Queue& queue) { return {queue, {}, nullptr}; }

// The tensor on another device that works on memory of the host: the same bytes.
TensorRef alias_on(const DeviceRef& device, const Tensor& tensor) {
  const auto size = static_cast<int64_t>(tensor.element_size());
  const Span span = touched_span(tensor.layout());
  const int64_t begin = span.first - span.first % (static_cast<int64_t>(kHostAlignment) / size);
  Layout layout = tensor.layout();
  layout.offset -= begin;
  return std::make_shared<Tensor>(
      Buffer::in_place(device, host_memory(tensor) + begin * size,
                       static_cast<uint64_t>((span.last - begin) * size)),
      tensor.dtype(), layout);
}

// Calls copy(part of source, part of target) for parts that reach over `most` bytes of the source.
using CopyPart = FunctionRef<void(const Tensor&, const Tensor&)>;
void copy_parts(const Tensor& source, const Tensor& target, uint64_t most, CopyPart copy) {
  const Layout& layout = source.layout();
  const Span span = touched_span(layout);
  if (static_cast<uint64_t>(span.last - span.first) * source.element_size() <= most) {
    copy(source, target);
    return;
  }
  uint32_t axis = 0;
  const auto reach = [&](uint32_t d) {
    return (layout.shape[d] - 1) * std::abs(layout.strides[d]);
  };
  for (uint32_t d = 1; d < layout.rank; ++d) {
    if (reach(d) > reach(axis)) axis = d;
  }
  std::array<netcl_range, kRankMax> ranges;
  for (uint32_t d = 0; d < layout.rank; ++d) ranges[d] = {0, layout.shape[d], 1};
  const int64_t half = layout.shape[axis] / 2;
  for (const netcl_range& part :
       {netcl_range{0, half, 1}, netcl_range{half, layout.shape[axis] - half, 1}}) {
    ranges[axis] = part;
    copy_parts(*slice(source, ranges.data(), layout.rank),
               *slice(target, ranges.data(), layout.rank), most, copy);
  }
}

// Copies by a command of the target's device, to which the source is memory of its own: the call
// waits for it, whatever happens.
void copy_with_alias(const Tensor& source, const Tensor& target, const Run& run) {
  const TensorRef alias = alias_on(run.device().shared_from_this(), source);
  backend::EventRef done;
  Run own = run;
  own.event = &done;
  const auto wait = [&] {
    run.queue.set().wait_for(writing(*alias), Deadline(UINT64_MAX));
    if (done != nullptr) throw_if_failed(done);
    return true;
  };
  try {
    copy_into(*alias, target, own);
  } catch (...) {
    wait_to_the_end(wait);
    throw;
  }
  wait_to_the_end(wait);
  if (run.event != nullptr) *run.event = std::move(done);
}

// Both devices work on memory of the host. In parts, where the target's device limits an object of
// memory to less than the source reaches over.
void copy_in_memory(const Tensor& source, const Tensor& target, const Run& run) {
  QueueSet& set = QueueSet::of(source.device());
  const CopyHold hold(*set.default_queue(), reading(source), run.queue, writing(target));
  int32_t failure = 0;
  set.wait_for(reading(source), Deadline(UINT64_MAX), &failure);
  set.require_written(reading(source), failure);
  copy_parts(source, target, run.device().capabilities().max_allocation_bytes - kHostAlignment,
             [&run](const Tensor& from, const Tensor& to) { copy_with_alias(from, to, run); });
}

// Both tensors are packed.
void transfer_packed(const Tensor& source, const Tensor& target, const Run& run) {
  const QueueRef queue = QueueSet::of(source.device()).default_queue();
  const CopyHold hold(*queue, reading(source), run.queue, writing(target));
  queue->set().require_written(reading(source));
  TransferPlan read{queue.get(), {}, nullptr};
  TransferPlan write{&run.queue, {}, run.event};
  if (source.device().builtin()) {
    // Where host and device share memory, the device reads it in place.
    write.borrow = run.device().capabilities().integrated != 0;
    write.async_copy = !write.borrow;
    write_bytes(packed_span(target), host_memory(source) + source.offset_bytes(), write);
  } else if (run.device().builtin()) {
    enqueue_native({writing(target)}, run, [&](const NativeCall&) {
      read_bytes(packed_span(source), host_memory(target) + target.offset_bytes(), read);
    });
  } else if (source.byte_count() >= kPeerLeast && are_peers(source.device(), run.device())) {
    copy_by_peers(source, target, run);
  } else {
    copy_bytes(packed_span(source), read, packed_span(target), write);
  }
}

// Layouts other than packed ones are straightened on the side they are on.
void transfer(const Tensor& source, const Tensor& target, const Run& run) {
  const Layout& layout = target.layout();
  if (!source.layout().is_c_contiguous()) {
    const QueueRef queue = QueueSet::of(source.device()).default_queue();
    transfer(*copy(source, nullptr, plain_run(*queue)), target, run);
  } else if (!layout.is_c_contiguous()) {
    const TensorRef landed = new_tensor(target.dtype(), layout.rank, layout.shape.data(), run);
    transfer_packed(source, *landed, run.without_event());
    copy_into(*landed, target, run);
  } else {
    transfer_packed(source, target, run);
  }
}

// Events of one device say nothing to another, so the call waits for what the copy comes after.
void wait_before_copy(const Tensor& source, const Run& run) {
  for (const backend::EventRef& event : run.waits) {
    event->wait(Deadline(UINT64_MAX));
    throw_if_failed(event);
  }
  QueueSet::of(source.device()).require_written(reading(source));
}

bool both_in_memory(const Device& from, const Device& to) {
  return from.backend().native_commands() && to.backend().native_commands();
}

}  // namespace

CopyRoad copy_road(const Device& from, const Device& to) {
  CopyRoad found;
  const std::string names = from.text() + " and " + to.text();
  if (&from == &to) {
    found.road = NETCL_COPY_ROAD_DEVICE;
    found.reason = "both are device " + from.text() + ", which copies by a command of its own";
  } else if (both_in_memory(from, to)) {
    found.road = NETCL_COPY_ROAD_MEMORY;
    found.reason = "devices " + names +
                   " both work on memory of the host and run functions of this process, so one "
                   "command reaches both tensors, whatever their strides";
  } else if (from.builtin() || to.builtin()) {
    const Device& other = from.builtin() ? to : from;
    const bool shares = other.capabilities().integrated != 0;
    found.road = NETCL_COPY_ROAD_TRANSFER;
    found.piece_bytes = shares ? 0 : kTransferPiece;
    found.reason = "device " + other.text() + " runs no functions of this process, so it " +
                   (from.builtin() ? "writes from" : "reads to") +
                   " memory of the built-in device by transfers" +
                   (shares ? ", in place since it shares memory with the host"
                           : ", in pieces through page-locked memory since its memory is its own");
  } else if (are_peers(from, to)) {
    found.road = NETCL_COPY_ROAD_PEER;
    found.piece_bytes = kPeerLeast;
    found.reason = format(
        "devices %s are GPUs of CUDA with a road between them: memory made with share = 1 is "
        "copied "
        "at once, other memory by way of pieces of such on each GPU; less than %llu bytes go "
        "through page-locked memory, which takes less time",
        names.c_str(), static_cast<unsigned long long>(kPeerLeast));
  } else {
    const Device& other = from.backend().native_commands() ? to : from;
    found.road = NETCL_COPY_ROAD_STAGED;
    found.piece_bytes = kTransferPiece;
    found.reason = "devices " + names + " have no memory that both reach, since " + other.text() +
                   " runs no functions of this process: pieces go through page-locked memory of "
                   "each, reads of one and writes of the other at the same time";
  }
  return found;
}

void copy_between_devices(const Tensor& source, const Tensor& target, const Run& run) {
  if (!source.layout().same_shape(target.layout())) {
    const Layout& layout = target.layout();
    copy_between_devices(*broadcast(source, layout.rank, layout.shape.data()), target, run);
    return;
  }
  wait_before_copy(source, run);
  if (share_host_memory(source, target)) {
    const QueueRef queue = QueueSet::of(source.device()).default_queue();
    copy_between_devices(*copy(source, nullptr, plain_run(*queue)), target, run);
  } else if (both_in_memory(source.device(), target.device())) {
    copy_in_memory(source, target, run);
  } else {
    transfer(source, target, run);
  }
}

}  // namespace netcl::ops
