// Copies from one GPU to another by CUDA, which knows of the road between them where OpenCL goes
// through the host. It reaches memory made with share = 1; other memory goes through pieces of such
// on its own side.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// From this size on such a copy is faster than one through the host: giving a GPU from OpenCL to
// CUDA and back takes a tenth of a millisecond (tests/bench/notes/groups_gpu.txt).
inline constexpr uint64_t kPeerLeast = uint64_t{256} << 10;

// True where there is a road from the memory of one device to that of the other.
bool are_peers(const Device& from, const Device& to);

// Both tensors are packed, and nobody else uses them meanwhile. Returns when the copy is done.
void copy_by_peers(const Tensor& source, const Tensor& target, const Run& run);

// The place of a packed tensor as CUDA sees it; no address where it does not.
share::CudaPlace place_for_cuda(const Tensor& tensor);
// Waits until OpenCL has written a tensor that another runtime is to read.
void wait_until_written(const Tensor& source, QueueSet& set);
// Elements of a packed tensor, as one row.
TensorRef row_of(const Tensor& tensor, int64_t first, int64_t count);
// Lets what comes later come after the writing of a tensor that another runtime has done.
void mark_written(const Tensor& target, const Run& run);

}  // namespace netcl::ops
