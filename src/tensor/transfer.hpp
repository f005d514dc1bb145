// Moving bytes between the host and the memory of tensors that are packed or are moved as one span.
#pragma once

#include <vector>

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

// Copies host memory to the device. Unless plan.borrow, the caller's array is free when the call
// returns.
void write_bytes(const ByteSpan& target, const void* data, const TransferPlan& plan);

// Copies to host memory and waits for it; `data` is touched inside the call only.
void read_bytes(const ByteSpan& source, void* data, const TransferPlan& plan);

// Starts a copy to host memory that ends with *plan.event.
void read_bytes_async(const ByteSpan& source, void* data, const TransferPlan& plan);

}  // namespace netcl
