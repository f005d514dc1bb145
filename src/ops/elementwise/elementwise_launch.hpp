// The last step of elementwise work: from arranged operands to a command.
#pragma once

#include <span>

#include "ops/elementwise/elementwise_plan.hpp"
#include "ops/frame/run.hpp"
#include "tensor/tensor.hpp"

namespace netcl::ops {

// The vector width of an elementwise kernel, 1 for scalars. `largest` is the size of the largest
// element. NETCL_VARIANT_ELEMENTWISE_* says what was asked for, 0 nothing.
uint32_t elementwise_width(int64_t count, size_t largest, netcl_variant asked);

// Enqueues the command. `layouts` are those of the inputs and, behind them, the outputs, arranged;
// no input overlaps an output but in the same place.
void launch_expression(const TypedExpression& typed, std::span<const TensorRef> inputs,
                       std::span<const Tensor* const> outputs, const Layout* layouts,
                       netcl_variant variant, const Run& run);

}  // namespace netcl::ops
