// What the gradient of maximum pooling is made of. Graphs call these; they are no ops of netcl.h.
// The places of maxima are the indices of pool, too.
#pragma once

#include "ops/conv2d/pooling.hpp"

namespace netcl::ops {

// Which element of its plane, H x W in C order, is the first largest of each window: i64 [N, C, OH,
// OW], H * W for a window over padding alone. NaN is the largest.
TensorRef max_pool_places(const Tensor& x, const PoolParameters& options, const TensorRef& into,
                          const Run& run);

// Enqueues the search for places in x, counted as task.places says, to y; the task has the windows.
void enqueue_places(const Tensor& x, const Tensor& y, netcl::cpu::PoolTask task, const Run& run);

// The gradient of x, of this height and width, from those of the windows. f16 and bf16 are summed
// in f32.
TensorRef max_pool_gradient(const Tensor& places, const Tensor& grad,
                            const std::array<int64_t, 3>& extent, const PoolParameters& options,
                            const TensorRef& into, const Run& run);

}  // namespace netcl::ops
