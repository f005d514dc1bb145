// Gradients of what normalisations have for each channel.
#pragma once

#include <functional>

#include "graph/rule.hpp"

namespace netcl::graph {

// y = (given - mean) * scale / sqrt(variance + epsilon) + bias along dimension 1 of what is given.
// All tensors have one element per channel; scale and bias may be null.
struct ChannelNorm {
  TensorRef scale;
  TensorRef bias;
  TensorRef mean;
  TensorRef variance;
  double epsilon;
};

// The dtype of sums over elements of a tensor.
netcl_dtype wide_dtype(const Tensor& tensor);
// The tensor itself where it has that dtype.
TensorRef widened(const Backward& backward, const TensorRef& tensor);
// One element per channel as a tensor of this rank: [1, C, 1, ...].
TensorRef per_channel(const Tensor& tensor, uint32_t rank);
// The same with its values in another dtype.
TensorRef per_channel(const Backward& backward, const TensorRef& tensor, uint32_t rank,
                      netcl_dtype dtype);
// The sum over everything but the channels, in wide_dtype.
TensorRef channel_squares(const Backward& backward, const TensorRef& tensor);
TensorRef channel_sums(const Backward& backward, const TensorRef& tensor);
// scale / sqrt(variance + epsilon), in the dtype and shape of a variance that per_channel() gave.
TensorRef channel_factor(const Backward& backward, const TensorRef& scale,
                         const TensorRef& variance, double epsilon);

// Adds the gradients of the four from that of y. `make_given` is called where its values matter.
void add_channel_gradients(Backward& backward, const ChannelNorm& norm, const TensorRef& grad,
                           const std::function<TensorRef()>& make_given);

}  // namespace netcl::graph
