// The gradients of softmax and of its logarithm by the built-in loops.
#pragma once

#include "backend/cpu/rows/rows.hpp"
#include "backend/cpu/thread_pool.hpp"
#include "netcl.h"

namespace netcl::cpu {

struct SoftmaxGradientTask {
  const void* y_data = nullptr;  // what softmax gave
  const void* grad_data = nullptr;
  void* result_data = nullptr;
  Rows rows;   // y and the result
  Rows grads;  // grad, as its x
  netcl_dtype dtype = NETCL_F32;
  bool logarithm = false;
  bool across = false;  // neighbouring rows lie closer together than the elements of one
};

void softmax_gradient(const SoftmaxGradientTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
