#pragma once

#include "backend/cpu/conv2d/pool_loops.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Numbers for the spatial axes of x, as many as it has; 0 stands for what netcl_pooling_options
// says.
struct PoolParameters {
  std::array<int64_t, 3> window{};
  std::array<int64_t, 3> strides{};
  std::array<int64_t, 3> dilations{};
  std::array<int64_t, 6> padding{};  // in front of each axis, then behind each
  bool ceil_mode = false;
  bool count_include_pad = false;
};

// The number of spatial axes of x, [N, C, spatial...], whose extents are not 0; else it fails.
uint32_t require_windows(const Tensor& x);

// The windows along spatial axis `side` of x, whose extent is not 0.
netcl::cpu::PoolAxis pool_axis(const Layout& x, uint32_t side, const PoolParameters& options);

// x, [N, C, spatial...], as [N, C, D, H, W]: the axes that it lacks have one element.
Layout as_volumes(const Layout& x);

// The windows along all of its axes, and the shape of what pooling gives.
netcl::cpu::PoolAxes pool_axes(const Layout& x, const PoolParameters& options);
Layout pooled_shape(const Layout& x, const netcl::cpu::PoolAxes& axes);

// What describes them to kernels: AXIS_ARGUMENTS of pool_common.cl, three times.
void add_pool_axes(const netcl::cpu::PoolAxes& axes, Arguments* list);

struct PoolResult {
  TensorRef values;
  TensorRef indices;  // of the maxima; null when they are not wanted
};

// The indices are made when they are wanted and `into` has no tensor for them.
PoolResult pool(const Tensor& x, netcl_pooling kind, const PoolParameters& options,
                bool wants_indices, bool column_major, const PoolResult& into, const Run& run);

// The sum over each window of floats.
TensorRef window_sums(const Tensor& x, const PoolParameters& options, const TensorRef& into,
                      const Run& run);

}  // namespace netcl::ops
