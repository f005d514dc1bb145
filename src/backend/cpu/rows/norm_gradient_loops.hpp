// The gradients of layer and RMS normalisation by the built-in loops.
#pragma once

#include "backend/cpu/rows/norm_gather.hpp"
#include "backend/cpu/thread_pool.hpp"

namespace netcl::cpu {

struct NormGradientTask {
  const void* x_data = nullptr;
  const void* grad_data = nullptr;
  const void* scale_data = nullptr;
  void* result_data = nullptr;   // the gradient of x; null: not wanted
  void* product_data = nullptr;  // grad times the normal values, as f32 or f64; null: not wanted
  Rows rows;                     // x and its gradient
  Rows grads;                    // grad and the product
  RowNumbers scale;
  netcl_dtype dtype = NETCL_F32;
  double epsilon = 0;
  bool centred = true;
};

void norm_gradient(const NormGradientTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
