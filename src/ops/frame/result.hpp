// What most ops begin with: axes, the tensor that receives the result, and what it may share memory
// with. All of it fails with INVALID_ARGUMENT before anything is enqueued.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// An axis of a tensor of this rank; negative ones count from the end.
uint32_t checked_axis(int32_t axis, uint32_t rank, const char* argument);

// run->into when it is given and has this shape and dtype, else a new C-order tensor of them.
TensorRef result_tensor(const TensorRef& into, uint32_t rank, const int64_t* shape,
                        netcl_dtype dtype, const Run& run);

// A new tensor of the run's device: in C order, or of a layout, whose offset is set.
TensorRef new_tensor(netcl_dtype dtype, const Layout& layout, const Run& run);
TensorRef new_tensor(netcl_dtype dtype, uint32_t rank, const int64_t* shape, const Run& run);

// True when the memory that the two tensors reach may meet.
bool may_share(const Tensor& a, const Tensor& b);
// True when both are the same elements in the same places.
bool same_elements(const Tensor& a, const Tensor& b);

// Fails when `into` shares memory with an input; `in_place` allows it to be the input itself.
void refuse_sharing(const TensorRef& into, const Tensor& input, const char* argument,
                    bool in_place = false);

// Fails when a tensor of an op lives on another device than the op runs on.
void require_device(const Tensor& tensor, const Run& run, const char* argument);

// Fails with UNSUPPORTED when the op computes in f64 and the device cannot.
void require_f64(const Run& run, netcl_dtype dtype, const char* argument);

}  // namespace netcl::ops
