// Elementwise work on either backend: one fused kernel, or one pass of the host evaluator.
#pragma once

#include <memory>
#include <span>

#include "expression/types.hpp"
#include "ops/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

using TypedTreeRef = std::shared_ptr<const expression::TypedTree>;

// output = tree(inputs), the inputs broadcast to the output's shape. Inputs that overlap the output
// in another layout are copied first.
void run_expression(const expression::TypedTree& tree, std::span<const TensorRef> inputs,
                    const Tensor& output, const Run& run);

// An expression over tensors as the interface offers it: infers types (dtype 0: by promotion),
// finds the broadcast shape, makes the result unless `into` is given.
TensorRef expression(const std::shared_ptr<const expression::Tree>& tree,
                     std::span<const TensorRef> inputs, netcl_dtype dtype, const TensorRef& into,
                     const Run& run);

// The shape that shapes broadcast to; fails naming the two that disagree.
Layout broadcast_shape(std::span<const TensorRef> inputs);

}  // namespace netcl::ops
