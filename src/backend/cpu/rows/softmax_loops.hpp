// Softmax and log-softmax by the built-in loops.
#pragma once

#include "backend/cpu/rows/rows.hpp"
#include "backend/cpu/thread_pool.hpp"

namespace netcl::cpu {

struct SoftmaxTask {
  const void* x_data = nullptr;
  void* y_data = nullptr;
  Rows rows;  // stepped
  netcl_dtype dtype = NETCL_F32;
  bool logarithm = false;
  bool across = false;  // neighbouring rows lie closer together than the elements of one
};

void softmax(const SoftmaxTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
