// The SIMD loops of softmax, one table of functions per instruction set.
//
// Exponentials are scaled by a power of two, and so are their sums: what becomes a denormal float
// in the end is a normal number until the division by the sum.
#pragma once

#include <cstdint>

namespace netcl::cpu {

template <class T>
struct SoftmaxKernels {
  // The largest element; NaN may be passed over.
  T (*max)(const T* x, int64_t n);
  // e[i] = scaled exp(x[i] - m). Returns their sum. e may be x.
  T (*exponentials)(const T* x, T m, T* e, int64_t n);
  // The same sum alone.
  T (*exponential_sum)(const T* x, T m, int64_t n);
  // y[i] = x[i] * factor.
  void (*multiply)(const T* x, T factor, T* y, int64_t n);
  // y[i] = (x[i] - m) - ending.
  void (*shift)(const T* x, T m, T ending, T* y, int64_t n);
  // log(sum) without the scale.
  T (*logarithm)(T sum);

  // Softmax or its logarithm of `lanes` neighbouring columns of n elements, `x_step` and `y_step`
  // apart.
  void (*columns)(const T* x, int64_t x_step, T* y, int64_t y_step, int64_t n, bool logarithm);
  int64_t lanes;

  // The gradient of a row from what softmax gave, y: y[i] * (grad[i] - sum(grad * y)), or of its
  // logarithm grad[i] - exp(y[i]) * sum(grad). result may be y or grad.
  void (*gradient)(const T* y, const T* grad, bool logarithm, T* result, int64_t n);
  // The same of `lanes` neighbouring columns.
  void (*gradient_columns)(const T* y, int64_t y_step, const T* grad, int64_t grad_step,
                           bool logarithm, T* result, int64_t result_step, int64_t n);
};

// The best table for this machine.
template <class T>
const SoftmaxKernels<T>& softmax_kernels();

}  // namespace netcl::cpu
