// The elementwise operators of the interface: names, formulas, parameters. Each of them is an
// expression, so this is all there is to an operator.
#pragma once

#include <span>

#include "ops/elementwise/elementwise.hpp"

namespace netcl::ops {

// "HardSigmoid"; "invalid" for other values.
const char* elementwise_name(netcl_elementwise op) noexcept;
// Fails with INVALID_ARGUMENT when op is none, and for a number of inputs that it does not take.
void require_elementwise_inputs(netcl_elementwise op, size_t inputs_count);
// Any case, with or without underscores. Fails with NOT_FOUND.
netcl_elementwise find_elementwise(const char* name);

// Parameters as the caller gave them; without `given` the operator's defaults hold.
struct ElementwiseParameters {
  bool given = false;
  double alpha = 0;
  double beta = 0;
};

// The parameters that ONNX gives an operator; 0 where it has none.
ElementwiseParameters elementwise_defaults(netcl_elementwise op) noexcept;

// The expression that an operator is for these inputs, with everything about it checked.
TreeRef elementwise_tree(netcl_elementwise op, std::span<const TensorRef> inputs,
                         const ElementwiseParameters& parameters);
TensorRef elementwise(netcl_elementwise op, std::span<const TensorRef> inputs,
                      const ElementwiseParameters& parameters, netcl_dtype dtype,
                      netcl_variant variant, const TensorRef& into, const Run& run);

// x + bias, which has rank 1 and lies along one axis of x.
TensorRef bias_add(const TensorRef& x, const TensorRef& bias, int32_t axis, const TensorRef& into,
                   const Run& run);

}  // namespace netcl::ops
