#include "tensor/transfer.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "backend/cpu/thread_pool.hpp"
#include "core/process.hpp"

namespace netcl {

namespace {

// Blocks of page-locked memory in flight: enough to keep the copy engine busy while the host fills
// the next.
constexpr size_t kBlocks = 4;
// Below this one thread copies as fast as the memory allows.
constexpr int64_t kCopyGrain = int64_t{2} << 20;

// Threads for copies between ordinary and page-locked memory: one thread reaches a fraction of what
// the link to a discrete device carries.
void copy_host(void* target, const void* source, uint64_t bytes) {
  if (bytes < static_cast<uint64_t>(kCopyGrain) * 2) {
    std::memcpy(target, source, bytes);
    return;
  }
  auto& threads = process().services.get<netcl::cpu::ThreadPool>(Slot::copy_threads, [] {
    return std::make_unique<netcl::cpu::ThreadPool>(std::min(8u, netcl::cpu::available_threads()));
  });
  threads.parallel_for(static_cast<int64_t>(bytes), kCopyGrain, [&](int64_t first, int64_t last) {
    std::memcpy(static_cast<unsigned char*>(target) + first,
                static_cast<const unsigned char*>(source) + first,
                static_cast<size_t>(last - first));
  });
}

struct Block {
  BufferRef staging;
  backend::EventRef event;
  uint64_t offset = 0;  // in the tensor's span
  uint64_t bytes = 0;
};

BufferRef lease_staging(const ByteSpan& span, uint64_t bytes) {
  const DeviceRef& device = span.buffer->device_ref();
  return Buffer::lease(PoolSet::of(*device).own(NETCL_POOL_PINNED), device,
                       std::min(bytes, kTransferPiece), false);
}

// Waits for a transfer of netcl's own staging memory, which its pool keeps for as long as the
// device works on it: an interrupt may end the wait at any time.
void wait_for(const backend::EventRef& event) {
  event->wait(Deadline(UINT64_MAX));
  throw_if_failed(event);
}

// Waits for a transfer whose host memory is the caller's.
void end_transfer(const backend::EventRef& event) {
  wait_to_the_end([&] {
    const bool done = event->wait(Deadline(UINT64_MAX));
    throw_if_failed(event);
    return done;
  });
}

// Waits for what a command of this queue would stand behind; false on time-out.
bool wait_for_turn(const TransferPlan& plan, const Deadline& deadline) {
  for (const backend::EventRef& event : plan.waits) {
    if (!event->wait(deadline)) return false;
  }
  // On an in-order queue of a driver that is everything else too.
  return plan.queue->out_of_order() || plan.queue->device().builtin() ||
         plan.queue->marker({})->wait(deadline);
}

// An interrupt has to happen before the device works on the caller's memory, from where nothing can
// call it back.
void let_interrupts_in(const TransferPlan& plan) {
  if (interrupts_enabled()) wait_for_turn(plan, Deadline(UINT64_MAX));
}

// `staging`, when `data` lies in it, counts as used by the command: its pool keeps it until then.
// The last of several writes fails with those in front of it.
void submit_write(const ByteSpan& target, uint64_t offset, const void* data, uint64_t bytes,
                  const TransferPlan& plan, backend::EventRef* event, MemoryObject* staging) {
  const bool more = offset + bytes < target.bytes;
  const uint64_t first = target.offset + offset;
  const Access accesses[2] = {{target.buffer->memory(), true, {first, first + bytes}},
                              {staging, false}};
  plan.queue->enqueue(
      {{accesses, staging != nullptr ? 2u : 1u}, plan.waits, event, {}, {}, more},
      [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* out) {
        stream.write(*target.buffer->memory()->buffer, first, bytes, data, waits, out);
      });
}

// With `more` it is part of an op whose last command follows.
void submit_read(const ByteSpan& source, uint64_t offset, void* data, uint64_t bytes,
                 const TransferPlan& plan, backend::EventRef* event, MemoryObject* staging,
                 bool more = false) {
  const uint64_t first = source.offset + offset;
  const Access accesses[2] = {{source.buffer->memory(), false, {first, first + bytes}},
                              {staging, true}};
  plan.queue->enqueue(
      {{accesses, staging != nullptr ? 2u : 1u}, plan.waits, event, {}, {}, more},
      [&](backend::Stream& stream, backend::WaitList waits, backend::EventRef* out) {
        stream.read(*source.buffer->memory()->buffer, first, bytes, data, waits, out);
      });
}

void finish_write(const TransferPlan& plan, backend::EventRef last) {
  plan.queue->flush();
  if (!plan.async_copy) plan.borrow ? end_transfer(last) : wait_for(last);
  if (plan.event != nullptr) *plan.event = std::move(last);
}

void write_staged(const ByteSpan& target, const void* data, const TransferPlan& plan) {
  std::array<Block, kBlocks> ring;
  const auto* source = static_cast<const unsigned char*>(data);
  backend::EventRef last;
  size_t turn = 0;
  for (uint64_t offset = 0; offset < target.bytes; offset += kTransferPiece, ++turn) {
    Block& block = ring[turn % kBlocks];
    const uint64_t bytes = std::min(kTransferPiece, target.bytes - offset);
    if (block.event != nullptr) wait_for(block.event);
    if (block.staging == nullptr) block.staging = lease_staging(target, target.bytes);
    copy_host(block.staging->host_pointer(), source + offset, bytes);
    submit_write(target, offset, block.staging->host_pointer(), bytes, plan, &block.event,
                 block.staging->memory());
    plan.queue->flush();
    last = block.event;
  }
  finish_write(plan, std::move(last));
}

void read_staged(const ByteSpan& source, void* data, const TransferPlan& plan) {
  std::array<Block, kBlocks> ring;
  auto* target = static_cast<unsigned char*>(data);
  const auto drain = [&](Block& block) {
    if (block.event == nullptr) return;
    wait_for(block.event);
    copy_host(target + block.offset, block.staging->host_pointer(), block.bytes);
    block.event = nullptr;
  };
  size_t turn = 0;
  for (uint64_t offset = 0; offset < source.bytes; offset += kTransferPiece, ++turn) {
    Block& block = ring[turn % kBlocks];
    drain(block);
    if (block.staging == nullptr) block.staging = lease_staging(source, source.bytes);
    block.offset = offset;
    block.bytes = std::min(kTransferPiece, source.bytes - offset);
    submit_read(source, offset, block.staging->host_pointer(), block.bytes, plan, &block.event,
                block.staging->memory());
    plan.queue->flush();
  }
  // From the oldest on: the ring's next place holds it.
  for (size_t i = 0; i < kBlocks; ++i) drain(ring[(turn + i) % kBlocks]);
}

// How long to look whether a queue is idle: far less than the second copy that staging would cost.
uint64_t idle_grace(uint64_t bytes) { return std::min<uint64_t>(bytes / 64, 100000); }

}  // namespace

ByteSpan packed_span(const Tensor& tensor) {
  return {tensor.buffer().get(), tensor.offset_bytes(), tensor.byte_count()};
}

void throw_if_failed(const backend::EventRef& event) {
  if (const int32_t code = event->failure(); code != 0) {
    throw Error(NETCL_ERROR_LAUNCH_FAILURE, format("a transfer failed with OpenCL code %d", code),
                code);
  }
}

// The scope stands around all the waits, so that an interrupt which none of them can heed ends the
// process when its grace time is over.
void wait_to_the_end(FunctionRef<bool()> wait) {
  const WaitScope scope;
  bool cancelled = false;
  for (bool done = false; !done;) {
    try {
      done = wait();
    } catch (const Error& error) {
      if (error.status() != NETCL_ERROR_CANCELLED) throw;
      cancelled = true;
    }
  }
  if (cancelled) fail(NETCL_ERROR_CANCELLED, "the transfer was interrupted by SIGINT");
}

bool wait_for_earlier_work(const Tensor& tensor, const TransferPlan& plan, bool writes_only,
                           uint64_t timeout_ns) {
  // Without a limit the transfer's own wait is enough, unless it may be interrupted: that must
  // happen before the device works on the caller's memory.
  if (timeout_ns == UINT64_MAX && !interrupts_enabled()) return true;
  const Deadline deadline(timeout_ns);
  QueueSet& queues = plan.queue->set();
  if (tensor.memory() != nullptr && !queues.wait_for(access_to(&tensor, !writes_only), deadline)) {
    return false;
  }
  return wait_for_turn(plan, deadline);
}

void write_bytes(const ByteSpan& target, const void* data, const TransferPlan& plan) {
  if (target.bytes == 0) {
    if (plan.event != nullptr) *plan.event = plan.queue->marker(plan.waits);
    return;
  }
  // Where host and device share memory, staging would only copy twice; but a write that had to wait
  // for earlier work would hold the caller up, so it is staged then.
  const bool shared = target.buffer->device().capabilities().integrated != 0;
  if (plan.borrow || !plan.use_pinned || (shared && plan.queue->idle(idle_grace(target.bytes)))) {
    if (!plan.borrow || !plan.async_copy) let_interrupts_in(plan);
    backend::EventRef event;
    submit_write(target, 0, data, target.bytes, plan, &event, nullptr);
    // Without staging the array is free only once the device has it.
    if (!plan.borrow) end_transfer(event);
    finish_write(plan, std::move(event));
    return;
  }
  write_staged(target, data, plan);
}

void read_bytes(const ByteSpan& source, void* data, const TransferPlan& plan) {
  if (source.bytes == 0) return;
  // Where host and device share memory, staging would only copy twice; but what a driver runs first
  // on an out-of-order queue nobody knows, and only a staged read can be interrupted under way.
  const bool shared = source.buffer->device().capabilities().integrated != 0 &&
                      !(interrupts_enabled() && plan.queue->out_of_order());
  if (shared || !plan.use_pinned) {
    if (interrupts_enabled()) {
      const Access read{source.buffer->memory(), false,
                        {source.offset, source.offset + source.bytes}};
      plan.queue->set().wait_for(read, Deadline(UINT64_MAX));
      let_interrupts_in(plan);
    }
    backend::EventRef event;
    submit_read(source, 0, data, source.bytes, plan, &event, nullptr);
    end_transfer(event);
    return;
  }
  read_staged(source, data, plan);
}

void read_bytes_async(const ByteSpan& source, void* data, const TransferPlan& plan) {
  if (source.bytes == 0) {
    *plan.event = plan.queue->marker(plan.waits);
    return;
  }
  submit_read(source, 0, data, source.bytes, plan, plan.event, nullptr);
  plan.queue->flush();
}

void copy_bytes(const ByteSpan& source, const TransferPlan& read, const ByteSpan& target,
                const TransferPlan& write) {
  std::array<Block, kBlocks> reads;
  std::array<Block, kBlocks> writes;
  backend::EventRef last;
  const auto pass_on = [&](size_t turn) {
    const Block& in = reads[turn % kBlocks];
    Block& out = writes[turn % kBlocks];
    wait_for(in.event);
    if (out.event != nullptr) wait_for(out.event);
    if (out.staging == nullptr) out.staging = lease_staging(target, target.bytes);
    copy_host(out.staging->host_pointer(), in.staging->host_pointer(), in.bytes);
    submit_write(target, in.offset, out.staging->host_pointer(), in.bytes, write, &out.event,
                 out.staging->memory());
    write.queue->flush();
    last = out.event;
  };
  // Reads run ahead by all blocks, so that both devices move data while the host does.
  size_t turn = 0;
  size_t passed = 0;
  for (uint64_t offset = 0; offset < source.bytes; offset += kTransferPiece, ++turn) {
    if (turn >= kBlocks) pass_on(passed++);
    Block& in = reads[turn % kBlocks];
    if (in.staging == nullptr) in.staging = lease_staging(source, source.bytes);
    in.offset = offset;
    in.bytes = std::min(kTransferPiece, source.bytes - offset);
    submit_read(source, offset, in.staging->host_pointer(), in.bytes, read, &in.event,
                in.staging->memory(), true);
    read.queue->flush();
  }
  while (passed < turn) pass_on(passed++);
  finish_write(write, std::move(last));
}

}  // namespace netcl
