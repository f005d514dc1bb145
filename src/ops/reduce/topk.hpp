// The first elements of an axis in sorted order: see netcl_op_topk.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::cpu {
class ThreadPool;
}

namespace netcl::ops {

struct TopkResult {
  TensorRef values;
  TensorRef indices;  // null when they are not wanted
};

// The indices are made when they are wanted and `into` has no tensor for them.
TopkResult topk(const Tensor& x, int64_t k, int32_t axis, bool smallest, bool wants_indices,
                const TopkResult& into, const Run& run);

// Lines along the axis of x and of the results, in one order.
struct TopkPlan {
  netcl_dtype dtype = 0;
  bool smallest = false;
  int64_t count = 1;  // elements of a line
  int64_t k = 1;
  int64_t rows = 1;
  Layout lines[3];  // of x, the values, the indices
  int64_t strides[3] = {1, 1, 1};
};

// The built-in device's part; `indices` may be null.
void topk_on_host(const TopkPlan& plan, const void* x, void* values, int64_t* indices,
                  netcl::cpu::ThreadPool& threads);
// The OpenCL part.
void launch_topk(const TopkPlan& plan, const Tensor& x, const Tensor& values, const Tensor* indices,
                 const Run& run);

}  // namespace netcl::ops
