// Elementwise work on either backend: one fused kernel, or one pass of the host evaluator.
#pragma once

#include <memory>
#include <span>

#include "expression/trees.hpp"
#include "ops/elementwise/elementwise_plan.hpp"
#include "ops/frame/replay.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

using TreeRef = std::shared_ptr<const expression::Tree>;

// So many results one command has at most.
inline constexpr size_t kResultsMost = NETCL_RESULTS_MAX;

// outputs = typed(inputs), one for each result, all of one shape to which the inputs broadcast; no
// two of them share memory. Inputs that overlap an output in another layout are copied first.
// `variant` is 0 or what the caller asked for.
void run_expressions(const TypedExpression& typed, std::span<const TensorRef> inputs,
                     std::span<const Tensor* const> outputs, netcl_variant variant,
                     const Run& run);

// The same for one result.
void run_expression(const TypedExpression& typed, std::span<const TensorRef> inputs,
                    const Tensor& output, netcl_variant variant, const Run& run);

// An expression over tensors as the interface offers it: infers types (dtype 0: by promotion),
// finds the broadcast shape, makes the result unless `into` is given.
TensorRef expression(const expression::Tree& tree, std::span<const TensorRef> inputs,
                     netcl_dtype dtype, netcl_variant variant, const TensorRef& into,
                     const Run& run);

// The same for several expressions, with a result for each: `dtypes` has an entry for each of them,
// or none, and `into` has all results or only nulls. Those that are given lie apart.
ResultList expressions(const expression::Trees& trees, std::span<const TensorRef> inputs,
                       std::span<const netcl_dtype> dtypes, netcl_variant variant,
                       const ResultList& into, const Run& run);

// The variant of work that asks for none: that of the environment, 0 where it has none.
netcl_variant default_elementwise_variant();

// The shape that shapes broadcast to; fails naming the two that disagree.
Layout broadcast_shape(std::span<const TensorRef> inputs);

// Fails when `variant` is neither 0 nor one of elementwise work.
void require_elementwise_variant(netcl_variant variant);

}  // namespace netcl::ops
