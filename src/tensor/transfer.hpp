// Moving bytes between the host and the memory of tensors that are packed or are moved as one span.
#pragma once

#include <vector>

#include "core/function_ref.hpp"
#include "tensor/tensor.hpp"

namespace netcl {

// How a transfer runs; the defaults of the environment are already filled in.
struct TransferPlan {
  Queue* queue = nullptr;
  backend::WaitList waits;
  backend::EventRef* event = nullptr;  // receives the completion on the device
  bool async_copy = true;              // writes: return before the device has the data
  bool use_pinned = true;              // stage through page-locked memory
  bool borrow = false;                 // writes: let the device read the caller's array later
};

// What goes through page-locked memory goes in pieces of this size at most, several at a time:
// large enough to hide the cost of a command.
inline constexpr uint64_t kTransferPiece = uint64_t{16} << 20;

struct ByteSpan {
  Buffer* buffer;
  uint64_t offset;
  uint64_t bytes;
};

// The bytes of a tensor that is packed in C order.
ByteSpan packed_span(const Tensor& tensor);

// What a timeout bounds: the wait for everything that the transfer would stand behind. Afterwards
// the transfer runs to its end, so that the caller's memory is never touched after the call. False
// on time-out, with nothing changed.
bool wait_for_earlier_work(const Tensor& tensor, const TransferPlan& plan, bool writes_only,
                           uint64_t timeout_ns);

// Throws LAUNCH_FAILURE when a command that is complete has failed.
void throw_if_failed(const backend::EventRef& event);
// Calls wait(), which is true when the device has finished with memory that is not its own, until
// it is: whatever happens, the call must not return before. An interrupt is CANCELLED afterwards.
void wait_to_the_end(FunctionRef<bool()> wait);

// Copies host memory to the device. Unless plan.borrow, the caller's array is free when the call
// returns.
void write_bytes(const ByteSpan& target, const void* data, const TransferPlan& plan);

// Copies to host memory and waits for it; `data` is touched inside the call only.
void read_bytes(const ByteSpan& source, void* data, const TransferPlan& plan);

// Starts a copy to host memory that ends with *plan.event.
void read_bytes_async(const ByteSpan& source, void* data, const TransferPlan& plan);

// Copies between two devices through page-locked memory of each, and returns when the source has
// been read. Both spans have the same size.
void copy_bytes(const ByteSpan& source, const TransferPlan& read, const ByteSpan& target,
                const TransferPlan& write);

}  // namespace netcl
