// Cross entropy, and the ops that its gradient is made of.
#pragma once

#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

struct LossSettings {
  TensorRef weights;  // of the classes; null: 1
  int64_t ignored = 0;
  bool ignores = false;
  netcl_loss_reduction reduction = NETCL_LOSS_MEAN;
  netcl_dtype dtype = 0;  // of the loss; 0: that of x
};

// w[label] times the negative logarithm of the label's probability along an axis; `logarithms`: x
// has those logarithms already.
TensorRef cross_entropy(const Tensor& x, const Tensor& labels, int32_t axis, bool logarithms,
                        const LossSettings& settings, const TensorRef& into, const Run& run);

// What the gradient of each row is multiplied with, given that of the loss: grad w[label], for a
// mean over the sum of weights. It has the shape of x with 1 for the axis, in f32, or f64 for f64.
TensorRef label_scale(const Tensor& labels, const Tensor& grad, int64_t classes, uint32_t axis,
                      const LossSettings& settings, const TensorRef& into, const Run& run);

// scale (softmax(x) - 1 at the label): the gradient of cross entropy. `scale` is as label_scale
// gives it.
TensorRef cross_entropy_gradient(const Tensor& x, const Tensor& labels, const Tensor& scale,
                                 int32_t axis, const TensorRef& into, const Run& run);

}  // namespace netcl::ops
