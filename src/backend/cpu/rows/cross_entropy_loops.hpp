// Cross entropy and its gradient by the built-in loops.
#pragma once

#include "backend/cpu/rows/rows.hpp"
#include "backend/cpu/thread_pool.hpp"

namespace netcl::cpu {

// The label of each row and what it counts. A row whose label is ignored has the weight 0, one
// whose label is no class has NaN.
struct Labels {
  const void* data = nullptr;
  const void* weights = nullptr;
  Layout rows;                    // of the labels, with the offset
  netcl_dtype dtype = NETCL_I64;  // i32 or i64
  netcl_dtype weights_dtype = 0;  // 0: every class weighs 1
  int64_t weights_base = 0;
  int64_t weights_step = 0;
  int64_t count = 0;
  int64_t classes = 0;
  int64_t ignored = 0;
  bool ignores = false;
};

// w[label] times the negative logarithm of a label's probability: one number for each row, their
// sum, or their sum over that of the weights.
struct CrossEntropyTask {
  Labels labels;
  const void* x_data = nullptr;
  void* y_data = nullptr;
  Rows rows;  // of x, stepped; the result takes no part
  Layout y;   // of the result: one element, or one for each row
  netcl_dtype dtype = NETCL_F32;
  netcl_dtype y_dtype = NETCL_F32;
  netcl_loss_reduction reduction = NETCL_LOSS_MEAN;
  bool logarithms = false;  // x has the logarithms of probabilities
  bool across = false;      // neighbouring rows lie closer together than the elements of one
};
void cross_entropy(const CrossEntropyTask& task, ThreadPool& threads);

// What the gradient of each row is multiplied with: grad w[label], over the sum of weights for a
// mean.
struct LabelScaleTask {
  Labels labels;
  const void* grad_data = nullptr;
  void* y_data = nullptr;
  Layout grad;  // one element, or one for each row
  Layout y;
  netcl_dtype grad_dtype = NETCL_F32;
  netcl_loss_reduction reduction = NETCL_LOSS_MEAN;
};
void label_scale(const LabelScaleTask& task, ThreadPool& threads);

// scale (softmax(x) - 1 at the label) by row; a row of scale 0 has zeros.
struct CrossEntropyGradientTask {
  Labels labels;
  const void* x_data = nullptr;
  const void* scale_data = nullptr;  // f64 for f64, else f32
  void* y_data = nullptr;
  Rows rows;  // stepped
  Layout scale;
  netcl_dtype dtype = NETCL_F32;
  bool across = false;
};
void cross_entropy_gradient(const CrossEntropyGradientTask& task, ThreadPool& threads);

}  // namespace netcl::cpu
