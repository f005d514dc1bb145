// Calls of ops that make gradients. Those of rules go through a Backward, which checks that what
// they read is still there.
#pragma once

#include <initializer_list>

#include "graph/call.hpp"
#include "ops/elementwise/elementwise.hpp"
#include "ops/elementwise/expression_cache.hpp"
#include "ops/frame/result.hpp"

namespace netcl::graph {

template <auto Op, class Into, class... Arguments>
Into recorded(const Caller& caller, const char* name, const Into& into,
              const Arguments&... arguments) {
  return call<Op>(caller.graph, name, into, caller.run, arguments...);
}

// A formula over tensors, as netcl_op_expression_text.
TensorRef recorded_formula(const Caller& caller, const char* text,
                           std::span<const TensorRef> inputs, netcl_dtype dtype,
                           const TensorRef& into = nullptr);
inline TensorRef recorded_formula(const Caller& caller, const char* text,
                                  std::initializer_list<TensorRef> inputs, netcl_dtype dtype,
                                  const TensorRef& into = nullptr) {
  return recorded_formula(caller, text, std::span(inputs.begin(), inputs.size()), dtype, into);
}

// The sum of a tensor over the axes along which `shape` broadcasts to it, in that shape.
TensorRef summed_to(const Caller& caller, const TensorRef& tensor, const Layout& shape,
                    netcl_dtype dtype);

}  // namespace netcl::graph
