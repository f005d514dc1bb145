#pragma once

#include "backend/cpu/conv2d/pool2d_loops.hpp"
#include "ops/frame/arguments.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// Two numbers are vertical and horizontal; 0 stands for what netcl_pool2d_options says.
struct Pool2dParameters {
  std::array<int64_t, 2> window = {0, 0};
  std::array<int64_t, 2> strides = {0, 0};
  std::array<int64_t, 2> dilations = {0, 0};
  std::array<int64_t, 4> padding = {0, 0, 0, 0};  // top, left, bottom, right
  bool ceil_mode = false;
  bool count_include_pad = false;
};

// The windows along the height (side 0) or the width (1) of x, whose extent is not 0.
netcl::cpu::PoolAxis pool_axis(const Layout& x, int side, const Pool2dParameters& options);

// What describes one of them to kernels: AXIS_ARGUMENTS of pool2d_common.cl.
void add_pool_axis(const netcl::cpu::PoolAxis& axis, Arguments* list);

struct Pool2dResult {
  TensorRef values;
  TensorRef indices;  // of the maxima; null when they are not wanted
};

// The indices are made when they are wanted and `into` has no tensor for them.
Pool2dResult pool2d(const Tensor& x, netcl_pooling kind, const Pool2dParameters& options,
                    bool wants_indices, bool column_major, const Pool2dResult& into,
                    const Run& run);

}  // namespace netcl::ops
