// Places and the gradient of maxima of windows, of the built-in device.
#pragma once

#include "backend/cpu/conv2d/pool_loops.hpp"

namespace netcl::cpu {

// y is i64: which element of x is the first largest one of each window, row by row, counted as
// task.places says. NaN is the largest.
void pool_places(const PoolTask& task, ThreadPool& threads);

// Each element of the result is the sum of the gradients of the windows that it is the place of, in
// C order of the windows.
struct PoolSpreadTask : PoolAxes {
  const int64_t* places_data = nullptr;
  const void* grad_data = nullptr;
  void* result_data = nullptr;
  Layout places;  // [N, C, OD, OH, OW]
  Layout grad;
  Layout result;                  // [N, C, D, H, W]
  netcl_dtype dtype = NETCL_F32;  // of grad and the result
};
void pool_spread(const PoolSpreadTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
