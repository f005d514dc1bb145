// Batch normalisation of the built-in device.
#pragma once

#include "backend/cpu/thread_pool.hpp"
#include "core/layout.hpp"

namespace netcl::cpu {

// Elements of a channel come in `lines` of `length` elements with a step; or, with `across`, a line
// holds one element of each channel.
struct BatchnormTask {
  const void* x_data = nullptr;
  void* y_data = nullptr;
  Layout x_lines;  // where lines begin, for channel 0
  Layout y_lines;
  int64_t lines = 0;
  int64_t length = 0;
  int64_t x_step = 1;  // between elements of a line
  int64_t y_step = 1;
  int64_t x_channel = 0;  // between channels, unless `across`
  int64_t y_channel = 0;
  int64_t channels = 0;
  netcl_dtype dtype = NETCL_F32;
  bool across = false;
};

// The mean and the population variance of each channel of x.
void batchnorm_statistics(const BatchnormTask& task, double* mean, double* variance,
                          ThreadPool& threads);

struct BatchnormActivation {
  netcl_activation kind = NETCL_ACTIVATION_NONE;
  double alpha = 0.0;
  double beta = 0.0;
  bool fused = false;  // in the same pass
};

// y = activation(a[c] x + b[c]).
void batchnorm_apply(const BatchnormTask& task, const double* a, const double* b,
                     const BatchnormActivation& activation, ThreadPool& threads);

}  // namespace netcl::cpu
