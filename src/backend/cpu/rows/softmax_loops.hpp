// Softmax and log-softmax of the built-in device.
#pragma once

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

struct SoftmaxTask {
  const void* x_data = nullptr;
  void* y_data = nullptr;
  Layout x;  // where the rows begin
  Layout y;
  int64_t rows = 0;
  int64_t length = 0;  // of a row
  int64_t x_step = 1;
  int64_t y_step = 1;
  netcl_dtype dtype = NETCL_F32;
  bool logarithm = false;
  bool across = false;  // neighbouring rows lie closer together than the elements of one
};

void softmax(const SoftmaxTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
